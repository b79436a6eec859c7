// SPDX-License-Identifier: Apache-2.0
#include "codegen/body_emitter.h"

#include <algorithm>
#include <array>
#include <cstddef>

#include "codegen/call_out.h"
#include "codegen/isa_avx2_lanes.h"
#include "codegen/isa_avx512_lanes.h"
#include "codegen/native.h"
#include "codegen/pointwise_frame.h"
#include "program/opcodes.h"

namespace iotadnn::impl {
namespace {

// Registers that an op may ask for besides its operands and its result.
constexpr int kTemporaries = 6;

// An odd number of saved registers: the stack is aligned for calls.
constexpr size_t kSaved = 5;

size_t lane_array(size_t index) {
  return offsetof(PointwiseFrame, lanes) + index * kMaxVecBytes;
}

}  // namespace

template <class T>
BodyEmitter<T>::BodyEmitter(VecAsm<T>& v, const RowProgram& program, const BodyPlan& plan)
    : v_(v), program_(program), plan_(plan) {}

template <class T>
void BodyEmitter<T>::emit(bool nontemporal) {
  v_.prologue(kSaved);
  frame_.emplace(v_.gpr(v_.rbx));  // both must survive calls
  index_.emplace(v_.gpr(v_.rbp));
  std::vector<int> indices;
  while (v_.free_vecs() > 0) {
    vectors_.push_back(v_.vec());
    indices.push_back(vectors_.back().getIdx());
  }
  regs_.emplace(v_, *frame_, offsetof(PointwiseFrame, slots), RegFile(indices), plan_.values());
  asm_.emplace(v_, *regs_);
  declare_values();

  v_.mov(*frame_, v_.rdi);
  emit_before_loop();
  emit_loop(nontemporal);
  v_.epilogue();
  release();
}

template <class T>
void BodyEmitter<T>::release() {
  asm_.reset();
  regs_.reset();
  vectors_.clear();
  index_.reset();
  frame_.reset();
}

template <class T>
void BodyEmitter<T>::emit_loop(bool nontemporal) {
  Xbyak::Label loop;
  Xbyak::Label rest;
  Xbyak::Label done;
  v_.xor_(index_->cvt32(), index_->cvt32());
  v_.cmp(*index_, field(offsetof(PointwiseFrame, full)));
  v_.jge(rest);
  v_.L(loop);
  emit_chunk(Part::whole, nontemporal);
  v_.add(*index_, lanes());
  v_.cmp(*index_, field(offsetof(PointwiseFrame, full)));
  v_.jl(loop);
  v_.L(rest);
  if (nontemporal || !has_parts()) return;
  v_.cmp(v_.qword[*frame_ + static_cast<int>(offsetof(PointwiseFrame, rest))], 0);
  v_.je(done);
  asm_->begin_part(plan_.widest(), field(offsetof(PointwiseFrame, rest)));
  emit_chunk(Part::first_lanes, false);
  v_.L(done);
}

template <class T>
bool BodyEmitter<T>::has_parts() const {
  for (const uint8_t input : plan_.inputs())
    if (!LaneAsm<T>::has_part(program_.inputs[input])) return false;
  return std::all_of(program_.outputs.begin(), program_.outputs.end(), LaneAsm<T>::has_part);
}

template <class T>
bool BodyEmitter<T>::has_nontemporal() const {
  return std::any_of(program_.outputs.begin(), program_.outputs.end(),
                     [](DataType type) { return bytes_of(type) >= 4; });
}

template <class T>
void BodyEmitter<T>::declare_values() {
  for (size_t i = 0; i < plan_.values(); ++i) {
    const Inst& inst = plan_.inst(i);
    regs_->declare(i, reg_bytes(inst.type));
    if (inst.op == Opcode::constant)
      regs_->declare_constant(i, LaneAsm<T>::constant(inst.type, inst.imm));
  }
}

template <class T>
void BodyEmitter<T>::emit_before_loop() {
  regs_->set_uses(plan_.uses_before_loop());
  for (size_t i = 0; i < plan_.values(); ++i)
    if (plan_.needed(i) && plan_.invariant(i)) compute(i, Part::whole);
  regs_->save_all(plan_.values());
  regs_->set_uses(plan_.uses_in_loop());
  regs_->forget();
  if (!loop_calls()) pin_invariants();
}

template <class T>
void BodyEmitter<T>::pin_invariants() {
  int room = T::kVecRegs - kTemporaries - plan_.pressure();
  for (const size_t value : plan_.invariants_by_use())
    if (room-- > 0) regs_->pin(value);
}

template <class T>
bool BodyEmitter<T>::needs_call(const Inst& inst) const {
  return inst.op >= kFirstPointwise && !is_native<T>(inst.op, inst.type, plan_.operand_type(inst));
}

template <class T>
bool BodyEmitter<T>::loop_calls() const {
  for (size_t i = 0; i < plan_.values(); ++i)
    if (plan_.needed(i) && !plan_.invariant(i) && needs_call(plan_.inst(i))) return true;
  return false;
}

template <class T>
void BodyEmitter<T>::emit_chunk(Part part, bool nontemporal) {
  regs_->forget();
  for (size_t i = 0; i < plan_.values(); ++i)
    if (plan_.needed(i) && !plan_.invariant(i)) compute(i, part);
  store_results(part, nontemporal);
}

template <class T>
void BodyEmitter<T>::compute(size_t value, Part part) {
  const Inst& inst = plan_.inst(value);
  if (inst.op == Opcode::constant) return;  // loaded where it is used
  if (inst.op < kFirstPointwise) {
    compute_leaf(inst, regs_->define(value), part);
  } else if (needs_call(inst)) {
    compute_by_call(value);
  } else {
    std::array<V, 3> operands;
    const auto count = std::min(operands.size(), static_cast<size_t>(info_of(inst.op).operands));
    for (size_t a = 0; a < count; ++a)
      operands[a] = regs_->use(inst.args[a]);
    asm_->compute(inst, plan_.operand_type(inst), regs_->define(value), operands.data());
  }
  regs_->leave(value);
}

template <class T>
void BodyEmitter<T>::compute_leaf(const Inst& inst, const V& d, Part part) {
  auto address = v_.gpr();
  const int at = static_cast<int>(inst.imm) * 8;
  switch (inst.op) {
    case Opcode::scalar:
      v_.mov(address, field(offsetof(PointwiseFrame, scalars)));
      return asm_->broadcast(inst.type, d, v_.ptr[address + at]);
    case Opcode::coord:
      if (static_cast<int>(inst.imm) == program_.rank - 1) {
        v_.mov(address, field(offsetof(PointwiseFrame, column)));
        v_.add(address, *index_);
        return asm_->ramp(inst.type, d, address);
      }
      v_.mov(address, field(offsetof(PointwiseFrame, coords)));
      return asm_->broadcast(inst.type, d, v_.ptr[address + at]);
    default:
      break;
  }
  const size_t source = offsetof(PointwiseFrame, src) + static_cast<size_t>(at);
  if (!plan_.row_constant(inst))
    return asm_->load(inst.type, d, chunk(address, source, inst.type), part);
  v_.mov(address, field(source));
  asm_->broadcast(inst.type, d, v_.ptr[address]);
}

template <class T>
void BodyEmitter<T>::compute_by_call(size_t value) {
  const Inst& inst = plan_.inst(value);
  for (size_t a = 0; a < static_cast<size_t>(info_of(inst.op).operands); ++a) {
    const V operand = regs_->use(inst.args[a]);
    asm_->store(plan_.inst(inst.args[a]).type, field(lane_array(a + 1)), operand);
  }
  regs_->save_all(value);
  v_.vzeroupper();
  v_.lea(v_.rdi, field(lane_array(0)));
  v_.mov(v_.rsi, call_out_word(inst.op, inst.type, plan_.operand_type(inst), lanes()));
  v_.mov(v_.rax, reinterpret_cast<uintptr_t>(&call_out));
  v_.call(v_.rax);
  asm_->load(inst.type, regs_->define(value), field(lane_array(0)));
}

template <class T>
void BodyEmitter<T>::store_results(Part part, bool nontemporal) {
  const auto& results = plan_.body().results;
  for (size_t o = 0; o < results.size(); ++o) {
    const DataType type = program_.outputs[o];
    auto address = v_.gpr();
    const V value = regs_->use(results[o]);
    const auto to = chunk(address, offsetof(PointwiseFrame, dst) + o * 8, type);
    if (nontemporal && bytes_of(type) >= 4)
      asm_->store_nontemporal(to, value);
    else
      asm_->store(type, to, value, part);
    regs_->leave(plan_.values() + o);
  }
}

template class BodyEmitter<Avx2>;
template class BodyEmitter<Avx512>;

}  // namespace iotadnn::impl
