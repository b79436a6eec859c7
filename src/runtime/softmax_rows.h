// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "graph/logical_tensor.h"

namespace iotadnn::impl {

// What oneDNN's softmax leaves to do: rows with NaN or +inf, of which every element is NaN, and
// rows of nothing but -inf, which are NaN or zeros; and the stats. Its kernels differ in such rows.
struct SoftMaxRows {
  LogicalTensor in;   // f32 or bf16
  LogicalTensor out;  // the same, f32 where there are stats
  std::optional<LogicalTensor> stats;
  int axis = 0;
  bool inf_as_zero = false;
  int64_t count = 0;  // of rows
};

// `out` has the softmax, `stats` may be null. Over the threads that there are, at most so many.
void finish_softmax(const SoftMaxRows& rows, const void* in, void* out, float* stats, int threads);

}  // namespace iotadnn::impl
