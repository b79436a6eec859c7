// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include "codegen/body_plan.h"
#include "codegen/codegen.h"
#include "codegen/lane_asm.h"
#include "codegen/lane_regs.h"
#include "codegen/vec_asm.h"

namespace iotadnn::impl {

// Emits a function of one body, void(PointwiseFrame*): what does not depend on the column, then a
// loop over chunks of lanes, each loading all that it reads before it stores its results (which may
// go to where it read), then what is left as a chunk in part.
template <class T>
class BodyEmitter {
 public:
  BodyEmitter(VecAsm<T>& v, const RowProgram& program, const BodyPlan& plan);

  // Elements of a chunk.
  int lanes() const { return T::kVecBytes / plan_.widest(); }

  // Whether the function works on what is left; else `rest` is not looked at.
  bool has_parts() const;

  // Whether there is something to store past the caches.
  bool has_nontemporal() const;

  // nontemporal: for whole chunks only, whose destinations of 4 and 8 bytes per element are aligned
  // to a line.
  void emit(bool nontemporal);

 private:
  using Part = typename LaneAsm<T>::Part;

  using V = Xbyak::Xmm;
  using Reg64 = Xbyak::Reg64;

  void release();
  void declare_values();
  void emit_before_loop();
  void pin_invariants();
  void emit_loop(bool nontemporal);
  void emit_chunk(Part part, bool nontemporal);
  void compute(size_t value, Part part);
  void compute_leaf(const Inst& inst, const V& d, Part part);
  void compute_by_call(size_t value);
  void store_results(Part part, bool nontemporal);

  bool needs_call(const Inst& inst) const;
  bool loop_calls() const;

  int reg_bytes(DataType type) const { return lanes() * lane_bytes(type); }

  Xbyak::Address field(size_t offset) { return v_.ptr[*frame_ + static_cast<int>(offset)]; }

  // The current chunk of a tensor whose address stands at `offset` of the frame.
  Xbyak::Address chunk(const Reg64& address, size_t offset, DataType type) {
    v_.mov(address, field(offset));
    return v_.ptr[address + *index_ * bytes_of(type)];
  }

  VecAsm<T>& v_;
  const RowProgram& program_;
  const BodyPlan& plan_;
  std::vector<typename VecAsm<T>::VecReg> vectors_;  // all there are: regs_ hands them out
  std::optional<typename VecAsm<T>::GprReg> frame_;
  std::optional<typename VecAsm<T>::GprReg> index_;  // of the chunk's first element
  std::optional<LaneRegs> regs_;
  std::optional<LaneAsm<T>> asm_;
};

}  // namespace iotadnn::impl
