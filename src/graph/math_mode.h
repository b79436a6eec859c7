// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace iotadnn::impl {

// What rewriting may do to results. Numbers are those of iotadnn_graph_math_mode_t.
enum class MathMode : uint8_t {
  standard = 0,  // results are equal under ==, NaN where it is NaN; the sign of a zero may differ
  strict_bits = 1,  // the very bits, the sign of zeros included
  finite = 2,       // the caller promises that no value is infinite or NaN
};

}  // namespace iotadnn::impl
