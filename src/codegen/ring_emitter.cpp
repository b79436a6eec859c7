// SPDX-License-Identifier: Apache-2.0
#include "codegen/ring_emitter.h"

#include <algorithm>

#include "codegen/isa_avx2.h"
#include "codegen/isa_avx512.h"

namespace iotadnn::impl {

template <class T>
struct RingEmitter<T>::Names {
  Names(VecAsm<T>& v, const RingPlan& plan, int chains)
      : frame(v.gpr(v.rdi)), cur(v.gpr()), count(v.gpr()), val(v.vec()), ones(v.vec()) {
    chain.resize(static_cast<size_t>(chains));
    for (Lanes& lanes : chain)
      for (int d = 0; d < plan.digits; d++)
        lanes.push_back(v.vec());
  }

  typename VecAsm<T>::GprReg frame, cur, count;
  VecReg val, ones;
  std::vector<Lanes> chain;
};

template <class T>
int RingEmitter<T>::chains(const RingPlan& plan) {
  constexpr int kQuarter = T::kVecRegs / 4;
  switch (plan.digits) {
    case 0:
    case 1:
      return kQuarter;
    case 2:
      return kQuarter / 2;
    default:
      return 2;
  }
}

template <class T>
Xbyak::Address RingEmitter<T>::field(Names& n, size_t offset, size_t index) {
  return v_.ptr[n.frame + offset + index * sizeof(int64_t)];
}

template <class T>
Xbyak::Address RingEmitter<T>::vector_at(Names& n, size_t offset, size_t index) {
  return v_.ptr[n.frame + offset + index * 64];
}

template <class T>
void RingEmitter<T>::keep(Names& n, size_t scalar, size_t vector) {
  v_.broadcast(n.val, v_.ptr[n.frame + scalar]);
  v_.store(v_.ptr[n.frame + vector], n.val);
}

template <class T>
void RingEmitter<T>::keep_constants(Names& n) {
  const auto scalar_at = [](size_t offset, size_t i) { return offset + i * sizeof(int64_t); };
  const auto digits = static_cast<size_t>(plan_.digits);
  for (size_t step = 0; step < 2; step++)
    for (size_t d = 0; d < digits; d++) {
      keep(n, scalar_at(offsetof(RingFrame, step), step * kMaxRingDigits + d),
           offsetof(RingFrame, step_vectors) + (step * kMaxRingDigits + d) * 64);
      keep(n, scalar_at(offsetof(RingFrame, last_wrapped), step),
           offsetof(RingFrame, wrapped_vectors) + step * 64);
    }
  for (size_t d = 0; d + 1 < digits; d++)
    keep(n, scalar_at(offsetof(RingFrame, extent), d),
         offsetof(RingFrame, extent_vectors) + d * 64);
  for (size_t p = 0; p < program_.predicates.size(); p++) {
    keep(n, scalar_at(offsetof(RingFrame, above_lo), p), offsetof(RingFrame, lo_vectors) + p * 64);
    keep(n, scalar_at(offsetof(RingFrame, above_hi), p), offsetof(RingFrame, hi_vectors) + p * 64);
  }
}

template <class T>
void RingEmitter<T>::copy(Lanes& to, const Lanes& from) {
  for (size_t d = 0; d < from.size(); d++)
    v_.copy(to[d], from[d]);
}

// use(operand) with digit `digit` of a step; digits == digit asks for step - extent of the last
// one.
template <class T>
template <class Use>
void RingEmitter<T>::with_step(Names& n, RingStep step, int digit, const Use& use) {
  const auto s = static_cast<size_t>(step);
  const auto d = static_cast<size_t>(digit);
  const bool wrapped = digit == plan_.digits;
  if (step == RingStep::blocks || step == RingStep::vector)
    return use(wrapped ? vector_at(n, offsetof(RingFrame, wrapped_vectors), s)
                       : vector_at(n, offsetof(RingFrame, step_vectors), s * kMaxRingDigits + d));
  auto operand = v_.vec();
  v_.broadcast(operand, wrapped ? field(n, offsetof(RingFrame, last_wrapped), s)
                                : field(n, offsetof(RingFrame, step), s * kMaxRingDigits + d));
  use(operand);
}

template <class T>
void RingEmitter<T>::advance(Names& n, Lanes& lanes, RingStep step) {
  if (plan_.digits == 0) return;
  auto wrapped = v_.vec();
  auto carry = v_.mask();
  const int last = plan_.digits - 1;
  for (int d = last; d >= 0; d--) {
    const VecReg& digit = lanes[static_cast<size_t>(d)];
    const auto add_to = [&](const Vec& to) {
      return [&](const Xbyak::Operand& s) { v_.add_lanes(to, digit, s); };
    };
    if (d == last && plan_.wraps(d)) {
      with_step(n, step, plan_.digits, add_to(wrapped));
      with_step(n, step, d, add_to(digit));
    } else {
      with_step(n, step, d, add_to(digit));
      if (d != last) v_.add_one_where(digit, carry, n.ones);
      if (!plan_.wraps(d)) continue;
      v_.sub_lanes(wrapped, digit,
                   vector_at(n, offsetof(RingFrame, extent_vectors), static_cast<size_t>(d)));
    }
    v_.wrap_min(digit, digit, wrapped);
    if (d > 0) v_.equal(carry, digit, wrapped);
  }
}

// d = the tested digit, less the bound's digits.
template <class T>
void RingEmitter<T>::tested(const Vec& d, const Lanes& lanes, const Predicate& p,
                            const Bound& bound) {
  const LaneBound parts = lane_bound(plan_, bound);
  const VecReg* from = &lanes[static_cast<size_t>(p.axis - plan_.first_dim)];
  if (parts.minus.empty() && parts.plus.empty()) return v_.copy(d, *from);
  bool first = true;
  const auto source = [&]() -> const Vec& {
    if (!first) return d;
    first = false;
    return *from;
  };
  for (const int digit : parts.minus) {
    const Vec& a = source();
    v_.sub_lanes(d, a, lanes[static_cast<size_t>(digit)]);
  }
  for (const int digit : parts.plus) {
    const Vec& a = source();
    v_.add_lanes(d, a, lanes[static_cast<size_t>(digit)]);
  }
}

template <class T>
auto RingEmitter<T>::holds(Names& n, const Lanes& lanes, size_t predicate) -> MaskReg {
  const Predicate& p = program_.predicates[predicate];
  auto difference = v_.vec();
  auto result = v_.mask();
  const auto lo = vector_at(n, offsetof(RingFrame, lo_vectors), predicate);
  const auto hi = vector_at(n, offsetof(RingFrame, hi_vectors), predicate);
  tested(difference, lanes, p, p.lo);
  if (is_single(p)) {
    v_.equal(result, difference, lo);
    return result;
  }
  auto too_high = v_.mask();
  v_.greater(result, difference, lo);
  if (!(p.lo.terms == p.hi.terms)) tested(difference, lanes, p, p.hi);
  v_.greater(too_high, difference, hi);
  v_.mask_and_not(result, too_high, result);
  return result;
}

template <class T>
auto RingEmitter<T>::value(Names& n, const Lanes& lanes, const Vec& scratch) -> const Vec& {
  const auto lane_of = [&](const Inst& result) -> const VecReg& {
    return lanes[static_cast<size_t>(result.imm) - static_cast<size_t>(plan_.first_dim)];
  };
  const auto into = [&](const Vec& d, const Inst& result) {
    switch (result.op) {
      case Opcode::constant:
        return v_.splat(d, result.imm);
      case Opcode::coord:
        return v_.copy(d, lane_of(result));
    }
  };
  if (bodies_.predicates() == 0 && bodies_.result(0).op == Opcode::coord)
    return lane_of(bodies_.result(0));
  std::vector<MaskReg> masks;
  for (size_t p = 0; p < program_.predicates.size(); p++)
    masks.push_back(holds(n, lanes, p));
  emit_blend(v_, bodies_, masks, scratch, into, bodies_.predicates());
  return scratch;
}

// What stands in front of the aligned vectors. Its last vector may reach into them.
template <class T>
void RingEmitter<T>::head(Names& n) {
  Label again, rest, done;
  v_.mov(n.count, field(n, offsetof(RingFrame, head_vectors)));
  v_.test(n.count, n.count);
  v_.jz(rest);
  v_.L(again);
  v_.call(one_value_);
  v_.store(v_.ptr[n.cur], n.val);
  v_.add(n.cur, T::kVecBytes);
  advance(n, n.chain[0], RingStep::vector);
  v_.dec(n.count);
  v_.jnz(again);
  v_.L(rest);
  v_.mov(n.count, field(n, offsetof(RingFrame, head_rest)));
  v_.test(n.count, n.count);
  v_.jz(done);
  v_.call(one_value_);
  v_.store(v_.ptr[n.cur], n.val);
  v_.lea(n.cur, v_.ptr[n.cur + n.count * program_.elem_bytes]);
  advance(n, n.chain[0], RingStep::head);
  v_.L(done);
}

template <class T>
void RingEmitter<T>::main_loop(Names& n) {
  Label again, done;
  const int chains = static_cast<int>(n.chain.size());
  v_.mov(n.count, field(n, offsetof(RingFrame, blocks)));
  v_.test(n.count, n.count);
  v_.jz(done);
  for (size_t i = 1; i < n.chain.size(); i++) {
    copy(n.chain[i], n.chain[i - 1]);
    advance(n, n.chain[i], RingStep::vector);
  }
  v_.L(again);
  for (int i = 0; i < chains; i++) {
    Lanes& lanes = n.chain[static_cast<size_t>(i)];
    v_.store(v_.ptr[n.cur + i * T::kVecBytes], value(n, lanes, n.val), nontemporal_);
    advance(n, lanes, RingStep::blocks);
  }
  v_.add(n.cur, chains * T::kVecBytes);
  v_.dec(n.count);
  v_.jnz(again);
  v_.L(done);
}

// Single vectors, and one that ends the stream and overlaps the last of them.
template <class T>
void RingEmitter<T>::last_vectors(Names& n) {
  Label again, done;
  v_.mov(n.count, field(n, offsetof(RingFrame, vectors)));
  v_.test(n.count, n.count);
  v_.jz(done);
  v_.L(again);
  copy(n.chain[1], n.chain[0]);  // the vector that is stored, for the tail
  v_.call(one_value_);
  v_.store(v_.ptr[n.cur], n.val);
  v_.add(n.cur, T::kVecBytes);
  advance(n, n.chain[0], RingStep::vector);
  v_.dec(n.count);
  v_.jnz(again);
  v_.mov(n.count, field(n, offsetof(RingFrame, tail_rest)));
  v_.test(n.count, n.count);
  v_.jz(done);
  copy(n.chain[0], n.chain[1]);
  advance(n, n.chain[0], RingStep::tail);
  v_.call(one_value_);
  v_.store(v_.ptr[n.cur + n.count * program_.elem_bytes - T::kVecBytes], n.val);
  v_.L(done);
}

template <class T>
void RingEmitter<T>::stream() {
  v_.prologue(0);
  Names n(v_, plan_, chains(plan_));
  Label part, done;
  keep_constants(n);
  for (size_t d = 0; d < n.chain[0].size(); d++)
    v_.load(n.chain[0][d], vector_at(n, offsetof(RingFrame, lanes), d));
  if (plan_.digits > 1) v_.splat(n.ones, 1);
  v_.mov(n.cur, field(n, offsetof(RingFrame, cur)));
  v_.mov(n.count, field(n, offsetof(RingFrame, part)));
  v_.test(n.count, n.count);
  v_.jnz(part);
  head(n);
  main_loop(n);
  last_vectors(n);
  if (nontemporal_) v_.sfence();
  v_.jmp(done);
  v_.L(part);
  v_.call(one_value_);
  v_.store_part(n.cur, n.val, n.count);
  v_.L(done);
  v_.epilogue();
  v_.L(one_value_);
  if (const Vec& got = value(n, n.chain[0], n.val); got.getIdx() != n.val.getIdx())
    v_.copy(n.val, got);
  v_.ret();
}

template class RingEmitter<Avx2>;
template class RingEmitter<Avx512>;

}  // namespace iotadnn::impl
