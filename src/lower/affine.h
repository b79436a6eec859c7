// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <optional>
#include <vector>

#include "base/span.h"
#include "lower/expr.h"
#include "lower/layout.h"

namespace iotadnn::impl {

// An integer as a sum of coordinates, scalars, elements of inputs and a constant:
// c0 * coords[0] + ... + imm.
struct Affine {
  std::array<int8_t, kMaxRank> coords{};
  std::array<int8_t, kMaxScalars> scalars{};
  std::array<int8_t, kMaxInputs> elements{};
  int64_t imm = 0;

  bool operator==(const Affine& o) const {
    return coords == o.coords && scalars == o.scalars && elements == o.elements && imm == o.imm;
  }
};

// A value of the program that is affine as long as it stays in [lo, hi]: outside, the arithmetic of
// its type wraps (integers) or rounds (floating point). Without elements, for whose whole range of
// values it is made.
struct RangeGuard {
  Affine value;
  int64_t lo = 0;
  int64_t hi = 0;

  bool operator==(const RangeGuard& o) const {
    return value == o.value && lo == o.lo && hi == o.hi;
  }
};

// Whether the guard holds for all coordinates below these extents (all >= 1).
bool holds(const RangeGuard& guard, const int64_t* extents, int rank, const int64_t* scalars);

// A comparison of two affine values, as a predicate on one coordinate: "the comparison is true iff
// the coordinate lies in the interval", or iff it does not.
struct AffineCondition {
  Predicate predicate;
  bool negated = false;
  std::vector<RangeGuard> guards;
};

// The operands' difference of a comparison, right where the guards hold.
struct AffineDifference {
  Affine value;
  std::vector<RangeGuard> guards;
};

// Nothing where `value` is not a comparison of affine values.
std::optional<AffineDifference> affine_difference(const Expr& expr, Value value);

// An s64 value as affine, if its arithmetic does not wrap.
std::optional<Affine> affine_value(const Expr& expr, Value value);

// Nothing where `value` is not such a comparison, or no coordinate has a coefficient of 1 or -1 in
// it. The tested coordinate is the innermost that has one and that no element in the comparison
// depends on. inputs[i] is what input i depends on.
std::optional<AffineCondition> affine_condition(const Expr& expr, Value value,
                                                Span<const AxisSet> inputs);

}  // namespace iotadnn::impl
