// SPDX-License-Identifier: Apache-2.0
#include "codegen/rows_emitter.h"

#include "base/cpu.h"
#include "codegen/isa_avx2.h"
#include "codegen/isa_avx512.h"

namespace iotadnn::impl {
namespace {

constexpr int kUnroll = 4;
constexpr size_t kCalleeSaved = 6;

int log2_of(int power) {
  return power == 1 ? 0 : 1 + log2_of(power / 2);
}

}  // namespace

template <class T>
RowsEmitter<T>::RowsEmitter(VecAsm<T>& v, const RowProgram& program, Store store)
    : v_(v),
      program_(program),
      bodies_(program),
      intervals_(v, program),
      nontemporal_(store == Store::nontemporal) {
  for (const Body& body : program.bodies)
    has_ramp_ = has_ramp_ || is_ramp(body.insts.back());
}

// The odometer over the outer dimensions; the innermost of them nearly always ends it.
template <class T>
template <class OneRow>
void RowsEmitter<T>::for_each_row(Names& n, const OneRow& one_row) {
  Label row, next_row;
  v_.mov(n.row, field(n, offsetof(RowsFrame, row)));
  v_.mov(n.columns, field(n, offsetof(RowsFrame, columns)));
  v_.L(row);
  intervals_.evaluate(n.frame, n.columns);
  one_row();
  v_.dec(v_.qword[n.frame + offsetof(RowsFrame, rows)]);
  Label done;
  v_.jz(done);
  for (size_t d = static_cast<size_t>(program_.rank) - 1; d-- > 0;) {
    auto coord = v_.gpr();
    v_.mov(coord, field(n, offsetof(RowsFrame, coord), d));
    v_.inc(coord);
    v_.add(n.row, field(n, offsetof(RowsFrame, forward), d));
    v_.mov(field(n, offsetof(RowsFrame, coord), d), coord);
    v_.cmp(coord, field(n, offsetof(RowsFrame, extent), d));
    v_.jl(row);
    v_.mov(v_.qword[n.frame + offsetof(RowsFrame, coord) + d * sizeof(int64_t)], 0);
    v_.sub(n.row, field(n, offsetof(RowsFrame, back), d));
  }
  v_.L(done);
}

template <class T>
void RowsEmitter<T>::unit_rows() {
  v_.prologue(kCalleeSaved);
  {
    Names n(v_);
    for_each_row(n, [&] { nontemporal_ ? nontemporal_row(n) : unit_row(n); });
    if (nontemporal_) v_.sfence();
    v_.epilogue();
    v_.L(blended_);
    blended_vector(n);
    v_.L(span_);
    span(n);
  }
}

// Whole vectors from the first aligned one on. What is in front of it and behind the last is
// written by vectors that overlap them: the same values again.
template <class T>
void RowsEmitter<T>::unit_row(Names& n) {
  Label short_row, aligned, done;
  v_.xor_(n.pos, n.pos);
  v_.mov(n.limit, n.columns);
  v_.cmp(n.columns, v_.lanes());
  v_.jl(short_row);

  v_.mov(n.to, n.row);
  v_.neg(n.to);
  v_.and_(n.to, T::kVecBytes - 1);
  v_.jz(aligned);
  v_.call(blended_);
  v_.store(v_.ptr[n.row], n.val);
  v_.mov(n.pos, n.to);
  v_.shr(n.pos, log2_of(program_.elem_bytes));
  v_.L(aligned);
  v_.mov(n.limit, n.columns);
  v_.sub(n.limit, n.pos);
  v_.and_(n.limit, -v_.lanes());
  v_.add(n.limit, n.pos);
  whole_vectors(n, false);
  v_.cmp(n.limit, n.columns);
  v_.jge(done);
  v_.lea(n.pos, v_.ptr[n.columns - v_.lanes()]);
  v_.call(blended_);
  v_.store(address_of(n.row, n.pos), n.val);
  v_.jmp(done);

  v_.L(short_row);
  v_.call(span_);
  v_.L(done);
}

// Whole lines past the caches. No line is stored to both ways: the parts in front and behind are
// written up to the line's limits.
template <class T>
void RowsEmitter<T>::nontemporal_row(Names& n) {
  constexpr int kFewLines = 4;
  const int line = kLineBytes / program_.elem_bytes;
  Label short_row, done;
  v_.xor_(n.pos, n.pos);
  v_.mov(n.limit, n.columns);
  v_.cmp(n.columns, kFewLines * line);
  v_.jl(short_row);

  v_.mov(n.limit, n.row);
  v_.neg(n.limit);
  v_.and_(n.limit, kLineBytes - 1);
  v_.shr(n.limit, log2_of(program_.elem_bytes));
  v_.call(span_);
  v_.mov(n.pos, n.limit);
  v_.mov(n.limit, n.columns);
  v_.sub(n.limit, n.pos);
  v_.and_(n.limit, -line);
  v_.add(n.limit, n.pos);
  whole_vectors(n, true);
  v_.mov(n.pos, n.limit);
  v_.mov(n.limit, n.columns);
  v_.L(short_row);
  v_.call(span_);
  v_.L(done);
}

// Columns [pos, limit), a whole number of vectors.
template <class T>
void RowsEmitter<T>::whole_vectors(Names& n, bool nontemporal) {
  Label again, break_vector, done, fill_loop, ramp_loop;
  auto count = v_.gpr();
  v_.L(again);
  v_.cmp(n.pos, n.limit);
  v_.jge(done);
  const bool one_segment = bodies_.predicates() == 0;
  if (one_segment)
    v_.mov(n.next, n.limit);
  else
    intervals_.segment(n.frame, n.pos, n.limit, n.bits, n.next);
  v_.mov(count, n.next);
  v_.sub(count, n.pos);
  v_.shr(count, log2_of(v_.lanes()));
  if (!one_segment) v_.jz(break_vector);
  v_.lea(n.to, address_of(n.row, n.pos));
  const auto leaf = [&](const Inst& result) {
    value(n, n.val, result);
    if (!one_segment || is_ramp(result)) v_.jmp(is_ramp(result) ? ramp_loop : fill_loop);
  };
  emit_dispatch(v_, bodies_, n.bits.cvt32(), leaf, bodies_.predicates());
  v_.L(fill_loop);
  fill(n, count, nontemporal);
  Label after;
  if (has_ramp_) {
    v_.jmp(after);
    v_.L(ramp_loop);
    ramp(n, count, nontemporal);
  }
  v_.L(after);
  if (one_segment) return v_.L(done);
  v_.mov(n.pos, n.to);  // the column that `to` points at
  v_.sub(n.pos, n.row);
  v_.shr(n.pos, log2_of(program_.elem_bytes));
  v_.cmp(n.pos, n.next);
  v_.je(again);
  v_.L(break_vector);
  v_.call(blended_);
  v_.store(address_of(n.row, n.pos), n.val, nontemporal);
  v_.add(n.pos, v_.lanes());
  v_.jmp(again);
  v_.L(done);
}

// `count` >= 1 vectors of val from `to` on, which is moved past them.
template <class T>
void RowsEmitter<T>::fill(Names& n, const Reg64& count, bool nontemporal) {
  Label many, few, one, done;
  v_.sub(count, kUnroll);
  v_.jl(few);
  v_.L(many);
  for (int i = 0; i < kUnroll; i++)
    v_.store(v_.ptr[n.to + i * T::kVecBytes], n.val, nontemporal);
  v_.add(n.to, kUnroll * T::kVecBytes);
  v_.sub(count, kUnroll);
  v_.jge(many);
  v_.L(few);
  v_.add(count, kUnroll);
  v_.jz(done);
  v_.L(one);
  v_.store(v_.ptr[n.to], n.val, nontemporal);
  v_.add(n.to, T::kVecBytes);
  v_.dec(count);
  v_.jnz(one);
  v_.L(done);
}

// The same for a ramp that starts with val.
template <class T>
void RowsEmitter<T>::ramp(Names& n, const Reg64& count, bool nontemporal) {
  Label many, few, one, done;
  auto ahead = v_.vec();  // the vector after val: two chains
  auto step = v_.vec();
  auto two_steps = v_.vec();
  v_.splat(step, static_cast<uint64_t>(v_.lanes()));
  v_.splat(two_steps, static_cast<uint64_t>(2 * v_.lanes()));
  v_.sub(count, 2);
  v_.jl(few);
  v_.add_lanes(ahead, n.val, step);
  v_.L(many);
  v_.store(v_.ptr[n.to], n.val, nontemporal);
  v_.store(v_.ptr[n.to + T::kVecBytes], ahead, nontemporal);
  v_.add_lanes(n.val, n.val, two_steps);
  v_.add_lanes(ahead, ahead, two_steps);
  v_.add(n.to, 2 * T::kVecBytes);
  v_.sub(count, 2);
  v_.jge(many);
  v_.L(few);
  v_.add(count, 2);
  v_.jz(done);
  v_.store(v_.ptr[n.to], n.val, nontemporal);
  v_.add(n.to, T::kVecBytes);
  v_.L(done);
}

// A body's value, from column pos on.
template <class T>
void RowsEmitter<T>::value(Names& n, const Vec& d, const Inst& result) {
  if (result.op == Opcode::constant) return v_.splat(d, result.imm);
  if (!is_ramp(result)) return v_.broadcast(d, field(n, offsetof(RowsFrame, coord), result.imm));
  auto lane = v_.vec();
  v_.broadcast(d, n.pos);
  v_.load_lane_numbers(lane);
  v_.add_lanes(d, d, lane);
}

// Function: val = columns [pos, pos + lanes), each by the truth of the predicates in its lane.
template <class T>
void RowsEmitter<T>::blended_vector(Names& n) {
  std::vector<typename VecAsm<T>::MaskReg> masks;
  auto zero = v_.gpr();
  auto lanes = v_.gpr();
  if (bodies_.predicates() > 0) {
    v_.xor_(zero.cvt32(), zero.cvt32());
    v_.mov(lanes.cvt32(), v_.lanes());
  }
  const auto lanes_before = [&](const typename VecAsm<T>::Mask& m, size_t offset, size_t p) {
    auto count = v_.gpr();
    v_.mov(count, field(n, offset, p));
    v_.sub(count, n.pos);
    v_.cmovs(count, zero);
    v_.cmp(count, lanes);
    v_.cmovg(count, lanes);
    v_.first_lanes(m, count);
  };
  for (size_t p = 0; p < program_.predicates.size(); p++) {
    masks.push_back(v_.mask());
    auto below = v_.mask();
    lanes_before(masks[p], offsetof(RowsFrame, hi), p);
    lanes_before(below, offsetof(RowsFrame, lo), p);
    v_.mask_and_not(masks[p], below, masks[p]);
  }
  emit_blend(
      v_, bodies_, masks, n.val, [&](const Vec& d, const Inst& result) { value(n, d, result); },
      bodies_.predicates());
  v_.ret();
}

// Function: columns [pos, limit) and nothing else, by normal stores; moves pos and `to`.
template <class T>
void RowsEmitter<T>::span(Names& n) {
  Label whole, rest, part, done;
  auto left = v_.gpr();
  v_.mov(left, n.limit);
  v_.sub(left, n.pos);
  v_.cmp(left, v_.lanes());
  v_.jl(part);
  v_.L(whole);
  v_.call(blended_);
  v_.store(address_of(n.row, n.pos), n.val);
  v_.add(n.pos, v_.lanes());
  v_.mov(left, n.limit);
  v_.sub(left, n.pos);
  v_.cmp(left, v_.lanes());
  v_.jge(whole);
  v_.test(left, left);
  v_.jz(done);
  v_.lea(n.pos, v_.ptr[n.limit - v_.lanes()]);
  v_.jmp(whole);

  v_.L(part);
  v_.test(left, left);
  v_.jz(done);
  v_.call(blended_);
  v_.lea(n.to, address_of(n.row, n.pos));
  v_.mov(left, n.limit);
  v_.sub(left, n.pos);
  v_.store_part(n.to, n.val, left);
  v_.L(done);
  v_.ret();
}

template <class T>
void RowsEmitter<T>::strided_rows() {
  v_.prologue(kCalleeSaved);
  Names n(v_);
  for_each_row(n, [&] { strided_segments(n); });
  v_.epilogue();
}

template <class T>
void RowsEmitter<T>::strided_segments(Names& n) {
  Label again, loop;
  auto element = v_.gpr();
  auto increment = v_.gpr();
  v_.xor_(n.pos.cvt32(), n.pos.cvt32());
  v_.mov(n.to, n.row);
  v_.L(again);
  intervals_.segment(n.frame, n.pos, n.columns, n.bits, n.next);
  const auto leaf = [&](const Inst& result) {
    v_.mov(increment.cvt32(), is_ramp(result) ? 1 : 0);
    if (is_ramp(result))
      v_.mov(element, n.pos);
    else if (result.op == Opcode::coord)
      v_.mov(element, field(n, offsetof(RowsFrame, coord), result.imm));
    else
      v_.mov(element, result.imm);
    v_.jmp(loop);
  };
  emit_dispatch(v_, bodies_, n.bits.cvt32(), leaf, bodies_.predicates());
  v_.L(loop);
  v_.store_element(n.to, element);
  v_.add(n.to, field(n, offsetof(RowsFrame, step)));
  v_.add(element, increment);
  v_.inc(n.pos);
  v_.cmp(n.pos, n.next);
  v_.jl(loop);
  v_.cmp(n.pos, n.columns);
  v_.jl(again);
}

template class RowsEmitter<Avx2>;
template class RowsEmitter<Avx512>;

}  // namespace iotadnn::impl
