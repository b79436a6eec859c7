// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "codegen/bodies.h"
#include "codegen/codegen.h"
#include "codegen/row_intervals.h"
#include "codegen/vec_asm.h"

namespace iotadnn::impl {

// Emits the two functions of the rows walk, each void(RowsFrame*):
//   unit_rows     elements of a row are adjacent: whole vectors, those that hold a break blended
//   strided_rows  one element at a time
// Both walk the rows in the same way: evaluate the row's intervals, cut the row at their ends, run
// the body of each segment. Each may be called once.
template <class T>
class RowsEmitter {
 public:
  RowsEmitter(VecAsm<T>& v, const RowProgram& program, Store store);

  void unit_rows();
  void strided_rows();

 private:
  using Reg64 = Xbyak::Reg64;
  using Vec = typename VecAsm<T>::Vec;
  using Label = Xbyak::Label;

  // The registers that live through a function. Positions and counts are in elements.
  struct Names {
    explicit Names(VecAsm<T>& v)
        : frame(v.gpr(v.rdi)),
          row(v.gpr()),
          columns(v.gpr()),
          pos(v.gpr()),
          next(v.gpr()),
          limit(v.gpr()),
          bits(v.gpr()),
          to(v.gpr()),
          val(v.vec()) {}

    typename VecAsm<T>::GprReg frame, row, columns;
    typename VecAsm<T>::GprReg pos;          // the column that is next
    typename VecAsm<T>::GprReg next, limit;  // where the segment and the loop over segments end
    typename VecAsm<T>::GprReg bits;         // truth of the predicates in the segment
    typename VecAsm<T>::GprReg to;           // address of the next store
    typename VecAsm<T>::VecReg val;          // what is stored
  };

  template <class OneRow>
  void for_each_row(Names& n, const OneRow& one_row);

  void unit_row(Names& n);
  void nontemporal_row(Names& n);
  void whole_vectors(Names& n, bool nontemporal);
  void fill(Names& n, const Reg64& count, bool nontemporal);
  void ramp(Names& n, const Reg64& count, bool nontemporal);
  void blended_vector(Names& n);
  void span(Names& n);
  void strided_segments(Names& n);
  void value(Names& n, const Vec& d, const Inst& result);

  Xbyak::Address address_of(const Reg64& row, const Reg64& column) {
    return v_.ptr[row + column * program_.elem_bytes];
  }

  Xbyak::Address field(Names& n, size_t offset, size_t index = 0) {
    return frame_field(v_, n.frame, offset, index);
  }

  bool is_ramp(const Inst& result) const {
    return result.op == Opcode::coord && static_cast<int>(result.imm) == program_.rank - 1;
  }

  VecAsm<T>& v_;
  const RowProgram& program_;
  Bodies bodies_;
  RowIntervals<T> intervals_;
  bool nontemporal_;
  bool has_ramp_ = false;
  Label blended_;  // local functions of unit_rows
  Label span_;
};

}  // namespace iotadnn::impl
