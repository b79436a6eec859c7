// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

#include "base/shape.h"
#include "program/program.h"

namespace iotadnn::impl {

inline constexpr int8_t kMergedAxes = -1;

// The order in which an output's dimensions lie in memory, outermost first: logical axes that the
// program tells apart, and kMergedAxes for a run of others that were coalesced into one dimension.
// Decides the physical program; extents do not.
struct AxisOrder {
  int rank = 0;
  std::array<int8_t, kMaxRank> axes{};

  bool operator==(const AxisOrder& o) const { return rank == o.rank && axes == o.axes; }
};

// An output as the physical program sees it.
struct PhysicalShape {
  AxisOrder order;
  std::array<int64_t, kMaxRank> extents{};  // [order.rank]
  std::array<int64_t, kMaxRank> strides{};  // [order.rank], in elements
};

using AxisSet = uint32_t;  // bit a: logical axis a

// The axes whose coordinates the program reads.
AxisSet used_axes(const RowProgram& program);

// Sorts the dimensions by stride and coalesces adjacent ones that the program does not tell apart
// and that follow each other without a gap. Extents of one go outermost, or vanish. `dims` are >= 1
// and do not overlap; the rank is the logical program's.
PhysicalShape physical_shape(const RowProgram& logical, const Dims& dims, const Dims& strides);

// The logical program with its dimensions in that order. A predicate that involves the last
// physical coordinate is solved for it, so that it splits rows:
//   x in [y + a, y + b)  <=>  y in [x - b + 1, x - a + 1)
RowProgram to_physical(const RowProgram& logical, const AxisOrder& order);

}  // namespace iotadnn::impl
