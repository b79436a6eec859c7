// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ops/op_def.h"

// DynamicDequantize: (src - zero point) * scale, both of them tensors (oneDNN v3 operation schema).
namespace iotadnn::impl::dequantize_op {

extern const Signature kDynamicDequantize;

Status check_dynamic_dequantize(const Op& op);
Status claimable_dynamic_dequantize(const Op& op);
Status infer_dynamic_dequantize(ShapeContext& ctx);
Status reference_dynamic_dequantize(const RefContext& ctx);

}  // namespace iotadnn::impl::dequantize_op
