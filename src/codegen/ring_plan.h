// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "program/program.h"

namespace iotadnn::impl {

inline constexpr int kMaxRingDigits = 3;
inline constexpr int kMaxRingPredicates = 2;

// What a lane must know of the place it stands at. Coordinates are the digits of the position in
// the stream: those from the outermost that the program reads to the last are kept, "digit 0" being
// the outermost of them.
struct RingPlan {
  int first_dim = 0;  // the dimension of digit 0; rank when nothing is read
  int digits = 0;

  // Digit 0 of the outermost dimension never wraps within a run.
  bool wraps(int digit) const { return first_dim + digit > 0; }
};

// A predicate as lanes test it: sums of digits against a limit that holds all else.
struct LaneBound {
  std::vector<int> minus;  // digits subtracted from the tested one
  std::vector<int> plus;   // digits added to it
};

RingPlan ring_plan(const RowProgram& program);
LaneBound lane_bound(const RingPlan& plan, const Bound& bound);

// hi is lo + 1 whatever the arguments are: one comparison for equality.
bool is_single(const Predicate& predicate);

bool ring_applies(const RowProgram& program);
// Dense, and no lane's arithmetic wraps where it must not.
bool ring_fits(const RowProgram& program, const int64_t* extents, const int64_t* strides);

}  // namespace iotadnn::impl
