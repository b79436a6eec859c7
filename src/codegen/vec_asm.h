// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "codegen/gen.h"
#include "codegen/reg_pool.h"

namespace iotadnn::impl {

// The language that emitters are written in: vectors of elements of one width, masks, scoped
// registers. T (Avx2 or Avx512) holds what differs; nothing here or above asks which one it is.
template <class T>
class VecAsm : public Gen {
 public:
  using Vec = typename T::Vec;
  using Mask = typename T::Mask;
  using Reg64 = Xbyak::Reg64;
  using VecReg = Scoped<Vec>;
  using MaskReg = Scoped<Mask>;
  using GprReg = Scoped<Reg64>;

  static constexpr int kVecBytes = T::kVecBytes;

  explicit VecAsm(int elem_bytes, size_t buffer_bytes = kBufferBytes)
      : Gen(buffer_bytes), width_(elem_bytes) {}

  int width() const { return width_; }

  int lanes() const { return kVecBytes / width_; }

  VecReg vec() { return VecReg(regs_.vecs); }

  MaskReg mask() { return MaskReg(regs_.masks()); }

  GprReg gpr() { return GprReg(gprs_); }

  GprReg gpr(const Reg64& which) { return GprReg(gprs_, which); }

  int free_vecs() const { return regs_.vecs.available(); }

  // Starts a function, whose arguments are in rdi and rsi: take those by name first. `saved` of the
  // six callee-saved registers join the pool, for this function and what is emitted after it; so
  // those of functions before it are saved, too.
  void prologue(size_t saved) {
    saved = std::max(saved, in_pool_);
    saved_.assign(kCalleeSaved.begin(), kCalleeSaved.begin() + static_cast<ptrdiff_t>(saved));
    for (const int index : saved_)
      push(Reg64(index));
    for (; in_pool_ < saved; in_pool_++)
      gprs_.give_last(saved_[in_pool_]);
  }

  void epilogue() {
    vzeroupper();
    for (auto it = saved_.rbegin(); it != saved_.rend(); ++it)
      pop(Reg64(*it));
    ret();
  }

  // The pool's constant as a memory operand.
  Xbyak::Address in_pool(const std::vector<uint8_t>& bytes) { return ptr[rip + constant(bytes)]; }

  void load(const Vec& d, const Xbyak::Address& from) { T::load(*this, d, from); }

  void store(const Xbyak::Address& to, const Vec& s) { T::store(*this, to, s); }

  // `to` must be aligned to a vector.
  void store_nontemporal(const Xbyak::Address& to, const Vec& s) { vmovntdq(to, s); }

  void store(const Xbyak::Address& to, const Vec& s, bool nontemporal) {
    nontemporal ? store_nontemporal(to, s) : store(to, s);
  }

  void copy(const Vec& d, const Vec& s) { T::copy(*this, d, s); }

  void zero(const Vec& d) {
    const Xbyak::Xmm low(d.getIdx());
    if (d.getIdx() < 16)
      vpxor(low, low, low);  // clears the whole register
    else
      T::bit_xor(*this, d, d, d);
  }

  void bit_xor(const Vec& d, const Vec& a, const Xbyak::Operand& b) { T::bit_xor(*this, d, a, b); }

  void add_lanes(const Vec& d, const Vec& a, const Xbyak::Operand& b) {
    switch (width_) {
      case 1:
        return vpaddb(d, a, b);
      case 2:
        return vpaddw(d, a, b);
      case 4:
        return vpaddd(d, a, b);
      default:
        return vpaddq(d, a, b);
    }
  }

  void sub_lanes(const Vec& d, const Vec& a, const Xbyak::Operand& b) {
    switch (width_) {
      case 1:
        return vpsubb(d, a, b);
      case 2:
        return vpsubw(d, a, b);
      case 4:
        return vpsubd(d, a, b);
      default:
        return vpsubq(d, a, b);
    }
  }

  // The low bytes of a register as one element.
  void store_element(const Reg64& to, const Reg64& from) {
    switch (width_) {
      case 1:
        return mov(byte[to], from.cvt8());
      case 2:
        return mov(word[to], from.cvt16());
      case 4:
        return mov(dword[to], from.cvt32());
      default:
        return mov(qword[to], from);
    }
  }

