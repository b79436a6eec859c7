// SPDX-License-Identifier: Apache-2.0
#include "ops/relabel.h"

#include <string>

#include "ops/op_kinds.h"
#include "ops/op_table.h"
#include "ops/relabel_ops.h"

namespace iotadnn::impl {
namespace {

using Axes = std::array<int8_t, kMaxRank>;

// Output dimension d is the input's dimension order.axes[d].
Result<Axes> transposed_axes(const Op& op) {
  const int rank = op.inputs[0].rank;
  const relabel_ops::Order order = relabel_ops::transpose_order(op, rank);
  if (!order.fault.empty()) return invalid_arguments(order.fault);
  Axes axes{};
  axes.fill(kNoAxis);
  for (int out = 0; out < rank; ++out)
    axes[static_cast<size_t>(order.axes[static_cast<size_t>(out)])] = static_cast<int8_t>(out);
  return axes;
}

// Dimensions of extent 1 may come and go; all others keep their order.
Result<Axes> reshaped_axes(const Op& op) {
  const LogicalTensor& in = op.inputs[0];
  const LogicalTensor& out = op.outputs[0];
  const auto refused = [&op](const char* why) -> Result<Axes> {
    return unimplemented(op_text(op) + " " + why +
                         "; a reshape is fused when it adds or removes extents of 1");
  };
  if (!is_known_shape(in.dims, in.rank) || !is_known_shape(out.dims, out.rank))
    return refused("has a shape that is not known");
  Axes axes{};
  axes.fill(kNoAxis);
  int next = 0;
  for (int d = 0; d < in.rank; ++d) {
    if (in.dims[d] == 1) continue;
    while (next < out.rank && out.dims[next] == 1)
      ++next;
    if (next == out.rank || out.dims[next] != in.dims[d])
      return refused("merges or splits dimensions");
    axes[static_cast<size_t>(d)] = static_cast<int8_t>(next++);
  }
  return axes;
}

}  // namespace

Result<Axes> relabeled_axes(const Op& op) {
  if (op.inputs[0].rank == kUnknownRank || op.outputs[0].rank == kUnknownRank)
    return unimplemented(op_text(op) + " has a tensor of unknown rank");
  return op.kind == op_kind::kStaticReshape ? reshaped_axes(op) : transposed_axes(op);
}

}  // namespace iotadnn::impl
