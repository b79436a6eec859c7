// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "codegen/codegen.h"
#include "codegen/points_frame.h"
#include "codegen/vec_asm.h"

namespace iotadnn::impl {

// Emits void(PointsFrame*): one ascending pass over a stream of a constant, the points put in as
// they come. A vector that holds points is made by loads that slide over a block "zeros,
// difference, zeros": exclusive or with the constant gives the point, whatever its type and place.
template <class T>
class PointsEmitter {
 public:
  PointsEmitter(VecAsm<T>& v, const DiagonalForm& form, Store store)
      : v_(v), form_(form), nontemporal_(store == Store::nontemporal) {}

  void stream();      // by vector stores
  void rep_blocks();  // by `rep stos`, and the points by scalar stores

 private:
  using Reg64 = Xbyak::Reg64;
  using Label = Xbyak::Label;

  struct Names;

  void whole_vectors(Names& n);
  void background(Names& n);
  void collect(Names& n);
  void next_point(Names& n);
  void short_run(Names& n);
  std::vector<uint8_t> sliding_block() const;

  VecAsm<T>& v_;
  DiagonalForm form_;
  bool nontemporal_;
  Label short_run_;
};

}  // namespace iotadnn::impl
