// SPDX-License-Identifier: Apache-2.0
#include "ops/index_ops.h"

#include <limits>
#include <string>

#include "ops/arguments.h"
#include "ops/expand_context.h"
#include "ops/lower_context.h"
#include "ops/op_table.h"
#include "ops/strided_loop.h"

namespace iotadnn::impl::index_ops {
namespace {

constexpr PortSpec kIn[] = {{"src", types::kAny}};
constexpr PortSpec kOut[] = {{"dst", types::kIndex}};
constexpr AttrSpec kAttrs[] = {{attr_id::kAxis, true, ""}};

Axis axis_of(const Op& op, int rank) {
  const auto* given = op.attr<int64_t>(attr_id::kAxis);
  if (given == nullptr) return {0, op_text(op) + ": attribute axis is missing"};
  if (rank == 0)
    return {0, op_text(op) + " has an input of rank 0, which has no axis to count along"};
  return resolve_axis(op, "attribute axis", *given, rank);
}

// The largest extent whose indices the type holds.
int64_t countable_extent(DataType type) {
  return type == DataType::s32 ? int64_t{std::numeric_limits<int32_t>::max()} + 1
                               : std::numeric_limits<int64_t>::max();
}

template <class T>
void fill_index(const TensorView& out, int axis) {
  const LogicalTensor& t = *out.lt;
  const int last = t.rank - 1;
  for_each_row(t, [&](int64_t offset, const Dims& coords) {
    for (int64_t j = 0; j < t.dims[last]; ++j)
      store_element(out.data, offset + j * t.strides[last],
                    static_cast<T>(axis == last ? j : coords[axis]));
  });
}

}  // namespace

constexpr Signature kGenIndex = {kIn, 1, kOut, 1, kAttrs};

Status check_gen_index(const Op& op) {
  // One rank serves both sides; a disagreement is shape inference's to report.
  const int rank = op.inputs[0].rank != kUnknownRank ? op.inputs[0].rank : op.outputs[0].rank;
  if (rank == kUnknownRank) return {};
  const Axis axis = axis_of(op, rank);
  return axis.fault.empty() ? Status() : invalid_graph_op(axis.fault);
}

Status infer_gen_index(ShapeContext& ctx) {
  const LogicalTensor& in = *ctx.inputs[0].lt;
  LogicalTensor& out = ctx.outputs[0];
  // An input of unknown rank says nothing; the rank of the output, if given, is the input's.
  if (in.rank == kUnknownRank) {
    out.dims.fill(kUnknownDim);
    if (out.rank == kUnknownRank) return {};
  } else {
    out.rank = in.rank;
    out.dims = in.dims;
  }
  const Axis axis = axis_of(*ctx.op, out.rank);
  if (!axis.fault.empty()) return invalid_arguments(axis.fault);
  const int64_t extent = out.dims[axis.axis];
  if (extent > countable_extent(out.type) && !is_empty(out))
    return invalid_shape(op_text(*ctx.op) + ": extent " + std::to_string(extent) + " along axis " +
                         std::to_string(axis.axis) + " has indices that " +
                         std::string(name_of(out.type)) + " cannot hold; an s64 output can");
  return {};
}

Status reference_gen_index(const RefContext& ctx) {
  const TensorView& out = ctx.outputs[0];
  const Axis axis = axis_of(*ctx.op, out.lt->rank);
  if (!axis.fault.empty()) return invalid_arguments(axis.fault);
  if (out.lt->type == DataType::s64)
    fill_index<int64_t>(out, axis.axis);
  else
    fill_index<int32_t>(out, axis.axis);
  return {};
}

Status lower_gen_index(LowerContext& ctx) {
  const Axis axis = axis_of(*ctx.op, ctx.program.rank);
  if (!axis.fault.empty()) return invalid_arguments(axis.fault);
  ctx.program.bodies = {Body{{{Opcode::coord, static_cast<uint64_t>(axis.axis)}}}};
  return {};
}

Status expand_gen_index(ExpandContext& ctx) {
  const Axis axis = axis_of(ctx.op, ctx.rank());
  if (!axis.fault.empty()) return invalid_arguments(axis.fault);
  ctx.result = ctx.coord(axis.axis, ctx.op.outputs[0].type);
  return {};
}

}  // namespace iotadnn::impl::index_ops
