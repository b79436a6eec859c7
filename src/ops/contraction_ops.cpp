// SPDX-License-Identifier: Apache-2.0
#include "ops/contraction_ops.h"

#include <algorithm>
#include <string>

#include "ops/arguments.h"
#include "ops/op_table.h"

namespace iotadnn::impl::contraction_ops {
namespace {

constexpr size_t kA = 0;
constexpr size_t kB = 1;

constexpr AttrId kTransposeA = 0x65;
constexpr AttrId kTransposeB = 0x66;

// oneDNN's f32, bf16 and f16, and what this library adds.
constexpr TypeSet kTypes{DataType::f32, DataType::bf16, DataType::f16, DataType::f64, DataType::s16,
                         DataType::u16, DataType::u32,  DataType::s64, DataType::u64};

constexpr PortSpec kIn[] = {{"src", kTypes, 'T'}, {"weights", kTypes, 'T'}, {"bias", kTypes, 'T'}};
constexpr PortSpec kOut[] = {{"dst", kTypes}};
constexpr AttrSpec kAttrs[] = {
    {kTransposeA, false, "false"},
    {kTransposeB, false, "false"},
    {0x88, false, "strict", "strict|relaxed|any|f32|s32|f16"},
};

bool is_set(const Op& op, AttrId attr) {
  const auto* given = op.attr<bool>(attr);
  return given != nullptr && *given;
}

std::string shapes_text(const Op& op, const LogicalTensor& a, const LogicalTensor& b) {
  return input_text(op, kA) + " is " + shape_words(a) + ", input 1 is " + shape_words(b);
}

// An extent that both have to share.
bool agree(int64_t a, int64_t b) {
  return a == b || a == kUnknownDim || b == kUnknownDim;
}

// The output's extent for two that are broadcast; false when they do not go together.
bool broadcast(int64_t& into, int64_t extent) {
  if (into == 1 || into == extent) {
    into = extent;
    return true;
  }
  if (extent == 1) return true;
  if (into != kUnknownDim && extent != kUnknownDim) return false;
  if (into == kUnknownDim) into = extent;
  return true;
}

std::string rank_fault(const Op& op, size_t port, const LogicalTensor& t) {
  if (t.rank != 0) return "";
  return input_text(op, port) + " is a scalar, allowed: rank 1 to " + std::to_string(kMaxRank);
}

}  // namespace

constexpr Signature kMatMul = {kIn, 2, kOut, 1, kAttrs};

bool transposes_a(const Op& op) {
  return is_set(op, kTransposeA);
}

MatMulForm matmul_form(const Op& op, int a_rank, int b_rank) {
  MatMulForm form;
  form.batch = std::max({a_rank - 2, b_rank - 2, 0});
  int next = form.batch;
  form.a_inner = a_rank - 1;
  if (a_rank > 1) {
    form.a_row = a_rank - 2;
    if (is_set(op, kTransposeA)) std::swap(form.a_row, form.a_inner);
    form.out_row = next++;
  }
  form.b_inner = 0;
  if (b_rank > 1) {
    form.b_inner = b_rank - 2;
    form.b_column = b_rank - 1;
    if (is_set(op, kTransposeB)) std::swap(form.b_inner, form.b_column);
    form.out_column = next;
  }
  return form;
}

Status check_matmul(const Op& op) {
  const DataType type = op.inputs[kA].type;
  const DataType out = op.outputs[0].type;
  if (out != type && out != DataType::f32)
    return invalid_graph_op(output_text(op, 0) + " is " + std::string(name_of(out)) +
                            " for an input of " + std::string(name_of(type)) +
                            ", allowed: the type of the inputs, or f32");
  for (const size_t port : {kA, kB})
    if (std::string fault = rank_fault(op, port, op.inputs[port]); !fault.empty())
      return invalid_graph_op(std::move(fault));
  return {};
}

Status claimable_matmul(const Op& op) {
  const DataType type = op.inputs[kA].type;
  if (types::kFloating.has(type) || op.outputs[0].type == type) return {};
  return unimplemented(op_text(op) + " has inputs of " + std::string(name_of(type)) +
                       " and an output of f32; this library multiplies integers into their own "
                       "type only");
}

Status infer_matmul(ShapeContext& ctx) {
  const LogicalTensor& a = *ctx.inputs[kA].lt;
  const LogicalTensor& b = *ctx.inputs[kB].lt;
  LogicalTensor& out = ctx.outputs[0];
  out.dims.fill(kUnknownDim);
  if (a.rank == kUnknownRank || b.rank == kUnknownRank) return {};
  for (const size_t port : {kA, kB})
    if (std::string fault = rank_fault(*ctx.op, port, *ctx.inputs[port].lt); !fault.empty())
      return invalid_shape(std::move(fault));
  const MatMulForm form = matmul_form(*ctx.op, a.rank, b.rank);
  if (!agree(a.dims[form.a_inner], b.dims[form.b_inner]))
    return invalid_shape(shapes_text(*ctx.op, a, b) + "; the sum runs over extents " +
                         std::to_string(a.dims[form.a_inner]) + " and " +
                         std::to_string(b.dims[form.b_inner]) + ", which must be the same");
  out.rank = form.rank();
  for (int d = 0; d < form.batch; ++d)
    out.dims[d] = 1;
  for (const LogicalTensor* operand : {&a, &b})
    for (int d = 0; d + 2 < operand->rank; ++d)
      if (!broadcast(out.dims[form.batch_axis(d, operand->rank)], operand->dims[d]))
        return invalid_shape(shapes_text(*ctx.op, a, b) +
                             "; extents in front of the matrices must be the same or 1");
  if (form.out_row != MatMulForm::kNone) out.dims[form.out_row] = a.dims[form.a_row];
  if (form.out_column != MatMulForm::kNone) out.dims[form.out_column] = b.dims[form.b_column];
  return {};
}

}  // namespace iotadnn::impl::contraction_ops
