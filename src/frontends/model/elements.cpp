// SPDX-License-Identifier: Apache-2.0
#include "frontends/model/elements.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>

#include "frontends/model/error.h"

namespace iotadnn::models {
namespace {

// Storage of the types that C++ has no arithmetic for.
struct Half {
  uint16_t bits;
};

struct Bfloat {
  uint16_t bits;
};

struct Boolean {
  uint8_t byte;
};

// The nearest multiple (ties to even) of the last place that a type with `bits` bits of mantissa
// and the least exponent `least` has at x. Exact: long double holds every value of int64, uint64
// and double.
long double rounded(long double x, int bits, int least) {
  if (x == 0 || !std::isfinite(x)) return x;
  const long double place = std::ldexp(1.0L, std::max(std::ilogb(x), least) - bits);
  return std::nearbyint(x / place) * place;
}

uint16_t to_bfloat(long double x) {
  if (std::isnan(x)) return 0x7fc0;
  const auto nearest = static_cast<float>(rounded(x, 7, -126));
  uint32_t word = 0;
  std::memcpy(&word, &nearest, sizeof(word));
  return static_cast<uint16_t>(word >> 16);
}

uint16_t to_half(long double x) {
  if (std::isnan(x)) return 0x7e00;
  const auto sign = static_cast<uint16_t>(std::signbit(x) ? 0x8000 : 0);
  const long double nearest = std::fabs(rounded(x, 10, -14));
  if (nearest > 65504) return static_cast<uint16_t>(sign | 0x7c00);
  const int exponent = nearest == 0 ? -15 : std::ilogb(nearest);
  if (exponent < -14)  // subnormal: a multiple of 2^-24
    return static_cast<uint16_t>(sign | static_cast<uint16_t>(std::ldexp(nearest, 24)));
  const auto mantissa = static_cast<uint32_t>(std::ldexp(nearest, 10 - exponent)) & 0x3ffu;
  return static_cast<uint16_t>(sign | static_cast<uint32_t>(exponent + 15) << 10 | mantissa);
}

// A value of a floating type as an integer: truncated, saturated, NaN is 0.
template <class I, class F>
I saturate(F x) {
  if (std::isnan(x)) return 0;
  // Both bounds are exact in double: powers of two, or below 2^53.
  const F below = static_cast<F>(std::numeric_limits<I>::min());
  const F above = std::ldexp(F{1}, std::numeric_limits<I>::digits);
  if (x <= below) return std::numeric_limits<I>::min();
  if (x >= above) return std::numeric_limits<I>::max();
  return static_cast<I>(x);
}

template <class C, class T>
C widen(T value) {
  if constexpr (std::is_same_v<T, Half>) {
    return widen<C>(from_half(value.bits));
  } else if constexpr (std::is_same_v<T, Bfloat>) {
    return widen<C>(from_bfloat(value.bits));
  } else if constexpr (std::is_same_v<T, Boolean>) {
    return value.byte != 0 ? C{1} : C{0};
  } else if constexpr (std::is_floating_point_v<T> && std::is_integral_v<C>) {
    return saturate<C>(value);
  } else {
    return static_cast<C>(value);
  }
}

template <class T, class C>
T narrow(C value) {
  if constexpr (std::is_same_v<T, Half>) {
    return {to_half(static_cast<long double>(value))};
  } else if constexpr (std::is_same_v<T, Bfloat>) {
    return {to_bfloat(static_cast<long double>(value))};
  } else if constexpr (std::is_same_v<T, Boolean>) {
    return {static_cast<uint8_t>(value != 0)};
  } else if constexpr (std::is_integral_v<T> && std::is_floating_point_v<C>) {
    return saturate<T>(value);
  } else {
    return static_cast<T>(value);
  }
}

template <class C, class T>
C load(const std::byte* data, int64_t index) {
  T value;
  std::memcpy(&value, data + static_cast<size_t>(index) * sizeof(T), sizeof(T));
  return widen<C>(value);
}

template <class C, class T>
void store(std::byte* data, int64_t index, C value) {
  const T narrowed = narrow<T>(value);
  std::memcpy(data + static_cast<size_t>(index) * sizeof(T), &narrowed, sizeof(T));
}

// Calls `f` with a value of the type that stores `type`.
template <class F>
auto with_storage(DataType type, const F& f) {
  switch (type) {
    case iotadnn_f32:
      return f(float{});
    case iotadnn_f64:
      return f(double{});
    case iotadnn_f16:
      return f(Half{});
    case iotadnn_bf16:
      return f(Bfloat{});
    case iotadnn_s8:
      return f(int8_t{});
    case iotadnn_s16:
      return f(int16_t{});
    case iotadnn_s32:
      return f(int32_t{});
    case iotadnn_s64:
      return f(int64_t{});
    case iotadnn_u8:
      return f(uint8_t{});
    case iotadnn_u16:
      return f(uint16_t{});
    case iotadnn_u32:
      return f(uint32_t{});
    case iotadnn_u64:
      return f(uint64_t{});
    case iotadnn_boolean:
      return f(Boolean{});
    default:
      break;
  }
  throw ModelError("elements of type " + type_text(type) + " are not computed");
}

}  // namespace

Domain domain_of(DataType type) {
  switch (type) {
    case iotadnn_s8:
    case iotadnn_s16:
    case iotadnn_s32:
    case iotadnn_s64:
      return Domain::integer;
    case iotadnn_u8:
    case iotadnn_u16:
    case iotadnn_u32:
    case iotadnn_u64:
    case iotadnn_boolean:
      return Domain::natural;
    default:
      return Domain::real;
  }
}

bool is_floating(DataType type) {
  return type == iotadnn_f32 || type == iotadnn_f64 || type == iotadnn_f16 || type == iotadnn_bf16;
}

bool is_computed(DataType type) {
  return is_floating(type) || domain_of(type) != Domain::real;
}

bool is_numeric(DataType type) {
  return is_computed(type) && type != iotadnn_boolean;
}

template <class C>
Load<C> loader(DataType type) {
  return with_storage(type, [](auto example) -> Load<C> { return load<C, decltype(example)>; });
}

template <class C>
Store<C> storer(DataType type) {
  return with_storage(type, [](auto example) -> Store<C> { return store<C, decltype(example)>; });
}

template Load<double> loader(DataType);
template Load<int64_t> loader(DataType);
template Load<uint64_t> loader(DataType);
template Store<double> storer(DataType);
template Store<int64_t> storer(DataType);
template Store<uint64_t> storer(DataType);

void make_boolean(Tensor& tensor) {
  for (int64_t i = 0; i < tensor.count(); ++i)
    if (tensor.data()[i] != std::byte{0}) tensor.data()[i] = std::byte{1};
}

double from_half(uint16_t bits) {
  const int exponent = bits >> 10 & 0x1f;
  const int mantissa = bits & 0x3ff;
  double value = 0;
  if (exponent == 0x1f) {
    value = mantissa != 0 ? std::numeric_limits<double>::quiet_NaN()
                          : std::numeric_limits<double>::infinity();
  } else {
    value = exponent == 0 ? std::ldexp(mantissa, -24) : std::ldexp(mantissa + 0x400, exponent - 25);
  }
  return (bits & 0x8000) != 0 ? -value : value;
}

double from_bfloat(uint16_t bits) {
  const uint32_t word = static_cast<uint32_t>(bits) << 16;
  float value = 0;
  std::memcpy(&value, &word, sizeof(value));
  return static_cast<double>(value);
}

}  // namespace iotadnn::models
