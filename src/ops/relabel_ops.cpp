// SPDX-License-Identifier: Apache-2.0
#include "ops/relabel_ops.h"

#include <numeric>
#include <optional>
#include <vector>

#include "ops/broadcast.h"
#include "ops/op_table.h"
#include "ops/strided_loop.h"

namespace iotadnn::impl::relabel_ops {
namespace {

constexpr PortSpec kIn[] = {{"src", types::kComputed, 'T'}};
constexpr PortSpec kOut[] = {{"dst", types::kComputed, 'T'}};
constexpr AttrSpec kReshapeAttrs[] = {{attr_id::kShape, true, ""},
                                      {attr_id::kSpecialZero, true, ""}};
constexpr AttrSpec kTransposeAttrs[] = {{attr_id::kOrder, true, ""}};

// An extent of attribute shape that follows from the others.
constexpr int64_t kRest = -1;

std::string shape_attr_text(const Op& op) {
  return op_text(op) + ": attribute shape";
}

const std::vector<int64_t>& shape_of(const Op& op) {
  return *op.attr<std::vector<int64_t>>(attr_id::kShape);
}

// The attribute with zeros replaced by the input's extents, and -1 by kUnknownDim.
Result<LogicalTensor> requested_shape(const Op& op, const LogicalTensor& in) {
  const auto* special = op.attr<bool>(attr_id::kSpecialZero);
  const auto& shape = shape_of(op);
  LogicalTensor out;
  out.rank = static_cast<int>(shape.size());
  for (int d = 0; d < out.rank; ++d) {
    out.dims[d] = shape[static_cast<size_t>(d)];
    if (out.dims[d] == kRest) out.dims[d] = kUnknownDim;
    if (out.dims[d] != 0 || special == nullptr || !*special) continue;
    if (in.rank != kUnknownRank && d >= in.rank)
      return invalid_shape(shape_attr_text(op) + "[" + std::to_string(d) +
                           "] is 0, which takes the extent of a dimension that the input of rank " +
                           std::to_string(in.rank) + " does not have");
    out.dims[d] = in.rank == kUnknownRank ? kUnknownDim : in.dims[d];
  }
  return out;
}

// Elements of the dimensions that are known; nullopt on overflow.
std::optional<int64_t> known_elements(const LogicalTensor& t) {
  int64_t count = 1;
  for (int d = 0; d < t.rank; ++d) {
    if (t.dims[d] == kUnknownDim) continue;
    const auto product = checked_mul(count, t.dims[d]);
    if (!product) return std::nullopt;
    count = *product;
  }
  return count;
}

Status does_not_fit(const Op& op, const LogicalTensor& in, const LogicalTensor& out) {
  return invalid_shape(op_text(op) + " has an input of shape " + shape_words(in) +
                       ", whose elements do not fill " + shape_words(out));
}

}  // namespace

constexpr Signature kStaticReshape = {kIn, 1, kOut, 1, kReshapeAttrs};
constexpr Signature kStaticTranspose = {kIn, 1, kOut, 1, kTransposeAttrs};

Status check_reshape(const Op& op) {
  const auto& shape = shape_of(op);
  if (shape.size() > size_t{kMaxRank})
    return invalid_graph_op(shape_attr_text(op) + " has rank " + std::to_string(shape.size()) +
                            ", allowed: 0 to " + std::to_string(kMaxRank));
  int rests = 0;
  for (size_t d = 0; d < shape.size(); ++d) {
    rests += shape[d] == kRest ? 1 : 0;
    if (shape[d] < kRest || rests > 1)
      return invalid_graph_op(shape_attr_text(op) + "[" + std::to_string(d) + "] is " +
                              std::to_string(shape[d]) + ", allowed: 0 and more, and one -1");
  }
  return {};
}

Status infer_reshape(ShapeContext& ctx) {
  const Op& op = *ctx.op;
  const LogicalTensor& in = *ctx.inputs[0].lt;
  auto shape = requested_shape(op, in);
  if (!shape.ok()) return shape.status();
  LogicalTensor& out = ctx.outputs[0];
  out.rank = shape->rank;
  out.dims = shape->dims;
  if (in.rank == kUnknownRank || !is_known_shape(in.dims, in.rank)) return {};
  const auto count = num_elements(in.dims, in.rank);
  if (!count.ok())
    return {count.status().code(), input_text(op, 0) + ": " + count.status().message()};
  const auto known = known_elements(*shape);
  if (!known) return does_not_fit(op, in, out);
  for (int d = 0; d < out.rank; ++d)
    if (out.dims[d] == kUnknownDim && *known != 0) out.dims[d] = *count / *known;
  const auto filled = known_elements(out);
  if (!is_known_shape(out.dims, out.rank) || !filled || *filled != *count)
    return does_not_fit(op, in, *shape);
  return {};
}

Status reference_reshape(const RefContext& ctx) {
  const TensorView& in = ctx.inputs[0];
  const TensorView& out = ctx.outputs[0];
  const auto count = num_elements(in.lt->dims, in.lt->rank);
  const auto wanted = num_elements(out.lt->dims, out.lt->rank);
  if (!count.ok() || !wanted.ok() || *count != *wanted)
    return does_not_fit(*ctx.op, *in.lt, *out.lt);
  const Dims strides = strides_of(*in.lt);
  const int bytes = bytes_of(out.lt->type);
  Dims source{};
  for_each_index(out.lt->dims, out.lt->rank, [&](const Dims& coords) {
    copy_element(out.data, offset_of(coords, out.lt->strides, out.lt->rank), in.data,
                 offset_of(source, strides, in.lt->rank), bytes);
    for (int d = in.lt->rank - 1; d >= 0; --d) {
      if (++source[d] < in.lt->dims[d]) break;
      source[d] = 0;
    }
  });
  return {};
}

// An empty order turns the dimensions around, as in oneDNN.
Order transpose_order(const Op& op, int rank) {
  const auto& given = *op.attr<std::vector<int64_t>>(attr_id::kOrder);
  Order order;
  if (given.empty()) {
    std::iota(order.axes.rbegin() + (kMaxRank - rank), order.axes.rend(), 0);
    return order;
  }
  std::array<bool, kMaxRank> used{};
  for (size_t d = 0; d < given.size() && given.size() == static_cast<size_t>(rank); ++d) {
    const Axis axis =
        resolve_axis(op, "attribute order[" + std::to_string(d) + "]", given[d], rank);
    if (!axis.fault.empty()) return {{}, axis.fault};
    order.axes[d] = axis.axis;
    used[static_cast<size_t>(axis.axis)] = true;
  }
  for (int d = 0; d < rank; ++d)
    if (!used[static_cast<size_t>(d)])
      return {{},
              op_text(op) + ": attribute order has " + std::to_string(given.size()) +
                  " entries, allowed: each axis of the input of rank " + std::to_string(rank) +
                  " once"};
  if (given.size() != static_cast<size_t>(rank))
    return {{},
            op_text(op) + ": attribute order has " + std::to_string(given.size()) +
                " entries, allowed for rank " + std::to_string(rank) + ": none"};
  return order;
}

Status check_transpose(const Op& op) {
  const int rank = op.inputs[0].rank != kUnknownRank ? op.inputs[0].rank : op.outputs[0].rank;
  if (rank == kUnknownRank) return {};
  const Order order = transpose_order(op, rank);
  return order.fault.empty() ? Status() : invalid_graph_op(order.fault);
}

Status infer_transpose(ShapeContext& ctx) {
  const LogicalTensor& in = *ctx.inputs[0].lt;
  LogicalTensor& out = ctx.outputs[0];
  out.dims.fill(kUnknownDim);
  if (in.rank == kUnknownRank) return {};
  const Order order = transpose_order(*ctx.op, in.rank);
  if (!order.fault.empty()) return invalid_arguments(order.fault);
  out.rank = in.rank;
  for (int d = 0; d < in.rank; ++d)
    out.dims[d] = in.dims[order.axes[static_cast<size_t>(d)]];
  return {};
}

Status reference_transpose(const RefContext& ctx) {
  const TensorView& in = ctx.inputs[0];
  const TensorView& out = ctx.outputs[0];
  const Order order = transpose_order(*ctx.op, in.lt->rank);
  if (!order.fault.empty()) return invalid_arguments(order.fault);
  const Dims strides = strides_of(*in.lt);
  Dims turned{};
  for (int d = 0; d < in.lt->rank; ++d) {
    const int axis = order.axes[static_cast<size_t>(d)];
    if (out.lt->rank != in.lt->rank || out.lt->dims[d] != in.lt->dims[axis])
      return does_not_fit(*ctx.op, *in.lt, *out.lt);
    turned[d] = strides[axis];
  }
  const int bytes = bytes_of(out.lt->type);
  for_each_index(out.lt->dims, out.lt->rank, [&](const Dims& coords) {
    copy_element(out.data, offset_of(coords, out.lt->strides, out.lt->rank), in.data,
                 offset_of(coords, turned, out.lt->rank), bytes);
  });
  return {};
}

}  // namespace iotadnn::impl::relabel_ops
