// SPDX-License-Identifier: Apache-2.0
#include "codegen/isa_avx2_lanes.h"
#include "codegen/isa_avx512_lanes.h"
#include "codegen/lane_asm.h"

namespace iotadnn::impl {
namespace {

// The smallest and the largest number of an integer type of at most 32 bits, exact as f64.
double lowest(DataType type) {
  return is_unsigned(type) ? 0 : -static_cast<double>(uint64_t{1} << (8 * bytes_of(type) - 1));
}

double highest(DataType type) {
  const int bits = 8 * bytes_of(type) - (is_unsigned(type) ? 0 : 1);
  return static_cast<double>((uint64_t{1} << bits) - 1);
}

constexpr uint64_t kTwoTo31AsFloat = 0x4f000000;
constexpr uint64_t kTwoTo32AsFloat = 0x4f800000;
constexpr uint64_t kTwoTo52AsDouble = 0x4330000000000000;

}  // namespace

template <class T>
void LaneAsm<T>::convert(DataType to, DataType from, const V& d, const V& a) {
  if (to == from) return v_.vmovaps(d, a);
  if (to == DataType::boolean) return to_boolean(from, d, a);
  if (from == DataType::boolean) return from_boolean(to, d, a);
  if (is_integer(to))
    return is_integer(from) ? integer_to_integer(to, from, d, a) : float_to_integer(to, from, d, a);
  is_integer(from) ? integer_to_float(to, from, d, a) : float_to_float(to, from, d, a);
}

template <class T>
void LaneAsm<T>::to_boolean(DataType from, const V& d, const V& a) {
  const int width = lane_bytes(from);
  const Xbyak::Address nothing = all(0, 8);
  if (is_floating(from)) return this->compare_floats(width, d, a, nothing, kNotEqual);
  this->equal(width, d, a, nothing);
  invert(d);
}

template <class T>
void LaneAsm<T>::from_boolean(DataType to, const V& d, const V& a) {
  const Xbyak::Address one = all(lane_bits(to, one_bits(to)), lane_bytes(to));
  if (lane_bytes(to) == 4) return v_.vandps(d, a, one);
  v_.vpmovsxdq(d, a);
  v_.vandps(d, d, one);
}

template <class T>
void LaneAsm<T>::integer_to_integer(DataType to, DataType from, const V& d, const V& a) {
  if (lane_bytes(to) == lane_bytes(from))
    v_.vmovaps(d, a);
  else if (lane_bytes(from) == 8)
    this->narrow_quads(d, a);
  else
    is_unsigned(from) ? v_.vpmovzxdq(d, a) : v_.vpmovsxdq(d, a);
  to_type(to, d);
}

template <class T>
void LaneAsm<T>::integer_to_float(DataType to, DataType from, const V& d, const V& a) {
  if (lane_bytes(from) == 8) {
    auto t = temp(a);
    return this->quads_to_floats(is_unsigned(from), to, d, a, t);
  }
  if (to == DataType::f64)
    return from == DataType::u32 ? this->doubles_of_u32(d, a) : v_.vcvtdq2pd(d, a);
  auto t = temp(d);
  if (is_rounded(to) && bytes_of(from) == 4)
    odd_to_24_bits(from, t, a);
  else
    v_.vmovaps(t, a);
  if (from == DataType::u32) {
    auto high = temp(d);
    this->floats_of_u32(d, t, high);
  } else {
    v_.vcvtdq2ps(d, t);
  }
  to_type(to, d);
}

// Integers of more than 24 bits rounded to multiples of 2^8, the odd one of the two: f32 has them
// all, and what is rounded further from there is rounded as if in one step (see f64_to_f32_odd).
template <class T>
void LaneAsm<T>::odd_to_24_bits(DataType from, const V& d, const V& a) {
  auto short_one = temp(d);
  auto odd = temp(d);
  from == DataType::u32 ? v_.vmovaps(short_one, a) : v_.vpabsd(short_one, a);
  v_.vpsrld(short_one, short_one, 24);
  this->equal(4, short_one, short_one, all(0, 8));
  v_.vandps(odd, a, all(0xff, 4));
  v_.vpaddd(odd, odd, all(0xff, 4));  // bit 8 unless the low bits are 0
  v_.vorps(odd, odd, a);
  v_.vandps(odd, odd, all(0xffffff00, 4));
  this->select(4, d, short_one, a, odd);
}

template <class T>
void LaneAsm<T>::float_to_float(DataType to, DataType from, const V& d, const V& a) {
  if (to == DataType::f64) return v_.vcvtps2pd(d, a);
  if (from == DataType::f64 && to == DataType::f32) return v_.vcvtpd2ps(d, a);
  from == DataType::f64 ? double_to_single_odd(d, a) : v_.vmovaps(d, a);
  to_type(to, d);
}

// f64_to_f32_odd()
template <class T>
void LaneAsm<T>::double_to_single_odd(const V& d, const V& a) {
  auto back = temp(a);
  auto magnitude = temp(a);
  auto mask = temp(d);
  v_.vcvtpd2ps(d, a);
  v_.vcvtps2pd(back, d);
  this->compare_floats(8, mask, back, a, kDifferent);
  v_.vandps(magnitude, a, all(~(uint64_t{1} << 63), 8));
  v_.vandps(back, back, all(~(uint64_t{1} << 63), 8));
  auto away = temp(d);
  this->compare_floats(8, away, back, magnitude, kGreater);
  v_.vpaddd(d, d, away);  // -1: towards zero
  v_.vandps(mask, mask, all(1, 4));
  v_.vorps(d, d, mask);
}

// Truncation, saturated, NaN to 0. The value is clamped to the type's limits where they are numbers
// of what is converted from; 2^31 - 1 is no f32.
template <class T>
void LaneAsm<T>::float_to_integer(DataType to, DataType from, const V& d, const V& a) {
  if (to == DataType::u32) return is_single(from) ? single_to_u32(d, a) : double_to_u32(d, a);
  auto ordered = temp(d);
  this->compare_floats(lane_bytes(from), ordered, a, a, kOrdered);
  auto clamped = temp(a);
  if (from == DataType::f64) {
    v_.vmaxpd(clamped, a, all(bit_cast<uint64_t>(lowest(to)), 8));
    v_.vminpd(clamped, clamped, all(bit_cast<uint64_t>(highest(to)), 8));
    v_.vcvttpd2dq(d, clamped);
  } else if (to == DataType::s32) {
    v_.vcvttps2dq(d, a);  // 0x80000000 beyond either limit
    this->compare_floats(4, clamped, a, all(kTwoTo31AsFloat, 4), kGreaterEqual);
    v_.vxorps(d, d, clamped);
  } else {
    v_.vmaxps(clamped, a, all(bit_cast<uint32_t>(static_cast<float>(lowest(to))), 4));
    v_.vminps(clamped, clamped, all(bit_cast<uint32_t>(static_cast<float>(highest(to))), 4));
    v_.vcvttps2dq(d, clamped);
  }
  v_.vandps(d, d, ordered);
}

template <class T>
void LaneAsm<T>::single_to_u32(const V& d, const V& a) {
  auto positive = temp(d);
  auto big = temp(d);
  zero(d);
  v_.vmaxps(positive, a, d);  // NaN becomes 0
  this->compare_floats(4, big, positive, all(kTwoTo31AsFloat, 4), kGreaterEqual);
  v_.vandps(d, big, all(kTwoTo31AsFloat, 4));
  v_.vsubps(d, positive, d);
  v_.vcvttps2dq(d, d);
  v_.vpslld(big, big, 31);
  v_.vxorps(d, d, big);
  this->compare_floats(4, big, positive, all(kTwoTo32AsFloat, 4), kGreaterEqual);
  v_.vorps(d, d, big);
}

// The low bits of 2^52 + the number are those of the number.
template <class T>
void LaneAsm<T>::double_to_u32(const V& d, const V& a) {
  auto number = temp(a);
  auto none = temp(a);
  zero(none);
  v_.vmaxpd(number, a, none);  // NaN becomes 0
  v_.vminpd(number, number, all(bit_cast<uint64_t>(highest(DataType::u32)), 8));
  this->truncate_doubles(number, number);
  v_.vaddpd(number, number, all(kTwoTo52AsDouble, 8));
  this->narrow_quads(d, number);
}

template class LaneAsm<Avx2>;
template class LaneAsm<Avx512>;

}  // namespace iotadnn::impl
