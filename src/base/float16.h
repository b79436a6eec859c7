// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <cstring>

namespace iotadnn::impl {

// The two 16-bit floating-point formats by their bit patterns. Rounding is to nearest, ties to
// even; a NaN stays a (quiet) NaN. Formats: IEEE 754 binary16, and bfloat16 (the upper half of
// binary32).

template <class To, class From>
To bit_cast(const From& from) {
  static_assert(sizeof(To) == sizeof(From));
  To to;
  std::memcpy(&to, &from, sizeof to);
  return to;
}

inline float bf16_to_f32(uint16_t bits) {
  return bit_cast<float>(static_cast<uint32_t>(bits) << 16);
}

inline uint16_t f32_to_bf16(float value) {
  const auto bits = bit_cast<uint32_t>(value);
  if ((bits & 0x7fffffffu) > 0x7f800000u) return static_cast<uint16_t>((bits >> 16) | 0x40u);
  return static_cast<uint16_t>((bits + 0x7fffu + ((bits >> 16) & 1u)) >> 16);
}

inline float f16_to_f32(uint16_t bits) {
  const uint32_t sign = static_cast<uint32_t>(bits & 0x8000u) << 16;
  const uint32_t rest = bits & 0x7fffu;
  if (rest >= 0x7c00u)  // infinity or NaN, which gets quiet
    return bit_cast<float>(sign | 0x7f800000u | ((rest & 0x3ffu) << 13) |
                           (rest > 0x7c00u ? 0x400000u : 0u));
  if (rest >= 0x400u) return bit_cast<float>(sign | ((rest << 13) + (112u << 23)));
  // Subnormal: a multiple of 2^-24, which is exact in f32.
  return bit_cast<float>(bit_cast<uint32_t>(static_cast<float>(rest) * 0x1p-24f) | sign);
}

inline uint16_t f32_to_f16(float value) {
  const auto bits = bit_cast<uint32_t>(value);
  const auto sign = static_cast<uint16_t>((bits >> 16) & 0x8000u);
  const uint32_t rest = bits & 0x7fffffffu;
  if (rest > 0x7f800000u) return static_cast<uint16_t>(sign | 0x7e00u | ((rest >> 13) & 0x3ffu));
  if (rest >= 0x477ff000u) return static_cast<uint16_t>(sign | 0x7c00u);  // 65520 and more
  if (rest < 0x38800000u) {  // below 2^-14: adding 0.5 rounds to a multiple of 2^-24
    const float shifted = bit_cast<float>(rest) + 0.5f;
    return static_cast<uint16_t>(sign | (bit_cast<uint32_t>(shifted) - 0x3f000000u));
  }
  const uint32_t rounded = rest + 0xfffu + ((rest >> 13) & 1u);
  return static_cast<uint16_t>(sign | ((rounded - (112u << 23)) >> 13));
}

// To f32 by rounding to odd: what is rounded further from there is rounded as if in one step
// (Boldo, Melquiond, "Emulation of FMA and correctly rounded sums", 2008).
inline float f64_to_f32_odd(double value) {
  const auto nearest = static_cast<float>(value);
  const auto back = static_cast<double>(nearest);
  if (back == value || value != value) return nearest;
  auto bits = bit_cast<uint32_t>(nearest);
  const bool away = (back < 0 ? -back : back) > (value < 0 ? -value : value);
  if (away) --bits;  // towards zero
  return bit_cast<float>(bits | 1u);
}

}  // namespace iotadnn::impl
