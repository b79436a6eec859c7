// SPDX-License-Identifier: Apache-2.0
#include "ops/host_ops.h"

#include "ops/op_table.h"

namespace iotadnn::impl::host_ops {
namespace {

constexpr TypeSet kExtended{DataType::s16, DataType::u16, DataType::u32,
                            DataType::u64, DataType::f64, DataType::s64};
constexpr TypeSet kFloats = kExtended | TypeSet{DataType::f32, DataType::bf16, DataType::f16};
constexpr TypeSet kFloatsAndS32 = kFloats | TypeSet{DataType::s32};
constexpr TypeSet kF32{DataType::f32};
// oneDNN's list has no boolean.
constexpr TypeSet kEndTypes = kFloatsAndS32 | TypeSet{DataType::s8, DataType::u8, DataType::undef};

constexpr PortSpec kDst[] = {{"dst", kFloats, 'T'}};
constexpr PortSpec kSrc[] = {{"src", kFloats, 'T'}};

constexpr PortSpec kFloatsIn[] = {{"src", kFloats}};
constexpr PortSpec kFloatsOut[] = {{"dst", kFloats}};

constexpr PortSpec kSoftMaxOut[] = {{"dst", kFloats}, {"stats", kF32}};
constexpr AttrSpec kSoftMaxAttrs[] = {
    {attr_id::kAxis, false, "1"},
    {0x84, false, "none", "none|inf_as_zero"},
};

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

constexpr Signature kSoftMax = {kFloatsIn, 1, kSoftMaxOut, 1, kSoftMaxAttrs};
constexpr Signature kReorder = {kSrc, 1, kDst, 1, {}};
constexpr Signature kEnd = {kEndIn, 1, {}, 0, {}};

Status check_softmax(const Op& op) {
  const DataType from = input_type(op, 0);
  const DataType to = output_type(op);
  if (from == to || from == DataType::f32 || to == DataType::f32) return {};
  return bad_output_type(op, "the type of the input, or f32 on either side");
}

}  // namespace iotadnn::impl::host_ops
