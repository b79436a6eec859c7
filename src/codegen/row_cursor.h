// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "program/program.h"
#include "program/row_walk.h"

namespace iotadnn::impl {

// Walks the rows of a pointwise run as RowWalk does, made for short rows: the tensors' addresses
// are carried along, and a row is cut without sorting.
class RowCursor {
 public:
  static constexpr size_t kMaxTensors = kMaxInputs + kMaxOutputs;

  RowCursor(const RowProgram& program, const RunArgs& args)
      : program_(program), args_(args), last_(static_cast<size_t>(program.rank) - 1) {}

  // Tensors in the order in which they are added.
  void add(const void* first, const int64_t* strides, int64_t bytes) {
    // Inputs are not written through this.
    rows_[tensors_] = static_cast<uint8_t*>(const_cast<void*>(first));
    for (size_t d = 0; d < last_; ++d)
      strides_[d][tensors_] = strides[d] * bytes;
    ++tensors_;
  }

  // The current row's first element of a tensor.
  uint8_t* row(size_t tensor) const { return rows_[tensor]; }

  // The same of the row behind it, but at the end of a dimension.
  const uint8_t* next_row(size_t tensor) const {
    return last_ == 0 ? rows_[tensor] : rows_[tensor] + strides_[last_ - 1][tensor];
  }

  const int64_t* coords() const { return coords_.data(); }

  // From the first row to `row`, counted row-major.
  void seek(int64_t row) {
    for (size_t d = last_; d-- > 0 && row > 0;) {
      move(d, row % args_.extents[d]);
      row /= args_.extents[d];
    }
  }

  void advance() {
    for (size_t d = last_; d-- > 0;) {
      if (coords_[d] + 1 < args_.extents[d]) return move(d, 1);
      move(d, -coords_[d]);
    }
  }

  // Calls segment(body, begin, end) for the stretches of columns [first, last) of the current row,
  // in order, none of them empty.
  template <class F>
  void for_each_segment(int64_t first, int64_t last, F&& segment) const {
    std::array<Split, kMaxPredicates> splits;  // NOLINT(cppcoreguidelines-pro-type-member-init)
    size_t count = 0;
    size_t whole_row = 0;
    for (size_t p = 0; p < program_.predicates.size(); ++p) {
      const Predicate& predicate = program_.predicates[p];
      const Split split{evaluate(predicate.lo, coords_.data(), args_.scalars),
                        evaluate(predicate.hi, coords_.data(), args_.scalars), size_t{1} << p};
      if (predicate.axis == last_)
        splits[count++] = split;
      else if (split.lo <= coords_[predicate.axis] && coords_[predicate.axis] < split.hi)
        whole_row |= split.bit;
    }
    for (int64_t begin = first; begin < last;) {
      size_t body = whole_row;
      int64_t end = last;
      for (size_t s = 0; s < count; ++s) {
        if (splits[s].lo >= splits[s].hi) continue;
        if (begin < splits[s].lo) {
          end = std::min(end, splits[s].lo);
        } else if (begin < splits[s].hi) {
          end = std::min(end, splits[s].hi);
          body |= splits[s].bit;
        }
      }
      segment(body, begin, end);
      begin = end;
    }
  }

 private:
  // Where a predicate on the column holds. Not cleared: an array of them is made for each row.
  struct Split {
    int64_t lo;
    int64_t hi;
    size_t bit;
  };

  void move(size_t dimension, int64_t by) {
    coords_[dimension] += by;
    for (size_t t = 0; t < tensors_; ++t)
      rows_[t] += by * strides_[dimension][t];
  }

  const RowProgram& program_;
  const RunArgs& args_;
  const size_t last_;
  Dims coords_{};
  size_t tensors_ = 0;
  std::array<uint8_t*, kMaxTensors> rows_;
  std::array<std::array<int64_t, kMaxTensors>, kMaxRank> strides_;  // in bytes
};

}  // namespace iotadnn::impl
