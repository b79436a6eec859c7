// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace iotadnn::impl {

// `count` elements of `bytes` = 1, 2, 4 or 8 bytes, `stride` bytes apart in memory, to and from
// adjacent ones.
void gather_elements(void* to, const uint8_t* from, int64_t stride, int bytes, int64_t count);
void scatter_elements(uint8_t* to, int64_t stride, const void* from, int bytes, int64_t count);

}  // namespace iotadnn::impl
