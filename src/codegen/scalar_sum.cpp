// SPDX-License-Identifier: Apache-2.0
#include "codegen/scalar_sum.h"

#include <limits>

namespace iotadnn::impl {

int64_t scalar_sum(const Bound& bound, const int64_t* scalars) {
  using Limits = std::numeric_limits<int64_t>;
  int64_t sum = 0;
  for (const Term& term : bound.terms) {
    if (term.kind != Term::Kind::scalar) continue;
    const int64_t value = scalars[term.index];
    const bool up = (value < 0) == term.negated;
    const bool overflow = term.negated ? __builtin_sub_overflow(sum, value, &sum)
                                       : __builtin_add_overflow(sum, value, &sum);
    if (overflow) sum = up ? Limits::max() : Limits::min();
  }
  return saturating_add(sum, bound.imm);
}

bool scalars_separate(const Bound& bound) {
  constexpr int64_t kFar = int64_t{1} << 40;
  int scalars = 0;
  for (const Term& term : bound.terms)
    if (term.kind == Term::Kind::scalar) scalars++;
  return scalars <= 1 && -kFar <= bound.imm && bound.imm <= kFar;
}

bool is_dense(const int64_t* extents, const int64_t* strides, int rank) {
  int64_t dense = 1;
  for (int d = rank - 1; d >= 0; d--) {
    if (extents[d] != 1 && strides[d] != dense) return false;
    dense *= extents[d];
  }
  return true;
}

}  // namespace iotadnn::impl
