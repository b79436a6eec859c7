// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lower/region.h"
#include "ops/contraction_ops.h"

namespace iotadnn::impl {

// What the ops of an attention's backward pass are to each other, by ids of tensors. With scores
// S = Q K^T and their gradients before the softmax G = dO V^T, ops that work point by point give
// the probabilities P and dS, of S, G and D = rowsum(X * Y) (X, Y: the result and its gradient);
// then dV = P^T dO, dQ = dS K, dK = dS^T Q.
struct BackwardForm {
  size_t q = 0;
  size_t k = 0;
  size_t v = 0;
  size_t d_out = 0;
  size_t sum_a = 0;  // X
  size_t sum_b = 0;  // Y
  size_t dq = 0;
  size_t dk = 0;
  size_t dv = 0;
  size_t domain = 0;  // S
  contraction_ops::MatMulForm scores;
  contraction_ops::MatMulForm gradients;
};

struct LoweredBackward {
  // Ids under which the region's programs read tiles of S, of G, and D.
  static constexpr size_t kScore = size_t{1} << 61;
  static constexpr size_t kGradient = kScore + 1;
  static constexpr size_t kRowSum = kScore + 2;

  BackwardForm form;
  LoweredRegion region;  // its outputs are P and dS, f32
};

// Whether the ops are such a pass as far as their kinds go.
bool looks_like_backward(const Partition& partition);

// Lowers the partition as one. unimplemented, with the sentence, for what is none or has a form
// that no kernel is made for; ranks must be known.
Result<LoweredBackward> lower_backward(const Partition& partition);

}  // namespace iotadnn::impl
