// SPDX-License-Identifier: Apache-2.0
#include "codegen/ring_emitter.h"

#include <algorithm>

#include "codegen/isa_avx2.h"
#include "codegen/isa_avx512.h"

namespace iotadnn::impl {
namespace {

// Places of constants in the frame.
size_t step_at(RingStep step, int digit) {
  return offsetof(RingFrame, step) +
         (static_cast<size_t>(step) * kMaxRingDigits + static_cast<size_t>(digit)) *
             sizeof(int64_t);
}

size_t wrapped_at(RingStep step) {
  return offsetof(RingFrame, last_wrapped) + static_cast<size_t>(step) * sizeof(int64_t);
}

size_t extent_at(int digit) {
  return offsetof(RingFrame, extent) + static_cast<size_t>(digit) * sizeof(int64_t);
}

}  // namespace

template <class T>
struct RingEmitter<T>::Names {
  Names(VecAsm<T>& v, const RingPlan& plan, int chains)
      : frame(v.gpr(v.rdi)), cur(v.gpr(v.rsi)), count(v.gpr()), val(v.vec()), ones(v.vec()) {
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
int RingEmitter<T>::chains(const RowProgram& program) {
  constexpr int kQuarter = T::kVecRegs / 4;
  switch (ring_plan(program).digits) {
    case 0:
    case 1:
      return kQuarter;
    case 2:
      return program.predicates.empty() ? kQuarter : kQuarter / 2;
    default:
      return 2;
  }
}

template <class T>
Xbyak::Address RingEmitter<T>::field(Names& n, size_t offset, size_t index) {
  return v_.ptr[n.frame + offset + index * sizeof(int64_t)];
}

// Constants of the main loop get registers as long as enough are left for its temporaries.
template <class T>
void RingEmitter<T>::take_hot(Names& n) {
  // For a step: two, and a constant; for a value: masks, a difference and the blended bodies.
  const int temporaries = 3 + 2 * bodies_.predicates();
  std::vector<size_t> offsets;
  for (int d = plan_.digits - 1; d >= 0; d--) {
    if (d == plan_.digits - 1)
      offsets.push_back(wrapped_at(RingStep::blocks));
    else
      offsets.push_back(extent_at(d));
    offsets.push_back(step_at(RingStep::blocks, d));
  }
  for (size_t p = 0; p < program_.predicates.size(); p++) {
    offsets.push_back(offsetof(RingFrame, above_lo) + p * sizeof(int64_t));
    if (!is_single(program_.predicates[p]))
      offsets.push_back(offsetof(RingFrame, above_hi) + p * sizeof(int64_t));
  }
  for (const size_t offset : offsets) {
    if (v_.free_vecs() <= temporaries) return;
    hot_.push_back({offset, v_.vec()});
    v_.broadcast(hot_.back().reg, v_.ptr[n.frame + offset]);
  }
}

// use(register) with a constant of the frame in all lanes.
template <class T>
template <class Use>
void RingEmitter<T>::with_constant(Names& n, size_t offset, const Use& use) {
  for (const Hot& hot : hot_)
    if (hot.offset == offset) return use(hot.reg);
  auto reg = v_.vec();
  v_.broadcast(reg, v_.ptr[n.frame + offset]);
  use(reg);
}

template <class T>
void RingEmitter<T>::copy(Lanes& to, const Lanes& from) {
  for (size_t d = 0; d < from.size(); d++)
    v_.copy(to[d], from[d]);
}

template <class T>
void RingEmitter<T>::advance(Names& n, Lanes& lanes, RingStep step) {
  if (plan_.digits == 0) return;
  auto wrapped = v_.vec();
  auto carry = v_.mask();
  const int last = plan_.digits - 1;
  for (int d = last; d >= 0; d--) {
    const VecReg& digit = lanes[static_cast<size_t>(d)];
    if (d == last && plan_.wraps(d))
      with_constant(n, wrapped_at(step), [&](const Vec& s) { v_.add_lanes(wrapped, digit, s); });
    with_constant(n, step_at(step, d), [&](const Vec& s) { v_.add_lanes(digit, digit, s); });
    if (d != last) v_.add_one_where(digit, carry, n.ones);
    if (!plan_.wraps(d)) continue;
    if (d != last)
      with_constant(n, extent_at(d), [&](const Vec& s) { v_.sub_lanes(wrapped, digit, s); });
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
  const size_t lo = offsetof(RingFrame, above_lo) + predicate * sizeof(int64_t);
  const size_t hi = offsetof(RingFrame, above_hi) + predicate * sizeof(int64_t);
  tested(difference, lanes, p, p.lo);
  if (is_single(p)) {
    with_constant(n, lo, [&](const Vec& c) { v_.equal(result, difference, c); });
    return result;
  }
  auto too_high = v_.mask();
  with_constant(n, lo, [&](const Vec& c) { v_.greater(result, difference, c); });
  if (!(p.lo.terms == p.hi.terms)) tested(difference, lanes, p, p.hi);
  with_constant(n, hi, [&](const Vec& c) { v_.greater(too_high, difference, c); });
  v_.mask_and_not(result, too_high, result);
  return result;
}

template <class T>
auto RingEmitter<T>::value(Names& n, const Lanes& lanes, const Vec& scratch) -> const Vec& {
  const auto lane_of = [&](const Inst& result) -> const VecReg& {
    return lanes[static_cast<size_t>(result.imm) - static_cast<size_t>(plan_.first_dim)];
  };
  const auto into = [&](const Vec& d, const Inst& result) {
    if (result.op == Opcode::constant) return v_.splat(d, result.imm);
    v_.copy(d, lane_of(result));
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
  take_hot(n);
  v_.L(again);
  for (int i = 0; i < chains; i++) {
    Lanes& lanes = n.chain[static_cast<size_t>(i)];
    v_.store(v_.ptr[n.cur + i * T::kVecBytes], value(n, lanes, n.val), nontemporal_);
    advance(n, lanes, RingStep::blocks);
  }
  v_.add(n.cur, chains * T::kVecBytes);
  v_.dec(n.count);
  v_.jnz(again);
  hot_.clear();
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
  Names n(v_, plan_, chains(program_));
  Label part, done;
  for (size_t d = 0; d < n.chain[0].size(); d++)
    v_.load(n.chain[0][d], v_.ptr[n.frame + offsetof(RingFrame, lanes) + d * 64]);
  if (plan_.digits > 1) v_.splat(n.ones, 1);
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
