// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ops/op_def.h"

// Ops that compute from coordinates and perhaps other values. doc/ops.md says what each computes.
namespace iotadnn::impl::coordinate_ops {

// ONNX Range: start + i * delta, in the type.
extern const Signature kRange;
Status check_range(const Op& op);
Status infer_range(ShapeContext& ctx);
Status expand_range(ExpandContext& ctx);

// One value everywhere (ONNX ConstantOfShape), from an attribute or an input.
extern const Signature kFill;
Status check_fill(const Op& op);
Status infer_fill(ShapeContext& ctx);
Status expand_fill(ExpandContext& ctx);

// ONNX Trilu: the upper or lower triangle of the last two dimensions, zero elsewhere.
extern const Signature kTrilu;
Status check_trilu(const Op& op);
Status infer_trilu(ShapeContext& ctx);
Status expand_trilu(ExpandContext& ctx);

// OpenVINO OneHot: a new axis, on_value where its coordinate is the index. An index outside
// [0, depth) has off_value only.
extern const Signature kOneHot;
Status check_one_hot(const Op& op);
Status infer_one_hot(ShapeContext& ctx);
Status expand_one_hot(ExpandContext& ctx);

}  // namespace iotadnn::impl::coordinate_ops
