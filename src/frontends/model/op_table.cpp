// SPDX-License-Identifier: Apache-2.0
#include "frontends/model/op_table.h"

#include <algorithm>
#include <iterator>

#include "frontends/benchdnn_json.h"
#include "frontends/model/rows.h"

namespace iotadnn::models {
namespace {

constexpr size_t kMany = SIZE_MAX;
constexpr iotadnn_graph_op_kind_t kNone = iotadnn_graph_op_wildcard;
constexpr EmitFn kPlain = nullptr;

// One line an op, in the order of Op. Attributes: "type" a data type, "axis" an axis that may be
// negative, "broadcast" (of what infer_broadcast serves) as Broadcast has it.
// clang-format off
using namespace rows;
const OpRow kRows[] = {
    // op, inputs, shape ports, unread ports, types, shapes, interpreter, graph API
    {Op::add,           2, 2, 0, 0, same_numeric,    infer_broadcast, run_binary,   iotadnn_graph_op_add,           kPlain},
    {Op::subtract,      2, 2, 0, 0, same_numeric,    infer_broadcast, run_binary,   iotadnn_graph_op_subtract,      kPlain},
    {Op::multiply,      2, 2, 0, 0, same_numeric,    infer_broadcast, run_binary,   iotadnn_graph_op_multiply,      kPlain},
    {Op::divide,        2, 2, 0, 0, same_numeric,    infer_broadcast, run_binary,   iotadnn_graph_op_divide,        kPlain},
    {Op::power,         2, 2, 0, 0, same_numeric,    infer_broadcast, run_binary,   iotadnn_graph_op_power,         kPlain},
    {Op::maximum,       2, 2, 0, 0, same_numeric,    infer_broadcast, run_binary,   iotadnn_graph_op_maximum,       kPlain},
    {Op::minimum,       2, 2, 0, 0, same_numeric,    infer_broadcast, run_binary,   iotadnn_graph_op_minimum,       kPlain},
    // "fmod": the sign of the dividend, else that of the divisor
    {Op::mod,           2, 2, 0, 0, same_numeric,    infer_broadcast, run_binary,   kNone,                          kPlain},
    {Op::equal,         2, 2, 0, 0, compare_any,     infer_broadcast, run_compare,  iotadnn_graph_op_equal,         kPlain},
    {Op::not_equal,     2, 2, 0, 0, compare_any,     infer_broadcast, run_compare,  iotadnn_graph_op_not_equal,     kPlain},
    {Op::less,          2, 2, 0, 0, compare_numeric, infer_broadcast, run_compare,  iotadnn_graph_op_less,          kPlain},
    {Op::less_equal,    2, 2, 0, 0, compare_numeric, infer_broadcast, run_compare,  iotadnn_graph_op_less_equal,    kPlain},
    {Op::greater,       2, 2, 0, 0, compare_numeric, infer_broadcast, run_compare,  iotadnn_graph_op_greater,       kPlain},
    {Op::greater_equal, 2, 2, 0, 0, compare_numeric, infer_broadcast, run_compare,  iotadnn_graph_op_greater_equal, kPlain},
    {Op::logical_and,   2, 2, 0, 0, logical,         infer_broadcast, run_binary,   iotadnn_graph_op_logical_and,   kPlain},
    {Op::logical_or,    2, 2, 0, 0, logical,         infer_broadcast, run_binary,   iotadnn_graph_op_logical_or,    kPlain},
    {Op::logical_xor,   2, 2, 0, 0, logical,         infer_broadcast, run_binary,   kNone,                          kPlain},
    {Op::logical_not,   1, 1, 0, 0, logical,         infer_first,     run_unary,    iotadnn_graph_op_logical_not,   kPlain},
    {Op::select,        3, 3, 0, 0, rows::select,    infer_broadcast, run_select,   iotadnn_graph_op_select,        kPlain},
    {Op::negative,      1, 1, 0, 0, same_numeric,    infer_first,     run_unary,    iotadnn_graph_op_negative,      kPlain},
    {Op::abs,           1, 1, 0, 0, same_numeric,    infer_first,     run_unary,    iotadnn_graph_op_abs,           kPlain},
    {Op::sqrt,          1, 1, 0, 0, same_floating,   infer_first,     run_unary,    iotadnn_graph_op_sqrt,          kPlain},
    {Op::exp,           1, 1, 0, 0, same_floating,   infer_first,     run_unary,    iotadnn_graph_op_exp,           kPlain},
    {Op::log,           1, 1, 0, 0, same_floating,   infer_first,     run_unary,    iotadnn_graph_op_log,           kPlain},
    {Op::reciprocal,    1, 1, 0, 0, same_floating,   infer_first,     run_unary,    iotadnn_graph_op_reciprocal,    kPlain},
    {Op::sigmoid,       1, 1, 0, 0, same_floating,   infer_first,     run_unary,    iotadnn_graph_op_sigmoid,       kPlain},
    {Op::tanh,          1, 1, 0, 0, same_floating,   infer_first,     run_unary,    iotadnn_graph_op_tanh,          kPlain},
    {Op::relu,          1, 1, 0, 0, same_numeric,    infer_first,     run_unary,    iotadnn_graph_op_relu,          kPlain},
    {Op::ceil,          1, 1, 0, 0, same_floating,   infer_first,     run_unary,    kNone,                          kPlain},
    {Op::floor,         1, 1, 0, 0, same_floating,   infer_first,     run_unary,    kNone,                          kPlain},
    {Op::cast,          1, 1, 0, 0, given,           infer_first,     run_cast,     iotadnn_graph_op_type_cast,     kPlain},
    {Op::identity,      1, 1, 0, 0, first,           infer_first,     run_identity, kNone,                          kPlain},
    // rows, columns, diagonal, optional batch shape; "type"
    {Op::eye,           3, 4, 0b1111, 0, given,      infer_eye,       run_eye,      iotadnn_graph_op_eye,           emit_eye},
    // "k", "type"
    {Op::eye_like,      1, 1, 0, 1, given,           infer_eye_like,  run_eye_like, iotadnn_graph_op_eye_like,      emit_eye_like},
    // "axis", "type"
    {Op::gen_index,     1, 1, 0, 1, given,           infer_gen_index, run_gen_index, iotadnn_graph_op_gen_index,    emit_axis},
    // start, limit, step; "type" where it differs from the inputs'
    {Op::range,         3, 3, 0b111, 0, rows::range, infer_range,     run_range,    iotadnn_graph_op_range,         kPlain},
    // shape; "value", a tensor of one element
    {Op::fill,          1, 1, 1, 0, fill,            infer_fill,      run_fill,     iotadnn_graph_op_fill,          emit_fill},
    // source, optional diagonal (0); "upper"
    {Op::trilu,         1, 2, 0b10, 0, same_any,     infer_trilu,     run_trilu,    iotadnn_graph_op_trilu,         emit_trilu},
    // indices, depth, values (off, on); "axis". An index outside of [0, depth) has off only
    {Op::one_hot,       3, 3, 0b110, 0, one_hot,     infer_one_hot,   run_one_hot,  iotadnn_graph_op_one_hot,       emit_one_hot},
    // "start", "end" (as slices are), "type"
    {Op::shape,         1, 1, 0, 1, counts,          infer_shape,     run_shape,    kNone,                          kPlain},
    {Op::size,          1, 1, 0, 1, counts,          infer_size,      run_size,     kNone,                          kPlain},
    // source, shape (-1 once: what is left; 0: the source's extent, unless "allow_zero")
    {Op::reshape,       2, 2, 0b10, 0, first,        infer_reshape,   run_identity, iotadnn_graph_op_static_reshape, emit_reshape},
    // source, optional axes; "skip": an axis that is not 1 stays, and an empty list means none given
    {Op::squeeze,       1, 2, 0b10, 0, first,        infer_squeeze,   run_identity, iotadnn_graph_op_static_reshape, emit_reshape},
    {Op::unsqueeze,     2, 2, 0b10, 0, first,        infer_unsqueeze, run_identity, iotadnn_graph_op_static_reshape, emit_reshape},
    // "axis": the first of the second dimension's, up to the rank
    {Op::flatten,       1, 1, 0, 0, first,           infer_flatten,   run_identity, iotadnn_graph_op_static_reshape, emit_reshape},
    // source, shape: both broadcast to each other, "one_way": only the source; optional: which
    // dimension of the shape each of the source's is
    {Op::expand,        2, 3, 0b110, 0, first,        infer_expand,    run_expand,   iotadnn_graph_op_fill,          emit_expand},
    // source, optional order (empty or without: turned around)
    {Op::transpose,     1, 2, 0b10, 0, first,        infer_transpose, run_transpose, iotadnn_graph_op_static_transpose, emit_transpose},
    // "axis"
    {Op::concat,        1, kMany, 0, 0, same_any,    infer_concat,    run_concat,   iotadnn_graph_op_concat,        emit_axis},
    // source, starts, ends, optional axes, optional steps, clamped as in numpy
    {Op::slice,         3, 5, 0b11110, 0, first,     infer_slice,     run_slice,    kNone,                          kPlain},
    // source, optional lengths (without: in equal parts, the last one may be shorter); "axis"
    {Op::split,         1, 2, 0b10, 0, first,        infer_split,     run_split,    kNone,                          kPlain},
    // data, indices (negative: from the end); "axis", "batch_dims"
    {Op::gather,        2, 2, 0, 0, gather,          infer_gather,    run_gather,   iotadnn_graph_op_gather,        emit_gather},
    // source, optional axes (none: all, or nothing with "noop"); "keep_dims"
    {Op::reduce_sum,    1, 2, 0b10, 0, first_numeric,  infer_reduce,  run_reduce,   iotadnn_graph_op_reduce_sum,    emit_reduce},
    {Op::reduce_max,    1, 2, 0b10, 0, first_numeric,  infer_reduce,  run_reduce,   iotadnn_graph_op_reduce_max,    emit_reduce},
    {Op::reduce_min,    1, 2, 0b10, 0, first_numeric,  infer_reduce,  run_reduce,   iotadnn_graph_op_reduce_min,    emit_reduce},
    {Op::reduce_prod,   1, 2, 0b10, 0, first_numeric,  infer_reduce,  run_reduce,   iotadnn_graph_op_reduce_prod,   emit_reduce},
    {Op::reduce_mean,   1, 2, 0b10, 0, first_floating, infer_reduce,  run_reduce,   iotadnn_graph_op_reduce_mean,   emit_reduce},
    // source, axis; "exclusive", "reverse"
    {Op::cum_sum,       2, 2, 0b10, 0, first_numeric,  infer_cum_sum, run_cum_sum,  kNone,                          kPlain},
    // "axis"; "flatten": over all dimensions from it on; "inf_as_zero": a line of -inf gives zeros
    {Op::softmax,       1, 1, 0, 0, same_floating,   infer_softmax,   run_softmax,  iotadnn_graph_op_softmax,       emit_softmax},
    // "transpose_a", "transpose_b"
    {Op::matmul,        2, 2, 0, 0, same_numeric,    infer_matmul,    run_matmul,   iotadnn_graph_op_matmul,        emit_matmul},
    // Q, K, V, optional mask, past keys, past values, numbers of keys; "q_heads", "kv_heads", "pads":
    // the mask's last extent may be shorter. Outputs as AttentionList has them
    {Op::attention_shapes, 3, 7, 0, 0b1111111, attention_shapes, infer_attention_shapes, run_attention_shapes, kNone,  kPlain},
};
// clang-format on

static_assert(std::size(kRows) == static_cast<size_t>(Op::attention_shapes) + 1);

}  // namespace

const OpRow& row_of(Op op) {
  return kRows[static_cast<size_t>(op)];
}

void TypeContext::require(size_t port, bool (*fits)(DataType), const char* allowed) const {
  if (port >= in.size() || node.inputs[port] == kNoValue)
    fail("input " + std::to_string(port) + " is missing");
  if (!fits(in[port]))
    fail("input " + std::to_string(port) + " has type " + type_text(in[port]) +
         ", allowed: " + allowed);
}

void TypeContext::require_same(size_t port, size_t other) const {
  if (in.at(port) != in.at(other))
    fail("input " + std::to_string(port) + " has type " + type_text(in[port]) + ", input " +
         std::to_string(other) + " has " + type_text(in[other]) + "; they must agree");
}

const Tensor& ShapeContext::data(size_t port) const {
  if (port >= known.size() || known[port] == nullptr)
    fail("input " + std::to_string(port) + " is missing");
  return *known[port];
}

std::vector<int64_t> ShapeContext::list(size_t port) const {
  const Tensor& tensor = data(port);
  const std::string name = where + ", input " + std::to_string(port);
  if (tensor.dims().size() > 1)
    throw ModelError(name + ": rank " + std::to_string(tensor.dims().size()) + ", allowed: 0, 1");
  return tensor.as_s64_list(name);
}

int64_t ShapeContext::scalar(size_t port) const {
  const Tensor& tensor = data(port);
  if (tensor.count() != 1 || tensor.dims().size() > 1)
    fail("input " + std::to_string(port) + " has shape " + shape_text(tensor.dims()) +
         ", allowed: one element, of rank 0 or 1");
  return tensor.as_s64_list(where + ", input " + std::to_string(port))[0];
}

int64_t ShapeContext::axis(int64_t given, int64_t rank) const {
  if (given < -rank || given >= rank)
    fail("axis " + std::to_string(given) + " of rank " + std::to_string(rank) +
         ", allowed: " + std::to_string(-rank) + " to " + std::to_string(rank - 1));
  return given < 0 ? given + rank : given;
}

std::vector<int64_t> ShapeContext::axes(const std::vector<int64_t>& given, int64_t rank) const {
  if (given.size() > frontends::kMaxRank)
    fail(std::to_string(given.size()) +
         " axes are listed, allowed: " + std::to_string(frontends::kMaxRank));
  std::vector<int64_t> found;
  for (const int64_t one : given) {
    found.push_back(axis(one, rank));
    if (std::count(found.begin(), found.end(), found.back()) > 1)
      fail("axis " + std::to_string(one) + " is listed twice");
  }
  return found;
}

void infer_types(TypeContext& context) {
  const OpRow& row = row_of(context.node.op);
  if (context.in.size() < row.min_inputs || context.in.size() > row.max_inputs)
    context.fail(std::to_string(context.in.size()) +
                 " inputs, allowed: " + std::to_string(row.min_inputs) +
                 (row.max_inputs == row.min_inputs ? ""
                  : row.max_inputs == kMany        ? " or more"
                                                   : " to " + std::to_string(row.max_inputs)));
  for (size_t port = 0; port < row.min_inputs; ++port)
    if (context.node.inputs[port] == kNoValue)
      context.fail("input " + std::to_string(port) + " is missing");
  row.types(context);
}

void infer_shapes(ShapeContext& context) {
  row_of(context.node.op).infer(context);
}

std::vector<Tensor> interpret(const ShapeContext& shapes, std::vector<const Tensor*> inputs) {
  RunContext run{{shapes.node, shapes.where}, shapes, std::move(inputs), {}};
  for (size_t i = 0; i < shapes.out.size(); ++i)
    run.out.emplace_back(shapes.out_types[i], shapes.out[i], shapes.where);
  row_of(shapes.node.op).run(run);
  return std::move(run.out);
}

}  // namespace iotadnn::models
