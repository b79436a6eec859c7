// SPDX-License-Identifier: Apache-2.0
#include "ops/accumulator.h"

#include <cstring>

#include "base/float16.h"
#include "ops/type_set.h"
#include "program/evaluate.h"

namespace iotadnn::impl {
namespace {

// The element's bits as `to`.
uint64_t element(DataType to, DataType from, const void* data, int64_t index) {
  const auto* const first = static_cast<const unsigned char*>(data);
  return convert_bits(to, from, extended_bits(from, first + index * bytes_of(from)));
}

}  // namespace

Accumulator::Accumulator(DataType type)
    : type_(type), wide_(types::kFloating.has(type) ? DataType::f64 : DataType::u64) {}

void Accumulator::add(const void* data, int64_t index) {
  const uint64_t bits = element(wide_, type_, data, index);
  if (wide_ == DataType::u64)
    integers_ += bits;
  else
    reals_ += bit_cast<double>(bits);
}

void Accumulator::add_product(const void* a, int64_t a_index, const void* b, int64_t b_index) {
  const uint64_t x = element(wide_, type_, a, a_index);
  const uint64_t y = element(wide_, type_, b, b_index);
  if (wide_ == DataType::u64)
    integers_ += x * y;
  else
    reals_ += bit_cast<double>(x) * bit_cast<double>(y);
}

void Accumulator::store(DataType type, void* data, int64_t index) const {
  const uint64_t sum = wide_ == DataType::u64 ? integers_ : bit_cast<uint64_t>(reals_);
  const uint64_t bits = convert_bits(type, wide_, sum);
  const auto bytes = static_cast<size_t>(bytes_of(type));
  std::memcpy(static_cast<unsigned char*>(data) + index * int64_t(bytes), &bits, bytes);
}

}  // namespace iotadnn::impl
