// SPDX-License-Identifier: Apache-2.0
#include "ops/coordinate_ops.h"

#include <algorithm>
#include <string>

#include "ops/arguments.h"
#include "ops/broadcast.h"
#include "ops/expand_context.h"
#include "ops/op_table.h"

namespace iotadnn::impl::coordinate_ops {
namespace {

constexpr PortSpec kFillIn[] = {{"value", types::kComputed, 'T'}};
constexpr PortSpec kAnyOut[] = {{"dst", types::kComputed, 'T'}};
// An absent value counts as 0; no default is filled in, since the input form must not have one.
constexpr AttrSpec kFillAttrs[] = {{attr_id::kShape, true, ""}, {attr_id::kValue, false, ""}};

constexpr PortSpec kTriluIn[] = {{"src", types::kComputed, 'T'}};
constexpr AttrSpec kTriluAttrs[] = {{attr_id::kK, false, "0"}, {attr_id::kUpper, false, "true"}};

constexpr PortSpec kOneHotIn[] = {{"indices", types::kIndex}};
constexpr AttrSpec kOneHotAttrs[] = {{attr_id::kAxis, false, "-1"},
                                     {attr_id::kDepth, true, ""},
                                     {attr_id::kOnValue, false, "1"},
                                     {attr_id::kOffValue, false, "0"}};

double number(const Op& op, AttrId id, double absent) {
  const auto* value = op.attr<float>(id);
  return value == nullptr ? absent : static_cast<double>(*value);
}

int64_t integer(const Op& op, AttrId id, int64_t absent) {
  const auto* value = op.attr<int64_t>(id);
  return value == nullptr ? absent : *value;
}

std::string matrix_fault(const Op& op, const LogicalTensor& in) {
  if (in.rank == kUnknownRank || in.rank >= 2) return "";
  return input_text(op, 0) + " has rank " + std::to_string(in.rank) + ", allowed: 2 to " +
         std::to_string(kMaxRank);
}

// The new axis in the output, whose rank is one more than that of the indices.
Axis one_hot_axis(const Op& op, int output_rank) {
  return resolve_axis(op, "attribute axis", integer(op, attr_id::kAxis, -1), output_rank);
}

}  // namespace

constexpr Signature kFill = {kFillIn, 0, kAnyOut, 1, kFillAttrs};
constexpr Signature kTrilu = {kTriluIn, 1, kAnyOut, 1, kTriluAttrs};
constexpr Signature kOneHot = {kOneHotIn, 1, kAnyOut, 1, kOneHotAttrs};

Status check_fill(const Op& op) {
  const auto& shape = *op.attr<std::vector<int64_t>>(attr_id::kShape);
  if (shape.size() > size_t{kMaxRank})
    return invalid_graph_op(op_text(op) + ": attribute shape has rank " +
                            std::to_string(shape.size()) + ", allowed: 0 to " +
                            std::to_string(kMaxRank));
  for (size_t d = 0; d < shape.size(); ++d)
    if (shape[d] < 0)
      return invalid_graph_op(op_text(op) + ": attribute shape[" + std::to_string(d) + "] is " +
                              std::to_string(shape[d]) + ", allowed: 0 and more");
  if (op.inputs.empty()) return {};
  if (op.attrs.count(attr_id::kValue) != 0)
    return invalid_graph_op(op_text(op) +
                            ": attribute value is not allowed together with input 0 (value)");
  const std::string fault = one_element_fault(op, 0, op.inputs[0]);
  return fault.empty() ? Status() : invalid_graph_op(fault);
}

Status infer_fill(ShapeContext& ctx) {
  if (!ctx.inputs.empty()) {
    const std::string fault = one_element_fault(*ctx.op, 0, *ctx.inputs[0].lt);
    if (!fault.empty()) return invalid_shape(fault);
  }
  const auto& shape = *ctx.op->attr<std::vector<int64_t>>(attr_id::kShape);
  ctx.outputs[0].rank = static_cast<int>(shape.size());
  std::copy(shape.begin(), shape.end(), ctx.outputs[0].dims.begin());
  return {};
}

Status expand_fill(ExpandContext& ctx) {
  const DataType type = ctx.op.outputs[0].type;
  ctx.result = ctx.op.inputs.empty() ? ctx.constant(type, number(ctx.op, attr_id::kValue, 0))
                                     : ctx.scalar_input(0, type);
  return {};
}

Status check_trilu(const Op& op) {
  const std::string fault = matrix_fault(op, op.inputs[0]);
  return fault.empty() ? Status() : invalid_graph_op(fault);
}

Status infer_trilu(ShapeContext& ctx) {
  const std::string fault = matrix_fault(*ctx.op, *ctx.inputs[0].lt);
  return fault.empty() ? infer_same_shape(ctx) : invalid_shape(fault);
}

Status expand_trilu(ExpandContext& ctx) {
  const auto* given = ctx.op.attr<bool>(attr_id::kUpper);
  const bool upper = given == nullptr || *given;
  const uint16_t x = ctx.input(0);
  const uint16_t k = ctx.diagonal_parameter(integer(ctx.op, attr_id::kK, 0));
  const uint16_t column = ctx.coord(ctx.rank() - 1, DataType::s64);
  const uint16_t diagonal = ctx.apply(Opcode::add, ctx.coord(ctx.rank() - 2, DataType::s64), k);
  const uint16_t keep =
      ctx.apply(upper ? Opcode::greater_equal : Opcode::less_equal, column, diagonal);
  ctx.result = ctx.select(keep, x, ctx.constant_int(ctx.type_of(x), 0));
  return {};
}

Status check_one_hot(const Op& op) {
  const int64_t depth = integer(op, attr_id::kDepth, 0);
  if (depth < 0)
    return invalid_graph_op(op_text(op) + ": attribute depth is " + std::to_string(depth) +
                            ", allowed: 0 and more");
  if (op.inputs[0].rank == kUnknownRank) return {};
  if (op.inputs[0].rank == kMaxRank)
    return invalid_graph_op(input_text(op, 0) + " has rank " + std::to_string(kMaxRank) +
                            ", allowed: 0 to " + std::to_string(kMaxRank - 1));
  const Axis axis = one_hot_axis(op, op.inputs[0].rank + 1);
  return axis.fault.empty() ? Status() : invalid_graph_op(axis.fault);
}

Status infer_one_hot(ShapeContext& ctx) {
  const LogicalTensor& in = *ctx.inputs[0].lt;
  LogicalTensor& out = ctx.outputs[0];
  out.dims.fill(kUnknownDim);
  if (in.rank == kUnknownRank) return {};
  if (in.rank == kMaxRank)
    return invalid_shape(input_text(*ctx.op, 0) + " has rank " + std::to_string(kMaxRank) +
                         ", allowed: 0 to " + std::to_string(kMaxRank - 1));
  const Axis axis = one_hot_axis(*ctx.op, in.rank + 1);
  if (!axis.fault.empty()) return invalid_arguments(axis.fault);
  out.rank = in.rank + 1;
  for (int d = 0; d < out.rank; ++d)
    out.dims[d] =
        d == axis.axis ? integer(*ctx.op, attr_id::kDepth, 0) : in.dims[d < axis.axis ? d : d - 1];
  return {};
}

Status expand_one_hot(ExpandContext& ctx) {
  const Axis axis = one_hot_axis(ctx.op, ctx.rank());
  if (!axis.fault.empty()) return invalid_arguments(axis.fault);
  const DataType type = ctx.op.outputs[0].type;
  const uint16_t index = ctx.convert(ctx.input_without(0, axis.axis), DataType::s64);
  const uint16_t is_on = ctx.apply(Opcode::equal, index, ctx.coord(axis.axis, DataType::s64));
  ctx.result = ctx.select(is_on, ctx.constant(type, number(ctx.op, attr_id::kOnValue, 1)),
                          ctx.constant(type, number(ctx.op, attr_id::kOffValue, 0)));
  return {};
}

}  // namespace iotadnn::impl::coordinate_ops
