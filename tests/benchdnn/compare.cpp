// SPDX-License-Identifier: Apache-2.0
#include "benchdnn/compare.h"

#include <algorithm>
#include <cinttypes>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <limits>

#include "frontends/names.h"
#include "support/numbers.h"
#include "support/oracle.h"
#include "support/strided.h"

namespace iotadnn::benchdnn {
namespace {

constexpr int64_t kShownErrors = 10;

template <class T>
T bit_cast(uint64_t bits) {
  T value;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

double half_value(uint64_t bits) {
  const auto exponent = static_cast<int>((bits >> 10) & 31);
  const auto mantissa = static_cast<double>(bits & 1023);
  const double sign = (bits & 0x8000) != 0 ? -1 : 1;
  if (exponent == 31)
    return mantissa == 0 ? sign * std::numeric_limits<double>::infinity()
                         : std::numeric_limits<double>::quiet_NaN();
  if (exponent == 0) return sign * std::ldexp(mantissa, -24);
  return sign * std::ldexp(mantissa + 1024, exponent - 25);
}

// For the statistics only: what passes or fails is decided by bits.
double value_of(iotadnn_data_type_t type, uint64_t bits) {
  switch (static_cast<int>(type)) {
    case iotadnn_f32:
      return static_cast<double>(bit_cast<float>(bits));
    case iotadnn_bf16:
      return static_cast<double>(bit_cast<float>(bits << 16));
    case iotadnn_f16:
      return half_value(bits);
    case iotadnn_f64:
      return bit_cast<double>(bits);
    case iotadnn_s8:
      return bit_cast<int8_t>(bits);
    case iotadnn_s16:
      return bit_cast<int16_t>(bits);
    case iotadnn_s32:
      return bit_cast<int32_t>(bits);
    case iotadnn_s64:
      return static_cast<double>(bit_cast<int64_t>(bits));
    default:
      return static_cast<double>(bits);
  }
}

uint64_t bits_at(const TensorView& view, int64_t offset, size_t bytes) {
  uint64_t bits = 0;
  std::memcpy(&bits, static_cast<const char*>(view.data) + offset * static_cast<int64_t>(bytes),
              bytes);
  return bits;
}

class Comparer {
 public:
  Comparer(iotadnn_data_type_t type, std::string name, int64_t verbose)
      : type_(type), name_(std::move(name)), verbose_(verbose) {}

  void add(const std::vector<int64_t>& index, uint64_t want, uint64_t got) {
    const int64_t position = result_.total++;
    if (want == 0) ++result_.zeros;
    if (want == got && verbose_ < 99) return;
    const double wanted = value_of(type_, want);
    const double diff = want == got ? 0 : std::fabs(wanted - value_of(type_, got));
    const double rdiff = diff / std::max(std::fabs(wanted), 1e-5);
    result_.all_max_diff = std::max(result_.all_max_diff, diff);
    result_.all_max_rdiff = std::max(result_.all_max_rdiff, rdiff);
    if (want != got) {
      ++result_.errors;
      result_.err_max_diff = std::max(result_.err_max_diff, diff);
      result_.err_max_rdiff = std::max(result_.err_max_rdiff, rdiff);
    }
    if (verbose_ < 99 && result_.errors > kShownErrors) return;
    std::printf("[%4" PRId64 "][%s][%s] exp_f32:%12g exp:%12s got:%12s diff:%8g rdiff:%8g\n",
                position, name_.c_str(), test::dims_text(index, ":").c_str(), wanted,
                element_text(type_, want).c_str(), element_text(type_, got).c_str(), diff, rdiff);
  }

  CompareResult finish() const {
    if (verbose_ < 6 && result_.errors == 0) return result_;
    const double zeros = result_.total == 0 ? 0
                                            : 100 * static_cast<double>(result_.zeros) /
                                                  static_cast<double>(result_.total);
    std::printf(
        "[COMPARE_STATS][%s]: trh=0 err_max_diff:%8g err_max_rdiff:%8g all_max_diff:%8g "
        "all_max_rdiff:%8g\n",
        name_.c_str(), result_.err_max_diff, result_.err_max_rdiff, result_.all_max_diff,
        result_.all_max_rdiff);
    std::printf("[COMPARE_TRUST][%s]: z:%2.0f%% (>%2.0f%%) (z: %" PRId64 ", total: %" PRId64 ")\n",
                name_.c_str(), zeros, 100.0, result_.zeros, result_.total);
    return result_;
  }

 private:
  iotadnn_data_type_t type_;
  std::string name_;
  int64_t verbose_;
  CompareResult result_;
};

void announce(const std::string& name, int64_t verbose) {
  if (verbose >= 6)
    std::printf("[COMPARE][%s]: zero_trust%%=%.2f%% extra=allow_norm:true;\n", name.c_str(), 100.0);
}

// How an element agrees with what is expected of it.
enum class Agreement { right, near, wrong };  // near: right if the norm is

class Judge {
 public:
  Judge(iotadnn_data_type_t type, const Tolerance& tolerance, const std::vector<uint64_t>& wanted)
      : type_(type), tolerance_(tolerance) {
    if (tolerance.of_largest == 0 || !test::is_floating(type)) return;
    for (const uint64_t bits : wanted)
      if (const double value = std::fabs(value_of(type, bits)); std::isfinite(value))
        largest_ = std::max(largest_, value);
  }

  Agreement operator()(uint64_t want, uint64_t got) {
    if (want == got) return count(value_of(type_, want), 0, Agreement::right);
    if (!test::is_floating(type_)) return no_number();
    const double expected = value_of(type_, want);
    const double found = value_of(type_, got);
    if (std::isnan(expected) || std::isnan(found))
      return std::isnan(expected) && std::isnan(found) ? Agreement::right : no_number();
    if (expected == found) return count(expected, 0, Agreement::right);
    if (std::isinf(expected) || std::isinf(found)) return no_number();
    const double diff = std::fabs(expected - found);
    return count(expected, diff, by_difference(expected, diff));
  }

  bool norm_is_right() const {
    return has_norm_ && std::sqrt(diff_squares_) <= 3e-3 * std::sqrt(squares_);
  }

 private:
  // A difference that no norm includes.
  Agreement no_number() {
    has_norm_ = false;
    return Agreement::wrong;
  }

  Agreement by_difference(double expected, double diff) const {
    constexpr double kTiny = 1e-5;
    const long double unit = test::ulp_of(type_, static_cast<long double>(expected));
    if (static_cast<long double>(diff) <= static_cast<long double>(tolerance_.ulps) * unit)
      return Agreement::right;
    if (diff <= tolerance_.relative * std::fabs(expected)) return Agreement::right;
    if (tolerance_.by_norm && std::fabs(expected) <= kTiny && diff < 0x1p-23)
      return Agreement::right;
    if (diff > tolerance_.of_largest * largest_) return Agreement::wrong;
    return tolerance_.by_norm ? Agreement::near : Agreement::right;
  }

  Agreement count(double expected, double diff, Agreement agreement) {
    if (!std::isfinite(expected)) return agreement;
    squares_ += expected * expected;
    diff_squares_ += diff * diff;
    return agreement;
  }

  iotadnn_data_type_t type_;
  const Tolerance& tolerance_;
  double largest_ = 0;
  double squares_ = 0;
  double diff_squares_ = 0;
  bool has_norm_ = true;
};

size_t element_bytes(const TensorView& view) {
  return static_cast<size_t>(frontends::bytes_of(view.data_type));
}

}  // namespace

CompareResult compare(const TensorView& got, const Expectation& expected, const std::string& name,
                      int64_t verbose) {
  announce(name, verbose);
  Comparer comparer(got.data_type, name, verbose);
  const size_t bytes = element_bytes(got);
  const size_t rank = got.dims.size();
  test::for_each_element(
      got.dims, got.strides, [&](const std::vector<int64_t>& index, int64_t offset) {
        const uint64_t want =
            expected.kind == Expectation::Kind::eye
                ? test::eye_element(got.data_type, index[rank - 2], index[rank - 1], expected.k)
                : test::index_element(got.data_type, index[expected.axis]);
        comparer.add(index, want, bits_at(got, offset, bytes));
        return true;
      });
  return comparer.finish();
}

CompareResult compare_bits(const TensorView& got, const TensorView& first, const std::string& name,
                           int64_t verbose) {
  announce(name, verbose);
  Comparer comparer(got.data_type, name, verbose);
  const size_t bytes = element_bytes(got);
  test::for_each_element(
      got.dims, got.strides, [&](const std::vector<int64_t>& index, int64_t offset) {
        comparer.add(index, bits_at(first, offset, bytes), bits_at(got, offset, bytes));
        return true;
      });
  return comparer.finish();
}

CompareResult compare_numbers(const TensorView& got, const TensorView& want,
                              const std::string& name, const Tolerance& tolerance,
                              int64_t verbose) {
  announce(name, verbose);
  const size_t bytes = element_bytes(got);
  const auto elements_of = [bytes](const TensorView& view) {  // in their order: strides may differ
    std::vector<uint64_t> elements;
    elements.reserve(static_cast<size_t>(view.elements()));
    test::for_each_element(view.dims, view.strides,
                           [&](const std::vector<int64_t>&, int64_t offset) {
                             elements.push_back(bits_at(view, offset, bytes));
                             return true;
                           });
    return elements;
  };
  const std::vector<uint64_t> wanted = elements_of(want);
  const std::vector<uint64_t> found = elements_of(got);
  Judge judge(got.data_type, tolerance, wanted);
  std::vector<Agreement> agreements;
  agreements.reserve(wanted.size());
  for (size_t i = 0; i < wanted.size(); ++i)
    agreements.push_back(judge(wanted[i], found[i]));
  const auto wrong = std::count(agreements.begin(), agreements.end(), Agreement::wrong);
  const bool few = static_cast<size_t>(wrong) <= wanted.size() / 1024;
  const bool rescued = tolerance.by_norm && few && judge.norm_is_right();
  Comparer comparer(got.data_type, name, verbose);
  size_t next = 0;
  test::for_each_element(got.dims, got.strides, [&](const std::vector<int64_t>& index, int64_t) {
    const bool right = rescued || agreements[next] == Agreement::right;
    comparer.add(index, wanted[next], right ? wanted[next] : found[next]);
    ++next;
    return true;
  });
  return comparer.finish();
}

std::string element_text(iotadnn_data_type_t type, uint64_t bits) {
  char text[40];
  switch (static_cast<int>(type)) {
    case iotadnn_f32:
    case iotadnn_bf16:
    case iotadnn_f16:
    case iotadnn_f64:
      std::snprintf(text, sizeof text, "%g", value_of(type, bits));
      break;
    case iotadnn_s8:
    case iotadnn_s16:
    case iotadnn_s32:
      std::snprintf(text, sizeof text, "%.0f", value_of(type, bits));
      break;
    case iotadnn_s64:
      std::snprintf(text, sizeof text, "%" PRId64, bit_cast<int64_t>(bits));
      break;
    default:
      std::snprintf(text, sizeof text, "%" PRIu64, bits);
      break;
  }
  return text;
}

}  // namespace iotadnn::benchdnn
