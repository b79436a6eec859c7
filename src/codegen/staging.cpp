// SPDX-License-Identifier: Apache-2.0
#include "codegen/staging.h"

#include <cstring>

namespace iotadnn::impl {
namespace {

template <size_t kBytes>
void copy_strided(uint8_t* to, int64_t to_stride, const uint8_t* from, int64_t from_stride,
                  int64_t count) {
  for (int64_t i = 0; i < count; ++i)
    std::memcpy(to + i * to_stride, from + i * from_stride, kBytes);
}

void copy_elements(uint8_t* to, int64_t to_stride, const uint8_t* from, int64_t from_stride,
                   int bytes, int64_t count) {
  if (to_stride == bytes && from_stride == bytes) {
    std::memcpy(to, from, static_cast<size_t>(count * bytes));
    return;
  }
  switch (bytes) {
    case 1:
      return copy_strided<1>(to, to_stride, from, from_stride, count);
    case 2:
      return copy_strided<2>(to, to_stride, from, from_stride, count);
    case 4:
      return copy_strided<4>(to, to_stride, from, from_stride, count);
    default:
      return copy_strided<8>(to, to_stride, from, from_stride, count);
  }
}

}  // namespace

void gather_elements(void* to, const uint8_t* from, int64_t stride, int bytes, int64_t count) {
  copy_elements(static_cast<uint8_t*>(to), bytes, from, stride, bytes, count);
}

void scatter_elements(uint8_t* to, int64_t stride, const void* from, int bytes, int64_t count) {
  copy_elements(to, stride, static_cast<const uint8_t*>(from), bytes, bytes, count);
}

}  // namespace iotadnn::impl
