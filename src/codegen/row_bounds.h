// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

#include "program/program.h"
#include "program/row_walk.h"

namespace iotadnn::impl {

// Where a program's predicates hold in consecutive rows that differ in the coordinate before the
// column: mostly bounds change there by a constant from row to row, and need no new sum for each.
class RowBounds {
 public:
  // The columns [lo, hi) of the current row.
  struct Interval {
    int64_t lo;
    int64_t hi;
    int64_t lo_step;  // added from row to row
    int64_t hi_step;
    size_t bit;
  };

  // Looks at `rows` rows of a program of rank 2 or more, from that with the values `at` on; bit i
  // of `moving`: input i's element is not the same in all of them. False where bounds are anything
  // but such sums, in particular where one saturates in these rows.
  bool look_at(const RowProgram& program, const RowValues& at, uint32_t moving, int64_t rows);

  // For how many of the rows whole_row() holds: at least one.
  int64_t rows() const { return rows_; }

  // The truth of the predicates on outer coordinates.
  size_t whole_row() const { return whole_row_; }

  // Those on the column: kMaxPredicates at most.
  size_t count() const { return count_; }

  const Interval& operator[](size_t i) const { return intervals_[i]; }

  void step() {
    for (size_t i = 0; i < count_; ++i) {
      intervals_[i].lo += intervals_[i].lo_step;
      intervals_[i].hi += intervals_[i].hi_step;
    }
  }

  // As cut_row() (program/row_walk.h) at the current row.
  template <class F>
  void for_each_segment(int64_t columns, F&& segment) const {
    cut_at(intervals_.data(), count_, whole_row_, 0, columns, segment);
  }

 private:
  int64_t rows_ = 0;
  size_t whole_row_ = 0;
  size_t count_ = 0;
  std::array<Interval, kMaxPredicates> intervals_;
};

}  // namespace iotadnn::impl
