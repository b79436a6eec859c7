// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph/op.h"

// Op kinds that the library's code names; the table has all of them.
namespace iotadnn::impl::op_kind {

// oneDNN's numbers (dnnl_graph_op_kind_t).
inline constexpr OpKind kDynamicDequantize = 21;
inline constexpr OpKind kEnd = 25;
inline constexpr OpKind kMatMul = 39;
inline constexpr OpKind kMultiply = 46;
inline constexpr OpKind kReduceSum = 57;
inline constexpr OpKind kSoftMax = 64;
inline constexpr OpKind kStaticReshape = 72;
inline constexpr OpKind kTypeCast = 77;
inline constexpr OpKind kWildcard = 78;
inline constexpr OpKind kGenIndex = 84;
inline constexpr OpKind kPastOneDnn = 88;

// Ours.
inline constexpr OpKind kFirstOwn = 0x1000;
inline constexpr OpKind kEye = 0x1000;
inline constexpr OpKind kEyeLike = 0x1001;

}  // namespace iotadnn::impl::op_kind
