// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include "lower/region.h"
#include "ops/contraction_ops.h"

namespace iotadnn::impl {

// What the ops of an attention are to each other: MatMul (queries by keys), any ops that work point
// by point, SoftMax over the keys, TypeCasts, MatMul (by values). Ids are those of tensors.
struct AttentionForm {
  static constexpr size_t kNone = static_cast<size_t>(-1);

  size_t q = 0;
  size_t k = 0;
  size_t v = 0;
  size_t score = 0;   // what the first MatMul gives
  size_t domain = 0;  // what the SoftMax takes
  size_t out = 0;
  size_t stats = kNone;
  size_t handed_out = kNone;  // scores, of one of the ops before the SoftMax, that leave as well
  contraction_ops::MatMulForm scores;
  contraction_ops::MatMulForm values;
  bool inf_as_zero = false;
  // Which products may be of bf16: both operands are, and products of denormals may be zeros. By
  // values, the probabilities are what the graph rounds to bf16.
  bool scores_of_bf16 = false;
  bool values_of_bf16 = false;
  // Positions of ops that make q, k or v from inputs of the partition, and run before the others.
  std::vector<size_t> prepared;

  // Whether scores are handed out that the SoftMax does not take.
  bool hands_out_others() const { return handed_out != kNone && handed_out != domain; }
};

struct LoweredAttention {
  // The id under which the mask's programs read the score, which is f32 there as computed; their
  // outputs, f32 as well, are what the SoftMax takes and the scores that are handed out, if these
  // are others.
  static constexpr size_t kScore = size_t{1} << 61;

  AttentionForm form;
  std::optional<LoweredRegion> mask;  // absent: the SoftMax takes the score as it is
};

// Whether the ops are such a chain as far as their kinds go: just one SoftMax, between MatMuls.
bool looks_like_attention(const Partition& partition);

// Lowers the partition as an attention. unimplemented, with the sentence, for what is none or has a
// form that no kernel is made for; ranks must be known.
Result<LoweredAttention> lower_attention(const Partition& partition);

}  // namespace iotadnn::impl
