// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "program/program.h"

namespace iotadnn::impl {

inline constexpr int kMaxVecBytes = 64;

// The memory of one call of a body's function: where its elements are, and room for what its
// registers do not hold. The caller sets all but the room.
struct PointwiseFrame {
  int64_t full;           // elements in whole chunks: a multiple of the body's lanes
  int64_t rest;           // elements behind them: fewer than the body's lanes
  int64_t column;         // of the first element
  const int64_t* coords;  // of the row
  const int64_t* scalars;
  const uint8_t* src[kMaxInputs];  // the first element of each tensor
  uint8_t* dst[kMaxOutputs];
  // What call_out() works on: the result's elements, then each operand's.
  alignas(kMaxVecBytes) uint8_t lanes[4][kMaxVecBytes];
  // Spilled values.
  alignas(kMaxVecBytes) uint8_t slots[kMaxInsts][kMaxVecBytes];
};

}  // namespace iotadnn::impl
