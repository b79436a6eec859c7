// SPDX-License-Identifier: Apache-2.0
#include "support/numbers.h"

#include <cmath>
#include <cstdio>
#include <limits>
#include <map>

#include "support/oracle.h"

namespace iotadnn::test {
namespace {

// IEEE 754 binary formats by their parameters: precision with the implicit bit, largest exponent.
struct Format {
  int type;
  int precision;
  int bias;
  int bits;
};

constexpr Format kFormats[] = {
    {3, 24, 127, 32}, {2, 8, 127, 16}, {1, 11, 15, 16}, {7, 53, 1023, 64}};

const Format* format_of(int type) {
  for (const Format& f : kFormats)
    if (f.type == type) return &f;
  return nullptr;
}

int exponent_bits(const Format& f) {
  return f.bits - f.precision;
}

uint64_t infinity_bits(const Format& f) {
  return ((uint64_t{1} << exponent_bits(f)) - 1) << (f.precision - 1);
}

uint64_t sign_bit(const Format& f) {
  return uint64_t{1} << (f.bits - 1);
}

// Exponent of the unit in the last place of a number.
int ulp_exponent(const Format& f, long double value) {
  int exponent = 0;  // value = fraction * 2^exponent, fraction in [0.5, 1)
  std::frexp(value, &exponent);
  const int smallest = 1 - f.bias - (f.precision - 1);
  const int own = exponent - f.precision;
  return value == 0 || own < smallest ? smallest : own;
}

}  // namespace

bool is_floating(int type) {
  return format_of(type) != nullptr;
}

bool is_boolean(int type) {
  return type == 8;
}

bool is_signed(int type) {
  return type == 5 || type == 0x100 || type == 4 || type == 16;
}

bool is_nan(const Element& e) {
  const Format* f = format_of(e.type);
  return f != nullptr && (e.bits & ~sign_bit(*f)) > infinity_bits(*f);
}

long double real_of(const Element& e) {
  const Format& f = *format_of(e.type);
  const uint64_t magnitude = e.bits & ~sign_bit(f);
  const bool negative = (e.bits & sign_bit(f)) != 0;
  const uint64_t fraction = magnitude & ((uint64_t{1} << (f.precision - 1)) - 1);
  const auto exponent = static_cast<int>(magnitude >> (f.precision - 1));
  long double value;
  if (magnitude > infinity_bits(f))
    value = std::numeric_limits<long double>::quiet_NaN();
  else if (magnitude == infinity_bits(f))
    value = std::numeric_limits<long double>::infinity();
  else if (exponent == 0)
    value = std::ldexp(static_cast<long double>(fraction), 1 - f.bias - (f.precision - 1));
  else
    value = std::ldexp(static_cast<long double>(fraction | uint64_t{1} << (f.precision - 1)),
                       exponent - f.bias - (f.precision - 1));
  return negative ? -value : value;
}

Integer integer_of(const Element& e) {
  if (is_boolean(e.type)) return e.bits != 0 ? 1 : 0;
  const int bits = type_bytes(e.type) * 8;
  const auto value = static_cast<Integer>(e.bits);
  const bool negative = is_signed(e.type) && (e.bits >> (bits - 1) & 1u) != 0;
  return negative ? value - (Integer{1} << bits) : value;
}

Element from_real(int type, long double value) {
  const Format& f = *format_of(type);
  const uint64_t sign = std::signbit(value) ? sign_bit(f) : 0;
  if (std::isnan(value)) return {type, infinity_bits(f) | uint64_t{1} << (f.precision - 2)};
  if (std::isinf(value)) return {type, sign | infinity_bits(f)};
  const int ulp = ulp_exponent(f, value);
  // The default rounding mode is to nearest even; the scaled number has at most 64 bits.
  const auto units = static_cast<uint64_t>(std::nearbyint(std::ldexp(std::fabs(value), -ulp)));
  // units < 2^precision, or just that after rounding up; adding to the exponent field carries
  // right.
  const int field = ulp + (f.precision - 1) + f.bias;  // of a normal number with this ulp
  const uint64_t implicit = uint64_t{1} << (f.precision - 1);
  const uint64_t bits =
      units < implicit ? units
                       : (static_cast<uint64_t>(field) << (f.precision - 1)) + units - implicit;
  return {type, sign | (bits > infinity_bits(f) ? infinity_bits(f) : bits)};
}

Element from_integer(int type, Integer value) {
  if (is_floating(type)) return from_real(type, static_cast<long double>(value));
  if (is_boolean(type)) return {type, value != 0 ? 1u : 0u};
  const int bits = type_bytes(type) * 8;
  const uint64_t mask = bits == 64 ? ~uint64_t{0} : (uint64_t{1} << bits) - 1;
  return {type, static_cast<uint64_t>(value) & mask};
}

long double ulp_of(int type, long double value) {
  return std::ldexp(1.0L, ulp_exponent(*format_of(type), value));
}

const std::vector<Element>& special_values(int type) {
  static std::map<int, std::vector<Element>> cache;
  std::vector<Element>& values = cache[type];
  if (!values.empty()) return values;
  if (is_boolean(type)) {
    values = {{type, 0}, {type, 1}};
  } else if (const Format* f = format_of(type)) {
    const uint64_t inf = infinity_bits(*f);
    for (const uint64_t bits :
         {uint64_t{0}, uint64_t{1}, inf - 1, inf, inf | uint64_t{3} << (f->precision - 3),
          (uint64_t{1} << (f->precision - 1)) - 1})
      for (const uint64_t sign : {uint64_t{0}, sign_bit(*f)})
        values.push_back({type, bits | sign});
    for (const long double v : {1.0L, -1.0L, 0.5L, 2.0L, -2.5L, 3.0L, 7.0L, -0.3L, 100.25L, 255.5L,
                                -128.75L, 257.0L, 2049.0L, 65519.0L, 65520.0L, -40000.5L})
      values.push_back(from_real(type, v));
    for (const int power : {24, 31, 32, 63, 64})
      for (const long double sign : {1.0L, -1.0L})
        values.push_back(from_real(type, std::ldexp(sign, power)));
  } else {
    const int bits = type_bytes(type) * 8;
    const Integer past = Integer{1} << (is_signed(type) ? bits - 1 : bits);
    const Integer least = is_signed(type) ? -past : 0;
    for (const Integer v :
         {Integer{0}, Integer{1}, Integer{2}, Integer{3}, Integer{7}, Integer{100}, Integer{-1},
          Integer{-2}, Integer{-7}, past / 2, past / 2 - 1, past / 4 + 1, past - 1, past - 2, least,
          least + 1, past / 256 + past / 2 + 1})
      if (v >= least && v < past) values.push_back(from_integer(type, v));
  }
  return values;
}

std::string text_of(const Element& e) {
  char text[64];
  if (is_floating(e.type))
    std::snprintf(text, sizeof text, "%Lg (0x%llx)", real_of(e),
                  static_cast<unsigned long long>(e.bits));
  else
    std::snprintf(text, sizeof text, "0x%llx", static_cast<unsigned long long>(e.bits));
  return type_name(e.type) + " " + text;
}

}  // namespace iotadnn::test
