// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace iotadnn::impl {

// `count` elements of `bytes` = 1, 2, 4 or 8 bytes; a step leads from one to the next, in bytes.
void copy_elements(uint8_t* to, int64_t to_step, const uint8_t* from, int64_t from_step, int bytes,
                   int64_t count);

}  // namespace iotadnn::impl
