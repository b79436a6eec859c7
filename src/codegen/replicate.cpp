// SPDX-License-Identifier: Apache-2.0
#include "codegen/replicate.h"

#include <string>

#include "base/cpu.h"
#include "codegen/isa_avx2.h"
#include "codegen/isa_avx512.h"
#include "codegen/jit_kernel.h"
#include "codegen/vec_asm.h"

namespace iotadnn::impl {
namespace {

constexpr int kLinesAtOnce = 4;
constexpr int kRegisterLines = 4;  // templates up to this long are kept in registers

// Copies chunk after chunk from the template, which stays in the cache; never from what has just
// been written, which non-temporal stores leave in memory.
template <class T>
class ReplicateEmitter {
 public:
  ReplicateEmitter(VecAsm<T>& v, Store store) : v_(v), nontemporal_(store == Store::nontemporal) {}

  void by_vectors();
  void by_rep_movs();

 private:
  using Reg64 = Xbyak::Reg64;
  using Label = Xbyak::Label;

  // `lines` lines from [from] to [to], both aligned alike or, for normal stores, at any address.
  void copy_lines(const Reg64& to, const Reg64& from, int lines, bool nontemporal) {
    constexpr int kVectorsOfLine = kLineBytes / T::kVecBytes;
    std::vector<typename VecAsm<T>::VecReg> vectors;
    for (int i = 0; i < lines * kVectorsOfLine; i++) {
      vectors.push_back(v_.vec());
      v_.load(vectors.back(), v_.ptr[from + i * T::kVecBytes]);
    }
    for (int i = 0; i < lines * kVectorsOfLine; i++)
      v_.store(v_.ptr[to + i * T::kVecBytes], vectors[static_cast<size_t>(i)], nontemporal);
  }

  void from_registers(const Reg64& to, const Reg64& from, const Reg64& end, int lines);
  void copy_chunk(const Reg64& to, const Reg64& from, const Reg64& bytes);
  void few_bytes(const Reg64& to, const Reg64& from, const Reg64& count);

