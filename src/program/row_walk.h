// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>

#include "program/program.h"

namespace iotadnn::impl {

// A bound's value at the outer coordinates `coords`, every step saturating.
int64_t evaluate(const Bound& bound, const int64_t* coords, const int64_t* scalars);

// Walks rows of a program's domain and cuts each at the ends of the predicates that hold on part of
// it: what the portable path and kernels of pointwise programs have in common.
class RowWalk {
 public:
  RowWalk(const RowProgram& program, const RunArgs& args)
      : program_(program), args_(args), last_(program.rank - 1) {}

  // The outer coordinates of the current row; the last one is 0.
  const Dims& coords() const { return coords_; }

  // The offset of element (coords, column) of a tensor with these strides, in elements.
  int64_t offset(const int64_t* strides, int64_t column) const {
    int64_t sum = column * strides[last_];
    for (int d = 0; d < last_; ++d)
      sum += coords_[static_cast<size_t>(d)] * strides[d];
    return sum;
  }

  // Sets the outer coordinates to those of `row`, counted row-major.
  void seek(int64_t row) {
    for (int d = last_ - 1; d >= 0; --d) {
      coords_[static_cast<size_t>(d)] = row % args_.extents[d];
      row /= args_.extents[d];
    }
  }

  void advance() {
    for (int d = last_ - 1; d >= 0; --d) {
      if (++coords_[static_cast<size_t>(d)] < args_.extents[d]) return;
      coords_[static_cast<size_t>(d)] = 0;
    }
  }

  // Calls segment(body, begin, end) for the stretches of columns [first, last) of the current row,
  // in order, none of them empty.
  template <class F>
  void for_each_segment(int64_t first, int64_t last, F&& segment) const {
    Ends ends;
    split(first, last, &ends);
    int64_t begin = first;
    for (size_t e = 0; e < ends.count; ++e) {
      if (ends.columns[e] == begin) continue;
      segment(body_at(ends, begin), begin, ends.columns[e]);
      begin = ends.columns[e];
    }
  }

 private:
  // A half-open interval of one coordinate.
  struct Interval {
    int64_t lo = 0;
    int64_t hi = 0;

    bool contains(int64_t x) const { return lo <= x && x < hi; }
  };

  struct Ends {
    std::array<Interval, kMaxPredicates> intervals;
    std::array<int64_t, 2 * kMaxPredicates + 1> columns;  // ascending
    size_t count = 0;
    size_t whole_row = 0;    // truths of the predicates on outer coordinates
    unsigned split_row = 0;  // the predicates on the last one
  };

  void split(int64_t first, int64_t last, Ends* ends) const {
    for (size_t p = 0; p < program_.predicates.size(); ++p) {
      const Predicate& predicate = program_.predicates[p];
      const Interval interval{evaluate(predicate.lo, coords_.data(), args_.scalars),
                              evaluate(predicate.hi, coords_.data(), args_.scalars)};
      if (predicate.axis != last_) {
        if (interval.contains(coords_[predicate.axis])) ends->whole_row |= size_t{1} << p;
        continue;
      }
      ends->split_row |= 1u << p;
      ends->intervals[p] = interval;
      ends->columns[ends->count++] = std::clamp<int64_t>(interval.lo, first, last);
      ends->columns[ends->count++] = std::clamp<int64_t>(interval.hi, first, last);
    }
    ends->columns[ends->count++] = last;
    std::sort(ends->columns.begin(), ends->columns.begin() + ends->count);
  }

  size_t body_at(const Ends& ends, int64_t column) const {
    size_t body = ends.whole_row;
    for (size_t p = 0; p < program_.predicates.size(); ++p)
      if (((ends.split_row >> p) & 1u) != 0 && ends.intervals[p].contains(column))
        body |= size_t{1} << p;
    return body;
  }

  const RowProgram& program_;
  const RunArgs& args_;
  const int last_;
  Dims coords_{};
};

// Units of work of pointwise programs are parts of rows of this many columns, row-major.
inline constexpr int64_t kColumnsPerUnit = 8192;

// How many units a pointwise program has over these extents.
int64_t pointwise_units(const int64_t* extents, int rank);

// Calls part(walk, first, last) for each unit [args.begin, args.end): columns [first, last) of the
// row that `walk` stands at.
template <class F>
void for_each_unit(const RowProgram& program, const RunArgs& args, F&& part) {
  const int64_t columns = args.extents[program.rank - 1];
  const int64_t per_row = (columns - 1) / kColumnsPerUnit + 1;
  RowWalk walk(program, args);
  walk.seek(args.begin / per_row);
  int64_t in_row = args.begin % per_row;
  for (int64_t unit = args.begin; unit < args.end; ++unit) {
    const int64_t first = in_row * kColumnsPerUnit;
    part(std::as_const(walk), first, std::min(columns, first + kColumnsPerUnit));
    if (++in_row == per_row) {
      in_row = 0;
      walk.advance();
    }
  }
}

}  // namespace iotadnn::impl
