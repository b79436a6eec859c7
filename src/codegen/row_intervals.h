// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "codegen/rows_frame.h"
#include "codegen/vec_asm.h"
#include "program/program.h"

namespace iotadnn::impl {

// Emits the per-row part of index set splitting: where each predicate holds in the row at hand, and
// which segment a column lies in.
template <class T>
class RowIntervals {
 public:
  using Reg64 = Xbyak::Reg64;

  RowIntervals(VecAsm<T>& v, const RowProgram& program) : v_(v), program_(program) {}

  // Fills frame->lo and hi for frame->coord. A predicate on an outer coordinate holds in the whole
  // row or nowhere in it.
  void evaluate(const Reg64& frame, const Reg64& columns);

  // bits = the predicates' truth at column pos (< limit); next = where that ends, at most `limit`.
  void segment(const Reg64& frame, const Reg64& pos, const Reg64& limit, const Reg64& bits,
               const Reg64& next);

 private:
  void bound(const Reg64& frame, const Reg64& acc, const Bound& b);
  void add_term(const Reg64& frame, const Reg64& acc, const Term& term);
  void add_constant(const Reg64& acc, int64_t value);
  void clip(const Reg64& lo, const Reg64& hi, const Reg64& columns);
  void all_or_nothing(const Reg64& coord, const Reg64& lo, const Reg64& hi, const Reg64& columns);

  VecAsm<T>& v_;
  const RowProgram& program_;
};

// A field of the frame, or an element of an array in it.
inline Xbyak::Address frame_field(const Xbyak::CodeGenerator& g, const Xbyak::Reg64& frame,
                                  size_t offset, size_t index = 0) {
  return g.ptr[frame + offset + index * sizeof(int64_t)];
}

}  // namespace iotadnn::impl
