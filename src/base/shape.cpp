// SPDX-License-Identifier: Apache-2.0
#include "base/shape.h"

#include <algorithm>
#include <numeric>

namespace iotadnn::impl {

std::optional<int64_t> checked_mul(int64_t a, int64_t b) {
  int64_t product = 0;
  if (__builtin_mul_overflow(a, b, &product)) return std::nullopt;
  return product;
}

std::optional<int64_t> checked_add(int64_t a, int64_t b) {
  int64_t sum = 0;
  if (__builtin_add_overflow(a, b, &sum)) return std::nullopt;
  return sum;
}

int64_t saturating_add(int64_t a, int64_t b) {
  int64_t sum = 0;
  if (!__builtin_add_overflow(a, b, &sum)) return sum;
  return a < 0 ? std::numeric_limits<int64_t>::min() : std::numeric_limits<int64_t>::max();
}

Result<int64_t> num_elements(const Dims& dims, int rank) {
  if (rank < 0) return invalid_shape("the rank is unknown, and so the number of elements");
  // Zero extents are looked for first: 0 x 2^62 x 2^62 is a legal empty tensor.
  bool empty = false;
  for (int d = 0; d < rank; ++d) {
    if (dims[d] < 0)
      return invalid_shape("shape " + shape_text(dims, rank) + " has a negative or unknown extent");
    empty = empty || dims[d] == 0;
  }
  if (empty) return int64_t{0};
  int64_t count = 1;
  for (int d = 0; d < rank; ++d) {
    const auto product = checked_mul(count, dims[d]);
    if (!product)
      return invalid_shape("shape " + shape_text(dims, rank) +
                           " has more elements than a signed 64-bit integer can count");
    count = *product;
  }
  return count;
}

Result<int64_t> span_elements(const Dims& dims, const Dims& strides, int rank) {
  auto count = num_elements(dims, rank);
  if (!count.ok()) return count.status();
  if (*count == 0) return int64_t{0};
  int64_t last = 0;
  for (int d = 0; d < rank; ++d) {
    if (dims[d] == 1) continue;
    if (strides[d] < 0)
      return invalid_shape("stride " + std::to_string(strides[d]) + " of dimension " +
                           std::to_string(d) + " is negative or unknown");
    const auto reach = checked_mul(dims[d] - 1, strides[d]);
    const auto sum = reach ? checked_add(last, *reach) : std::nullopt;
    if (!sum)
      return invalid_shape("strides of shape " + shape_text(dims, rank) +
                           " span more elements than a signed 64-bit integer can count");
    last = *sum;
  }
  const auto span = checked_add(last, 1);
  if (!span)
    return invalid_shape("strides of shape " + shape_text(dims, rank) +
                         " span more elements than a signed 64-bit integer can count");
  return *span;
}

Result<Dims> dense_strides(const Dims& dims, int rank) {
  if (rank < 0) return invalid_shape("the rank is unknown, and so the strides");
  const bool empty = std::find(dims.begin(), dims.begin() + rank, 0) != dims.begin() + rank;
  Dims strides{};
  int64_t stride = 1;
  for (int d = rank - 1; d >= 0; --d) {
    strides[d] = stride;
    const auto next = checked_mul(stride, std::max<int64_t>(dims[d], 1));
    if (!next && d > 0 && !empty)
      return invalid_shape("shape " + shape_text(dims, rank) +
                           " has more elements than a signed 64-bit integer can count");
    stride = next.value_or(std::numeric_limits<int64_t>::max());
  }
  return strides;
}

bool non_overlapping(const Dims& dims, const Dims& strides, int rank) {
  std::array<int, kMaxRank> order{};
  int used = 0;
  for (int d = 0; d < rank; ++d) {
    if (dims[d] == 0) return true;
    if (dims[d] > 1) order[used++] = d;
  }
  std::sort(order.begin(), order.begin() + used,
            [&](int a, int b) { return strides[a] < strides[b]; });
  int64_t reach = 0;  // largest offset that the smaller strides produce
  for (int i = 0; i < used; ++i) {
    const int d = order[i];
    if (strides[d] <= reach) return false;
    const auto extent = checked_mul(dims[d] - 1, strides[d]);
    const auto sum = extent ? checked_add(reach, *extent) : std::nullopt;
    if (!sum) return false;
    reach = *sum;
  }
  return true;
}

bool is_known_shape(const Dims& dims, int rank) {
  if (rank < 0) return false;
  return std::none_of(dims.begin(), dims.begin() + rank,
                      [](int64_t d) { return d == kUnknownDim; });
}

std::string shape_text(const Dims& dims, int rank) {
  if (rank < 0) return "unknown rank";
  std::string text;
  for (int d = 0; d < rank; ++d) {
    if (d > 0) text += 'x';
    text += dims[d] == kUnknownDim ? "?" : std::to_string(dims[d]);
  }
  return text;
}

}  // namespace iotadnn::impl
