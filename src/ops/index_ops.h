// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ops/op_def.h"

// Ops that compute their output from coordinates. Each has check, infer, reference, lower and
// expand, with the meaning given in ops/op_def.h.
namespace iotadnn::impl::index_ops {

// oneDNN Graph GenIndex: out[i0, ..., i(r-1)] = i(axis).
extern const Signature kGenIndex;
Status check_gen_index(const Op& op);
Status infer_gen_index(ShapeContext& ctx);
Status reference_gen_index(const RefContext& ctx);
Status lower_gen_index(LowerContext& ctx);
Status expand_gen_index(ExpandContext& ctx);

// OpenVINO Eye-9 (tensor form) and the same with its shape as an attribute (attribute form):
// out[..., i, j] = j - i == k ? 1 : 0.
extern const Signature kEye;
Status check_eye(const Op& op);
Status infer_eye(ShapeContext& ctx);
Status reference_eye(const RefContext& ctx);
Status lower_eye(LowerContext& ctx);
Status expand_eye(ExpandContext& ctx);  // of EyeLike, too

// ONNX EyeLike-9 and -22: the same matrix in the shape of the input.
extern const Signature kEyeLike;
Status check_eye_like(const Op& op);
Status infer_eye_like(ShapeContext& ctx);

}  // namespace iotadnn::impl::index_ops
