// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "codegen/bodies.h"
#include "codegen/codegen.h"
#include "codegen/ring_frame.h"
#include "codegen/vec_asm.h"

namespace iotadnn::impl {

// Emits void(const RingFrame*, uint8_t* first_element): a dense output as one stream of vectors,
// whose lanes carry the coordinates that the program reads. A step adds its digits and takes an
// extent off where a lane went past it: v = min(v + s, v + s - extent), unsigned. Some independent
// chains hide the latency of that.
template <class T>
class RingEmitter {
 public:
  RingEmitter(VecAsm<T>& v, const RowProgram& program, Store store)
      : v_(v),
        program_(program),
        plan_(ring_plan(program)),
        bodies_(program),
        nontemporal_(store == Store::nontemporal) {}

  void stream();

  // Vectors in a round of the main loop; a whole number of lines.
  static int chains(const RowProgram& program);

 private:
  using Reg64 = Xbyak::Reg64;
  using Vec = typename VecAsm<T>::Vec;
  using VecReg = typename VecAsm<T>::VecReg;
  using MaskReg = typename VecAsm<T>::MaskReg;
  using Label = Xbyak::Label;
  using Lanes = std::vector<VecReg>;  // the digits of one vector

  struct Names;

  // A constant of the main loop, by its place in the frame.
  struct Hot {
    size_t offset;
    VecReg reg;
  };

  void take_hot(Names& n);
  void head(Names& n);
  void main_loop(Names& n);
  void last_vectors(Names& n);

  void advance(Names& n, Lanes& lanes, RingStep step);
  template <class Use>
  void with_constant(Names& n, size_t offset, const Use& use);
  void copy(Lanes& to, const Lanes& from);

  // The register that holds what these lanes store: one of them, or `scratch`.
  const Vec& value(Names& n, const Lanes& lanes, const Vec& scratch);
  MaskReg holds(Names& n, const Lanes& lanes, size_t predicate);
  void tested(const Vec& d, const Lanes& lanes, const Predicate& p, const Bound& bound);

  Xbyak::Address field(Names& n, size_t offset, size_t index = 0);

  VecAsm<T>& v_;
  const RowProgram& program_;
  RingPlan plan_;
  Bodies bodies_;
  bool nontemporal_;
  std::vector<Hot> hot_;
  Label one_value_;  // local function: val = value of the first chain
};

}  // namespace iotadnn::impl
