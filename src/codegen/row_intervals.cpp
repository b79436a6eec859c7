// SPDX-License-Identifier: Apache-2.0
#include "codegen/row_intervals.h"

#include <limits>

#include "codegen/isa_avx2.h"
#include "codegen/isa_avx512.h"

namespace iotadnn::impl {

template <class T>
void RowIntervals<T>::add_term(const Reg64& frame, const Reg64& acc, const Term& term) {
  auto x = v_.gpr();
  auto limit = v_.gpr();
  if (term.kind == Term::Kind::coord) {
    v_.mov(x, frame_field(v_, frame, offsetof(RowsFrame, coord), term.index));
  } else {
    v_.mov(x, frame_field(v_, frame, offsetof(RowsFrame, scalars)));
    v_.mov(x, v_.ptr[x + term.index * sizeof(int64_t)]);
  }
  // Where the sum overflows it goes to the limit on the side of the term's sign.
  v_.mov(limit, x);
  if (!term.negated) v_.not_(limit);
  v_.sar(limit, 63);
  v_.btc(limit, 63);
  term.negated ? v_.sub(acc, x) : v_.add(acc, x);
  v_.cmovo(acc, limit);
}

template <class T>
void RowIntervals<T>::add_constant(const Reg64& acc, int64_t value) {
  if (value == 0) return;
  using Limits = std::numeric_limits<int64_t>;
  auto limit = v_.gpr();
  auto x = v_.gpr();
  v_.mov(limit, value < 0 ? Limits::min() : Limits::max());
  v_.mov(x, value);
  v_.add(acc, x);
  v_.cmovo(acc, limit);
}

template <class T>
void RowIntervals<T>::bound(const Reg64& frame, const Reg64& acc, const Bound& b) {
  v_.xor_(acc.cvt32(), acc.cvt32());
  for (const Term& term : b.terms)
    add_term(frame, acc, term);
  add_constant(acc, b.imm);
}

template <class T>
void RowIntervals<T>::clip(const Reg64& lo, const Reg64& hi, const Reg64& columns) {
  auto zero = v_.gpr();
  v_.xor_(zero.cvt32(), zero.cvt32());
  v_.test(lo, lo);
  v_.cmovs(lo, zero);
  v_.cmp(hi, columns);
  v_.cmovg(hi, columns);
  v_.cmp(lo, hi);
  v_.cmovge(lo, columns);
  v_.cmovge(hi, columns);
}

template <class T>
void RowIntervals<T>::all_or_nothing(const Reg64& coord, const Reg64& lo, const Reg64& hi,
                                     const Reg64& columns) {
  auto first = v_.gpr();
  v_.xor_(first.cvt32(), first.cvt32());
  v_.cmp(coord, lo);
  v_.cmovl(first, columns);
  v_.cmp(coord, hi);
  v_.cmovge(first, columns);
  v_.mov(lo, first);
  v_.mov(hi, columns);
}

template <class T>
void RowIntervals<T>::evaluate(const Reg64& frame, const Reg64& columns) {
  size_t p = 0;
  for (const Predicate& predicate : program_.predicates) {
    auto lo = v_.gpr();
    auto hi = v_.gpr();
    bound(frame, lo, predicate.lo);
    bound(frame, hi, predicate.hi);
    if (predicate.axis == program_.rank - 1) {
      clip(lo, hi, columns);
    } else {
      auto coord = v_.gpr();
      v_.mov(coord, frame_field(v_, frame, offsetof(RowsFrame, coord), predicate.axis));
      all_or_nothing(coord, lo, hi, columns);
    }
    v_.mov(frame_field(v_, frame, offsetof(RowsFrame, lo), p), lo);
    v_.mov(frame_field(v_, frame, offsetof(RowsFrame, hi), p), hi);
    p++;
  }
}

template <class T>
void RowIntervals<T>::segment(const Reg64& frame, const Reg64& pos, const Reg64& limit,
                              const Reg64& bits, const Reg64& next) {
  auto end = v_.gpr();
  v_.xor_(bits.cvt32(), bits.cvt32());
  v_.mov(next, limit);
  for (size_t p = 0; p < program_.predicates.size(); p++) {
    Xbyak::Label before, after;
    v_.mov(end, frame_field(v_, frame, offsetof(RowsFrame, lo), p));
    v_.cmp(pos, end);
    v_.jl(before);
    v_.mov(end, frame_field(v_, frame, offsetof(RowsFrame, hi), p));
    v_.cmp(pos, end);
    v_.jge(after);
    v_.or_(bits, 1 << p);
    v_.L(before);
    v_.cmp(end, next);
    v_.cmovl(next, end);
    v_.L(after);
  }
}

template class RowIntervals<Avx2>;
template class RowIntervals<Avx512>;

}  // namespace iotadnn::impl
