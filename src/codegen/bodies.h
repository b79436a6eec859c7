// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "codegen/vec_asm.h"
#include "program/program.h"

namespace iotadnn::impl {

// The bodies of a program as what they store: the last instruction's value. Opcodes have no
// operands, so the instructions before it have no effect.
class Bodies {
 public:
  explicit Bodies(const RowProgram& program)
      : predicates_(static_cast<int>(program.predicates.size())) {
    for (const Body& body : program.bodies)
      results_.push_back(body.insts.back());
  }

  int predicates() const { return predicates_; }

  const Inst& result(int truth) const { return results_[static_cast<size_t>(truth)]; }

  // Whether the truth of predicates below `predicate` makes no difference, those from it on being
  // as `truth` says.
  bool same_below(int predicate, int truth) const {
    for (int low = 1; low < 1 << predicate; low++)
      if (!(result(truth | low) == result(truth))) return false;
    return true;
  }

 private:
  int predicates_;
  std::vector<Inst> results_;
};

// Code that jumps by `bits` (bit p = truth of predicate p) to what leaf(result) emits; bodies that
// are equal share it. A leaf must end with a jump.
template <class T, class Leaf>
void emit_dispatch(VecAsm<T>& v, const Bodies& bodies, const Xbyak::Reg32& bits, const Leaf& leaf,
                   int predicate, int truth = 0) {
  if (bodies.same_below(predicate, truth)) return leaf(bodies.result(truth));
  Xbyak::Label yes;
  const int p = predicate - 1;
  v.test(bits, 1 << p);
  v.jnz(yes);
  emit_dispatch(v, bodies, bits, leaf, p, truth);
  v.L(yes);
  emit_dispatch(v, bodies, bits, leaf, p, truth | 1 << p);
}

// d = the body of each lane's truth, masks[p] being the lanes where predicate p holds;
// value(reg, result) puts a body's value into a register.
template <class T, class Value>
void emit_blend(VecAsm<T>& v, const Bodies& bodies,
                const std::vector<typename VecAsm<T>::MaskReg>& masks,
                const typename VecAsm<T>::Vec& d, const Value& value, int predicate,
                int truth = 0) {
  if (bodies.same_below(predicate, truth)) return value(d, bodies.result(truth));
  const int p = predicate - 1;
  emit_blend(v, bodies, masks, d, value, p, truth);
  auto yes = v.vec();
  emit_blend(v, bodies, masks, yes, value, p, truth | 1 << p);
  v.select(d, masks[static_cast<size_t>(p)], yes, d);
}

}  // namespace iotadnn::impl
