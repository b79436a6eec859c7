// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <cstring>
#include <utility>

#include "graph/logical_tensor.h"

namespace iotadnn::impl {

// Calls row(offset, coords) for every row of a fully known strided tensor of rank 1 or more,
// row-major: `offset` is that of the row's first element in elements, coords[rank-1] is 0. Nothing
// is called for an empty tensor.
template <class Row>
void for_each_row(const LogicalTensor& t, Row&& row) {
  for (int d = 0; d < t.rank; ++d)
    if (t.dims[d] == 0) return;
  Dims coords{};
  int64_t offset = 0;
  while (true) {
    row(offset, std::as_const(coords));
    int d = t.rank - 2;
    for (; d >= 0; --d) {
      offset += t.strides[d];
      if (++coords[d] < t.dims[d]) break;
      offset -= t.strides[d] * t.dims[d];
      coords[d] = 0;
    }
    if (d < 0) return;
  }
}

// Calls visit(coords) for every index tuple of a known shape in row-major order: once for rank 0,
// never for an empty shape.
template <class Visit>
void for_each_index(const Dims& dims, int rank, Visit&& visit) {
  for (int d = 0; d < rank; ++d)
    if (dims[d] == 0) return;
  Dims coords{};
  while (true) {
    visit(std::as_const(coords));
    int d = rank - 1;
    for (; d >= 0; --d) {
      if (++coords[d] < dims[d]) break;
      coords[d] = 0;
    }
    if (d < 0) return;
  }
}

// Where an index tuple lies, in elements.
inline int64_t offset_of(const Dims& coords, const Dims& strides, int rank) {
  int64_t offset = 0;
  for (int d = 0; d < rank; ++d)
    offset += coords[d] * strides[d];
  return offset;
}

// Element `to` of one buffer becomes element `from` of another, of this many bytes each.
inline void copy_element(void* dst, int64_t to, const void* src, int64_t from, int bytes) {
  std::memcpy(static_cast<unsigned char*>(dst) + to * bytes,
              static_cast<const unsigned char*>(src) + from * bytes, static_cast<size_t>(bytes));
}

// Element `index` of a buffer, which need not be aligned.
template <class T>
void store_element(void* data, int64_t index, T value) {
  std::memcpy(static_cast<unsigned char*>(data) + index * int64_t{sizeof(T)}, &value, sizeof(T));
}

template <class T>
T load_element(const void* data, int64_t index) {
  T value;
  std::memcpy(&value, static_cast<const unsigned char*>(data) + index * int64_t{sizeof(T)},
              sizeof(T));
  return value;
}

}  // namespace iotadnn::impl
