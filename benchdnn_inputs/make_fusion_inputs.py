#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes graph/fusion/*.json, graph/fusion/harness_{ci,all} and graph/fusion/perf_{ci,all,matmul,template}:
the patterns that must each become one partition and one pass over memory; and
graph/fusion/refused/*.json, which do not.

The files are committed because the driver's users read and edit them. Run it after a change here, in
any folder.
"""
from graph_files import MINUS_INFINITY, ROOT, Graph, write

PATTERNS = {}


def pattern(function):
    PATTERNS[function.__name__] = function
    return function


SCORES = [2, 3, 37, 53]


def masked(g, score, keep, dtype="f32"):
    return g.select(keep, score, g.scalar(dtype, MINUS_INFINITY))


@pattern
def causal_top_left(g, dtype="f32"):
    score = g.tensor(dtype, SCORES)
    masked(g, score, g.binary("GreaterEqual", g.index(score, 2), g.index(score, 3), "boolean"), dtype)


@pattern
def causal_top_left_bf16(g):
    causal_top_left(g, "bf16")


@pattern
def causal_top_left_f16(g):
    causal_top_left(g, "f16")


@pattern
def causal_bottom_right(g):
    score = g.tensor("f32", SCORES)
    row = g.binary("Add", g.index(score, -2), g.scalar("s32", 53))
    row = g.binary("Subtract", row, g.scalar("s32", 37))
    masked(g, score, g.binary("GreaterEqual", row, g.index(score, -1), "boolean"))


@pattern
def causal_bottom_right_offset_first(g):
    score = g.tensor("f32", SCORES)
    row = g.binary("Add", g.scalar("s32", 16), g.index(score, 2))
    masked(g, score, g.binary("GreaterEqual", row, g.index(score, 3), "boolean"))


@pattern
def causal_s32_wraps(g):
    """The offset makes s32 index arithmetic wrap in the last rows."""
    score = g.tensor("f32", SCORES)
    row = g.binary("Add", g.index(score, 2), g.scalar("s32", 2**31 - 20))
    masked(g, score, g.binary("GreaterEqual", row, g.index(score, 3), "boolean"))


@pattern
def causal_f16_rounds(g):
    """Indices beyond 2048 are not all f16 numbers."""
    score = g.tensor("f32", [1, 2200])
    row = g.unary("TypeCast", g.index(score, 0), "f16")
    column = g.unary("TypeCast", g.index(score, 1), "f16")
    shifted = g.binary("Add", row, g.scalar("f16", 2100))
    masked(g, score, g.binary("GreaterEqual", shifted, column, "boolean"))


@pattern
def causal_bf16_rounds(g):
    """Indices beyond 256 are not all bf16 numbers."""
    score = g.tensor("f32", [300, 300])
    row = g.unary("TypeCast", g.index(score, 0), "bf16")
    column = g.unary("TypeCast", g.index(score, 1), "bf16")
    masked(g, score, g.binary("GreaterEqual", row, column, "boolean"))


@pattern
def causal_scaled(g):
    score = g.binary("Multiply", g.tensor("f32", SCORES), g.scalar("f32", 0.125))
    masked(g, score, g.binary("GreaterEqual", g.index(score, 2), g.index(score, 3), "boolean"))


@pattern
def causal_backward(g):
    """Recomputed probabilities: exp(masked - stats), rounded for the matrix product behind."""
    score = g.binary("Multiply", g.tensor("f32", SCORES), g.scalar("f32", 0.125))
    keep = g.binary("GreaterEqual", g.index(score, 2), g.index(score, 3), "boolean")
    shifted = g.binary("Subtract", masked(g, score, keep), g.tensor("f32", SCORES[:-1] + [1]))
    g.unary("TypeCast", g.unary("Exp", shifted), "bf16")


@pattern
def sliding_window(g):
    score = g.tensor("f32", SCORES)
    row, column = g.index(score, 2), g.index(score, 3)
    near = g.binary("Less", g.binary("Subtract", row, g.scalar("s32", 7)), column, "boolean")
    keep = g.binary("LogicalAnd", g.binary("GreaterEqual", row, column, "boolean"), near)
    masked(g, score, keep)


@pattern
def band_matrix(g):
    matrix = g.tensor("f32", [45, 61])
    row, column = g.index(matrix, 0), g.index(matrix, 1)
    lower = g.binary("LessEqual", g.binary("Subtract", row, column), g.scalar("s32", 3), "boolean")
    upper = g.binary("LessEqual", g.binary("Subtract", column, row), g.scalar("s32", 5), "boolean")
    g.select(g.binary("LogicalAnd", lower, upper), matrix, g.scalar("f32", 0))


@pattern
def prefix_lm(g):
    score = g.tensor("f32", SCORES)
    row, column = g.index(score, 2), g.index(score, 3)
    prefix = g.binary("Less", column, g.scalar("s32", 11), "boolean")
    masked(g, score,
           g.binary("LogicalOr", g.binary("GreaterEqual", row, column, "boolean"), prefix))


@pattern
def padding_causal(g):
    score = g.tensor("f32", SCORES)
    row, column = g.index(score, 2), g.index(score, 3)
    padding = g.binary("Less", column, g.tensor("s32", [2, 1, 1, 1], value=[50, 20]), "boolean")
    masked(g, score,
           g.binary("LogicalAnd", g.binary("GreaterEqual", row, column, "boolean"), padding))


@pattern
def alibi(g):
    score = g.tensor("f32", SCORES)
    distance = g.binary("Subtract", g.index(score, 3), g.index(score, 2))
    slope = g.tensor("f32", [3, 1, 1])
    bias = g.binary("Multiply", g.unary("TypeCast", distance, "f32"), slope)
    g.binary("Add", score, bias)


@pattern
def triu(g):
    g.unary("Trilu", g.tensor("f32", [3, 33, 47]), k=("s64", 1), upper=("bool", True))


@pattern
def tril(g):
    g.unary("Trilu", g.tensor("s16", [3, 33, 47]), k=("s64", -2), upper=("bool", False))


@pattern
def tril_by_comparison(g):
    matrix = g.tensor("f64", [33, 47])
    keep = g.binary("LessEqual", g.index(matrix, 1), g.index(matrix, 0), "boolean")
    g.binary("Multiply", matrix, g.unary("TypeCast", keep, "f64"))


@pattern
def range_mask(g):
    """As exporters write it: Range, Unsqueeze, LessEqual, Select."""
    score = g.tensor("f32", [37, 53])
    count = lambda n: g.op("Range", [g.scalar("s64", v) for v in (0, n, 1)], "s64", [n])
    row = g.op("StaticReshape", [count(37)], "s64", [37, 1], shape=("s64[]", [37, 1]),
               special_zero=("bool", False))
    masked(g, score, g.binary("LessEqual", count(53), row, "boolean"))


@pattern
def a_plus_ci(g):
    a = g.tensor("f32", [61, 61])
    g.binary("Add", a, g.binary("Multiply", g.eye("f32", 61, 61), g.scalar("f32", 0.5)))


@pattern
def a_plus_infinite_ci(g):
    """c is not finite when it runs: 0 * c is NaN everywhere off the diagonal."""
    a = g.tensor("f32", [61, 61])
    g.binary("Add", a, g.binary("Multiply", g.eye("f32", 61, 61), g.scalar("f32", "inf")))


@pattern
def a_minus_i(g):
    g.binary("Subtract", g.tensor("bf16", [61, 47]), g.eye("bf16", 61, 47, 2))


@pattern
def i_minus_a(g):
    g.binary("Subtract", g.eye("s8", 61, 47), g.tensor("s8", [61, 47]))


@pattern
def ci(g):
    g.binary("Multiply", g.eye("f64", 40, 50, -3), g.scalar("f64", 2.5))


@pattern
def a_times_i(g):
    g.binary("Multiply", g.tensor("f32", [61, 47]), g.eye("f32", 61, 47))


@pattern
def a_times_i_integers(g):
    g.binary("Multiply", g.tensor("s32", [61, 47]), g.eye("s32", 61, 47))


@pattern
def select_by_identity(g):
    g.select(g.eye("boolean", 37, 53, 1), g.tensor("f16", [37, 53]), g.tensor("f16", [37, 53]))


@pattern
def diag_embed(g):
    g.binary("Multiply", g.tensor("f32", [4, 37, 1]), g.eye("f32", 37, 37))


@pattern
def one_hot(g):
    g.op("OneHot", [g.tensor("s64", [5, 29])], "f32", [5, 29, 31], axis=("s64", -1),
         depth=("s64", 31))


@pattern
def one_hot_by_range(g):
    index = g.tensor("s32", [29, 1])
    count = g.op("Range", [g.scalar("s32", v) for v in (0, 16, 1)], "s32", [16])
    g.unary("TypeCast", g.binary("Equal", index, count, "boolean"), "f32")


@pattern
def identity_cast(g):
    g.unary("TypeCast", g.eye("boolean", 30, 41, -1), "f16")


@pattern
def identity_transposed(g):
    g.op("StaticTranspose", [g.eye("f32", 30, 41, 4)], "f32", [41, 30], order=("s64[]", [1, 0]))


@pattern
def not_identity(g):
    g.unary("LogicalNot", g.eye("boolean", 30, 41, 4))


@pattern
def diagonal_by_sum(g):
    product = g.binary("Multiply", g.tensor("f32", [30, 47]), g.eye("f32", 30, 47, 2))
    g.sum(product, 1)


@pattern
def diagonal_by_select(g):
    """What is not selected is 0, whatever it was: nothing else is read."""
    a = g.tensor("bf16", [3, 47, 30])
    eye = g.eye("boolean", 47, 30, -1)
    zero = g.scalar("bf16", 0)
    g.sum(g.op("Select", [eye, a, zero], "bf16", [3, 47, 30]), 1)


@pattern
def diagonal_of_integers(g):
    g.sum(g.binary("Multiply", g.eye("s32", 30, 47, -3), g.tensor("s32", [30, 47])), 1)


@pattern
def trace(g):
    """Both axes at once."""
    product = g.binary("Multiply", g.tensor("f32", [4, 37, 37]), g.eye("f32", 37, 37))
    g.op("ReduceSum", [product], "f32", [4], axes=("s64[]", [-2, -1]), keep_dims=("bool", False))


@pattern
def trace_of_integers(g):
    """A sum of the diagonal's sums, to a scalar."""
    product = g.binary("Multiply", g.tensor("s32", [37, 41]), g.eye("s32", 37, 41, 1))
    g.sum(g.sum(product, 1), 0)


@pattern
def one_hot_by_gather(g):
    g.gather(g.eye("f32", 31, 31), g.tensor("s64", [5, 29]))


@pattern
def one_hot_by_gather_of_columns(g):
    """Of a shifted rectangular identity, by s32 indices."""
    g.gather(g.eye("bf16", 20, 31, 3), g.tensor("s32", [29]), 1)


@pattern
def matmul_a_i(g):
    g.matmul(g.tensor("f32", [37, 53]), g.eye("f32", 53, 53))


@pattern
def matmul_i_a(g):
    g.matmul(g.eye("f32", 37, 37), g.tensor("f32", [37, 53]))


@pattern
def matmul_a_shifted(g):
    """Rectangular, batched, the columns moved by 5: those that fall out count when they are not
    finite."""
    g.matmul(g.tensor("f32", [2, 3, 37, 53]), g.eye("f32", 53, 41, -5))


@pattern
def matmul_shifted_a(g):
    g.matmul(g.eye("f16", 41, 37, 4), g.tensor("f16", [3, 37, 53]))


@pattern
def matmul_transposed(g):
    """transpose(A) times transpose(I), bf16 summed into f32."""
    g.matmul(g.tensor("bf16", [53, 37]), g.eye("bf16", 41, 53, 2), "f32", a=True, b=True)


@pattern
def matmul_scaled_identity(g):
    """A times c*I, and a bias."""
    scaled = g.binary("Multiply", g.eye("f32", 53, 53), g.scalar("f32", 0.375))
    g.matmul(g.tensor("f32", [37, 53]), scaled, bias=g.tensor("f32", [53]))


@pattern
def matmul_on_both_sides(g):
    """A I + I A: what is not finite counts along the columns of one and the rows of the other."""
    a = g.tensor("f32", [37, 37])
    g.binary("Add", g.matmul(a, g.eye("f32", 37, 37)), g.matmul(g.eye("f32", 37, 37), a))


@pattern
def matmul_scaled_identity_bf16(g):
    """The product and the bias are rounded together."""
    scaled = g.binary("Multiply", g.eye("bf16", 53, 53), g.tensor("bf16", [1], value=0.3))
    g.matmul(g.tensor("bf16", [37, 53]), scaled, bias=g.tensor("bf16", [53]))


@pattern
def column_by_scalar(g):
    """The sum over what a comparison with a scalar keeps: one column."""
    a = g.tensor("f32", [37, 53])
    kept = g.unary("TypeCast", g.binary("Equal", g.index(a, 1), g.scalar("s32", 3), "boolean"), "f32")
    g.sum(g.binary("Multiply", a, kept), 1)


@pattern
def matmul_i_plus_zero(g):
    """A chain that is an identity after simplification, and what consumes the product."""
    zeros = g.op("Fill", [], "f32", [53, 53], shape=("s64[]", [53, 53]), value=("f32", 0.0))
    product = g.matmul(g.tensor("f32", [37, 53]), g.binary("Add", g.eye("f32", 53, 53), zeros))
    g.unary("ReLU", g.binary("Add", product, g.tensor("f32", [37, 53])))


@pattern
def two_outputs(g):
    """The mask is handed out beside the masked scores."""
    score = g.tensor("f32", [37, 53])
    keep = g.binary("Greater", g.index(score, 0), g.index(score, 1), "boolean")
    masked(g, score, keep)
    g.unary("LogicalNot", keep)


@pattern
def many_scalars(g):
    """As many inputs as a region has: scores and 15 scalars."""
    value = g.tensor("f32", [37, 53])
    keep = g.binary("GreaterEqual", g.index(value, 0), g.index(value, 1), "boolean")
    for i in range(14):
        value = g.binary("Add" if i % 2 else "Multiply", value, g.scalar("f32", 0.5 + i / 4))
    masked(g, value, keep)


REFUSED = {}


def refused(function):
    REFUSED[function.__name__] = function
    return function


@refused
def two_masks(g):
    """Regions that no value connects stay two."""
    for _ in range(2):
        score = g.tensor("f32", [37, 53])
        masked(g, score, g.binary("GreaterEqual", g.index(score, 0), g.index(score, 1), "boolean"))


@refused
def attention(g):
    """The products and SoftMax are the host's; the scale and the mask between them are one region."""
    q, k = g.tensor("f32", [2, 37, 16]), g.tensor("f32", [2, 16, 53])
    score = g.op("MatMul", [q, k], "f32", [2, 37, 53])
    score = g.binary("Multiply", score, g.scalar("f32", 0.25))
    keep = g.binary("GreaterEqual", g.index(score, 1), g.index(score, 2), "boolean")
    g.op("SoftMax", [masked(g, score, keep)], "f32", [2, 37, 53], axis=("s64", -1))


@refused
def attention_along_queries(g):
    """The probabilities of a key over all queries are no attention."""
    q, k = g.tensor("f32", [2, 37, 16]), g.tensor("f32", [2, 16, 53])
    score = g.op("MatMul", [q, k], "f32", [2, 37, 53])
    keep = g.binary("GreaterEqual", g.index(score, 1), g.index(score, 2), "boolean")
    soft = g.op("SoftMax", [masked(g, score, keep)], "f32", [2, 37, 53], axis=("s64", 1))
    g.op("MatMul", [soft, g.tensor("f32", [2, 53, 8])], "f32", [2, 37, 8])


@refused
def attention_of_turned_scores(g):
    """Tiles of scores are read where they are written."""
    q, k = g.tensor("f32", [2, 37, 16]), g.tensor("f32", [2, 16, 37])
    score = g.op("MatMul", [q, k], "f32", [2, 37, 37])
    turned = g.op("StaticTranspose", [score], "f32", [2, 37, 37], order=("s64[]", [0, 2, 1]))
    keep = g.binary("GreaterEqual", g.index(turned, 1), g.index(turned, 2), "boolean")
    soft = g.op("SoftMax", [masked(g, turned, keep)], "f32", [2, 37, 37], axis=("s64", -1))
    g.op("MatMul", [soft, g.tensor("f32", [2, 37, 8])], "f32", [2, 37, 8])


@refused
def path_through_the_host(g):
    """Add would join the identity, but SoftMax between them is the host's."""
    eye = g.eye("f32", 30, 30)
    soft = g.op("SoftMax", [eye], "f32", [30, 30], axis=("s64", -1))
    g.binary("Add", eye, soft)


@refused
def outputs_of_two_shapes(g):
    """The identity is handed out, and so is the batch that it is added to."""
    eye = g.eye("f32", 30, 30)
    g.op("End", [eye], "f32", [30, 30])
    g.binary("Add", g.tensor("f32", [4, 30, 30]), eye)


@refused
def reshape_that_merges(g):
    eye = g.eye("f32", 30, 40)
    g.op("StaticReshape", [eye], "f32", [1200], shape=("s64[]", [1200]),
         special_zero=("bool", False))


@refused
def matmul_of_two_tensors(g):
    """No identity picks a term of the sum, so the product is the host's; what is added to it is not."""
    product = g.matmul(g.tensor("f32", [30, 40]), g.tensor("f32", [40, 30]))
    g.binary("Add", product, g.eye("f32", 30, 30))


@refused
def matmul_by_a_diagonal(g):
    """The diagonal is picked, but the product with it is a sum that no identity picks a term of."""
    square = g.binary("Multiply", g.tensor("f32", [40, 40]), g.eye("f32", 40, 40))
    diagonal = g.op("ReduceSum", [square], "f32", [40, 1], axes=("s64[]", [1]),
                    keep_dims=("bool", True))
    g.matmul(g.tensor("f32", [30, 40]), diagonal, bias=g.tensor("f32", [1]))


@refused
def sum_of_a_cast(g):
    """0 times an infinity is not a number, but 0 after the cast."""
    product = g.binary("Multiply", g.tensor("f32", [30, 30]), g.eye("f32", 30, 30))
    g.sum(g.unary("TypeCast", product, "s32"), 1)


@refused
def sum_of_many_doublings(g):
    """Asking for a value that cannot be had must not ask for all that lead to it again and again."""
    x = g.gather(g.tensor("f32", [30, 40]), g.tensor("s64", [40]))
    for _ in range(50):
        x = g.binary("Add", x, x)
    g.sum(g.binary("Multiply", x, g.eye("f32", 40, 40)), 1)


@refused
def matmul_of_a_computed_tensor(g):
    """Whether exp(A) is finite would have to be looked at."""
    g.matmul(g.unary("Exp", g.tensor("f32", [30, 40])), g.eye("f32", 40, 40))


@refused
def gather_of_a_tensor(g):
    """Its rows are data; the identity that is added to them is a region of its own."""
    rows = g.gather(g.tensor("f32", [30, 40]), g.tensor("s64", [40]))
    g.binary("Add", rows, g.eye("f32", 40, 40))


@refused
def no_coordinates(g):
    g.unary("Exp", g.binary("Add", g.tensor("f32", [30, 40]), g.tensor("f32", [30, 40])))


# Larger shapes of some patterns: tensor ids as the functions above number them.
MORE_SHAPES = {
    "causal_top_left": ["0:1x1x1x1", "0:1x2x3x64", "0:1x1x64x3", "0:2x1x0x5", "0:1x1x129x257"],
    "sliding_window": ["0:1x1x1x1", "0:1x2x3x64", "0:1x1x200x100", "0:2x1x5x0"],
    "band_matrix": ["0:1x1", "0:64x64", "0:3x1000", "0:1000x3", "0:0x4"],
    "triu": ["0:1x1", "0:64x64", "0:2x3x1000", "0:1000x3", "0:0x4"],
}


class Size:
    """Extents that make about as many f32 elements as a cache or memory is measured with."""

    def __init__(self, batch, n):
        self.batch, self.n = batch, n

    # The same number of elements as a matrix.
    def side(self):
        return {(1, 384): 384, (16, 384): 1536, (16, 1024): 4096}[(self.batch, self.n)]


L2, CACHE, MEMORY = Size(1, 384), Size(16, 384), Size(16, 1024)  # 576 KiB, 9 MiB, 64 MiB


def scores(s, values="", more=""):
    return {"in-shapes": f"0:1x{s.batch}x{s.n}x{s.n}" + more, "tensor-value": values}


def matrices(s, *ids, eye=None, rank=2):
    """Inputs of one shape, and Eye (the op of that id) of the same."""
    side = s.side()
    shape = f"{side}x{side}" if rank == 2 else f"{s.batch}x{s.n}x{s.n}"
    return {"in-shapes": "+".join(f"{id}:{shape}" for id in ids),
            "op-attrs": f"{eye}:shape:{shape}" if eye is not None else ""}


# Knobs of a pattern at a size. Tensor and op ids are as the functions above number them.
PERF = {
    "causal_top_left": scores,
    "causal_top_left_bf16": scores,
    "causal_top_left_f16": scores,
    "causal_bottom_right": scores,
    "causal_bottom_right_offset_first": scores,
    "causal_s32_wraps": scores,
    "causal_f16_rounds": lambda s: {"in-shapes": f"0:{s.batch * s.n * s.n // 2200}x2200",
                                    "tensor-value": "5:1800"},
    "causal_bf16_rounds": lambda s: matrices(s, 0),
    "causal_scaled": scores,
    "causal_backward": lambda s: scores(s, more=f"+8:1x{s.batch}x{s.n}x1"),
    "sliding_window": lambda s: scores(s, "3:128"),
    "band_matrix": lambda s: {**matrices(s, 0), "tensor-value": "4:64+7:64"},
    "prefix_lm": lambda s: scores(s, "3:64"),
    "padding_causal": lambda s: {
        "in-shapes": f"0:2x{s.batch // 2 or 1}x{s.n if s.batch > 1 else s.n // 2}x{s.n}",
        "tensor-value": f"3:{s.n}x{s.n // 2}"},
    "alibi": lambda s: scores(s, more=f"+4:{s.batch}x1x1"),
    "triu": lambda s: matrices(s, 0, rank=3),
    "tril": lambda s: matrices(s, 0, rank=3),
    "tril_by_comparison": lambda s: matrices(s, 0),
    "range_mask": lambda s: {**matrices(s, 0), "tensor-value": f"2:{s.side()}+7:{s.side()}",
                             "op-attrs": f"1:shape:{s.side()}x1"},
    "a_plus_ci": lambda s: matrices(s, 0, eye=0),
    "a_plus_infinite_ci": lambda s: matrices(s, 0, eye=0),
    "a_minus_i": lambda s: matrices(s, 0, eye=0),
    "i_minus_a": lambda s: matrices(s, 1, eye=0),
    "ci": lambda s: matrices(s, eye=0),
    "a_times_i": lambda s: matrices(s, 0, eye=0),
    "a_times_i_integers": lambda s: matrices(s, 0, eye=0),
    "select_by_identity": lambda s: matrices(s, 1, 2, eye=0),
    "diag_embed": lambda s: {"in-shapes": f"0:{s.batch}x{s.n}x1",
                             "op-attrs": f"0:shape:{s.n}x{s.n}"},
    "one_hot": lambda s: {"in-shapes": f"0:{s.batch}x{s.n}", "op-attrs": f"0:depth:{s.n}"},
    "one_hot_by_range": lambda s: {"in-shapes": f"0:{s.batch * s.n}x1",
                                   "tensor-value": f"2:{s.n}"},
    "identity_cast": lambda s: matrices(s, eye=0),
    "identity_transposed": lambda s: matrices(s, eye=0),
    "not_identity": lambda s: matrices(s, eye=0),
    "matmul_a_i": lambda s: matrices(s, 0, eye=0),
    "matmul_i_a": lambda s: matrices(s, 1, eye=0),
    "matmul_i_plus_zero": lambda s: {**matrices(s, 1, 5, eye=1),
                                     "op-attrs": "+".join(f"{op}:shape:{s.side()}x{s.side()}"
                                                          for op in (0, 1))},
    "diagonal_by_sum": lambda s: matrices(s, 0, eye=0),
    "diagonal_by_select": lambda s: {"in-shapes": f"0:{s.batch}x{s.n}x{s.n}",
                                     "op-attrs": f"0:shape:{s.n}x{s.n}"},
    "trace": lambda s: {"in-shapes": f"0:{s.batch}x{s.n}x{s.n}",
                        "op-attrs": f"0:shape:{s.n}x{s.n}"},
    "one_hot_by_gather": lambda s: {"in-shapes": f"1:{s.batch}x{s.n}",
                                    "op-attrs": f"0:shape:{s.n}x{s.n}"},
    "two_outputs": lambda s: matrices(s, 0),
    "many_scalars": lambda s: matrices(s, 0),
}
# Nothing is read that the output could lie over.
ONLY_OUT_OF_PLACE = {"causal_backward", "ci", "diag_embed", "one_hot", "one_hot_by_range",
                     "identity_cast", "identity_transposed", "not_identity", "matmul_a_i",
                     "matmul_i_a", "matmul_i_plus_zero", "diagonal_by_sum", "diagonal_by_select",
                     "trace", "one_hot_by_gather"}
QUICK = ["causal_top_left", "causal_scaled", "causal_backward", "sliding_window", "alibi", "triu",
         "a_plus_ci", "a_times_i", "diag_embed", "one_hot", "not_identity", "two_outputs"]


def knobs_of(name, size):
    knobs = {"in-shapes": "", "op-attrs": "", "tensor-value": "", **PERF[name](size)}
    return " ".join(f"--{knob}={value}" for knob, value in knobs.items())


def perf_lines(names, sizes):
    lines = []
    for name in names:
        for size in sizes:
            lines.append(f"--inplace=off {knobs_of(name, size)} --case=fusion/{name}.json")
            if name not in ONLY_OUT_OF_PLACE:
                lines.append(f"--inplace=on --case=fusion/{name}.json")
    return lines


ci = ["# Every pattern once: one partition each"]
for name, build in PATTERNS.items():
    g = Graph()
    build(g)
    write(ROOT / "fusion" / f"{name}.json", g.text())
    ci.append(f"--reset --case=fusion/{name}.json")
for name, build in REFUSED.items():
    g = Graph()
    build(g)
    write(ROOT / "fusion" / "refused" / f"{name}.json", g.text())
write(ROOT / "fusion" / "harness_ci", "\n".join(ci) + "\n")
more = ["# Every pattern, also over its input, and other shapes", "--batch=fusion/harness_ci"]
for name, shapes in MORE_SHAPES.items():
    more.append(f"--reset --in-shapes={','.join(shapes)} --case=fusion/{name}.json")
write(ROOT / "fusion" / "harness_all", "\n".join(more) + "\n")
head = ["--batch=fusion/perf_template --expected-n-partitions=1"]
write(ROOT / "fusion" / "perf_template", """\
# The columns that perf_table.awk and fusion_table.py read.
--perf-template=perf,%alg%,%dt%,%shapes%,%obytes%,%impl%,%threads%,%-time%,%0time%,%-limit%,%limit-impl%,%-outofplace%,%-unfused%,%-speedup%,%prb%
""")
quick = ["# A quick look at fused patterns in the second-level cache, about ten seconds."] + head
quick += ["--max-ms-per-prb=50"] + perf_lines(QUICK, [L2])
write(ROOT / "fusion" / "perf_ci", "\n".join(quick) + "\n")
perf = ["# What is in place with cold caches, a larger mask, then every pattern in caches and in memory",
        "# (576 KiB, 9 MiB, 64 MiB of f32), out of place and in place."] + head
cold = knobs_of("a_plus_ci", MEMORY)
larger = "--in-shapes=0:1x32x1024x1024 --op-attrs= --tensor-value="
perf += [f"--inplace=on --cold-cache=all {cold} --case=fusion/a_plus_ci.json --cold-cache=none",
         f"--inplace=off {larger} --case=fusion/causal_top_left.json",
         "--inplace=on --case=fusion/causal_top_left.json"]
products = [name for name in PERF if name.startswith("matmul")]
perf += perf_lines([name for name in PERF if name not in products], [L2, CACHE, MEMORY])
write(ROOT / "fusion" / "perf_all", "\n".join(perf) + "\n")
products_head = ["# Products with identities beside the limit of a copy. Alone, MatMul runs on the reference: there is",
                 "# no unfused time to compare with.",
                 "--perf-template=perf,%alg%,%dt%,%shapes%,%obytes%,%impl%,%threads%,%-time%,%0time%,"
                 "%-limit%,%limit-impl%,%prb% --expected-n-partitions=1"]
write(ROOT / "fusion" / "perf_matmul",
      "\n".join(products_head + perf_lines(products, [L2, CACHE, MEMORY])) + "\n")
