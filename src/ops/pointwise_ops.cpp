// SPDX-License-Identifier: Apache-2.0
#include "ops/pointwise_ops.h"

#include <string>

#include "ops/expand_context.h"
#include "ops/op_table.h"

namespace iotadnn::impl::pointwise_ops {
namespace {

constexpr AttrSpec kBroadcast[] = {{attr_id::kAutoBroadcast, false, "numpy", "none|numpy"}};

constexpr PortSpec kMixedIn[] = {{"src_0", types::kNumeric}, {"src_1", types::kNumeric}};
constexpr PortSpec kMixedOut[] = {{"dst", types::kNumeric}};
constexpr PortSpec kNumericIn[] = {{"src_0", types::kNumeric, 'T'},
                                   {"src_1", types::kNumeric, 'T'}};
constexpr PortSpec kAnyIn[] = {{"src_0", types::kComputed, 'T'}, {"src_1", types::kComputed, 'T'}};
constexpr PortSpec kBooleanIn[] = {{"src_0", types::kBoolean}, {"src_1", types::kBoolean}};
constexpr PortSpec kBooleanOne[] = {{"src", types::kBoolean}};
constexpr PortSpec kBooleanOut[] = {{"dst", types::kBoolean}};
constexpr PortSpec kSelectIn[] = {
    {"cond", types::kBoolean}, {"src_0", types::kComputed, 'T'}, {"src_1", types::kComputed, 'T'}};
constexpr PortSpec kAnyOut[] = {{"dst", types::kComputed, 'T'}};
constexpr PortSpec kCastIn[] = {{"src", types::kComputed}};
constexpr PortSpec kCastOut[] = {{"dst", types::kComputed}};
constexpr PortSpec kNumericOne[] = {{"src", types::kNumeric, 'T'}};
constexpr PortSpec kNumericOut[] = {{"dst", types::kNumeric, 'T'}};
constexpr PortSpec kFloatingOne[] = {{"src", types::kFloating, 'T'}};
constexpr PortSpec kFloatingOut[] = {{"dst", types::kFloating, 'T'}};
constexpr AttrSpec kClampAttrs[] = {{attr_id::kMin, true, ""}, {attr_id::kMax, true, ""}};
constexpr AttrSpec kPowAttrs[] = {{attr_id::kBeta, true, ""}};

double attribute(const Op& op, AttrId id) {
  const auto* value = op.attr<float>(id);
  return value == nullptr ? 0 : static_cast<double>(*value);
}

bool is_half(DataType type) {
  return type == DataType::bf16 || type == DataType::f16;
}

DataType common_type(const Op& op) {
  const DataType all[] = {op.inputs[0].type, op.inputs[1].type, op.outputs[0].type};
  const auto is_any = [&all](auto&& test) { return test(all[0]) || test(all[1]) || test(all[2]); };
  if (all[0] == all[1] && all[1] == all[2]) return all[0];
  if (is_any([](DataType t) { return t == DataType::f64; })) return DataType::f64;
  if (is_any([](DataType t) { return types::kFloating.has(t); })) return DataType::f32;
  return is_any([](DataType t) { return t == DataType::u64; }) ? DataType::u64 : DataType::s64;
}

}  // namespace

constexpr Signature kArithmetic = {kMixedIn, 2, kMixedOut, 1, kBroadcast};
constexpr Signature kNumericPair = {kNumericIn, 2, kNumericOut, 1, kBroadcast};
constexpr Signature kOrder = {kNumericIn, 2, kBooleanOut, 1, kBroadcast};
constexpr Signature kEquality = {kAnyIn, 2, kBooleanOut, 1, kBroadcast};
constexpr Signature kLogicalPair = {kBooleanIn, 2, kBooleanOut, 1, kBroadcast};
constexpr Signature kLogicalNot = {kBooleanOne, 1, kBooleanOut, 1, {}};
constexpr Signature kSelect = {kSelectIn, 3, kAnyOut, 1, kBroadcast};
constexpr Signature kTypeCast = {kCastIn, 1, kCastOut, 1, {}};
constexpr Signature kNumeric = {kNumericOne, 1, kNumericOut, 1, {}};
constexpr Signature kFloating = {kFloatingOne, 1, kFloatingOut, 1, {}};
constexpr Signature kClamp = {kNumericOne, 1, kNumericOut, 1, kClampAttrs};
constexpr Signature kPow = {kFloatingOne, 1, kFloatingOut, 1, kPowAttrs};

// oneDNN's refusal; that between bf16 and f16 is not kept.
Status check_type_cast(const Op& op) {
  if (op.inputs[0].type != op.outputs[0].type) return {};
  const std::string name(name_of(op.inputs[0].type));
  return invalid_graph_op(output_text(op, 0) + " is " + name + " for an input of " + name +
                          ", allowed: any other type");
}

Status check_clamp(const Op& op) {
  const double min = attribute(op, attr_id::kMin);
  const double max = attribute(op, attr_id::kMax);
  if (min <= max) return {};
  return invalid_graph_op(op_text(op) + ": attribute min is " + std::to_string(min) +
                          " and max is " + std::to_string(max) +
                          ", allowed: min not above max, neither NaN");
}

Status expand_opcode(ExpandContext& ctx, Opcode opcode) {
  const int operands = info_of(opcode).operands;
  uint16_t in[3] = {};
  for (int p = 0; p < operands; ++p)
    in[p] = ctx.input(static_cast<size_t>(p));
  ctx.result = ctx.emit(opcode, ctx.op.outputs[0].type, in[0], in[1], in[2]);
  return {};
}

Status expand_mixed(ExpandContext& ctx, Opcode opcode) {
  const DataType type = common_type(ctx.op);
  const uint16_t a = ctx.convert(ctx.input(0), type);
  const uint16_t b = ctx.convert(ctx.input(1), type);
  ctx.result = ctx.convert(ctx.apply(opcode, a, b), ctx.op.outputs[0].type);
  return {};
}

// Comparisons with NaN are false, so that a NaN passes both.
Status expand_clamp(ExpandContext& ctx) {
  const uint16_t x = ctx.input(0);
  const uint16_t min = ctx.constant(ctx.type_of(x), attribute(ctx.op, attr_id::kMin));
  const uint16_t max = ctx.constant(ctx.type_of(x), attribute(ctx.op, attr_id::kMax));
  const uint16_t above = ctx.select(ctx.apply(Opcode::less, x, min), min, x);
  ctx.result = ctx.select(ctx.apply(Opcode::greater, above, max), max, above);
  return {};
}

// In f32 for the 16-bit types, which would round beta.
Status expand_pow(ExpandContext& ctx) {
  const DataType type = ctx.op.outputs[0].type;
  const uint16_t x = ctx.convert(ctx.input(0), is_half(type) ? DataType::f32 : type);
  const uint16_t beta = ctx.constant(ctx.type_of(x), attribute(ctx.op, attr_id::kBeta));
  ctx.result = ctx.convert(ctx.apply(Opcode::power, x, beta), type);
  return {};
}

Status expand_reciprocal(ExpandContext& ctx) {
  const uint16_t x = ctx.input(0);
  ctx.result = ctx.apply(Opcode::divide, ctx.constant_int(ctx.type_of(x), 1), x);
  return {};
}

// Not by maximum, which would keep a negative zero or not as the operands are ordered.
Status expand_relu(ExpandContext& ctx) {
  const uint16_t x = ctx.input(0);
  const uint16_t zero = ctx.constant_int(ctx.type_of(x), 0);
  ctx.result = ctx.select(ctx.apply(Opcode::less_equal, x, zero), zero, x);
  return {};
}

// ONNX Sign-13; NaN stays NaN and a zero the zero that it is.
Status expand_sign(ExpandContext& ctx) {
  const uint16_t x = ctx.input(0);
  const DataType type = ctx.type_of(x);
  const uint16_t zero = ctx.constant_int(type, 0);
  const uint16_t not_above =
      ctx.select(ctx.apply(Opcode::less, x, zero), ctx.constant_int(type, -1), x);
  ctx.result =
      ctx.select(ctx.apply(Opcode::greater, x, zero), ctx.constant_int(type, 1), not_above);
  return {};
}

Status expand_square(ExpandContext& ctx) {
  const uint16_t x = ctx.input(0);
  ctx.result = ctx.apply(Opcode::multiply, x, x);
  return {};
}

Status expand_type_cast(ExpandContext& ctx) {
  ctx.result = ctx.convert(ctx.input(0), ctx.op.outputs[0].type);
  return {};
}

}  // namespace iotadnn::impl::pointwise_ops
