// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ops/op_def.h"

// SoftMax along one axis (oneDNN v3 operation schema).
namespace iotadnn::impl::softmax_op {

extern const Signature kSoftMax;

// Whether rows of nothing but -inf become zeros instead of NaN (mode inf_as_zero).
bool has_inf_as_zero(const Op& op);

// The axis of an op that check_softmax has let pass, counted from 0.
int softmax_axis(const Op& op, int rank);

Status check_softmax(const Op& op);
Status infer_softmax(ShapeContext& ctx);
Status reference_softmax(const RefContext& ctx);

}  // namespace iotadnn::impl::softmax_op
