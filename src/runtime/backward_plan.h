// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/attention_plan.h"

namespace iotadnn::impl {

// Everything decided for an attention's backward pass and the shapes of its tensors; the region of
// `mask` gives P and dS. Immutable.
struct BackwardPlan : HeadsPlan {
  MatrixLayout d_out;
  MatrixLayout sum_a;
  MatrixLayout sum_b;
  MatrixLayout dq;
  MatrixLayout dk;
  MatrixLayout dv;
};

// unimplemented where the ops themselves have to run: nothing to sum, or something is broadcast.
Result<BackwardPlan> make_backward_plan(const BackwardForm& form, const LoweredRegion& region,
                                        const RegionShapes& shapes, const PlanOptions& options);

// As run_attention(); scratch is that and the gradients of one head's keys and values per thread.
Status run_backward(const BackwardPlan& plan, const AttentionData& data);

}  // namespace iotadnn::impl
