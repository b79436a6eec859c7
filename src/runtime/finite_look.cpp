// SPDX-License-Identifier: Apache-2.0
#include "runtime/finite_look.h"

#include <algorithm>
#include <cstring>

#include "ops/broadcast.h"
#include "ops/strided_loop.h"

namespace iotadnn::impl {
namespace {

// The bits of an exponent that only infinities and NaN have all of; 0 for integers.
uint64_t exponent_of(DataType type) {
  switch (type) {
    case DataType::f64:
      return 0x7ff0000000000000u;
    case DataType::f32:
      return 0x7f800000u;
    case DataType::f16:
      return 0x7c00u;
    case DataType::bf16:
      return 0x7f80u;
    default:
      return 0;
  }
}

// Without a branch per element, so that the compiler makes vectors of it.
template <class T>
bool none_has(T exponent, const unsigned char* data, int64_t stride, int64_t count) {
  T found = 0;
  const auto test = [&](int64_t i) {
    T bits;
    std::memcpy(&bits, data + i * int64_t{sizeof(T)}, sizeof(T));
    found |= static_cast<T>((bits & exponent) == exponent);
  };
  if (stride == 1)
    for (int64_t i = 0; i < count; ++i)
      test(i);
  else
    for (int64_t i = 0; i < count; ++i)
      test(i * stride);
  return found == 0;
}

bool none_is_infinite(DataType type, const unsigned char* data, int64_t stride, int64_t count) {
  const uint64_t exponent = exponent_of(type);
  switch (bytes_of(type)) {
    case 8:
      return none_has<uint64_t>(exponent, data, stride, count);
    case 4:
      return none_has<uint32_t>(static_cast<uint32_t>(exponent), data, stride, count);
    default:
      return none_has<uint16_t>(static_cast<uint16_t>(exponent), data, stride, count);
  }
}

}  // namespace

FiniteLook::FiniteLook(const LogicalTensor& tensor) : type_(tensor.type) {
  if (exponent_of(type_) == 0 || is_empty(tensor)) return;
  const Dims own = strides_of(tensor);
  std::array<int, kMaxRank> order{};
  int count = 0;
  for (int d = 0; d < tensor.rank; ++d)
    if (tensor.dims[d] != 1 && own[d] != 0) order[static_cast<size_t>(count++)] = d;
  std::stable_sort(order.begin(), order.begin() + count,
                   [&own](int a, int b) { return own[a] > own[b]; });
  extents_[0] = 1;
  strides_[0] = 1;
  for (int i = 0; i < count; ++i) {
    const int d = order[static_cast<size_t>(i)];
    if (rank_ > 0 && strides_[rank_ - 1] == own[d] * tensor.dims[d]) {
      extents_[rank_ - 1] *= tensor.dims[d];
      strides_[rank_ - 1] = own[d];
      continue;
    }
    extents_[rank_] = tensor.dims[d];
    strides_[rank_++] = own[d];
  }
  rank_ = std::max(rank_, 1);
  part_ = kUnitBytes / bytes_of(type_);
  parts_per_row_ = (extents_[rank_ - 1] - 1) / part_ + 1;
  units_ = parts_per_row_;
  for (int d = 0; d + 1 < rank_; ++d)
    units_ *= extents_[d];
}

bool FiniteLook::all_finite(const void* data, int64_t begin, int64_t end) const {
  const int last = rank_ - 1;
  const int64_t bytes = bytes_of(type_);
  for (int64_t unit = begin; unit < end; ++unit) {
    int64_t row = unit / parts_per_row_;
    const int64_t first = unit % parts_per_row_ * part_;
    int64_t offset = first * strides_[last];
    for (int d = last - 1; d >= 0; --d) {
      offset += row % extents_[d] * strides_[d];
      row /= extents_[d];
    }
    const int64_t count = std::min(part_, extents_[last] - first);
    if (!none_is_infinite(type_, static_cast<const unsigned char*>(data) + offset * bytes,
                          strides_[last], count))
      return false;
  }
  return true;
}

bool is_finite(DataType type, uint64_t bits) {
  const uint64_t exponent = exponent_of(type);
  return exponent == 0 || (bits & exponent) != exponent;
}

void count_not_finite(const LogicalTensor& tensor, const void* data, uint32_t summed,
                      int32_t* counts) {
  const Dims strides = strides_of(tensor);
  Dims kept = tensor.dims;
  for (int d = 0; d < tensor.rank; ++d)
    if ((summed >> d & 1u) != 0) kept[d] = 1;
  Dims to{};
  int64_t size = 1;
  for (int d = tensor.rank - 1; d >= 0; --d) {
    to[d] = kept[d] == 1 ? 0 : size;
    size *= kept[d];
  }
  std::fill_n(counts, size, 0);
  const int64_t bytes = bytes_of(tensor.type);
  for_each_index(tensor.dims, tensor.rank, [&](const Dims& coords) {
    const auto* element =
        static_cast<const unsigned char*>(data) + offset_of(coords, strides, tensor.rank) * bytes;
    if (!none_is_infinite(tensor.type, element, 1, 1)) ++counts[offset_of(coords, to, tensor.rank)];
  });
}

}  // namespace iotadnn::impl
