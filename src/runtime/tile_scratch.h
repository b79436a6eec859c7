// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>

namespace iotadnn::impl {

// A thread's scratch memory, kept for its next execution.
class TileScratch {
 public:
  // Parts of so many floats, each aligned to a cache line; false when there is no memory.
  bool divide(const int64_t* sizes, float** const* places, size_t count) {
    int64_t all = 0;
    for (size_t i = 0; i < count; ++i)
      all += rounded(sizes[i]);
    if (all > size_) {
      memory_.reset(static_cast<float*>(std::aligned_alloc(kLine, static_cast<size_t>(all) * 4)));
      size_ = memory_ ? all : 0;
    }
    float* part = memory_.get();
    if (part == nullptr) return false;
    for (size_t i = 0; i < count; ++i) {
      *places[i] = part;
      part += rounded(sizes[i]);
    }
    return true;
  }

 private:
  static constexpr size_t kLine = 64;

  struct Free {
    void operator()(float* p) const { std::free(p); }
  };

  static int64_t rounded(int64_t floats) { return (floats + 15) / 16 * 16; }

  std::unique_ptr<float, Free> memory_;
  int64_t size_ = 0;
};

}  // namespace iotadnn::impl
