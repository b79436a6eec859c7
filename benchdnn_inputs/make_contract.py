#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes benchdnn_inputs/contract: correctness and benchmark cases of GenIndex, Eye and EyeLike.

usage: make_contract.py IOTADNN, where IOTADNN is the iotadnn command, which describes the ops for the
manifest. Expected values are made here, from the definitions: a one where column - row == k
(OpenVINO Eye-9, ONNX EyeLike-22), the coordinate along the axis (oneDNN Graph GenIndex).
"""
import itertools
import json
import pathlib
import subprocess
import sys

FOLDER = pathlib.Path(__file__).parent / "contract"
OPS = ["GenIndex", "Eye", "EyeLike"]
TYPES = ["f32", "bf16", "f16", "f64", "s8", "s16", "s32", "s64", "u8", "u16", "u32", "u64", "boolean"]
FAR = 1 << 62


def indices(shape):
    return itertools.product(*(range(extent) for extent in shape))


def eye_values(shape, k):
    return [1 if at[-1] - at[-2] == k else 0 for at in indices(shape)]


def case(name, op, attributes, inputs, data_type, shape, values):
    output = {"type": data_type, "shape": shape}
    if values is not None:
        output["value"] = values
    return {"name": name, "op": op, "attributes": attributes, "inputs": inputs, "outputs": [output]}


def tensor(data_type, shape, value=None):
    return {"type": data_type, "shape": shape} | ({} if value is None else {"value": value})


def eye_like(data_type, rows, columns, k, with_values, source="f32"):
    shape = [rows, columns]
    return case(f"eyelike_{source}_{data_type}_{rows}x{columns}_k{k}", "EyeLike", {"k": k},
                [tensor(source, shape)], data_type, shape,
                eye_values(shape, k) if with_values else None)


def eye_of_attributes(data_type, shape, k, with_values):
    name = "x".join(str(extent) for extent in shape)
    return case(f"eye_{data_type}_{name}_k{k}", "Eye", {"shape": shape, "k": k}, [], data_type,
                shape, eye_values(shape, k) if with_values else None)


def eye_of_tensors(data_type, rows, columns, k, batch, with_values):
    shape = (batch or []) + [rows, columns]
    inputs = [tensor("s64", [], [rows]), tensor("s32", [1], [columns]), tensor("s64", [1], [k])]
    if batch is not None:
        inputs.append(tensor("s64", [len(batch)], batch))
    name = "x".join(str(extent) for extent in shape)
    return case(f"eye_tensors_{data_type}_{name}_k{k}", "Eye", {}, inputs, data_type, shape,
                eye_values(shape, k) if with_values else None)


def gen_index(data_type, shape, axis, with_values, source="f32"):
    name = "x".join(str(extent) for extent in shape)
    return case(f"genindex_{data_type}_{name}_axis{axis}", "GenIndex", {"axis": axis},
                [tensor(source, shape)], data_type, shape,
                [at[axis] for at in indices(shape)] if with_values else None)


def test_cases():
    for data_type in TYPES:
        yield eye_like(data_type, 4, 5, 1, True)
        yield eye_of_attributes(data_type, [2, 3, 4], -1, True)
    for rows, columns, k in [(3, 4, 4), (3, 4, -3), (3, 4, 100), (4, 3, -FAR), (4, 3, FAR), (1, 1, 0),
                             (1, 8, 3), (5, 4, -4), (0, 4, 0), (17, 33, -16)]:
        yield eye_like("f32", rows, columns, k, True)
    yield eye_like("s32", 4, 4, 0, True, source="boolean")
    for rows, columns, k, batch in [(2, 4, 2, None), (4, 2, -3, None), (3, 3, 0, [2]),
                                    (2, 4, 2, [2, 2]), (2, 2, 3, [1, 3])]:
        yield eye_of_tensors("s64", rows, columns, k, batch, True)
    for shape, axes in [([5], [0, -1]), ([2, 3], [0, 1, -1, -2]), ([2, 3, 4], [1]), ([3, 0, 2], [0])]:
        for axis in axes:
            yield gen_index("s32", shape, axis, True)
    yield gen_index("s64", [2, 3, 2, 2], 2, True)


def bench_cases():
    for data_type in ["f32", "bf16", "u8", "s64"]:
        for size in [64, 1024, 4096]:
            yield eye_like(data_type, size, size, 0, False)
    yield eye_like("f32", 1024, 4096, 17, False)
    yield eye_of_attributes("f32", [4096, 4, 4], 0, False)
    yield eye_of_attributes("f32", [32, 512, 512], 1, False)
    for axis in [0, 1, 2, 3]:
        yield gen_index("s32", [2, 16, 384, 384], axis, False)


def write(name, content):
    """One line a case, so that a difference is read easily."""
    cases = ",\n".join("    " + json.dumps(one) for one in content["cases"])
    head = json.dumps({key: value for key, value in content.items() if key != "cases"}, indent=2)
    (FOLDER / name).write_text(head[:-2] + ',\n  "cases": [\n' + cases + "\n  ]\n}\n")


def main():
    ops = [json.loads(subprocess.run([sys.argv[1], "describe", op], check=True, capture_output=True,
                                     text=True).stdout) for op in OPS]
    manifest = {"name": "iotadnn: tensors computed from coordinates", "version": 1,
                "test": "test.json", "bench": "bench.json", "ops": ops}
    (FOLDER / "manifest.json").write_text(json.dumps(manifest, indent=2) + "\n")
    write("test.json", {"version": 1, "cases": list(test_cases())})
    write("bench.json", {"version": 1, "cases": list(bench_cases())})


if __name__ == "__main__":
    main()
