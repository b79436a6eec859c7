// SPDX-License-Identifier: Apache-2.0
#include <vector>

#include "ops/accumulator.h"
#include "ops/broadcast.h"
#include "ops/op_table.h"
#include "ops/relabel_ops.h"
#include "ops/strided_loop.h"

namespace iotadnn::impl::relabel_ops {
namespace {

constexpr PortSpec kIn[] = {{"src", types::kNumeric, 'T'}, {"axes", types::kIndex}};
constexpr PortSpec kOut[] = {{"dst", types::kNumeric, 'T'}};
constexpr AttrSpec kAttrs[] = {{attr_id::kAxes, false, ""}, {attr_id::kKeepDims, false, "false"}};

constexpr size_t kAxesPort = 1;

// What is not reduced, in order: with keep_dims, an extent of 1 stays for each reduced dimension.
struct Kept {
  int rank = 0;
  std::array<int, kMaxRank> input_axis{};  // by dimension of the output; -1 for a kept extent of 1
};

Kept kept_of(const Op& op, const ReducedAxes& axes, int rank) {
  Kept kept;
  for (int d = 0; d < rank; ++d) {
    const bool is_reduced = axes.is_reduced[static_cast<size_t>(d)];
    if (is_reduced && !keeps_dims(op)) continue;
    kept.input_axis[static_cast<size_t>(kept.rank++)] = is_reduced ? -1 : d;
  }
  return kept;
}

}  // namespace

constexpr Signature kReduceSum = {kIn, 1, kOut, 1, kAttrs};

bool keeps_dims(const Op& op) {
  const auto* keep = op.attr<bool>(attr_id::kKeepDims);
  return keep != nullptr && *keep;
}

// No axes: nothing is reduced (oneDNN Graph ReduceSum).
ReducedAxes reduced_axes(const Op& op, int rank) {
  ReducedAxes axes;
  const auto* given = op.attr<std::vector<int64_t>>(attr_id::kAxes);
  for (size_t i = 0; given != nullptr && i < given->size(); ++i) {
    const std::string what = "attribute axes[" + std::to_string(i) + "]";
    const Axis axis = resolve_axis(op, what, (*given)[i], rank);
    if (!axis.fault.empty()) return {{}, axis.fault};
    axes.is_reduced[static_cast<size_t>(axis.axis)] = true;
  }
  return axes;
}

Status check_reduce_sum(const Op& op) {
  if (op.inputs.size() > kAxesPort && op.attrs.count(attr_id::kAxes) != 0)
    return invalid_graph_op(op_text(op) +
                            ": attribute axes is not allowed together with input 1 (axes)");
  if (op.inputs[0].rank == kUnknownRank) return {};
  const ReducedAxes axes = reduced_axes(op, op.inputs[0].rank);
  return axes.fault.empty() ? Status() : invalid_graph_op(axes.fault);
}

Status claimable_reduce_sum(const Op& op) {
  if (op.inputs.size() <= kAxesPort) return {};
  return unimplemented(input_text(op, kAxesPort) +
                       " gives the axes as data; this library reduces along those of attribute "
                       "axes only");
}

Status infer_reduce_sum(ShapeContext& ctx) {
  IOTADNN_TRY(claimable_reduce_sum(*ctx.op));
  const LogicalTensor& in = *ctx.inputs[0].lt;
  LogicalTensor& out = ctx.outputs[0];
  out.dims.fill(kUnknownDim);
  if (in.rank == kUnknownRank) return {};
  const ReducedAxes axes = reduced_axes(*ctx.op, in.rank);
  if (!axes.fault.empty()) return invalid_arguments(axes.fault);
  const Kept kept = kept_of(*ctx.op, axes, in.rank);
  out.rank = kept.rank;
  for (int d = 0; d < kept.rank; ++d) {
    const int axis = kept.input_axis[static_cast<size_t>(d)];
    out.dims[d] = axis < 0 ? 1 : in.dims[axis];
  }
  return {};
}

Status reference_reduce_sum(const RefContext& ctx) {
  IOTADNN_TRY(claimable_reduce_sum(*ctx.op));
  const TensorView& in = ctx.inputs[0];
  const TensorView& out = ctx.outputs[0];
  const int rank = in.lt->rank;
  const ReducedAxes axes = reduced_axes(*ctx.op, rank);
  if (!axes.fault.empty()) return invalid_arguments(axes.fault);
  const Kept kept = kept_of(*ctx.op, axes, rank);
  const Dims strides = strides_of(*in.lt);
  Dims outer{};    // the input's strides by dimension of the output
  Dims reduced{};  // extents of what is summed, by dimension of the input: 1 where it is kept
  bool fits = kept.rank == out.lt->rank;
  for (int d = 0; fits && d < kept.rank; ++d) {
    const int axis = kept.input_axis[static_cast<size_t>(d)];
    outer[d] = axis < 0 ? 0 : strides[axis];
    fits = out.lt->dims[d] == (axis < 0 ? 1 : in.lt->dims[axis]);
  }
  if (!fits)
    return invalid_shape(output_text(*ctx.op, 0) + " has shape " +
                         shape_text(out.lt->dims, out.lt->rank) + " for an input of shape " +
                         shape_text(in.lt->dims, rank));
  for (int d = 0; d < rank; ++d)
    reduced[d] = axes.is_reduced[static_cast<size_t>(d)] ? in.lt->dims[d] : 1;
  for_each_index(out.lt->dims, kept.rank, [&](const Dims& coords) {
    Accumulator sum(in.lt->type);
    const int64_t base = offset_of(coords, outer, kept.rank);
    for_each_index(reduced, rank, [&](const Dims& inner) {
      sum.add(in.data, base + offset_of(inner, strides, rank));
    });
    sum.store(out.lt->type, out.data, offset_of(coords, out.lt->strides, kept.rank));
  });
  return {};
}

}  // namespace iotadnn::impl::relabel_ops
