// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>

#include "base/span.h"

namespace iotadnn::impl {

// A thread's scratch memory, kept for its next execution.
class TileScratch {
 public:
  struct Part {
    float** place;
    int64_t floats;
  };

  // Divides the memory into these parts, each aligned to a cache line; false when there is none.
  bool divide(Span<const Part> parts) {
    int64_t all = 0;
    for (const Part& part : parts)
      all += rounded(part.floats);
    if (all > size_) {
      release();
      memory_.reset(static_cast<float*>(std::aligned_alloc(kLine, static_cast<size_t>(all) * 4)));
      size_ = memory_ ? all : 0;
    }
    float* next = memory_.get();
    if (next == nullptr) return false;
    for (const Part& part : parts) {
      *part.place = next;
      next += rounded(part.floats);
    }
    return true;
  }

  // Gives the memory back if it is more than a thread should keep.
  void release_if_large() {
    constexpr int64_t kMostKept = int64_t{4} << 20;  // floats
    if (size_ > kMostKept) release();
  }

 private:
  void release() {
    memory_.reset();
    size_ = 0;
  }

  static constexpr size_t kLine = 64;

  struct Free {
    void operator()(float* p) const { std::free(p); }
  };

  static int64_t rounded(int64_t floats) { return (floats + 15) / 16 * 16; }

  std::unique_ptr<float, Free> memory_;
  int64_t size_ = 0;
};

}  // namespace iotadnn::impl
