// SPDX-License-Identifier: Apache-2.0
#include "program/evaluate.h"

#include <cmath>
#include <limits>
#include <type_traits>

#include "base/float16.h"

namespace iotadnn::impl {
namespace {

// Storage and arithmetic of one element type. `Stored` is what memory holds, `Value` what is
// computed with.
template <class T>
struct Native {
  using Stored = T;
  using Value = T;

  static Value widen(Stored s) { return s; }

  static Stored narrow(Value v) { return v; }
};

struct F32 : Native<float> {
  static Stored narrow(float v) { return v; }

  static Stored narrow(double v) { return static_cast<float>(v); }
};

struct BF16 {
  using Stored = uint16_t;
  using Value = float;

  static float widen(uint16_t s) { return bf16_to_f32(s); }

  static uint16_t narrow(float v) { return f32_to_bf16(v); }

  static uint16_t narrow(double v) { return f32_to_bf16(f64_to_f32_odd(v)); }
};

struct F16 {
  using Stored = uint16_t;
  using Value = float;

  static float widen(uint16_t s) { return f16_to_f32(s); }

  static uint16_t narrow(float v) { return f32_to_f16(v); }

  static uint16_t narrow(double v) { return f32_to_f16(f64_to_f32_odd(v)); }
};

struct Boolean {
  using Stored = uint8_t;
  using Value = bool;

  static bool widen(uint8_t s) { return s != 0; }

