// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstring>

#include "ops/broadcast.h"
#include "ops/op_table.h"
#include "ops/relabel_ops.h"
#include "ops/strided_loop.h"

namespace iotadnn::impl::relabel_ops {
namespace {

constexpr size_t kData = 0;
constexpr size_t kIndices = 1;

constexpr PortSpec kIn[] = {{"data", types::kComputed, 'T'}, {"indices", types::kIndex}};
constexpr PortSpec kOut[] = {{"dst", types::kComputed, 'T'}};
constexpr AttrSpec kAttrs[] = {{attr_id::kAxis, false, "0"}};

// data[0, axis) x indices x data(axis, rank): the output's shape; too long a one is the fault.
struct GatherShape {
  int rank = 0;
  Dims dims{};
  std::string fault;
};

GatherShape gather_shape(const Op& op, const LogicalTensor& data, const LogicalTensor& indices,
                         int axis) {
  GatherShape shape;
  if (data.rank - 1 + indices.rank > kMaxRank) {
    shape.fault = op_text(op) + " has data of rank " + std::to_string(data.rank) +
                  " and indices of rank " + std::to_string(indices.rank) +
                  ", whose output would have more than " + std::to_string(kMaxRank) + " dimensions";
    return shape;
  }
  const auto append = [&shape](const LogicalTensor& t, int from, int to) {
    for (int d = from; d < to; ++d)
      shape.dims[shape.rank++] = t.dims[d];
  };
  append(data, 0, axis);
  append(indices, 0, indices.rank);
  append(data, axis + 1, data.rank);
  return shape;
}

int64_t index_at(const TensorView& indices, int64_t offset) {
  return indices.lt->type == DataType::s64 ? load_element<int64_t>(indices.data, offset)
                                           : load_element<int32_t>(indices.data, offset);
}

}  // namespace

constexpr Signature kGather = {kIn, 2, kOut, 1, kAttrs};

Axis gather_axis(const Op& op, int data_rank) {
  const auto* given = op.attr<int64_t>(attr_id::kAxis);
  return resolve_axis(op, "attribute axis", given == nullptr ? 0 : *given, data_rank);
}

Status check_gather(const Op& op) {
  if (op.inputs[kData].rank == kUnknownRank) return {};
  const Axis axis = gather_axis(op, op.inputs[kData].rank);
  if (!axis.fault.empty()) return invalid_graph_op(axis.fault);
  if (op.inputs[kIndices].rank == kUnknownRank) return {};
  const GatherShape shape = gather_shape(op, op.inputs[kData], op.inputs[kIndices], axis.axis);
  return shape.fault.empty() ? Status() : invalid_graph_op(shape.fault);
}

Status infer_gather(ShapeContext& ctx) {
  const LogicalTensor& data = *ctx.inputs[kData].lt;
  const LogicalTensor& indices = *ctx.inputs[kIndices].lt;
  LogicalTensor& out = ctx.outputs[0];
  out.dims.fill(kUnknownDim);
  if (data.rank == kUnknownRank) return {};
  const Axis axis = gather_axis(*ctx.op, data.rank);
  if (!axis.fault.empty()) return invalid_arguments(axis.fault);
  if (indices.rank == kUnknownRank) return {};
  const GatherShape shape = gather_shape(*ctx.op, data, indices, axis.axis);
  if (!shape.fault.empty()) return invalid_shape(shape.fault);
  out.rank = shape.rank;
  out.dims = shape.dims;
  return {};
}

Status reference_gather(const RefContext& ctx) {
  const TensorView& data = ctx.inputs[kData];
  const TensorView& indices = ctx.inputs[kIndices];
  const TensorView& out = ctx.outputs[0];
  const Axis axis = gather_axis(*ctx.op, data.lt->rank);
  if (!axis.fault.empty()) return invalid_arguments(axis.fault);
  const GatherShape shape = gather_shape(*ctx.op, *data.lt, *indices.lt, axis.axis);
  if (!shape.fault.empty() || shape.rank != out.lt->rank ||
      !std::equal(shape.dims.begin(), shape.dims.begin() + shape.rank, out.lt->dims.begin()))
    return invalid_shape(output_text(*ctx.op, 0) + " has shape " +
                         shape_text(out.lt->dims, out.lt->rank) + ", its inputs give " +
                         shape_text(shape.dims, shape.rank));
  // The strides of both inputs by dimension of the output, 0 where one lacks it.
  const Dims data_strides = strides_of(*data.lt);
  const Dims index_strides = strides_of(*indices.lt);
  Dims by_data{};
  Dims by_index{};
  for (int d = 0; d < shape.rank; ++d) {
    const int past = d - axis.axis - indices.lt->rank;
    if (d < axis.axis)
      by_data[d] = data_strides[d];
    else if (past < 0)
      by_index[d] = index_strides[d - axis.axis];
    else
      by_data[d] = data_strides[axis.axis + 1 + past];
  }
  const int bytes = bytes_of(out.lt->type);
  const int64_t extent = data.lt->dims[axis.axis];
  for_each_index(out.lt->dims, shape.rank, [&](const Dims& coords) {
    int64_t index = index_at(indices, offset_of(coords, by_index, shape.rank));
    if (index < 0) index += extent;
    const int64_t to = offset_of(coords, out.lt->strides, shape.rank);
    if (index >= 0 && index < extent)
      copy_element(out.data, to, data.data,
                   offset_of(coords, by_data, shape.rank) + index * data_strides[axis.axis], bytes);
    else
      std::memset(static_cast<unsigned char*>(out.data) + to * bytes, 0,
                  static_cast<size_t>(bytes));
  });
  return {};
}

}  // namespace iotadnn::impl::relabel_ops
