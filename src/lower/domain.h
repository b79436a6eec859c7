// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "lower/layout.h"

namespace iotadnn::impl {

// The domain of a pointwise program in the order of its first output, and how each tensor is walked
// along it.
struct PhysicalDomain {
  AxisOrder order;
  std::array<int64_t, kMaxRank> extents{};  // [order.rank]
  // [tensor * order.rank + dim], in elements, 0 where the tensor is repeated: the inputs in the
  // program's order, then the outputs.
  std::vector<int64_t> strides;
  int summed = 0;
};

// `strides[t]` are those of tensor t over the logical domain of extents `dims` (all >= 1). Sorts
// the dimensions by the strides of tensor `leading` (an output), and coalesces adjacent ones that
// the program does not tell apart and along which every tensor goes on without a gap. Extents of
// one go outermost, or vanish. The last `summed` dimensions stay last, apart from the others:
// `summed` in the result says how many are left of them, at least one unless there were none.
PhysicalDomain physical_domain(const RowProgram& logical, const Dims& dims,
                               const std::vector<Dims>& strides, size_t leading, int summed = 0);

}  // namespace iotadnn::impl
