#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes graph/attention/*.json, graph/attention/harness_attention_{ci,all} and
graph/attention/perf_*: attention with the masks that models build from coordinates, with an explicit
one, and with none. Query, key and value are tensors 0, 1 and 2 of every graph.

Run it after a change here, in any folder.
"""
from graph_files import MINUS_INFINITY, ROOT, Graph, write

FOLDER = ROOT / "attention"
STORED = (1, 32, 1024, 1024, 128, 128)  # batch, heads, queries, keys, head size of queries and of values
GROUPS = 4  # query heads that share a key head, in grouped-query attention


class Attention(Graph):
    """Where the tensors are that knobs name."""

    def __init__(self):
        super().__init__()
        self.scale, self.mask, self.window, self.slope, self.length = [None] * 5
        self.probabilities, self.out = None, None


def build(mask, grouped=False, host_scalars=False, mode="inf_as_zero"):
    g = Attention()
    batch, heads, queries, keys, head, values = STORED
    q, k, v = ([batch, heads, rows, size]
               for rows, size in [(queries, head), (keys, head), (keys, values)])
    if grouped:
        q = [batch, heads // GROUPS, GROUPS] + q[2:]
        k, v = ([batch, heads // GROUPS, 1] + s[2:] for s in (k, v))
    q, k, v = (g.tensor("f32", s) for s in (q, k, v))
    score = g.matmul(q, k, b=True)
    g.scale = g.tensor("f32", [], "host_scalar") if host_scalars else g.tensor("f32", [1])
    score = mask(g, g.binary("Multiply", score, g.scale))
    g.probabilities = g.unary("SoftMax", score, "f32", axis=("s64", -1), mode=("string", mode))
    g.out = g.matmul(g.probabilities, v)
    return g


def masked(g, score, keep):
    return g.select(keep, score, g.tensor("f32", [1], value=MINUS_INFINITY))


def coordinates(g, score):
    return g.index(score, -2), g.index(score, -1)


def no_mask(g, score):
    return score


def causal(g, score):
    row, column = coordinates(g, score)
    return masked(g, score, g.binary("GreaterEqual", row, column, "boolean"))


def bottom_right(g, score):
    """The driver gives the host scalars the extents of the shape: keys are added, queries taken away."""
    row, column = coordinates(g, score)
    row = g.binary("Add", row, g.tensor("s32", [], "host_scalar"))
    row = g.binary("Subtract", row, g.tensor("s32", [], "host_scalar"))
    return masked(g, score, g.binary("GreaterEqual", row, column, "boolean"))


def sliding_window(g, score):
    row, column = coordinates(g, score)
    g.window = g.scalar("s32", 256)
    near = g.binary("Less", g.binary("Subtract", row, g.window), column, "boolean")
    keep = g.binary("LogicalAnd", g.binary("GreaterEqual", row, column, "boolean"), near)
    return masked(g, score, keep)


def padding(g, score):
    """Causal, and keys beyond the length of the sequence are masked."""
    row, column = coordinates(g, score)
    g.length = g.tensor("s32", [1, 1, 1, 1])
    inside = g.binary("Less", column, g.length, "boolean")
    keep = g.binary("LogicalAnd", g.binary("GreaterEqual", row, column, "boolean"), inside)
    return masked(g, score, keep)


def alibi(g, score):
    row, column = coordinates(g, score)
    g.slope = g.tensor("f32", [STORED[1], 1, 1])
    distance = g.unary("TypeCast", g.binary("Subtract", column, row), "f32")
    score = g.binary("Add", score, g.binary("Multiply", distance, g.slope))
    return masked(g, score, g.binary("GreaterEqual", row, column, "boolean"))


def explicit(g, score):
    g.mask = g.tensor("f32", [1, 1] + g.shape(score)[-2:])
    return g.binary("Add", score, g.mask)


GRAPHS = {
    "implicit-causal": build(causal),
    "bottom-right": build(bottom_right, host_scalars=True),
    "explicit-mask": build(explicit, mode="none"),
    "no-mask": build(no_mask, mode="none"),
    "sliding-window": build(sliding_window),
    "padding": build(padding),
    "alibi": build(alibi),
    "gqa-implicit-causal": build(causal, grouped=True),
}


def extents(values, tag=""):
    return "x".join(map(str, values)) + (f"*{tag}" if tag else "")


def in_shapes(name, size, tag="", padded=False):
    """--in-shapes of a graph for (batch, heads, queries, keys, head sizes); `tag` permutes queries, keys,
    values and the output."""
    g, (batch, heads, queries, keys, head, values) = GRAPHS[name], size
    q_heads, kv_heads = [heads], [heads]
    if name.startswith("gqa"):
        q_heads, kv_heads = [heads, GROUPS], [heads, 1]
    shapes = {0: extents([batch] + q_heads + [queries, head], tag),
              1: extents([batch] + kv_heads + [keys, head], tag),
              2: extents([batch] + kv_heads + [keys, values], tag)}
    if g.mask is not None:
        shapes[g.mask] = extents([1, 1, queries, keys])
    if g.slope is not None:
        shapes[g.slope] = extents([heads, 1, 1])
    if g.length is not None:
        shapes[g.length] = extents([batch, 1, 1, 1])
    if tag:
        shapes[g.out] = extents([batch] + q_heads + [queries, values], tag)
    return "+".join(f"{id}:{shapes[id]}" for id in sorted(shapes))


def types(name, dtype):
    """Queries, keys, values, probabilities and the output in 16 bits, the scores between in f32."""
    g = GRAPHS[name]
    return "+".join(f"{id}:{dtype}" for id in [0, 1, 2, g.probabilities, g.out])


def case(name, shapes="", dtype="f32", all_types="", values=True):
    g = GRAPHS[name]
    line = "--reset"
    if all_types:
        line += f" --dt={all_types}"
    elif dtype != "f32":
        line += f" --dt={types(name, dtype)}"
    if g.window is not None and values:
        line += f" --tensor-value={g.window}:7"
    if shapes:
        line += f" --in-shapes={shapes}"
    return f"{line} --case=attention/{name}.json"


def can_be_cast(name):
    """A type of the whole graph does not go together with TypeCast, nor with host scalars of 16 bits."""
    return name not in ("alibi", "bottom-right")


SMALL = [(1, 2, 33, 33, 16, 16), (2, 2, 37, 53, 16, 24), (1, 3, 53, 37, 24, 16), (1, 2, 1, 65, 32, 32)]
EDGES = [1, 2, 15, 16, 17, 31, 33, 63, 64, 65, 127, 128, 129, 130]


def harness_ci():
    lines = ["# Attention: every mask on small shapes, more queries than keys and fewer, one query, in three types."]
    for name in GRAPHS:
        shapes = ",".join(in_shapes(name, size) for size in SMALL)
        lines += [case(name, shapes, dtype) for dtype in ("f32", "bf16", "f16")]
        tag = "adbce" if name.startswith("gqa") else "acbd"
        lines.append(case(name, in_shapes(name, SMALL[1], tag)))
    return lines


def harness_all():
    lines = ["# As ci, then every tensor of one type, sizes around those of tiles, and one head of",
             "# the stored lengths: the reference takes seconds for each.",
             "--batch=attention/harness_attention_ci"]
    for name in GRAPHS:
        shapes = ",".join(in_shapes(name, size) for size in SMALL)
        if can_be_cast(name):
            lines.append(case(name, shapes, all_types="bf16,f16"))
    for name in ("implicit-causal", "bottom-right", "no-mask", "explicit-mask"):
        sizes = [(1, 2, n, m, 64, 64) for n, m in zip(EDGES, reversed(EDGES))]
        sizes += [(1, 1, n, n, 64, 64) for n in EDGES] + [(1, 1, n, 130, 80, 40) for n in EDGES]
        lines.append(case(name, ",".join(in_shapes(name, size) for size in sizes)))
        lines.append(case(name, ",".join(in_shapes(name, size) for size in sizes[:14]), "bf16"))
    one_head = STORED[:1] + (1,) + STORED[2:]
    lines += [case(name, in_shapes(name, one_head), values=False) for name in GRAPHS]
    return lines


# Heads that keep the work of the lengths alike.
LENGTHS = {384: 32, 1024: 32, 2048: 16, 4096: 8}


COLUMNS = "perf,%alg%,%dt%,%shapes%,%impl%,%threads%,%-time%,%0time%,"
BESIDE = "%-compare-time%,%-compare%,%compare-median%,%prb%"
READING = "%Mibytes%,%-read-limit%,%-read-limit-time%,%read-limit-impl%,%prb%"
NO_MASK = "graph:attention/no-mask.json"


def perf_lines(lengths, heads, names, compare):
    lines = []
    for length in lengths:
        for head in heads:
            for dtype in ("f32", "bf16"):
                size = (1, LENGTHS[length], length, length, head, head)
                lines += [f"--compare={compare} " + case(name, in_shapes(name, size), dtype, values=False)
                          for name in names]
    return lines


def decode_lines():
    name = "bottom-right"
    return [case(name, in_shapes(name, (1, 32, 1, keys, 128, 128)), dtype)
            for keys in (1024, 4096, 16384) for dtype in ("f32", "bf16")]


def memory_lines():
    name = "implicit-causal"
    return ["--compare=none " + case(name, in_shapes(name, (1, 1, length, length, 128, 128)))
            for length in (4096, 16384)]


def write_perf(name, about, template, lines):
    """--reset takes the columns back, too."""
    lines = [line.replace("--reset", f"--reset --batch=attention/{template}") for line in lines]
    write(FOLDER / name, "\n".join(about + lines) + "\n")


for name, graph in GRAPHS.items():
    write(FOLDER / f"{name}.json", graph.text())
write(FOLDER / "harness_attention_ci", "\n".join(harness_ci()) + "\n")
write(FOLDER / "harness_attention_all", "\n".join(harness_all()) + "\n")
write(FOLDER / "perf_template", f"# The columns that attention_table.py reads.\n--perf-template={COLUMNS}{BESIDE}\n")
write(FOLDER / "perf_template_memory",
      f"# The columns that attention_table.py reads of perf_memory.\n--perf-template={COLUMNS}%Kpeakmem%,%prb%\n")
write(FOLDER / "perf_template_reading",
      f"# The columns that attention_table.py reads of perf_decode.\n--perf-template={COLUMNS}{READING}\n")
MASKS = ["implicit-causal", "explicit-mask"]
write_perf("perf_ci", ["# The mask made of coordinates and an explicit one, in turn with none."],
           "perf_template", perf_lines([384, 1024], [128], MASKS, NO_MASK))
write_perf("perf_all", ["# As perf_ci, for more lengths and head sizes; heads are fewer where sequences are long."],
           "perf_template", perf_lines(LENGTHS, [64, 128], MASKS, NO_MASK))
write_perf("perf_onednn", ["# No mask, in turn with oneDNN's primitives."],
           "perf_template", perf_lines(LENGTHS, [64, 128], ["no-mask"], "onednn"))
write_perf("perf_decode", ["# One query against many keys, in turn with reading as many bytes, out of memory.",
                           "--compare=none --cold-cache=all"], "perf_template_reading", decode_lines())
write_perf("perf_memory", ["# By how much long sequences raise the peak of memory; one execution tells (--mode=S)."],
           "perf_template_memory", memory_lines())
