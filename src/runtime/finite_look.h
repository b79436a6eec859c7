// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "graph/logical_tensor.h"

namespace iotadnn::impl {

// Looks whether a tensor's elements are finite, part by part. Immutable.
class FiniteLook {
 public:
  static constexpr int64_t kUnitBytes = 16 << 10;  // at most

  // Fully known.
  explicit FiniteLook(const LogicalTensor& tensor);

  // Parts of rows, in the order of memory.
  int64_t units() const { return units_; }

  // Whether all elements of units [begin, end) are.
  bool all_finite(const void* data, int64_t begin, int64_t end) const;

 private:
  DataType type_;
  int rank_ = 0;  // of what follows: outermost first, coalesced
  Dims extents_{};
  Dims strides_{};
  int64_t part_ = 1;  // elements of a unit
  int64_t parts_per_row_ = 1;
  int64_t units_ = 0;
};

// Whether an element of these bits, in the low bytes, is neither infinite nor NaN.
bool is_finite(DataType type, uint64_t bits);

// How many elements along the axes of `summed` (a bit for each) are not finite: to counts, dense in
// the order of the tensor's dimensions, with extents of 1 for those.
void count_not_finite(const LogicalTensor& tensor, const void* data, uint32_t summed,
                      int32_t* counts);

}  // namespace iotadnn::impl
