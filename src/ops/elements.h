// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <cstring>

#include "base/data_type.h"
#include "program/evaluate.h"

namespace iotadnn::impl {

// Element `index` of a buffer, which need not be aligned, as the bits of type `to`.
inline uint64_t element_as(DataType to, DataType from, const void* data, int64_t index) {
  const auto* const first = static_cast<const unsigned char*>(data);
  return convert_bits(to, from, extended_bits(from, first + index * bytes_of(from)));
}

// The value whose bits as type `from` are given, as element `index` of a buffer of type `to`.
inline void store_as(DataType to, void* data, int64_t index, DataType from, uint64_t value) {
  const uint64_t bits = convert_bits(to, from, value);
  const int bytes = bytes_of(to);
  std::memcpy(static_cast<unsigned char*>(data) + index * bytes, &bits, static_cast<size_t>(bytes));
}

}  // namespace iotadnn::impl
