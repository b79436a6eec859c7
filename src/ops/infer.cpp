// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <string>

#include "ops/arguments.h"
#include "ops/op_table.h"

namespace iotadnn::impl {
namespace {

// A negative extent that does not stand for "unknown" never comes from a sound program.
Status check_extents(const std::string& port, const LogicalTensor& t) {
  for (int d = 0; d < t.rank; ++d)
    if (t.dims[d] < 0 && t.dims[d] != kUnknownDim)
      return invalid_shape(port + " has extent " + std::to_string(t.dims[d]) + " in dimension " +
                           std::to_string(d) + ", allowed: 0 and more");
  return {};
}

// What the user gave on top of what the rule found; both sides' knowledge must agree.
Status merge(const std::string& port, const LogicalTensor& given, LogicalTensor& out) {
  if (given.rank == kUnknownRank) {
    out.strides.fill(kUnknownDim);  // who names no rank names no strides, whatever the array holds
    return {};
  }
  if (out.rank == kUnknownRank) {
    out.rank = given.rank;
    out.dims = given.dims;
    return {};
  }
  bool agree = given.rank == out.rank;
  for (int d = 0; agree && d < out.rank; ++d) {
    if (out.dims[d] == kUnknownDim) out.dims[d] = given.dims[d];
    agree = given.dims[d] == kUnknownDim || given.dims[d] == out.dims[d];
  }
  if (agree) return {};
  return invalid_shape(port + " is given as " + shape_words(given) + " but must be " +
                       shape_words(out));
}

// Layout `any` and undef, and a strided one without strides, become dense row-major.
Status settle_strides(const std::string& port, LogicalTensor& out) {
  if (out.layout == LayoutType::strided && is_known_shape(out.strides, out.rank)) return {};
  const auto dense = dense_strides(out.dims, out.rank);
  if (!dense.ok()) return {dense.status().code(), port + ": " + dense.status().message()};
  for (int d = 0; d < out.rank; ++d) {
    const bool is_given = out.layout == LayoutType::strided && out.strides[d] != kUnknownDim;
    if (is_given && out.strides[d] != (*dense)[d])
      return invalid_shape(port + " has stride " + std::to_string(out.strides[d]) +
                           " in dimension " + std::to_string(d) +
                           " and others unknown; give all of them, or none for a dense tensor");
  }
  out.layout = LayoutType::strided;
  out.strides = *dense;
  return {};
}

Status check_size(const std::string& port, const LogicalTensor& out) {
  const auto count = num_elements(out.dims, out.rank);
  if (!count.ok()) return {count.status().code(), port + ": " + count.status().message()};
  const auto bytes = buffer_bytes(out);
  if (!bytes.ok()) return {bytes.status().code(), port + ": " + bytes.status().message()};
  if (non_overlapping(out.dims, out.strides, out.rank)) return {};
  return invalid_shape(port + " of shape " + shape_text(out.dims, out.rank) + " has strides " +
                       shape_text(out.strides, out.rank) +
                       ", with which two elements may share an address");
}

}  // namespace

Status infer_shapes(ShapeContext& ctx) {
  const Op& op = *ctx.op;
  const OpDef* def = find_op(op.kind);
  if (def == nullptr || def->infer == nullptr)
    return unimplemented(op_text(op) + " has no shape rule in this library");
  for (size_t p = 0; p < ctx.inputs.size(); ++p)
    IOTADNN_TRY(check_extents(input_text(op, p), *ctx.inputs[p].lt));
  const std::vector<LogicalTensor> given = ctx.outputs;
  for (size_t p = 0; p < given.size(); ++p)
    IOTADNN_TRY(check_extents(output_text(op, p), given[p]));
  IOTADNN_TRY(def->infer(ctx));
  for (size_t p = 0; p < given.size(); ++p) {
    LogicalTensor& out = ctx.outputs[p];
    const std::string port = output_text(op, p);
    IOTADNN_TRY(merge(port, given[p], out));
    if (!is_known_shape(out.dims, out.rank) || out.layout == LayoutType::opaque) continue;
    IOTADNN_TRY(settle_strides(port, out));
    IOTADNN_TRY(check_size(port, out));
  }
  return {};
}

}  // namespace iotadnn::impl
