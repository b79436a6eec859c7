# SPDX-License-Identifier: Apache-2.0
"""Graphs as the files of the driver have them, for the scripts that write those."""
import json
import pathlib

ROOT = pathlib.Path(__file__).resolve().parent / "graph"
MINUS_INFINITY = "-inf"


class Graph:
    """A graph under construction: every method that makes a tensor returns its id."""

    def __init__(self):
        self.tensors, self.ops, self.read = {}, [], set()

    def tensor(self, dtype, shape, property="undef", value=None):
        id = len(self.tensors)
        self.tensors[id] = (dtype, list(shape), property, value)
        return id

    # A host scalar where its type may be one, else a tensor of one element.
    def scalar(self, dtype, value):
        if dtype in ("s32", "s64", "f32"):
            return self.tensor(dtype, [], "host_scalar", value)
        return self.tensor(dtype, [1], value=value)

    def op(self, kind, inputs, dtype, shape, /, **attrs):
        out = self.tensor(dtype, shape)
        self.ops.append((kind, attrs, list(inputs), out))
        self.read.update(inputs)
        return out

    def shape(self, id):
        return self.tensors[id][1]

    # The usual ops, numpy broadcasting included.
    def binary(self, kind, a, b, dtype=None):
        rank = max(len(self.shape(a)), len(self.shape(b)))
        pad = lambda s: [1] * (rank - len(s)) + s
        shape = [max(x, y) if 0 not in (x, y) else 0
                 for x, y in zip(pad(self.shape(a)), pad(self.shape(b)))]
        return self.op(kind, [a, b], dtype or self.tensors[a][0], shape)

    def unary(self, kind, a, dtype=None, /, **attrs):
        return self.op(kind, [a], dtype or self.tensors[a][0], self.shape(a), **attrs)

    def index(self, a, axis):
        return self.op("GenIndex", [a], "s32", self.shape(a), axis=("s64", axis))

    def select(self, condition, a, b):
        wide = a if len(self.shape(a)) >= len(self.shape(b)) else b
        return self.op("Select", [condition, a, b], self.tensors[a][0], self.shape(wide))

    def sum(self, a, axis):
        shape = [extent for d, extent in enumerate(self.shape(a)) if d != axis % len(self.shape(a))]
        return self.op("ReduceSum", [a], self.tensors[a][0], shape, axes=("s64[]", [axis]),
                       keep_dims=("bool", False))

    def gather(self, data, indices, axis=0):
        shape = self.shape(data)
        return self.op("Gather", [data, indices], self.tensors[data][0],
                       shape[:axis] + self.shape(indices) + shape[axis + 1:], axis=("s64", axis))

    def matmul(self, left, right, dtype=None, a=False, b=False, bias=None):
        batch = max(self.shape(left)[:-2], self.shape(right)[:-2], key=len)
        shape = batch + [self.shape(left)[-1 if a else -2], self.shape(right)[-2 if b else -1]]
        return self.op("MatMul", [left, right] + ([] if bias is None else [bias]),
                       dtype or self.tensors[left][0], shape, transpose_a=("bool", a),
                       transpose_b=("bool", b))

    def eye(self, dtype, rows, columns, k=0):
        return self.op("Eye", [], dtype, [rows, columns], shape=("s64[]", [rows, columns]),
                       k=("s64", k))

    def text(self):
        def port(id):
            dtype, shape, property, value = self.tensors[id]
            strides, step = [], 1
            for extent in reversed(shape):
                strides.insert(0, step)
                step *= max(extent, 1)
            fields = {"id": id, "dtype": dtype, "shape": shape, "stride": strides,
                      "layout_type": "strided", "property_type": property}
            if value is not None:
                fields["value"] = value
            return "        " + json.dumps(fields)

        def ports(ids):
            return "[\n" + ",\n".join(map(port, ids)) + "\n      ]" if ids else "[]"

        outputs = [out for kind, _, _, out in self.ops if kind != "End"]
        made = {out for _, _, _, out in self.ops}
        inputs = [id for id in self.tensors if id not in made]
        ops = []
        for number, (kind, attrs, ins, out) in enumerate(self.ops):
            values = {name: {"type": type, "value": value}
                      for name, (type, value) in attrs.items()}
            ops.append(f"""    {{
      "id": {number},
      "name": "{kind.lower()}_{number}",
      "kind": "{kind}",
      "attrs": {json.dumps(values)},
      "inputs": {ports(ins)},
      "outputs": {ports([out] if kind != "End" else [])}
    }}""")
        return f"""{{
  "version": "3.14.0",
  "engine_kind": "cpu",
  "fpmath_mode": "strict",
  "fpmath_mode_apply_to_int": "false",
  "input_ports": {inputs},
  "output_ports": {[o for o in outputs if o not in self.read]},
  "graph": [
{(","+chr(10)).join(ops)}
  ]
}}
"""


def write(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
