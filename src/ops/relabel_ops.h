// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <string>

#include "ops/arguments.h"
#include "ops/op_def.h"

// Ops that move elements or combine them along axes. doc/ops.md says what each computes.
namespace iotadnn::impl::relabel_ops {

// oneDNN Graph StaticReshape: the same elements in row-major order under another shape.
extern const Signature kStaticReshape;
Status check_reshape(const Op& op);
Status infer_reshape(ShapeContext& ctx);
Status reference_reshape(const RefContext& ctx);

// oneDNN Graph StaticTranspose: output dimension d is the input's dimension order[d].
extern const Signature kStaticTranspose;
Status check_transpose(const Op& op);
Status infer_transpose(ShapeContext& ctx);
Status reference_transpose(const RefContext& ctx);

struct Order {
  std::array<int, kMaxRank> axes{};  // the input's dimension that each of the output's is
  std::string fault;  // what is wrong with attribute order for this rank; "" if nothing
};

Order transpose_order(const Op& op, int rank);

// oneDNN Graph ReduceSum. Integers wrap; bf16, f16 and f32 are summed in f64 and rounded once, f64
// is summed in row-major order.
extern const Signature kReduceSum;
Status check_reduce_sum(const Op& op);
Status infer_reduce_sum(ShapeContext& ctx);
Status reference_reduce_sum(const RefContext& ctx);
Status claimable_reduce_sum(const Op& op);  // not with axes as an input

struct ReducedAxes {
  std::array<bool, kMaxRank> is_reduced{};  // by dimension of the input
  std::string fault;                        // what is wrong with attribute axes for this rank
};

ReducedAxes reduced_axes(const Op& op, int rank);
bool keeps_dims(const Op& op);

// ONNX Gather: along one axis of data, the slices that indices name. Indices below 0 count from the
// end; one that is outside gives zeros (ONNX leaves it open), and nothing outside is read.
extern const Signature kGather;
Status check_gather(const Op& op);
Status infer_gather(ShapeContext& ctx);
Status reference_gather(const RefContext& ctx);

Axis gather_axis(const Op& op, int data_rank);

}  // namespace iotadnn::impl::relabel_ops
