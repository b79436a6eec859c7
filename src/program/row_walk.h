// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "program/evaluate.h"
#include "program/program.h"

namespace iotadnn::impl {

// What the terms of bounds stand for in a row.
struct RowValues {
  const int64_t* coords = nullptr;
  const int64_t* scalars = nullptr;
  const int64_t* elements = nullptr;  // by input; only those of bound_inputs() are set
};

// A bound's value, every step saturating.
int64_t evaluate(const Bound& bound, const RowValues& row);

// The first elements of a row's inputs that predicates ask for.
class RowElements {
 public:
  explicit RowElements(const RowProgram& program) : inputs_(bound_inputs(program)) {}

  bool any() const { return inputs_ != 0; }

  // row(i): where the row's element of input i is.
  template <class F>
  const int64_t* read(const RowProgram& program, F&& row) {
    for (size_t i = 0; inputs_ >> i != 0; ++i)
      if ((inputs_ >> i & 1u) != 0)
        values_[i] = static_cast<int64_t>(extended_bits(program.inputs[i], row(i)));
    return values_.data();
  }

 private:
  uint32_t inputs_;
  std::array<int64_t, kMaxInputs> values_;  // NOLINT(cppcoreguidelines-pro-type-member-init)
};

// Calls segment(body, begin, end) for the stretches of columns [first, last) over which each of
// `count` intervals [lo, hi) holds or does not, in order, none of them empty. `body` has their bits
// (`bit`) where they hold, beside those of `whole_row`.
template <class Interval, class F>
void cut_at(const Interval* intervals, size_t count, size_t whole_row, int64_t first, int64_t last,
            F&& segment) {
  for (int64_t begin = first; begin < last;) {
    size_t body = whole_row;
    int64_t end = last;
    for (size_t i = 0; i < count; ++i) {
      const Interval& at = intervals[i];
      if (at.lo >= at.hi) continue;
      if (begin < at.lo) {
        end = std::min(end, at.lo);
      } else if (begin < at.hi) {
        end = std::min(end, at.hi);
        body |= at.bit;
      }
    }
    segment(body, begin, end);
    begin = end;
  }
}

// Cuts the columns [first, last) of a row at the ends of the predicates: every one is either true
// or false over each segment.
template <class F>
void cut_row(const RowProgram& program, const RowValues& row, int64_t first, int64_t last,
             F&& segment) {
  // Where a predicate on the column holds. Not cleared: an array of them is made for each row.
  struct Split {
    int64_t lo;
    int64_t hi;
    size_t bit;
  };

  const auto column = static_cast<size_t>(program.rank) - 1;
  std::array<Split, kMaxPredicates> splits;  // NOLINT(cppcoreguidelines-pro-type-member-init)
  size_t count = 0;
  size_t whole_row = 0;  // truths of the predicates on outer coordinates
  for (size_t p = 0; p < program.predicates.size(); ++p) {
    const Predicate& predicate = program.predicates[p];
    const Split split{evaluate(predicate.lo, row), evaluate(predicate.hi, row), size_t{1} << p};
    if (predicate.axis == column)
      splits[count++] = split;
    else if (split.lo <= row.coords[predicate.axis] && row.coords[predicate.axis] < split.hi)
      whole_row |= split.bit;
  }
  cut_at(splits.data(), count, whole_row, first, last, segment);
}

// Walks the rows of a program's domain by their coordinates.
class RowWalk {
 public:
  RowWalk(const RowProgram& program, const RunArgs& args)
      : program_(program), args_(args), last_(program.rank - 1), elements_(program) {}

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

  // cut_row() at the current row.
  template <class F>
  void for_each_segment(int64_t first, int64_t last, F&& segment) {
    RowValues row{coords_.data(), args_.scalars, nullptr};
    if (elements_.any())
      row.elements = elements_.read(program_, [this](size_t i) {
        return static_cast<const unsigned char*>(args_.srcs[i]) +
               offset(args_.src_strides + i * static_cast<size_t>(program_.rank), 0) *
                   bytes_of(program_.inputs[i]);
      });
    cut_row(program_, row, first, last, segment);
  }

 private:
  const RowProgram& program_;
  const RunArgs& args_;
  const int last_;
  Dims coords_{};
  RowElements elements_;
};

// Units of work of pointwise programs are parts of rows of this many columns, row-major.
inline constexpr int64_t kColumnsPerUnit = 8192;

// How many units a pointwise program has over these extents.
int64_t pointwise_units(const int64_t* extents, int rank);

// Calls part(first, last) for each unit [args.begin, args.end): columns [first, last) of the row
// that `walk` stands at.
template <class F>
void for_each_unit(const RowProgram& program, const RunArgs& args, RowWalk& walk, F&& part) {
  if (args.begin >= args.end) return;
  const int64_t columns = args.extents[program.rank - 1];
  const int64_t per_row = (columns - 1) / kColumnsPerUnit + 1;
  walk.seek(args.begin / per_row);
  int64_t in_row = args.begin % per_row;
  for (int64_t unit = args.begin;;) {
    const int64_t first = in_row * kColumnsPerUnit;
    part(first, std::min(columns, first + kColumnsPerUnit));
    if (++unit == args.end) return;
    if (++in_row < per_row) continue;
    in_row = 0;
    walk.advance();
  }
}

}  // namespace iotadnn::impl
