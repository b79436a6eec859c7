// SPDX-License-Identifier: Apache-2.0
#include "codegen/row_bounds.h"

#include <algorithm>

namespace iotadnn::impl {
namespace {

// A bound in the first row, and what changes it from row to row.
struct Line {
  int64_t first = 0;
  int64_t step = 0;
};

// False where the bound is no such line. Each sum on the way changes in one direction along the
// rows, so that it saturates in none of them when it does in neither the first nor the last; what
// is behind the last is looked at in its place, since lines are followed to there.
bool line_of(const Bound& bound, const RowValues& at, size_t row_axis, uint32_t moving,
             int64_t rows, Line& line) {
  int64_t first = 0;
  int64_t last = 0;
  int64_t step = 0;
  const auto add = [](int64_t& sum, int64_t value, bool negated) {
    return negated ? !__builtin_sub_overflow(sum, value, &sum)
                   : !__builtin_add_overflow(sum, value, &sum);
  };
  for (const Term& term : bound.terms) {
    int64_t value = 0;
    int64_t change = 0;
    switch (term.kind) {
      case Term::Kind::coord:
        value = at.coords[term.index];
        change = term.index == row_axis ? 1 : 0;
        break;
      case Term::Kind::scalar:
        value = at.scalars[term.index];
        break;
      case Term::Kind::element:
        if ((moving >> term.index & 1u) != 0) return false;
        value = at.elements[term.index];
        break;
    }
    if (!add(first, value, term.negated) || !add(last, value + change * rows, term.negated))
      return false;
    step += term.negated ? -change : change;
  }
  if (!add(first, bound.imm, false) || !add(last, bound.imm, false)) return false;
  line = {first, step};
  return true;
}

}  // namespace

bool RowBounds::look_at(const RowProgram& program, const RowValues& at, uint32_t moving,
                        int64_t rows) {
  rows_ = rows;
  whole_row_ = 0;
  count_ = 0;
  const auto column = static_cast<size_t>(program.rank) - 1;
  for (size_t p = 0; p < program.predicates.size(); ++p) {
    const Predicate& predicate = program.predicates[p];
    Line lo;
    Line hi;
    if (!line_of(predicate.lo, at, column - 1, moving, rows, lo) ||
        !line_of(predicate.hi, at, column - 1, moving, rows, hi))
      return false;
    const size_t bit = size_t{1} << p;
    if (predicate.axis == column) {
      intervals_[count_++] = {lo.first, hi.first, lo.step, hi.step, bit};
      continue;
    }
    if (lo.step != 0 || hi.step != 0) return false;
    const int64_t tested = at.coords[predicate.axis];
    const bool holds = lo.first <= tested && tested < hi.first;
    if (holds) whole_row_ |= bit;
    if (predicate.axis != column - 1) continue;
    if (holds)
      rows_ = std::min(rows_, hi.first - tested);
    else if (tested < lo.first)
      rows_ = std::min(rows_, lo.first - tested);
  }
  return true;
}

}  // namespace iotadnn::impl
