// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "codegen/vec_asm.h"

namespace iotadnn::impl {

// `bytes` >= 1 of memory at `to`. A copy's memory is apart from `from`'s; `pattern` is a fill's
// element, repeated to 8 bytes. No byte outside is read or written, some are written twice.
using CopyFunction = void (*)(void* to, const void* from, int64_t bytes);
using FillFunction = void (*)(void* to, uint64_t pattern, int64_t bytes);

// Emits the two, for elements of any width. nontemporal: where a span has many whole lines, those
// bypass the caches, and nothing else is stored to them; who calls must fence. (Not so a fill whose
// elements are not aligned to their width.)
template <class T>
class SpanEmitter {
 public:
  SpanEmitter(VecAsm<T>& v, bool nontemporal) : v_(v), nontemporal_(nontemporal) {}

  void copy() { emit(true); }

  void fill() { emit(false); }

 private:
  using Reg64 = Xbyak::Reg64;

  // Where a function's arguments and its position are.
  struct Names;

  void emit(bool copies);
  void whole_vectors(Names& n);
  void to_lines_between_elements(Names& n, const Xbyak::Label& inside_elements);
  void whole_lines(Names& n);
  void part_of_line(Names& n);
  void spread_pattern(Names& n, const Xbyak::Xmm& d);
  void vectors(Names& n, const Xbyak::RegExp& to, const Xbyak::RegExp& from, int count,
               bool nontemporal);
  void less_than_a_vector(Names& n);
  void ends(Names& n, int bytes);
  void piece(Names& n, int bytes, const Xbyak::RegExp& offset);

  VecAsm<T>& v_;
  const bool nontemporal_;
};

}  // namespace iotadnn::impl
