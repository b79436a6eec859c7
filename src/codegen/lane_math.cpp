// SPDX-License-Identifier: Apache-2.0
#include <limits>

#include "codegen/isa_avx2_lanes.h"
#include "codegen/isa_avx512_lanes.h"
#include "codegen/lane_asm.h"

// Functions of f32 lanes; max_ulp.h states their errors. The range reductions are those of Cody and
// Waite, "Software Manual for the Elementary Functions", 1980.
namespace iotadnn::impl {
namespace {

uint64_t bits_of_float(double value) {
  return bit_cast<uint32_t>(static_cast<float>(value));
}

constexpr double kLn2High = 0x1.62e4p-1;  // 15 bits: its product with an exponent is exact
constexpr double kLn2Low = 0x1.7f7d1cf79abcap-20;
constexpr uint64_t kSignBit = 0x80000000;

}  // namespace

template <class T>
void LaneAsm<T>::math(Opcode op, DataType type, const V& d, const V& a) {
  switch (op) {
    case Opcode::exp:
      exp(d, a);
      break;
    case Opcode::log:
      log(d, a);
      break;
    case Opcode::sigmoid:
      sigmoid(d, a);
      break;
    default:
      tanh(d, a);
      break;
  }
  to_type(type, d);
}

// d = d * x + constant
template <class T>
void LaneAsm<T>::horner(const V& d, const V& x, double constant) {
  v_.vfmadd213ps(d, x, number(constant));
}

template <class T>
Xbyak::Address LaneAsm<T>::number(double value) {
  return all(bits_of_float(value), 4);
}

// 2^n e^r, n an integer and |r| <= ln(2)/2, e^r by its Taylor series, 2^n in two factors: results
// below the smallest normal number are rounded once, those above the largest are infinite.
template <class T>
void LaneAsm<T>::exp(const V& d, const V& a) {
  auto r = temp(d);
  auto n = temp(d);
  auto t = temp(d);
  // Limits first, so that a NaN, being the second operand, stays.
  v_.vmovups(t, number(89));
  v_.vminps(r, t, a);
  v_.vmovups(t, number(-104));
  v_.vmaxps(r, t, r);
  v_.vmulps(t, r, number(1.4426950408889634));
  v_.vcvtps2dq(n, t);
  v_.vcvtdq2ps(t, n);
  v_.vfnmadd231ps(r, t, number(kLn2High));
  v_.vfnmadd231ps(r, t, number(kLn2Low));
  v_.vmovups(d, number(1.0 / 5040));
  for (const double divisor : {720.0, 120.0, 24.0, 6.0, 2.0, 1.0, 1.0})
    horner(d, r, 1 / divisor);
  v_.vpsrad(t, n, 1);
  v_.vpsubd(n, n, t);
  scale(d, t, r);
  scale(d, n, r);
}

// d *= 2^n, destroying t.
template <class T>
void LaneAsm<T>::scale(const V& d, const V& n, const V& t) {
  v_.vpaddd(t, n, all(127, 4));
  v_.vpslld(t, t, 23);
  v_.vmulps(d, d, t);
}

// With e = exp(-|a|): 1 / (1 + e), or e / (1 + e) where a is negative; no intermediate overflows.
template <class T>
void LaneAsm<T>::sigmoid(const V& d, const V& a) {
  auto e = temp(d);
  v_.vorps(d, a, all(kSignBit, 4));
  exp(e, d);
  auto one = temp(d);
  auto negative = temp(d);
  v_.vmovups(one, number(1));
  this->compare_floats(4, negative, a, all(0, 8), kLess);
  this->select(4, d, negative, e, one);
  v_.vaddps(e, e, one);
  v_.vdivps(d, d, e);
}

// 1 - 2 / (exp(2|a|) + 1) with a's sign, but near 0 an odd polynomial (Moshier, Cephes, tanhf.c).
template <class T>
void LaneAsm<T>::tanh(const V& d, const V& a) {
  auto large = temp(d);
  v_.vandps(d, a, all(kSignBit - 1, 4));
  v_.vaddps(d, d, d);
  exp(large, d);
  v_.vaddps(large, large, number(1));
  v_.vmovups(d, number(-2));
  v_.vdivps(large, d, large);
  v_.vaddps(large, large, number(1));
  v_.vandps(d, a, all(kSignBit, 4));
  v_.vorps(large, large, d);
  auto small = temp(d);
  auto square = temp(d);
  v_.vmulps(square, a, a);
  v_.vmovups(small, number(-5.70498872745e-3));
  for (const double c : {2.06390887954e-2, -5.37397155531e-2, 1.33314422036e-1, -3.33332819422e-1})
    horner(small, square, c);
  v_.vmulps(square, square, a);
  v_.vfmadd213ps(small, square, a);
  v_.vandps(d, a, all(kSignBit - 1, 4));
  this->compare_floats(4, square, d, number(0.625), kLess);
  this->select(4, d, square, small, large);
}

// k ln(2) + ln(1 + f), 1 + f in [sqrt(1/2), sqrt(2)), with s = f / (2 + f) and a polynomial of s^2
// (Sun Microsystems, fdlibm, e_logf.c).
template <class T>
void LaneAsm<T>::log(const V& d, const V& a) {
  auto f = temp(d);
  auto k = temp(d);
  auto s = temp(d);
  auto t = temp(d);
  // Subnormals times 2^25, less 25 in k.
  this->compare_floats(4, t, a, all(0x00800000, 4), kLess);
  v_.vmulps(s, a, number(0x1p25));
  this->select(4, f, t, s, a);
  v_.vandps(k, t, number(-25));
  v_.vpsubd(s, f, all(0x3f3504f3, 4));  // sqrt(1/2)
  v_.vpsrad(s, s, 23);
  v_.vpslld(t, s, 23);
  v_.vpsubd(f, f, t);
  v_.vcvtdq2ps(s, s);
  v_.vaddps(k, k, s);
  v_.vsubps(f, f, number(1));
  v_.vaddps(s, f, number(2));
  v_.vdivps(s, f, s);
  v_.vmulps(t, s, s);
  v_.vmovups(d, number(0x1.f13c4cp-3));
  for (const double c : {0x1.23d3dcp-2, 0x1.999c26p-2, 0x1.555554p-1})
    horner(d, t, c);
  v_.vmulps(d, d, t);
  v_.vmulps(t, f, f);
  v_.vmulps(t, t, number(0.5));
  v_.vaddps(d, d, t);
  v_.vmulps(d, d, s);
  v_.vfmadd231ps(d, k, number(kLn2Low));
  v_.vsubps(d, d, t);
  v_.vaddps(d, d, f);
  v_.vfmadd231ps(d, k, number(kLn2High));
  log_of_no_number(d, a, s, t);
}

// What log gives for 0, infinity, negative numbers and NaN; destroys the last two.
template <class T>
void LaneAsm<T>::log_of_no_number(const V& d, const V& a, const V& mask, const V& t) {
  auto result = temp(d);
  v_.vmovups(t, number(std::numeric_limits<double>::infinity()));
  this->compare_floats(4, mask, a, t, kEqual);
  this->select(4, result, mask, t, d);
  this->compare_floats(4, mask, a, all(0, 8), kEqual);
  v_.vxorps(t, t, all(kSignBit, 4));
  this->select(4, d, mask, t, result);
  this->compare_floats(4, mask, a, all(0, 8), kGreaterEqual);
  v_.vmovups(t, number(std::numeric_limits<double>::quiet_NaN()));
  v_.vmovaps(result, d);
  this->select(4, d, mask, result, t);
}

template class LaneAsm<Avx2>;
template class LaneAsm<Avx512>;

}  // namespace iotadnn::impl
