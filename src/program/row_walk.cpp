// SPDX-License-Identifier: Apache-2.0
#include "program/row_walk.h"

#include <limits>

namespace iotadnn::impl {
namespace {

// In place of a subtraction by adding a negated value: -INT64_MIN does not exist.
int64_t saturating_sub(int64_t a, int64_t b) {
  int64_t difference = 0;
  if (!__builtin_sub_overflow(a, b, &difference)) return difference;
  return b > 0 ? std::numeric_limits<int64_t>::min() : std::numeric_limits<int64_t>::max();
}

}  // namespace

int64_t evaluate(const Bound& bound, const RowValues& row) {
  int64_t sum = 0;
  for (const Term& term : bound.terms) {
    const int64_t* const values = term.kind == Term::Kind::coord    ? row.coords
                                  : term.kind == Term::Kind::scalar ? row.scalars
                                                                    : row.elements;
    const int64_t value = values[term.index];
    sum = term.negated ? saturating_sub(sum, value) : saturating_add(sum, value);
  }
  return saturating_add(sum, bound.imm);
}

int64_t pointwise_units(const int64_t* extents, int rank) {
  int64_t rows = 1;
  for (int d = 0; d < rank - 1; ++d)
    rows *= extents[d];
  return rows * ((extents[rank - 1] - 1) / kColumnsPerUnit + 1);
}

}  // namespace iotadnn::impl
