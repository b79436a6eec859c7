// SPDX-License-Identifier: Apache-2.0
#include "codegen/staging.h"

#include <cstring>

namespace iotadnn::impl {
namespace {

template <size_t kBytes>
void copy_stepd(uint8_t* to, int64_t to_step, const uint8_t* from, int64_t from_step,
                int64_t count) {
  for (int64_t i = 0; i < count; ++i)
    std::memcpy(to + i * to_step, from + i * from_step, kBytes);
}

}  // namespace

void copy_elements(uint8_t* to, int64_t to_step, const uint8_t* from, int64_t from_step, int bytes,
                   int64_t count) {
  if (to_step == bytes && from_step == bytes) {
    std::memcpy(to, from, static_cast<size_t>(count * bytes));
    return;
  }
  switch (bytes) {
    case 1:
      return copy_stepd<1>(to, to_step, from, from_step, count);
    case 2:
      return copy_stepd<2>(to, to_step, from, from_step, count);
    case 4:
      return copy_stepd<4>(to, to_step, from, from_step, count);
    default:
      return copy_stepd<8>(to, to_step, from, from_step, count);
  }
}

}  // namespace iotadnn::impl
