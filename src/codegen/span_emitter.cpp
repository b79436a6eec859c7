// SPDX-License-Identifier: Apache-2.0
#include "codegen/span_emitter.h"

#include "base/cpu.h"
#include "codegen/isa_avx2.h"
#include "codegen/isa_avx512.h"

namespace iotadnn::impl {
namespace {

constexpr int kManyLines = 8;

}  // namespace

template <class T>
struct SpanEmitter<T>::Names {
  Names(VecAsm<T>& v, bool is_copy)
      : to(v.gpr(v.rdi)),
        from(v.gpr(v.rsi)),
        bytes(v.gpr(v.rdx)),
        next(v.gpr()),
        value(v.vec()),
        copies(is_copy) {}

  typename VecAsm<T>::GprReg to;     // the next byte
  typename VecAsm<T>::GprReg from;   // of a copy: from `to` to the byte that goes there; a pattern
  typename VecAsm<T>::GprReg bytes;  // how many; in loops the last vector's place
  typename VecAsm<T>::GprReg next;
  typename VecAsm<T>::VecReg value;  // a fill's
  const bool copies;
};

template <class T>
void SpanEmitter<T>::emit(bool copies) {
  v_.prologue(0);
  Names n(v_, copies);
  if (nontemporal_) {
    Xbyak::Label few_lines;
    v_.cmp(n.bytes, kManyLines * kLineBytes);
    v_.jb(few_lines);
    if (!copies) to_lines_between_elements(n, few_lines);
    whole_lines(n);
    v_.epilogue();
    v_.L(few_lines);
  }
  Xbyak::Label small;
  v_.cmp(n.bytes, T::kVecBytes);
  v_.jb(small);
  whole_vectors(n);
  v_.epilogue();
  v_.L(small);
  less_than_a_vector(n);
  v_.epilogue();
}

// Vectors from the start on and others that end where the span does, which overlap: few branches,
// so that few of a short span's are mispredicted. In loops the stores are aligned.
template <class T>
void SpanEmitter<T>::whole_vectors(Names& n) {
  constexpr int kVec = T::kVecBytes;
  const Xbyak::Reg64& last = n.bytes;
  Xbyak::Label many;
  Xbyak::Label one_or_two;
  Xbyak::Label loop;
  Xbyak::Label end;
  n.copies ? v_.sub(n.from, n.to) : spread_pattern(n, n.value);
  v_.cmp(n.bytes, 2 * kVec);
  v_.lea(last, v_.ptr[n.to + n.bytes - kVec]);
  v_.jbe(one_or_two);
  v_.lea(n.next, v_.ptr[last - 3 * kVec]);
  v_.cmp(n.next, n.to);
  v_.ja(many);
  vectors(n, n.to, n.to + n.from, 2, false);
  v_.sub(last, kVec);
  vectors(n, last, last + n.from, 2, false);
  v_.epilogue();

  v_.L(one_or_two);
  vectors(n, n.to, n.to + n.from, 1, false);
  vectors(n, last, last + n.from, 1, false);
  v_.epilogue();

  v_.L(many);
  vectors(n, n.to, n.to + n.from, 1, false);
  v_.add(n.to, kVec);
  if (n.copies) v_.and_(n.to, -kVec);
  v_.cmp(n.to, n.next);
  v_.jae(end);
  v_.L(loop);
  vectors(n, n.to, n.to + n.from, 4, false);
  v_.add(n.to, 4 * kVec);
  v_.cmp(n.to, n.next);
  v_.jb(loop);
  v_.L(end);
  vectors(n, n.next, n.next + n.from, 4, false);
}

// Goes to `inside_elements` where the pattern would be another from the next line on, as elements
// are not aligned to their width.
template <class T>
void SpanEmitter<T>::to_lines_between_elements(Names& n, const Xbyak::Label& inside_elements) {
  auto bits = v_.gpr(v_.rcx);
  v_.mov(bits, n.to);
  v_.neg(bits);
  v_.shl(bits, 3);
  v_.mov(n.next, n.from);
  v_.ror(n.next, v_.cl);
  v_.cmp(n.next, n.from);
  v_.jne(inside_elements, v_.T_NEAR);
}

// The start of a line, whole lines, the rest.
template <class T>
void SpanEmitter<T>::whole_lines(Names& n) {
  auto left = v_.gpr();
  v_.mov(left, n.bytes);
  v_.mov(n.bytes, n.to);
  v_.neg(n.bytes);
  v_.and_(n.bytes, kLineBytes - 1);
  v_.sub(left, n.bytes);
  part_of_line(n);
  if (!n.copies) spread_pattern(n, n.value);
  Xbyak::Label lines;
  Xbyak::Label end;
  v_.L(lines);
  v_.sub(left, kLineBytes);
  v_.jb(end);
  vectors(n, n.to, n.from, kLineBytes / T::kVecBytes, true);
  v_.add(n.to, kLineBytes);
  if (n.copies) v_.add(n.from, kLineBytes);
  v_.jmp(lines);
  v_.L(end);
  v_.lea(n.bytes, v_.ptr[left + kLineBytes]);
  part_of_line(n);
}

// `bytes`, less than a line; addresses end behind them.
template <class T>
void SpanEmitter<T>::part_of_line(Names& n) {
  if (T::kVecBytes < kLineBytes) {
    Xbyak::Label small;
    v_.cmp(n.bytes, T::kVecBytes);
    v_.jb(small);
    if (!n.copies) spread_pattern(n, n.value);
    vectors(n, n.to, n.from, 1, false);
    v_.add(n.to, T::kVecBytes);
    if (n.copies) v_.add(n.from, T::kVecBytes);
    v_.sub(n.bytes, T::kVecBytes);
    v_.L(small);
  }
  less_than_a_vector(n);
  v_.add(n.to, n.bytes);
  if (n.copies) v_.add(n.from, n.bytes);
}

template <class T>
void SpanEmitter<T>::spread_pattern(Names& n, const Xbyak::Xmm& d) {
  const Xbyak::Xmm low(d.getIdx());
  v_.vmovq(low, n.from);
  v_.vpbroadcastq(d, low);
}

template <class T>
void SpanEmitter<T>::vectors(Names& n, const Xbyak::RegExp& to, const Xbyak::RegExp& from,
                             int count, bool nontemporal) {
  std::vector<typename VecAsm<T>::VecReg> loaded;
  for (int i = 0; n.copies && i < count; ++i) {
    loaded.push_back(v_.vec());
    v_.load(loaded.back(), v_.ptr[from + i * T::kVecBytes]);
  }
  for (int i = 0; i < count; ++i)
    v_.store(v_.ptr[to + i * T::kVecBytes], n.copies ? loaded[static_cast<size_t>(i)] : n.value,
             nontemporal);
}

template <class T>
void SpanEmitter<T>::less_than_a_vector(Names& n) {
  Xbyak::Label done;
  for (int bytes = T::kVecBytes / 2; bytes >= 1; bytes /= 2) {
    Xbyak::Label smaller;
    v_.cmp(n.bytes, bytes);
    v_.jb(smaller);
    ends(n, bytes);
    v_.jmp(done);
    v_.L(smaller);
  }
  v_.L(done);
}

// The first and the last `bytes` of the span, which may overlap.
template <class T>
void SpanEmitter<T>::ends(Names& n, int bytes) {
  piece(n, bytes, Xbyak::RegExp());
  if (bytes > 1) piece(n, bytes, n.bytes - bytes);
}

template <class T>
void SpanEmitter<T>::piece(Names& n, int bytes, const Xbyak::RegExp& offset) {
  const Xbyak::RegExp from = n.from + offset;
  const Xbyak::RegExp to = n.to + offset;
  if (bytes > 8) {
    const Xbyak::Xmm part =
        bytes == 32 ? Xbyak::Xmm(Xbyak::Ymm(n.value.getIdx())) : Xbyak::Xmm(n.value.getIdx());
    if (n.copies) {
      v_.vmovups(part, v_.ptr[from]);
    } else {
      spread_pattern(n, part);
    }
    return v_.vmovups(v_.ptr[to], part);
  }
  if (n.copies) {
    if (bytes == 8) v_.mov(n.next, v_.ptr[from]);
    if (bytes == 4) v_.mov(n.next.cvt32(), v_.ptr[from]);
    if (bytes == 2) v_.movzx(n.next.cvt32(), v_.word[from]);
    if (bytes == 1) v_.movzx(n.next.cvt32(), v_.byte[from]);
  }
  const Reg64& value = n.copies ? n.next : n.from;
  if (bytes == 8) v_.mov(v_.ptr[to], value);
  if (bytes == 4) v_.mov(v_.ptr[to], value.cvt32());
  if (bytes == 2) v_.mov(v_.ptr[to], value.cvt16());
  if (bytes == 1) v_.mov(v_.ptr[to], value.cvt8());
}

template class SpanEmitter<Avx2>;
template class SpanEmitter<Avx512>;

}  // namespace iotadnn::impl
