// SPDX-License-Identifier: Apache-2.0
#include "ops/softmax_op.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "base/float16.h"
#include "ops/arguments.h"
#include "ops/broadcast.h"
#include "ops/elements.h"
#include "ops/op_table.h"
#include "ops/strided_loop.h"

namespace iotadnn::impl::softmax_op {
namespace {

constexpr AttrId kMode = 0x84;
constexpr TypeSet kF32{DataType::f32};

constexpr PortSpec kIn[] = {{"src", types::kFloating}};
constexpr PortSpec kOut[] = {{"dst", types::kFloating}, {"stats", kF32}};
constexpr AttrSpec kAttrs[] = {
    {attr_id::kAxis, false, "1"},
    {kMode, false, "none", "none|inf_as_zero"},
};

Axis axis_of(const Op& op, int rank) {
  return resolve_axis(op, "attribute axis", *op.attr<int64_t>(attr_id::kAxis), rank);
}

double element(DataType type, const void* data, int64_t index) {
  return bit_cast<double>(element_as(DataType::f64, type, data, index));
}

void store(DataType type, void* data, int64_t index, double value) {
  store_as(type, data, index, DataType::f64, bit_cast<uint64_t>(value));
}

// Along one row: the largest element, NaN where one is, and the sum of exp(x - largest).
struct RowSum {
  double largest = -std::numeric_limits<double>::infinity();
  double sum = 0;
};

RowSum sum_of(const TensorView& in, int64_t first, int64_t step, int64_t count) {
  RowSum row;
  for (int64_t i = 0; i < count; ++i) {
    const double x = element(in.lt->type, in.data, first + i * step);
    if (x > row.largest || std::isnan(x)) row.largest = x;
    if (std::isnan(x)) break;
  }
  for (int64_t i = 0; i < count; ++i)
    row.sum += std::exp(element(in.lt->type, in.data, first + i * step) - row.largest);
  return row;
}

Status check_shapes(const RefContext& ctx) {
  ShapeContext shapes{ctx.op, ctx.inputs, {}};
  for (const TensorView& out : ctx.outputs)
    shapes.outputs.push_back(*out.lt);
  IOTADNN_TRY(infer_softmax(shapes));
  for (size_t port = 0; port < ctx.outputs.size(); ++port) {
    const LogicalTensor& given = *ctx.outputs[port].lt;
    const LogicalTensor& expected = shapes.outputs[port];
    if (given.rank != expected.rank ||
        !std::equal(given.dims.begin(), given.dims.begin() + given.rank, expected.dims.begin()))
      return invalid_shape(output_text(*ctx.op, port) + " is " + shape_words(given) +
                           ", the input gives " + shape_words(expected));
  }
  return {};
}

}  // namespace

constexpr Signature kSoftMax = {kIn, 1, kOut, 1, kAttrs};

bool has_inf_as_zero(const Op& op) {
  const auto* mode = op.attr<std::string>(kMode);
  return mode != nullptr && *mode == "inf_as_zero";
}

int softmax_axis(const Op& op, int rank) {
  return axis_of(op, rank).axis;
}

Status check_softmax(const Op& op) {
  const DataType from = op.inputs[0].type;
  const DataType to = op.outputs[0].type;
  if (from != to && from != DataType::f32 && to != DataType::f32)
    return invalid_graph_op(output_text(op, 0) + " is " + std::string(name_of(to)) +
                            " for an input of " + std::string(name_of(from)) +
                            ", allowed: the type of the input, or f32 on either side");
  const int rank = op.inputs[0].rank;
  if (rank == kUnknownRank) return {};
  const Axis axis = axis_of(op, rank);
  return axis.fault.empty() ? Status() : invalid_graph_op(axis.fault);
}

// The stats have an extent of 1 in place of the axis.
Status infer_softmax(ShapeContext& ctx) {
  const LogicalTensor& in = *ctx.inputs[0].lt;
  if (in.rank != kUnknownRank) {
    const Axis axis = axis_of(*ctx.op, in.rank);
    if (!axis.fault.empty()) return invalid_shape(axis.fault);
    for (LogicalTensor& out : ctx.outputs) {
      out.rank = in.rank;
      out.dims = in.dims;
    }
    if (ctx.outputs.size() > 1) ctx.outputs[1].dims[axis.axis] = 1;
  }
  return {};
}

// In f64, rounded once. The stats are the largest element plus the logarithm of the sum; of a row
// of nothing but -inf they are 0 where such rows are zeros, so that exp(x - stats) is 0, too.
Status reference_softmax(const RefContext& ctx) {
  IOTADNN_TRY(check_shapes(ctx));
  const TensorView& in = ctx.inputs[0];
  const TensorView& out = ctx.outputs[0];
  const int rank = in.lt->rank;
  const int axis = axis_of(*ctx.op, rank).axis;
  const bool inf_as_zero = has_inf_as_zero(*ctx.op);
  const Dims in_strides = strides_of(*in.lt);
  const Dims out_strides = strides_of(*out.lt);
  const int64_t count = in.lt->dims[axis];
  Dims rows = in.lt->dims;
  rows[axis] = std::min<int64_t>(count, 1);
  for_each_index(rows, rank, [&](const Dims& coords) {
    const int64_t from = offset_of(coords, in_strides, rank);
    const int64_t to = offset_of(coords, out_strides, rank);
    const RowSum row = sum_of(in, from, in_strides[axis], count);
    const bool is_zero = inf_as_zero && row.largest == -std::numeric_limits<double>::infinity();
    for (int64_t i = 0; i < count; ++i) {
      const double x = element(in.lt->type, in.data, from + i * in_strides[axis]);
      store(out.lt->type, out.data, to + i * out_strides[axis],
            is_zero ? 0 : std::exp(x - row.largest) / row.sum);
    }
    if (ctx.outputs.size() < 2) return;
    const TensorView& stats = ctx.outputs[1];
    store(stats.lt->type, stats.data, offset_of(coords, strides_of(*stats.lt), rank),
          is_zero ? 0 : row.largest + std::log(row.sum));
  });
  return {};
}

}  // namespace iotadnn::impl::softmax_op
