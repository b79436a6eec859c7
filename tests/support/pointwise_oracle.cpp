// SPDX-License-Identifier: Apache-2.0
#include "support/pointwise_oracle.h"

#include <cmath>
#include <cstring>
#include <limits>

#include "support/oracle.h"

namespace iotadnn::test {
namespace {

__extension__ typedef unsigned __int128 Modular;

constexpr int kF32 = 3, kF64 = 7, kS64 = 16, kU64 = 0x103, kBoolean = 8;

Element boolean(bool value) {
  return {kBoolean, value ? 1u : 0u};
}

Element cast(const Element& e, int type) {
  if (!is_floating(e.type)) return from_integer(type, integer_of(e));
  const long double value = real_of(e);
  if (is_floating(type)) return from_real(type, value);
  if (is_boolean(type)) return boolean(value != 0);
  if (std::isnan(value)) return {type, 0};
  const int bits = type_bytes(type) * 8;
  const Integer past = Integer{1} << (is_signed(type) ? bits - 1 : bits);
  const Integer least = is_signed(type) ? -past : 0;
  if (value >= static_cast<long double>(past)) return from_integer(type, past - 1);
  if (value <= static_cast<long double>(least)) return from_integer(type, least);
  return from_integer(type, static_cast<Integer>(std::trunc(value)));
}

Element from_double(double value) {
  Element e{kF64, 0};
  std::memcpy(&e.bits, &value, sizeof value);
  return e;
}

// Correctly rounded: 64 bits are more than twice the precision of the narrower types and two more,
// so that rounding twice is harmless (Figueroa 1995); doubles are the machine's.
template <class F>
Element real_binary(const Element& a, const Element& b, F f) {
  if (a.type == kF64)
    return from_double(f(static_cast<double>(real_of(a)), static_cast<double>(real_of(b))));
  return from_real(a.type, f(real_of(a), real_of(b)));
}

Modular modular_power(Modular base, uint64_t exponent) {
  if (exponent == 0) return 1;
  const Modular half = modular_power(base, exponent / 2);
  return half * half * (exponent % 2 != 0 ? base : 1);
}

Integer integer_power(Integer base, Integer exponent) {
  if (exponent >= 0)
    return static_cast<Integer>(
        modular_power(static_cast<Modular>(base), static_cast<uint64_t>(exponent)));
  if (base == 1) return 1;
  return base == -1 ? (exponent % 2 == 0 ? 1 : -1) : 0;
}

Element integer_arithmetic(std::string_view op, const Element& a, const Element& b) {
  const Integer x = integer_of(a);
  const Integer y = integer_of(b);
  const auto wrapped = [&a](Modular v) { return from_integer(a.type, static_cast<Integer>(v)); };
  if (op == "Add") return from_integer(a.type, x + y);
  if (op == "Subtract") return from_integer(a.type, x - y);
  if (op == "Multiply") return wrapped(static_cast<Modular>(x) * static_cast<Modular>(y));
  if (op == "Divide") return from_integer(a.type, y == 0 ? 0 : x / y);
  if (op == "Maximum") return x > y ? a : b;
  if (op == "Minimum") return x < y ? a : b;
  return from_integer(a.type, integer_power(x, y));
}

// IEEE 754-2019 pow, 9.2.1, where an operand is not finite; x87's powl errs for infinite bases with
// exponents of 2^63 and more.
long double real_power(long double x, long double y) {
  if (y == 0 || x == 1) return 1;
  if (!std::isinf(x) || std::isnan(y)) return std::pow(x, y);
  const long double magnitude = y > 0 ? std::numeric_limits<long double>::infinity() : 0;
  return x < 0 && std::fmod(std::fabs(y), 2.0L) == 1 ? -magnitude : magnitude;
}

PointwiseResult math(int type, long double exact) {
  return {from_real(type, exact), true, false, exact};
}

PointwiseResult real_arithmetic(std::string_view op, const Element& a, const Element& b) {
  if (op == "Add") return {real_binary(a, b, [](auto x, auto y) { return x + y; })};
  if (op == "Subtract") return {real_binary(a, b, [](auto x, auto y) { return x - y; })};
  if (op == "Multiply") return {real_binary(a, b, [](auto x, auto y) { return x * y; })};
  if (op == "Divide") return {real_binary(a, b, [](auto x, auto y) { return x / y; })};
  if (op == "Power") return math(a.type, real_power(real_of(a), real_of(b)));
  PointwiseResult result;
  const long double x = real_of(a);
  const long double y = real_of(b);
  result.either_zero = x == 0 && y == 0;
  if (is_nan(a) || is_nan(b))
    result.element = is_nan(a) ? a : b;
  else
    result.element = (op == "Maximum" ? x > y : x < y) ? a : b;
  return result;
}

// Types of the operands and the result may differ; what is computed then is in doc/ops.md.
int common_type(int a, int b, int out) {
  if (a == b && b == out) return a;
  bool real = false;
  bool u64 = false;
  for (const int type : {a, b, out}) {
    if (type == kF64) return kF64;
    real = real || is_floating(type);
    u64 = u64 || type == kU64;
  }
  return real ? kF32 : u64 ? kU64 : kS64;
}

PointwiseResult arithmetic(std::string_view op, const Element& a, const Element& b, int out) {
  const int type = common_type(a.type, b.type, out);
  const Element x = cast(a, type);
  const Element y = cast(b, type);
  if (!is_floating(type)) return {cast(integer_arithmetic(op, x, y), out)};
  PointwiseResult result = real_arithmetic(op, x, y);
  result.element = cast(result.element, out);
  return result;
}

template <class T>
bool compare(std::string_view op, T x, T y) {
  if (op == "Equal") return x == y;
  if (op == "NotEqual") return x != y;
  if (op == "Greater") return x > y;
  if (op == "GreaterEqual") return x >= y;
  return op == "Less" ? x < y : x <= y;
}

bool comparison(std::string_view op, const Element& a, const Element& b) {
  if (is_floating(a.type)) return compare(op, real_of(a), real_of(b));
  return compare(op, integer_of(a), integer_of(b));
}

bool is_comparison(std::string_view op) {
  for (const std::string_view name :
       {"Equal", "NotEqual", "Greater", "GreaterEqual", "Less", "LessEqual"})
    if (op == name) return true;
  return false;
}

PointwiseResult real_unary(std::string_view op, const Element& a, const PointwiseAttrs& attrs) {
  const long double x = real_of(a);
  if (op == "Exp") return math(a.type, std::exp(x));
  if (op == "Log") return math(a.type, std::log(x));
  if (op == "Sigmoid") return math(a.type, 1 / (1 + std::exp(-x)));
  if (op == "Tanh") return math(a.type, std::tanh(x));
  if (op == "Pow") return math(a.type, real_power(x, static_cast<long double>(attrs.beta)));
  if (op == "Sqrt")
    return {a.type == kF64 ? from_double(std::sqrt(static_cast<double>(x)))
                           : from_real(a.type, std::sqrt(x))};
  if (op == "Reciprocal")
    return {real_binary(from_real(a.type, 1), a, [](auto one, auto v) { return one / v; })};
  if (op == "Square") return {real_binary(a, a, [](auto v, auto w) { return v * w; })};
  if (op == "Abs") return {from_real(a.type, std::fabs(x))};
  if (op == "Negative") return {from_real(a.type, -x)};
  if (op == "Sign") return {x > 0 ? from_real(a.type, 1) : x < 0 ? from_real(a.type, -1) : a};
  if (op == "ReLU") return {x <= 0 ? from_real(a.type, 0) : a};
  const Element min = from_real(a.type, static_cast<long double>(attrs.min));
  const Element max = from_real(a.type, static_cast<long double>(attrs.max));
  return {x < real_of(min) ? min : x > real_of(max) ? max : a};  // Clamp
}

Element integer_unary(std::string_view op, const Element& a, const PointwiseAttrs& attrs) {
  const Integer x = integer_of(a);
  if (op == "Square") return integer_arithmetic("Multiply", a, a);
  if (op == "Abs") return from_integer(a.type, x < 0 ? -x : x);
  if (op == "Negative") return from_integer(a.type, -x);
  if (op == "Sign") return from_integer(a.type, x > 0 ? 1 : x < 0 ? -1 : 0);
  if (op == "ReLU") return from_integer(a.type, x < 0 ? 0 : x);
  const auto bound = [&a](float v) {
    return cast(from_real(kF32, static_cast<long double>(v)), a.type);
  };
  const Element min = bound(attrs.min);
  const Element max = bound(attrs.max);
  return x < integer_of(min) ? min : x > integer_of(max) ? max : a;  // Clamp
}

}  // namespace

PointwiseResult pointwise_element(std::string_view op, const std::vector<Element>& inputs,
                                  int output_type, const PointwiseAttrs& attrs) {
  const Element& a = inputs[0];
  if (op == "TypeCast") return {cast(a, output_type)};
  if (op == "LogicalNot") return {boolean(a.bits == 0)};
  if (inputs.size() == 1)
    return is_floating(a.type) ? real_unary(op, a, attrs)
                               : PointwiseResult{integer_unary(op, a, attrs)};
  const Element& b = inputs[1];
  if (op == "Select") return {a.bits != 0 ? b : inputs[2]};
  if (op == "LogicalAnd") return {boolean(a.bits != 0 && b.bits != 0)};
  if (op == "LogicalOr") return {boolean(a.bits != 0 || b.bits != 0)};
  if (is_comparison(op)) return {boolean(comparison(op, a, b))};
  return arithmetic(op, a, b, output_type);
}

bool allows(const PointwiseResult& want, const Element& got, long double max_ulp) {
  if (got.type != want.element.type) return false;
  if (got.bits == want.element.bits) return true;
  if (is_nan(want.element) || is_nan(got)) return is_nan(want.element) && is_nan(got);
  if (!is_floating(got.type)) return false;
  if (want.either_zero) return real_of(got) == 0;
  if (!want.is_math || std::isinf(want.exact)) return false;
  if (std::isinf(real_of(got)) != std::isinf(real_of(want.element)))
    return std::fabs(want.exact) > real_of({got.type, special_values(got.type)[4].bits});
  if (std::isinf(real_of(got))) return false;  // of the other sign
  return std::fabs(real_of(got) - want.exact) <= max_ulp * ulp_of(got.type, want.exact);
}

}  // namespace iotadnn::test
