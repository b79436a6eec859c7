// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "program/program.h"

namespace iotadnn::impl {

// The memory of one call of a rows kernel: its arguments, and the row it is at.
struct RowsFrame {
  uint8_t* row;     // address of the first column
  int64_t rows;     // left to do, at least 1
  int64_t columns;  // of a row, at least 1
  int64_t step;     // bytes from column to column (used by the strided function)
  const int64_t* scalars;
  int64_t lo[kMaxPredicates];  // the row's intervals: 0 <= lo < hi <= columns, or both = columns
  int64_t hi[kMaxPredicates];
  int64_t coord[kMaxRank];    // outer coordinates of the row
  int64_t extent[kMaxRank];   // of the outer dimensions
  int64_t forward[kMaxRank];  // bytes to the next coordinate of a dimension
  int64_t back[kMaxRank];     // bytes from one past its last coordinate to its first
};

}  // namespace iotadnn::impl
