// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "base/data_type.h"

namespace iotadnn::impl {

// A sum of elements of one type: integers modulo 2^64, which every narrower type wraps from; all
// others in f64, starting from +0, in the order in which they are added.
class Accumulator {
 public:
  explicit Accumulator(DataType type);

  // An element by its position in a buffer, which need not be aligned.
  void add(const void* data, int64_t index);

  // The sum, rounded once to `type`: the elements' own, or of floating point as they are.
  void store(DataType type, void* data, int64_t index) const;

 private:
  DataType type_;
  DataType wide_;
  uint64_t integers_ = 0;
  double reals_ = 0;
};

}  // namespace iotadnn::impl
