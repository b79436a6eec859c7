#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes graph/op/<type>/*.json, graph/op/harness_<type>_{ci,all} and graph/op/harness_genindex_ci.

The files differ in the element type only, so they come from one place; they are committed because the
driver's users read and edit them. Run it after a change here, in any folder.
"""
import pathlib

ROOT = pathlib.Path(__file__).resolve().parent / "graph" / "op"
TYPES = "f32 bf16 f16 f64 s8 s16 s32 s64 u8 u16 u32 u64 boolean".split()
INT64_MIN, INT64_MAX = -(2**63), 2**63 - 1


def dense(shape):
    strides, step = [], 1
    for extent in reversed(shape):
        strides.insert(0, step)
        step *= max(extent, 1)
    return strides


def tensor(id, dtype, shape, property="undef", value=None):
    text = (f'{{ "id": {id}, "dtype": "{dtype}", "shape": {shape}, "stride": {dense(shape)},\n'
            f'          "layout_type": "strided", "property_type": "{property}"')
    return text + (f', "value": {value} }}' if value is not None else " }")


def attr(name, type, value):
    return f'"{name}": {{ "type": "{type}", "value": {value} }}'


def graph(name, kind, attrs, inputs, outputs):
    def ports(tensors):
        return "[\n        " + ",\n        ".join(tensors) + "\n      ]" if tensors else "[]"

    ids = list(range(len(inputs)))
    attrs = "{ " + ", ".join(attrs) + " }" if attrs else "{}"
    return f"""{{
  "version": "3.14.0",
  "engine_kind": "cpu",
  "fpmath_mode": "strict",
  "fpmath_mode_apply_to_int": "false",
  "input_ports": {ids},
  "output_ports": [{len(inputs)}],
  "graph": [
    {{
      "id": 0,
      "name": "{name}",
      "kind": "{kind}",
      "attrs": {attrs},
      "inputs": {ports(inputs)},
      "outputs": {ports(outputs)}
    }}
  ]
}}
"""


def scalar(id, dtype, value=None):
    return tensor(id, dtype, [], "host_scalar", value)


# One graph per op and form. What a tensor-form Eye is told about rows, columns and batch follows from
# its output's shape; "value" gives the diagonal.
def graphs(dtype):
    yield "eye", graph("eye", "Eye", [attr("shape", "s64[]", [37, 53]), attr("k", "s64", 3)], [],
                       [tensor(0, dtype, [37, 53])])
    yield "eye_host_scalars", graph(
        "eye", "Eye", [], [scalar(0, "s64"), scalar(1, "s64"), scalar(2, "s64", -2)],
        [tensor(3, dtype, [37, 53])])
    yield "eye_tensors", graph(
        "eye", "Eye", [],
        [tensor(0, "s32", []), tensor(1, "s64", [1]), tensor(2, "s32", [1], value=5)],
        [tensor(3, dtype, [19, 40])])
    yield "eye_batch", graph(
        "eye", "Eye", [],
        [scalar(0, "s32"), scalar(1, "s32"), scalar(2, "s64", 1), tensor(3, "s64", [2])],
        [tensor(4, dtype, [2, 3, 17, 23])])
    yield "eyelike", graph("eyelike", "EyeLike", [attr("k", "s64", -1)],
                           [tensor(0, dtype, [31, 47])], [tensor(1, dtype, [31, 47])])
    for name, index in (("genindex", "s32"), ("genindex_s64", "s64")):
        yield name, graph("genindex", "GenIndex", [attr("axis", "s64", 2)],
                          [tensor(0, dtype, [2, 3, 17, 19])], [tensor(1, index, [2, 3, 17, 19])])


FORMS = "eye eye_host_scalars eye_tensors eye_batch eyelike genindex genindex_s64".split()


def harness_ci(dtype):
    lines = [f"# Every op and form once, {dtype}"]
    return lines + [f"--reset --case=op/{dtype}/{form}.json" for form in FORMS]


def harness_all(dtype):
    case = lambda form, knobs: f"--reset {knobs} --case=op/{dtype}/{form}.json"
    lines = [f"--batch=op/harness_{dtype}_ci", "",
             "# Diagonals: main, at and beyond both corners, the ends of s64"]
    ks = [0, 52, 53, -36, -37, INT64_MAX, INT64_MIN]
    attrs = ",".join(f"0:k:{k}" for k in ks)
    values = ",".join(f"2:{k}" for k in ks)
    lines += [case("eye", f"--op-attrs={attrs}"),
              case("eyelike", f"--op-attrs={attrs}"),
              case("eye_host_scalars", f"--tensor-value={values}")]
    lines += ["", "# Shapes: around the vector widths, small, long, flat, tall, empty"]
    shapes = "1x1 1x64 64x1 3x3 4x4 7x9 15x15 16x16 17x17 31x33 64x64 63x65 5x1000 1000x5 " \
             "127x129 0x5 5x0 0x0".split()
    for form, id in (("eye", 0), ("eye_host_scalars", 3), ("eye_tensors", 3), ("eyelike", 0)):
        joined = ",".join(f"{id}:{shape}" for shape in shapes)
        lines.append(case(form, f"--in-shapes={joined}"))
    lines += ["", "# Batches, up to rank 12"]
    batches = "16x16 5x4x4 1000x3x3 2x0x4x4 2x3x4x5x6 1x2x1x2x1x2x1x2x1x2x3x4".split()
    lines.append(case("eye_batch", "--in-shapes=" + ",".join(f"4:{shape}" for shape in batches)))
    lines.append(case("eye_batch", "--mb=1,7"))
    lines.append(case("eye", "--in-shapes=" + ",".join(f"0:{shape}" for shape in batches)))
    lines += ["", "# Strides: permuted, with gaps"]
    lines.append(case("eye", "--in-shapes=0:37x53*ba,0:37x53*64x1,0:37x53*1x40,0:37x53*200x3"))
    lines.append(case("eyelike", "--in-shapes=0:31x47*ba,1:31x47*64x1,0:31x47*50x1+1:31x47*ba"))
    lines.append(case("eye_batch", "--in-shapes=4:2x3x17x23*abdc,4:2x3x17x23*cdab,"
                                   "4:2x3x17x23*2000x600x32x1"))
    lines += ["", "# GenIndex: every axis, shapes, strides"]
    axes = ",".join(f"0:axis:{axis}" for axis in (0, 1, 2, 3, -1, -2, -3, -4))
    for form in ("genindex", "genindex_s64"):
        lines.append(case(form, f"--op-attrs={axes}"))
        lines.append(case(form, "--op-attrs=0:axis:0,0:axis:-1 --in-shapes=" + ",".join(
            f"0:{shape}" for shape in "1 7 64 1000 3x5 33x3 9x7 4x100 16x1 0x4 2x3x0 5x6x7 "
            "2x2x2x2x2 1x2x1x2x1x2x1x2x1x2x3x4".split())))
        lines.append(case(form, "--op-attrs=0:axis:1,0:axis:3 --in-shapes=0:2x3x17x19*acdb,"
                                "1:2x3x17x19*dcba,1:2x3x17x19*2000x600x32x1"))
    return lines


# What oneDNN's own harness asks of GenIndex, for each of its three types: the axis of the file, one from
# the front, one from the back, and a layout with the two middle dimensions swapped on both sides.
def harness_genindex():
    shape = [1, 16, 32, 32]
    swapped = "x".join(map(str, shape)) + "*acbd"
    graph_file = "op/f32/genindex_4d.json"
    text = graph("genindex", "GenIndex", [attr("axis", "s64", 0)], [tensor(0, "f32", shape)],
                 [tensor(1, "s32", shape)])
    lines = ["# GenIndex as oneDNN's harness for f32, bf16 and f16 asks for it"]
    for dtype in ("", "--dt=bf16 ", "--dt=f16 "):
        for knobs in ("", "--op-attrs=0:axis:2 ", "--op-attrs=0:axis:-1 ",
                      f"--op-attrs=0:axis:2 --in-shapes=0:{swapped}+1:{swapped} "):
            lines.append(f"--reset {dtype}{knobs}--case={graph_file}")
    return graph_file, text, lines


def write(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


for dtype in TYPES:
    for name, text in graphs(dtype):
        write(ROOT / dtype / f"{name}.json", text)
    write(ROOT / f"harness_{dtype}_ci", "\n".join(harness_ci(dtype)) + "\n")
    write(ROOT / f"harness_{dtype}_all", "\n".join(harness_all(dtype)) + "\n")
genindex_file, genindex_text, genindex_lines = harness_genindex()
write(ROOT.parent / genindex_file, genindex_text)
write(ROOT / "harness_genindex_ci", "\n".join(genindex_lines) + "\n")
for kind in ("ci", "all"):
    batches = "\n".join(f"--batch=op/harness_{dtype}_{kind}" for dtype in TYPES)
    write(ROOT.parent / f"test_graph_{kind}",
          f"# Every op, form and element type, every fused pattern ({kind})\n{batches}\n--batch=op/harness_types_{kind}\n"
          f"--batch=op/harness_genindex_ci\n--batch=fusion/harness_{kind}\n"
          "--batch=attention/harness_attention_ci\n")