  static uint8_t narrow(bool v) { return v ? 1 : 0; }
};

// Calls f(tag) with the tag of the type.
template <class F>
void with_type(DataType type, F&& f) {
  switch (type) {
    case DataType::f32:
      return f(F32());
    case DataType::bf16:
      return f(BF16());
    case DataType::f16:
      return f(F16());
    case DataType::f64:
      return f(Native<double>());
    case DataType::s8:
      return f(Native<int8_t>());
    case DataType::s16:
      return f(Native<int16_t>());
    case DataType::s32:
      return f(Native<int32_t>());
    case DataType::s64:
      return f(Native<int64_t>());
    case DataType::u8:
      return f(Native<uint8_t>());
    case DataType::u16:
      return f(Native<uint16_t>());
    case DataType::u32:
      return f(Native<uint32_t>());
    case DataType::u64:
      return f(Native<uint64_t>());
    case DataType::boolean:
      return f(Boolean());
    default:
      return;  // the verifier refuses other types
  }
}

template <class V>
constexpr bool kIsFloat = std::is_floating_point_v<V>;

// Wrapping arithmetic of integers; 64-bit unsigned numbers hold every product's low half.
template <class V, class F>
V wrapped(V a, V b, F f) {
  return static_cast<V>(f(static_cast<uint64_t>(a), static_cast<uint64_t>(b)));
}

template <class V>
V divided(V a, V b) {
  if constexpr (kIsFloat<V>) {
    return a / b;
  } else {
    if (b == 0) return 0;
    if constexpr (std::is_signed_v<V>)
      if (b == -1) return wrapped(V{0}, a, [](uint64_t x, uint64_t y) { return x - y; });
    return static_cast<V>(a / b);
  }
}

template <class V>
V integer_power(V base, V exponent) {
  if constexpr (std::is_signed_v<V>) {
    if (exponent < 0) {
      if (base == 1) return 1;
      if (base == -1) return exponent % 2 == 0 ? V{1} : V{-1};
      return 0;
    }
  }
  V result = 1;
  const auto times = [](uint64_t x, uint64_t y) { return x * y; };
  for (auto left = static_cast<uint64_t>(exponent); left != 0; left >>= 1) {
    if ((left & 1) != 0) result = wrapped(result, base, times);
    base = wrapped(base, base, times);
  }
  return result;
}

template <class V>
V larger(V a, V b) {
  if constexpr (kIsFloat<V>)
    if (std::isnan(a)) return a;
  return a > b || b != b ? (b != b ? b : a) : b;
}

template <class V>
V smaller(V a, V b) {
  if constexpr (kIsFloat<V>)
    if (std::isnan(a)) return a;
  return a < b || b != b ? (b != b ? b : a) : b;
}

template <class To, class From>
To to_integer(From v) {
  if constexpr (!kIsFloat<From>) {
    return static_cast<To>(v);
  } else {
    if (std::isnan(v)) return 0;
    // 2^digits is exact in every floating-point type; the largest integer may not be.
    const auto past = std::ldexp(From{1}, std::numeric_limits<To>::digits);
    if (v >= past) return std::numeric_limits<To>::max();
    if constexpr (std::is_signed_v<To>) {
      if (v < -past) return std::numeric_limits<To>::min();
    } else if (v <= 0) {
      return 0;
    }
    return static_cast<To>(v);
  }
}

// An integer as f64 by rounding to odd, so that a later rounding to 16 bits is the only one.
template <class V>
double integer_as_odd(V v) {
  auto nearest = static_cast<double>(v);
  if constexpr (sizeof(V) < 8) return nearest;
  constexpr auto kPast = std::is_signed_v<V> ? 0x1p63 : 0x1p64;
  const auto back = nearest >= kPast ? std::numeric_limits<V>::max() : static_cast<V>(nearest);
  if (nearest < kPast && back == v) return nearest;
  auto bits = bit_cast<uint64_t>(nearest);
  const bool away = nearest >= kPast || (v < 0 ? back < v : back > v);
  if (away) --bits;
  return bit_cast<double>(bits | 1u);
}

template <class To, class From>
typename To::Stored converted(typename From::Value v) {
  using V = typename To::Value;
  using S = typename From::Value;
  if constexpr (std::is_same_v<To, Boolean>) {
    return To::narrow(v != S{0});
  } else if constexpr (std::is_same_v<S, bool>) {
    return To::narrow(static_cast<V>(v ? 1 : 0));
  } else if constexpr (!kIsFloat<V>) {
    return to_integer<V>(v);
  } else if constexpr (sizeof(typename To::Stored) == 2 && !kIsFloat<S>) {
    return To::narrow(integer_as_odd(v));
  } else if constexpr (sizeof(typename To::Stored) == 2) {
    return To::narrow(v);
  } else {
    return static_cast<V>(v);
  }
}

template <class To, class From>
void convert_lanes(void* result, const void* operand, int64_t count) {
  auto* d = static_cast<typename To::Stored*>(result);
  const auto* a = static_cast<const typename From::Stored*>(operand);
  for (int64_t i = 0; i < count; ++i)
    d[i] = converted<To, From>(From::widen(a[i]));
}

template <class T, class F>
void map(void* result, const void* operand, int64_t count, F f) {
  auto* d = static_cast<typename T::Stored*>(result);
  const auto* a = static_cast<const typename T::Stored*>(operand);
  for (int64_t i = 0; i < count; ++i)
    d[i] = T::narrow(f(T::widen(a[i])));
}

template <class T, class F>
void map2(void* result, const void* const operands[], int64_t count, F f) {
  auto* d = static_cast<typename T::Stored*>(result);
  const auto* a = static_cast<const typename T::Stored*>(operands[0]);
  const auto* b = static_cast<const typename T::Stored*>(operands[1]);
  for (int64_t i = 0; i < count; ++i)
    d[i] = T::narrow(f(T::widen(a[i]), T::widen(b[i])));
}

template <class T, class F>
void compare(void* result, const void* const operands[], int64_t count, F f) {
  auto* d = static_cast<uint8_t*>(result);
  const auto* a = static_cast<const typename T::Stored*>(operands[0]);
  const auto* b = static_cast<const typename T::Stored*>(operands[1]);
  for (int64_t i = 0; i < count; ++i)
    d[i] = f(T::widen(a[i]), T::widen(b[i])) ? 1 : 0;
}

template <class S>
void select_lanes(void* result, const void* const operands[], int64_t count) {
  auto* d = static_cast<S*>(result);
  const auto* condition = static_cast<const uint8_t*>(operands[0]);
  const auto* yes = static_cast<const S*>(operands[1]);
  const auto* no = static_cast<const S*>(operands[2]);
  for (int64_t i = 0; i < count; ++i)
    d[i] = condition[i] != 0 ? yes[i] : no[i];
}

// In f64 what is narrower, so that the only rounding is the last one.
double as_double(float v) {
  return static_cast<double>(v);
}

double as_double(double v) {
  return v;
}

// exp() of a large number is infinite before the result is too small for f64.
double sigmoid(double x) {
  const double e = std::exp(-std::fabs(x));
  return (x < 0 ? e : 1.0) / (1.0 + e);
}

template <class T>
void evaluate_unary(Opcode op, void* d, const void* a, int64_t n) {
  using V = typename T::Value;
  switch (op) {
    case Opcode::negate:
      if constexpr (kIsFloat<V>)
        return map<T>(d, a, n, [](V x) { return -x; });
      else
        return map<T>(d, a, n, [](V x) {
          return wrapped(V{0}, x, [](uint64_t p, uint64_t q) { return p - q; });
        });
    case Opcode::abs:
      if constexpr (kIsFloat<V>)
        return map<T>(d, a, n, [](V x) { return std::fabs(x); });
      else if constexpr (std::is_signed_v<V>)
        return map<T>(d, a, n, [](V x) {
          return x < 0 ? wrapped(V{0}, x, [](uint64_t p, uint64_t q) { return p - q; }) : x;
        });
      else
        return map<T>(d, a, n, [](V x) { return x; });
    default:
      break;
  }
  if constexpr (kIsFloat<V>) {
    switch (op) {
      case Opcode::sqrt:
        return map<T>(d, a, n, [](V x) { return std::sqrt(x); });
      case Opcode::exp:
        return map<T>(d, a, n, [](V x) { return std::exp(as_double(x)); });
      case Opcode::log:
        return map<T>(d, a, n, [](V x) { return std::log(as_double(x)); });
      case Opcode::sigmoid:
        return map<T>(d, a, n, [](V x) { return sigmoid(as_double(x)); });
      case Opcode::tanh:
        return map<T>(d, a, n, [](V x) { return std::tanh(as_double(x)); });
      default:
        return;
    }
  }
}

template <class T>
void evaluate_binary(Opcode op, void* d, const void* const ab[], int64_t n) {
  using V = typename T::Value;
  if constexpr (kIsFloat<V>) {
    switch (op) {
      case Opcode::add:
        return map2<T>(d, ab, n, [](V x, V y) { return x + y; });
      case Opcode::subtract:
        return map2<T>(d, ab, n, [](V x, V y) { return x - y; });
      case Opcode::multiply:
        return map2<T>(d, ab, n, [](V x, V y) { return x * y; });
      case Opcode::power:
        return map2<T>(d, ab, n, [](V x, V y) { return std::pow(as_double(x), as_double(y)); });
      default:
        break;
    }
  } else {
    using U = uint64_t;
    switch (op) {
      case Opcode::add:
        return map2<T>(d, ab, n,
                       [](V x, V y) { return wrapped(x, y, [](U p, U q) { return p + q; }); });
      case Opcode::subtract:
        return map2<T>(d, ab, n,
                       [](V x, V y) { return wrapped(x, y, [](U p, U q) { return p - q; }); });
      case Opcode::multiply:
        return map2<T>(d, ab, n,
                       [](V x, V y) { return wrapped(x, y, [](U p, U q) { return p * q; }); });
      case Opcode::power:
        return map2<T>(d, ab, n, [](V x, V y) { return integer_power(x, y); });
      default:
        break;
    }
  }
  switch (op) {
    case Opcode::divide:
      return map2<T>(d, ab, n, [](V x, V y) { return divided(x, y); });
    case Opcode::maximum:
      return map2<T>(d, ab, n, [](V x, V y) { return larger(x, y); });
    case Opcode::minimum:
      return map2<T>(d, ab, n, [](V x, V y) { return smaller(x, y); });
    default:
      return;
  }
}

template <class T>
void evaluate_comparison(Opcode op, void* d, const void* const ab[], int64_t n) {
  using V = typename T::Value;
  switch (op) {
    case Opcode::equal:
      return compare<T>(d, ab, n, [](V x, V y) { return x == y; });
    case Opcode::not_equal:
      return compare<T>(d, ab, n, [](V x, V y) { return x != y; });
    case Opcode::greater:
      return compare<T>(d, ab, n, [](V x, V y) { return x > y; });
    case Opcode::greater_equal:
      return compare<T>(d, ab, n, [](V x, V y) { return x >= y; });
    case Opcode::less:
      return compare<T>(d, ab, n, [](V x, V y) { return x < y; });
    case Opcode::less_equal:
      return compare<T>(d, ab, n, [](V x, V y) { return x <= y; });
    default:
      return;
  }
}

void evaluate_logical(Opcode op, void* d, const void* const ab[], int64_t n) {
  switch (op) {
    case Opcode::logical_not:
      return map<Boolean>(d, ab[0], n, [](bool x) { return !x; });
    case Opcode::logical_and:
      return map2<Boolean>(d, ab, n, [](bool x, bool y) { return x && y; });
    case Opcode::logical_or:
      return map2<Boolean>(d, ab, n, [](bool x, bool y) { return x || y; });
    default:
      return;
  }
}

void evaluate_select(DataType type, void* d, const void* const operands[], int64_t n) {
  switch (bytes_of(type)) {
    case 1:
      return select_lanes<uint8_t>(d, operands, n);
    case 2:
      return select_lanes<uint16_t>(d, operands, n);
    case 4:
      return select_lanes<uint32_t>(d, operands, n);
    default:
      return select_lanes<uint64_t>(d, operands, n);
  }
}

}  // namespace

void evaluate(Opcode op, DataType type, DataType operand, void* result,
              const void* const operands[3], int64_t count) {
  if (op == Opcode::select) return evaluate_select(type, result, operands, count);
  if (op == Opcode::convert)
    return with_type(operand, [&](auto from) {
      with_type(type, [&](auto to) {
        convert_lanes<decltype(to), decltype(from)>(result, operands[0], count);
      });
    });
  if (op == Opcode::logical_not || op == Opcode::logical_and || op == Opcode::logical_or)
    return evaluate_logical(op, result, operands, count);
  with_type(operand, [&](auto tag) {
    using T = decltype(tag);
    if (op >= Opcode::equal && op <= Opcode::less_equal)
      return evaluate_comparison<T>(op, result, operands, count);
    if constexpr (!std::is_same_v<T, Boolean>) {
      if (op < Opcode::add) return evaluate_unary<T>(op, result, operands[0], count);
      evaluate_binary<T>(op, result, operands, count);
    }
  });
}

uint64_t convert_bits(DataType to, DataType from, uint64_t bits) {
  uint64_t result = 0;
  const void* const operands[3] = {&bits, nullptr, nullptr};
  evaluate(Opcode::convert, to, from, &result, operands, 1);
  return result;
}

uint64_t extended_bits(DataType type, const void* data) {
  uint64_t bits = 0;
  if (type == DataType::f32) {  // most are
    std::memcpy(&bits, data, sizeof(float));
    return bits;
  }
  const int bytes = bytes_of(type);
  std::memcpy(&bits, data, static_cast<size_t>(bytes));
  const bool is_signed = type == DataType::s8 || type == DataType::s16 || type == DataType::s32;
  const int unused = 64 - 8 * bytes;
  if (is_signed) return static_cast<uint64_t>(static_cast<int64_t>(bits << unused) >> unused);
  if (type == DataType::boolean) return bits != 0 ? 1 : 0;
  return bits;
}

}  // namespace iotadnn::impl