  // `rep stos` of rcx bytes, a whole number of elements `bits`, which are in rax, to rdi on. Byte
  // by byte where all bytes are equal: processors are fastest at that.
  void rep_stos(uint64_t bits) {
    if (repeated(bits, width_, 8) == repeated(bits, 1, 8)) {
      rep();
      return stosb();
    }
    for (int bytes = width_; bytes > 1; bytes /= 2)
      shr(rcx, 1);
    rep();
    switch (width_) {
      case 2:
        db(0x66);
        return stosd();  // stosw
      case 4:
        return stosd();
      default:
        return stosq();
    }
  }

  // The element in memory, or the low bytes of a register, in every lane.
  void broadcast(const Vec& d, const Xbyak::Operand& from) {
    switch (width_) {
      case 1:
        return vpbroadcastb(d, from);
      case 2:
        return vpbroadcastw(d, from);
      case 4:
        return vpbroadcastd(d, from);
      default:
        return vpbroadcastq(d, from);
    }
  }

  void broadcast(const Vec& d, const Reg64& from) {
    const Xbyak::Xmm low(d.getIdx());
    vmovq(low, from);
    broadcast(d, static_cast<const Xbyak::Operand&>(low));
  }

  void splat(const Vec& d, uint64_t bits) {
    const auto element = repeated(bits, width_, kVecBytes);
    if (element == repeated(0, width_, kVecBytes)) return zero(d);
    load(d, in_pool(element));
  }

  void load_lane_numbers(const Vec& d) { load(d, in_pool(lane_numbers(width_, kVecBytes))); }

  void wrap_min(const Vec& d, const Vec& a, const Vec& b) { T::wrap_min(*this, width_, d, a, b); }

  void equal(const Mask& m, const Vec& a, const Xbyak::Operand& b) {
    T::equal(*this, width_, m, a, b);
  }

  void greater(const Mask& m, const Vec& a, const Xbyak::Operand& b) {
    T::greater(*this, width_, m, a, b);
  }

  void mask_and_not(const Mask& m, const Mask& a, const Mask& b) {
    T::mask_and_not(*this, m, a, b);
  }

  void select(const Vec& d, const Mask& m, const Vec& yes, const Vec& no) {
    T::select(*this, width_, d, m, yes, no);
  }

  void keep_where(const Vec& d, const Mask& m, const Vec& v) {
    T::keep_where(*this, width_, d, m, v);
  }

  void add_one_where(const Vec& d, const Mask& m, const Vec& ones) {
    T::add_one_where(*this, width_, d, m, ones);
  }

  // Lanes [0, n), 0 <= n <= lanes(). Destroys n.
  void first_lanes(const Mask& m, const Reg64& n) {
    auto scratch = gpr();
    auto tmp = vec();
    T::first_lanes(*this, width_, m, n, scratch, tmp);
  }

  // Stores the first n lanes of s, 0 < n < lanes(), and touches nothing behind them. Destroys `to`,
  // s and n.
  void store_part(const Reg64& to, const Vec& s, const Reg64& n) {
    auto scratch = gpr();
    auto m = mask();
    auto tmp = vec();
    T::store_part(*this, width_, to, s, n, scratch, m, tmp);
  }

 private:
  static constexpr std::array<int, 6> kCalleeSaved = {Xbyak::Operand::RBX, Xbyak::Operand::RBP,
                                                      Xbyak::Operand::R12, Xbyak::Operand::R13,
                                                      Xbyak::Operand::R14, Xbyak::Operand::R15};

  int width_;
  std::vector<int> saved_;
  size_t in_pool_ = 0;
  typename T::Registers regs_;
  RegFile gprs_{std::vector<int>{Xbyak::Operand::RAX, Xbyak::Operand::RDX, Xbyak::Operand::RSI,
                                 Xbyak::Operand::R8, Xbyak::Operand::R9, Xbyak::Operand::R10,
                                 Xbyak::Operand::R11, Xbyak::Operand::RCX, Xbyak::Operand::RDI}};
};

}  // namespace iotadnn::impl
