// SPDX-License-Identifier: Apache-2.0
#include "ops/accumulator.h"

#include "base/float16.h"
#include "ops/elements.h"
#include "ops/type_set.h"

namespace iotadnn::impl {

Accumulator::Accumulator(DataType type)
    : type_(type), wide_(types::kFloating.has(type) ? DataType::f64 : DataType::u64) {}

void Accumulator::add(const void* data, int64_t index) {
  const uint64_t bits = element_as(wide_, type_, data, index);
  if (wide_ == DataType::u64)
    integers_ += bits;
  else
    reals_ += bit_cast<double>(bits);
}

void Accumulator::store(DataType type, void* data, int64_t index) const {
  const uint64_t sum = wide_ == DataType::u64 ? integers_ : bit_cast<uint64_t>(reals_);
  store_as(type, data, index, wide_, sum);
}

}  // namespace iotadnn::impl
