// SPDX-License-Identifier: Apache-2.0
#include "ops/broadcast.h"

#include <algorithm>
#include <string>

#include "ops/arguments.h"
#include "ops/op_table.h"

namespace iotadnn::impl {
namespace {

// What two extents of one dimension become; false when they do not go together.
bool join(int64_t& into, int64_t extent, bool repeats) {
  if (into == extent) return true;
  if (into == kUnknownDim || extent == kUnknownDim) {
    const int64_t known = into == kUnknownDim ? extent : into;
    into = repeats && known == 1 ? kUnknownDim : known;
    return true;
  }
  if (!repeats || (into != 1 && extent != 1)) return false;
  into = into == 1 ? extent : into;
  return true;
}

// Joins `in` into `out`, whose rank is known; false when the shapes do not go together.
bool join_shape(LogicalTensor& out, const LogicalTensor& in, bool repeats) {
  if (!repeats && out.rank != in.rank) return false;
  const int rank = std::max(out.rank, in.rank);
  Dims dims{};
  for (int d = 0; d < rank; ++d) {
    const int of_out = d - (rank - out.rank);
    const int of_in = d - (rank - in.rank);
    dims[d] = of_out < 0 ? 1 : out.dims[of_out];
    const int64_t extent = of_in < 0 ? 1 : in.dims[of_in];
    if (!join(dims[d], extent, repeats)) return false;
  }
  out.rank = rank;
  out.dims = dims;
  return true;
}

bool repeats(const Op& op) {
  const auto* mode = op.attr<std::string>(attr_id::kAutoBroadcast);
  return mode == nullptr || *mode == "numpy";
}

}  // namespace

Status infer_pointwise(ShapeContext& ctx) {
  LogicalTensor& out = ctx.outputs[0];
  LogicalTensor joined = *ctx.inputs[0].lt;
  std::string shapes = input_text(*ctx.op, 0) + " is " + shape_words(joined);
  bool ranks_known = joined.rank != kUnknownRank;
  for (size_t p = 1; p < ctx.inputs.size(); ++p) {
    const LogicalTensor& in = *ctx.inputs[p].lt;
    if (in.rank == kUnknownRank || joined.rank == kUnknownRank) {
      // What is known of the others is still held against each other.
      ranks_known = false;
      if (joined.rank == kUnknownRank) joined = in;
      continue;
    }
    shapes += ", input " + std::to_string(p) + " is " + shape_words(in);
    if (!join_shape(joined, in, repeats(*ctx.op)))
      return invalid_shape(shapes + (repeats(*ctx.op)
                                         ? "; each extent must be the same or 1"
                                         : "; auto_broadcast is none, so they must be the same"));
  }
  if (ranks_known) {
    out.rank = joined.rank;
    out.dims = joined.dims;
  } else {
    out.dims.fill(kUnknownDim);
  }
  return {};
}

Status infer_same_shape(ShapeContext& ctx) {
  const LogicalTensor& in = *ctx.inputs[0].lt;
  LogicalTensor& out = ctx.outputs[0];
  if (in.rank == kUnknownRank) {
    out.dims.fill(kUnknownDim);
    return {};
  }
  out.rank = in.rank;
  out.dims = in.dims;
  return {};
}

Dims strides_of(const LogicalTensor& t) {
  if (t.layout == LayoutType::strided) return t.strides;
  const auto dense = dense_strides(t.dims, t.rank);
  return dense.ok() ? *dense : Dims{};
}

Result<Dims> broadcast_strides(const std::string& port, const LogicalTensor& in,
                               const LogicalTensor& out) {
  const Dims strides = strides_of(in);
  const int lead = out.rank - in.rank;
  Dims steps{};
  bool fits = lead >= 0;
  for (int d = 0; fits && d < in.rank; ++d) {
    fits = in.dims[d] == 1 || in.dims[d] == out.dims[lead + d];
    steps[lead + d] = in.dims[d] == 1 ? 0 : strides[d];
  }
  if (fits) return steps;
  return invalid_shape(port + " is " + shape_words(in) + ", which does not broadcast to " +
                       shape_words(out));
}

}  // namespace iotadnn::impl
