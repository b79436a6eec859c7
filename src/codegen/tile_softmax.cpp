// SPDX-License-Identifier: Apache-2.0
#include <cstddef>
#include <iterator>
#include <limits>

#include "base/float16.h"
#include "codegen/isa_avx2.h"
#include "codegen/isa_avx512.h"
#include "codegen/tile_emitter.h"

namespace iotadnn::impl {
namespace {

constexpr double kLn2High = 0x1.62e4p-1;  // 15 bits: its product with an exponent is exact
constexpr double kLn2Low = 0x1.7f7d1cf79abcap-20;
// Below it a weight is 0: 2^n is a normal number for every exponent n that is left.
constexpr double kLeastExponent = -86;

// e^r from its sixth power down, with the smallest relative error (3e-9) over |r| <= ln(2)/2.
constexpr double kPowers[] = {0.001381454006251271,
                              0.008368745111391285,
                              0.041668390785878334,
                              0.1666652039901575,
                              0.4999999343211767,
                              1,
                              1};

template <class T>
class SoftmaxEmitter {
 public:
  explicit SoftmaxEmitter(VecAsm<T>& v) : v_(v) {}

  void emit() {
    v_.prologue(0);
    auto args = v_.gpr(v_.rdi);
    auto s = v_.gpr();
    auto s_row = v_.gpr();
    auto rows = v_.gpr();
    auto at = v_.gpr();
    const VecReg shifts[kPanelVectors] = {v_.vec(), v_.vec()};
    const VecReg sums[kPanelVectors] = {v_.vec(), v_.vec()};
    v_.mov(s_row, v_.ptr[args + offsetof(TileSoftmax, s_row)]);
    find_largest(args, s, s_row, rows, at, shifts);
    start_sums(args, at, shifts, sums);
    begin(args, s, rows);
    for_each_row(s, s_row, rows, [&] {
      for (int i = 0; i < kPanelVectors; ++i) {
        const Xbyak::Address there = v_.ptr[s + i * T::kVecBytes];
        auto x = v_.vec();
        auto weight = v_.vec();
        v_.vmovups(x, there);
        v_.vsubps(x, x, shifts[i]);
        exp(weight, x);
        v_.vmovups(there, weight);
        v_.vaddps(sums[i], sums[i], weight);
      }
    });
    v_.mov(at, v_.ptr[args + offsetof(TileSoftmax, sum)]);
    for (int i = 0; i < kPanelVectors; ++i)
      v_.vmovups(v_.ptr[at + i * T::kVecBytes], sums[i]);
    v_.epilogue();
  }

 private:
  using Reg64 = Xbyak::Reg64;
  using VecReg = typename VecAsm<T>::VecReg;
  using Vec = typename T::Vec;

  void begin(const Reg64& args, const Reg64& s, const Reg64& rows) {
    v_.mov(s, v_.ptr[args + offsetof(TileSoftmax, s)]);
    v_.mov(rows, v_.ptr[args + offsetof(TileSoftmax, rows)]);
  }

  template <class F>
  void for_each_row(const Reg64& s, const Reg64& s_row, const Reg64& rows, F&& row) {
    Xbyak::Label again, done;
    v_.test(rows, rows);
    v_.jle(done, Gen::T_NEAR);
    v_.align(16);
    v_.L(again);
    row();
    v_.add(s, s_row);
    v_.dec(rows);
    v_.jnz(again, Gen::T_NEAR);
    v_.L(done);
  }

  // The largest elements; a NaN, being the first operand, is passed over: its weight is NaN.
  void find_largest(const Reg64& args, const Reg64& s, const Reg64& s_row, const Reg64& rows,
                    const Reg64& at, const VecReg* largest) {
    v_.mov(at, v_.ptr[args + offsetof(TileSoftmax, largest)]);
    for (int i = 0; i < kPanelVectors; ++i)
      v_.vmovups(largest[i], v_.ptr[at + i * T::kVecBytes]);
    begin(args, s, rows);
    for_each_row(s, s_row, rows, [&] {
      for (int i = 0; i < kPanelVectors; ++i) {
        auto x = v_.vec();
        v_.vmovups(x, v_.ptr[s + i * T::kVecBytes]);
        v_.vmaxps(largest[i], x, largest[i]);
      }
    });
  }

  // The largest becomes what is subtracted: not -inf, so that weights of -inf are 0. `at` has its
  // address.
  void start_sums(const Reg64& args, const Reg64& at, const VecReg* shifts, const VecReg* sums) {
    auto factors = v_.gpr();
    auto sum = v_.gpr();
    v_.mov(factors, v_.ptr[args + offsetof(TileSoftmax, factors)]);
    v_.mov(sum, v_.ptr[args + offsetof(TileSoftmax, sum)]);
    for (int i = 0; i < kPanelVectors; ++i) {
      auto before = v_.vec();
      auto factor = v_.vec();
      v_.vmovups(before, v_.ptr[at + i * T::kVecBytes]);
      v_.vmovups(v_.ptr[at + i * T::kVecBytes], shifts[i]);
      v_.vmaxps(shifts[i], shifts[i],
                number(-static_cast<double>(std::numeric_limits<float>::max())));
      v_.vsubps(before, before, shifts[i]);
      exp(factor, before);
      v_.vmovups(v_.ptr[factors + i * T::kVecBytes], factor);
      v_.vmulps(sums[i], factor, v_.ptr[sum + i * T::kVecBytes]);
    }
  }

  // d = e^x, destroying x, for x <= 0 or NaN: 2^n e^r, |r| <= ln(2)/2 (Cody, Waite,
  // "Software Manual for the Elementary Functions", 1980).
  void exp(const Vec& d, const Vec& x) {
    auto n = v_.vec();
    auto r = v_.vec();
    auto tiny = v_.mask();
    v_.vmovups(r, number(kLeastExponent));
    v_.vmaxps(r, r, x);  // a NaN, being the second operand, stays
    v_.vmulps(n, r, number(1.4426950408889634));
    v_.vcvtps2dq(n, n);
    v_.vcvtdq2ps(d, n);
    v_.vfnmadd231ps(r, d, number(kLn2High));
    v_.vfnmadd231ps(r, d, number(kLn2Low));
    v_.vmovups(d, number(kPowers[0]));
    for (size_t i = 1; i < std::size(kPowers); ++i)
      v_.vfmadd213ps(d, r, number(kPowers[i]));
    v_.vpslld(n, n, 23);
    v_.vpaddd(d, d, n);
    T::zero_where_less(v_, d, x, number(kLeastExponent), tiny);
  }

  Xbyak::Address number(double value) {
    return v_.in_pool(repeated(bit_cast<uint32_t>(static_cast<float>(value)), 4, T::kVecBytes));
  }

  VecAsm<T>& v_;
};

}  // namespace

template <class T>
void emit_tile_softmax(VecAsm<T>& v) {
  SoftmaxEmitter<T>(v).emit();
}

template void emit_tile_softmax(VecAsm<Avx2>& v);
template void emit_tile_softmax(VecAsm<Avx512>& v);

}  // namespace iotadnn::impl
