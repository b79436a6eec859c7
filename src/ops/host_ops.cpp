// SPDX-License-Identifier: Apache-2.0
#include "ops/host_ops.h"

#include "ops/op_table.h"

namespace iotadnn::impl::host_ops {
namespace {

constexpr TypeSet kExtended{DataType::s16, DataType::u16, DataType::u32,
                            DataType::u64, DataType::f64, DataType::s64};
constexpr TypeSet kFloats = kExtended | TypeSet{DataType::f32, DataType::bf16, DataType::f16};
constexpr TypeSet kFloatsAndS32 = kFloats | TypeSet{DataType::s32};
constexpr TypeSet kBoolean{DataType::boolean};
constexpr TypeSet kF32{DataType::f32};
// oneDNN's list has no boolean.
constexpr TypeSet kEndTypes = kFloatsAndS32 | TypeSet{DataType::s8, DataType::u8, DataType::undef};

constexpr AttrSpec kAutoBroadcast[] = {{0x80, false, "numpy", "none|numpy"}};

constexpr PortSpec kDst[] = {{"dst", kFloats, 'T'}};
constexpr PortSpec kSrc[] = {{"src", kFloats, 'T'}};

constexpr PortSpec kSelectIn[] = {
    {"cond", kBoolean}, {"src_0", kFloats, 'T'}, {"src_1", kFloats, 'T'}};

constexpr PortSpec kGreaterEqualIn[] = {{"src_0", kFloatsAndS32, 'T'},
                                        {"src_1", kFloatsAndS32, 'T'}};
constexpr PortSpec kGreaterEqualOut[] = {{"dst", kBoolean}};

constexpr PortSpec kAddIn[] = {{"src_0", kFloatsAndS32}, {"src_1", kFloatsAndS32}};
constexpr PortSpec kAddOut[] = {{"dst", kFloatsAndS32}};

constexpr PortSpec kMultiplyIn[] = {{"src_0", kFloats}, {"src_1", kFloats}};
constexpr PortSpec kMultiplyOut[] = {{"dst", kFloats}};

constexpr PortSpec kMaximumIn[] = {{"src_0", kFloats, 'T'}, {"src_1", kFloats, 'T'}};

constexpr PortSpec kCastIn[] = {{"src", kFloats}};
constexpr PortSpec kCastOut[] = {{"dst", kFloats}};

constexpr PortSpec kMatMulIn[] = {
    {"src", kFloats, 'T'}, {"weights", kFloats, 'T'}, {"bias", kFloats, 'T'}};
constexpr AttrSpec kMatMulAttrs[] = {
    {0x65, false, "false"},
    {0x66, false, "false"},
    {0x88, false, "strict", "strict|relaxed|any|f32|s32|f16"},
};

constexpr PortSpec kSoftMaxOut[] = {{"dst", kFloats}, {"stats", kF32}};
constexpr AttrSpec kSoftMaxAttrs[] = {
    {attr_id::kAxis, false, "1"},
    {0x84, false, "none", "none|inf_as_zero"},
};

constexpr AttrSpec kReshapeAttrs[] = {{attr_id::kShape, true, ""}, {0x64, true, ""}};
constexpr AttrSpec kTransposeAttrs[] = {{0x44, true, ""}};

constexpr PortSpec kEndIn[] = {{"src", kEndTypes}};

DataType input_type(const Op& op, size_t port) {
  return op.inputs[port].type;
}

DataType output_type(const Op& op) {
  return op.outputs[0].type;
}

Status bad_output_type(const Op& op, const std::string& allowed) {
  return invalid_graph_op(output_text(op, 0) + " is " + std::string(name_of(output_type(op))) +
                          " for an input of " + std::string(name_of(input_type(op, 0))) +
                          ", allowed: " + allowed);
}

}  // namespace

constexpr Signature kSelect = {kSelectIn, 3, kDst, 1, kAutoBroadcast};
constexpr Signature kGreaterEqual = {kGreaterEqualIn, 2, kGreaterEqualOut, 1, kAutoBroadcast};
constexpr Signature kAddSubtract = {kAddIn, 2, kAddOut, 1, kAutoBroadcast};
constexpr Signature kMultiplyDivide = {kMultiplyIn, 2, kMultiplyOut, 1, kAutoBroadcast};
constexpr Signature kMaximumMinimum = {kMaximumIn, 2, kDst, 1, kAutoBroadcast};
constexpr Signature kTypeCast = {kCastIn, 1, kCastOut, 1, {}};
constexpr Signature kMatMul = {kMatMulIn, 2, kCastOut, 1, kMatMulAttrs};
constexpr Signature kSoftMax = {kCastIn, 1, kSoftMaxOut, 1, kSoftMaxAttrs};
constexpr Signature kReorder = {kSrc, 1, kDst, 1, {}};
constexpr Signature kStaticReshape = {kSrc, 1, kDst, 1, kReshapeAttrs};
constexpr Signature kStaticTranspose = {kSrc, 1, kDst, 1, kTransposeAttrs};
constexpr Signature kEnd = {kEndIn, 1, {}, 0, {}};

Status check_type_cast(const Op& op) {
  const DataType from = input_type(op, 0);
  const DataType to = output_type(op);
  const auto is_half = [](DataType t) { return t == DataType::bf16 || t == DataType::f16; };
  if (from == to) return bad_output_type(op, "any other type");
  if (is_half(from) && is_half(to)) return bad_output_type(op, "a type that is not 16-bit float");
  return {};
}

Status check_matmul(const Op& op) {
  if (output_type(op) == input_type(op, 0) || output_type(op) == DataType::f32) return {};
  return bad_output_type(op, "the type of the inputs, or f32");
}

Status check_softmax(const Op& op) {
  const DataType from = input_type(op, 0);
  const DataType to = output_type(op);
  if (from == to || from == DataType::f32 || to == DataType::f32) return {};
  return bad_output_type(op, "the type of the input, or f32 on either side");
}

}  // namespace iotadnn::impl::host_ops
