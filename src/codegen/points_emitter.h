// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "codegen/codegen.h"
#include "codegen/points_frame.h"
#include "codegen/vec_asm.h"

namespace iotadnn::impl {

// Emits the functions of the points walk, which write a stream of a constant with isolated points
// in one ascending pass; each may be called once. void(PointsFrame*):
//   flat        vector stores. A vector that holds points is made by loads that slide over a block
//               "zeros, difference, zeros": exclusive or with the constant gives the point,
//               whatever its type and place.
//   blocks      the constant by vector stores, block by block, and then the block's points, one by
//               one, while it is in the first-level cache: where points are so close, or the output
//               so large, that a mispredicted branch per point costs more than a second store
//   rep_blocks  the same with `rep stos` and larger blocks
// void(PointRowsFrame*):
//   vector_rows(n)  rows of n whole vectors, without branches: lanes whose column is the point's
template <class T>
class PointsEmitter {
 public:
  PointsEmitter(VecAsm<T>& v, const DiagonalForm& form, Store store)
      : v_(v), form_(form), nontemporal_(store == Store::nontemporal) {}

  void flat();
  void blocks();
  void rep_blocks();
  void vector_rows(int vectors);

 private:
  using Reg64 = Xbyak::Reg64;
  using Label = Xbyak::Label;

  struct Names;

  void enter(Names& n);
  void whole_vectors(Names& n);
  void sparse_points(Names& n, Label& last_of_group, Label& done);
  void background(Names& n, bool nontemporal);
  void collect(Names& n);
  void next_point(Names& n);
  void next_group(const Reg64& frame, const Reg64& point, const Reg64& left);
  void short_run(Names& n);
  void scatter(Names& n, const Reg64& value, const Reg64& step);
  std::vector<uint8_t> sliding_block() const;

  VecAsm<T>& v_;
  DiagonalForm form_;
  bool nontemporal_;
  Label short_run_;
};

}  // namespace iotadnn::impl
