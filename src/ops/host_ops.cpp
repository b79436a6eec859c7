// SPDX-License-Identifier: Apache-2.0
#include "ops/host_ops.h"

#include "ops/op_table.h"

namespace iotadnn::impl::host_ops {
namespace {

constexpr TypeSet kExtended{DataType::s16, DataType::u16, DataType::u32,
                            DataType::u64, DataType::f64, DataType::s64};
constexpr TypeSet kFloats = kExtended | TypeSet{DataType::f32, DataType::bf16, DataType::f16};
constexpr TypeSet kFloatsAndS32 = kFloats | TypeSet{DataType::s32};
// oneDNN's list has no boolean.
constexpr TypeSet kEndTypes = kFloatsAndS32 | TypeSet{DataType::s8, DataType::u8, DataType::undef};

constexpr PortSpec kDst[] = {{"dst", kFloats, 'T'}};
constexpr PortSpec kSrc[] = {{"src", kFloats, 'T'}};

constexpr PortSpec kEndIn[] = {{"src", kEndTypes}};

}  // namespace

constexpr Signature kReorder = {kSrc, 1, kDst, 1, {}};
constexpr Signature kEnd = {kEndIn, 1, {}, 0, {}};

}  // namespace iotadnn::impl::host_ops
