// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "codegen/ring_plan.h"

namespace iotadnn::impl {

// How far lanes are moved along the stream.
enum class RingStep : uint8_t {
  blocks,  // one round of the main loop
  vector,  // one vector
  head,    // from the start to the first aligned vector, less whole vectors
  tail,    // from the last whole vector to the one that ends the stream
};
inline constexpr int kRingSteps = 4;

// What a call of a ring kernel reads, besides the address of its first element. It writes nothing
// here: threads may share one.
struct RingFrame {
  int64_t part;          // elements when there are fewer than a vector, else 0 and:
  int64_t head_vectors;  // whole vectors in front of the aligned ones
  int64_t head_rest;     // elements between them and the aligned ones
  int64_t blocks;        // rounds of the main loop
  int64_t vectors;       // whole vectors after it
  int64_t tail_rest;     // elements after those; then `vectors` is not 0

  // Elements as the kernel's lanes have them: the low bytes count.
  int64_t step[kRingSteps][kMaxRingDigits];  // digits of a step
  int64_t last_wrapped[kRingSteps];          // of the last digit: step - extent
  int64_t extent[kMaxRingDigits];
  int64_t above_lo[kMaxRingPredicates];  // lo - 1, or lo where a single value is tested
  int64_t above_hi[kMaxRingPredicates];  // hi - 1

  alignas(64) uint8_t lanes[kMaxRingDigits][64];  // digits of the first vector's lanes
};

}  // namespace iotadnn::impl