  VecAsm<T>& v_;
  bool nontemporal_;
};

// Stores a template of `lines` lines again and again as long as whole rounds are left; moves `to`.
template <class T>
void ReplicateEmitter<T>::from_registers(const Reg64& to, const Reg64& from, const Reg64& end,
                                         int lines) {
  const int rounds = kRegisterLines / lines;
  const int vectors = lines * kLineBytes / T::kVecBytes;
  std::vector<typename VecAsm<T>::VecReg> held;
  for (int i = 0; i < vectors; i++) {
    held.push_back(v_.vec());
    v_.load(held.back(), v_.ptr[from + i * T::kVecBytes]);
  }
  Label again, done;
  v_.sub(end, rounds * lines * kLineBytes);
  v_.cmp(to, end);
  v_.ja(done);
  v_.L(again);
  for (int i = 0; i < rounds * vectors; i++)
    v_.store(v_.ptr[to + i * T::kVecBytes], held[static_cast<size_t>(i % vectors)], nontemporal_);
  v_.add(to, rounds * lines * kLineBytes);
  v_.cmp(to, end);
  v_.jbe(again);
  v_.L(done);
  v_.add(end, rounds * lines * kLineBytes);
}

// `bytes` bytes in whole lines; moves all three.
template <class T>
void ReplicateEmitter<T>::copy_chunk(const Reg64& to, const Reg64& from, const Reg64& bytes) {
  for (const int lines : {kLinesAtOnce, 1}) {
    Label again, done;
    const int step = lines * kLineBytes;
    v_.sub(bytes, step);
    v_.jl(done);
    v_.L(again);
    copy_lines(to, from, lines, nontemporal_);
    v_.add(from, step);
    v_.add(to, step);
    v_.sub(bytes, step);
    v_.jge(again);
    v_.L(done);
    v_.add(bytes, step);
  }
}

template <class T>
void ReplicateEmitter<T>::by_vectors() {
  v_.prologue(0);
  auto base = v_.gpr(v_.rdi);    // of the template
  auto period = v_.gpr(v_.rsi);  // its bytes
  auto end = v_.gpr(v_.rdx);     // the total, then one past the last byte
  auto to = v_.gpr();
  auto from = v_.gpr();
  auto bytes = v_.gpr();
  Label chunk, few, tail, done;
  v_.mov(bytes, end);
  v_.sub(bytes, period);
  v_.jle(done);
  v_.add(end, base);
  v_.lea(to, v_.ptr[base + period]);
  v_.cmp(bytes, 2 * kLineBytes);
  v_.jl(few);
  // One line at any address, then on from the first aligned one.
  copy_lines(to, base, 1, false);
  v_.add(to, kLineBytes - 1);
  v_.and_(to, -kLineBytes);
  v_.mov(base, to);
  v_.sub(base, period);
  for (int lines = 1; lines <= kRegisterLines; lines++) {
    Label longer;
    v_.cmp(period, lines * kLineBytes);
    v_.jne(longer);
    from_registers(to, base, end, lines);
    v_.mov(base, to);  // what is behind `to` is a template as well
    v_.sub(base, period);
    v_.L(longer);
  }

  v_.L(chunk);
  v_.mov(from, base);
  v_.mov(bytes, end);
  v_.sub(bytes, to);
  v_.cmp(bytes, period);
  v_.cmovg(bytes, period);
  v_.cmp(bytes, kLineBytes);
  v_.jl(tail);
  v_.and_(bytes, -kLineBytes);
  copy_chunk(to, from, bytes);
  v_.jmp(chunk);

  // The last line at any address; what it overlaps gets the same bytes again.
  v_.L(tail);
  v_.test(bytes, bytes);
  v_.jz(done);
  v_.lea(to, v_.ptr[end - kLineBytes]);
  v_.mov(from, to);
  v_.sub(from, period);
  copy_lines(to, from, 1, false);
  v_.jmp(done);

  v_.L(few);
  few_bytes(to, base, bytes);
  v_.L(done);
  if (nontemporal_) v_.sfence();
  v_.epilogue();
}

template <class T>
void ReplicateEmitter<T>::few_bytes(const Reg64& to, const Reg64& from, const Reg64& count) {
  Label again;
  auto byte = v_.gpr();
  v_.L(again);
  v_.movzx(byte.cvt32(), v_.byte[from]);
  v_.mov(v_.byte[to], byte.cvt8());
  v_.inc(from);
  v_.inc(to);
  v_.dec(count);
  v_.jnz(again);
}

template <class T>
void ReplicateEmitter<T>::by_rep_movs() {
  v_.prologue(0);
  auto to = v_.gpr(v_.rdi);
  auto from = v_.gpr(v_.rsi);
  auto count = v_.gpr(v_.rcx);
  auto end = v_.gpr(v_.rdx);
  auto base = v_.gpr();
  auto period = v_.gpr();
  Label chunk, done;
  v_.mov(base, to);
  v_.mov(period, from);
  v_.add(end, to);
  v_.add(to, period);
  v_.L(chunk);
  v_.mov(from, base);
  v_.mov(count, end);
  v_.sub(count, to);
  v_.jle(done);
  v_.cmp(count, period);
  v_.cmovg(count, period);
  v_.rep();
  v_.movsb();
  v_.jmp(chunk);
  v_.L(done);
  v_.epilogue();
}

}  // namespace

template <class T>
Result<PublishedKernel> make_replicate(Store store) {
  VecAsm<T> v(1);
  ReplicateEmitter<T> emitter(v, store);
  std::string name = "iotadnn_replicate";
  switch (store) {
    case Store::normal:
      emitter.by_vectors();
      break;
    case Store::nontemporal:
      emitter.by_vectors();
      name += "_nt";
      break;
    case Store::rep:
      emitter.by_rep_movs();
      name += "_rep";
      break;
  }
  return publish_kernel(v, std::move(name));
}

template Result<PublishedKernel> make_replicate<Avx2>(Store);
template Result<PublishedKernel> make_replicate<Avx512>(Store);

}  // namespace iotadnn::impl
