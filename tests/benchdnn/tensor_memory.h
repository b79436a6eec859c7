// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "iotadnn/graph.hpp"

#include "frontends/graph_desc.h"

namespace iotadnn::benchdnn {

// A tensor as the driver looks at it: where its elements lie and what they are.
struct TensorView {
  void* data = nullptr;
  iotadnn_data_type_t data_type = iotadnn_data_type_undef;
  std::vector<int64_t> dims;
  std::vector<int64_t> strides;

  int64_t elements() const;
};

// Of a logical tensor whose dims and strides are known; throws iotadnn::error otherwise.
TensorView view_of(const graph::logical_tensor& lt, void* data);

// Page-aligned bytes between two margins of canaries.
class TensorMemory {
 public:
  explicit TensorMemory(size_t bytes);

  void* data() const { return block_.get() + kMargin; }

  size_t bytes() const { return bytes_; }

  // Makes every page resident, by writing to it.
  void touch();

  // Canaries everywhere: a pattern that depends on the position and is never 0, 1 or all ones.
  void fill_canaries();

  // "" when no byte outside the elements of `view` (margins, stride gaps) has changed since
  // fill_canaries(); else one sentence. A null view: no byte at all has changed.
  std::string damage(const TensorView* view) const;

 private:
  static constexpr size_t kMargin = 4096;

  std::unique_ptr<unsigned char, void (*)(void*)> block_;
  size_t bytes_;
};

// Large contents repeat their first elements: drawing 64 MiB takes longer than measuring. A prime,
// so that rows of usual lengths differ.
inline constexpr size_t kDrawnElements = 65521;

// Fills `size` bytes with elements of `bytes` bytes each, the bits of number i being draw(i):
// called in order.
template <class Draw>
void fill_elements(void* data, size_t size, size_t bytes, Draw draw) {
  auto* const to = static_cast<unsigned char*>(data);
  const size_t whole = size / bytes * bytes;
  const size_t drawn = std::min(whole, kDrawnElements * bytes);
  for (size_t i = 0; i < drawn / bytes; ++i) {
    const uint64_t bits = draw(i);
    std::memcpy(to + i * bytes, &bits, bytes);
  }
  for (size_t offset = drawn; offset < whole; offset += drawn)
    std::memcpy(to + offset, to, std::min(drawn, whole - offset));
}

// Writes a tensor's value (JSON "value" or --tensor-value), one element after the other.
// RewriteError with a sentence when an element does not fit the type or the number of elements is
// another.
void write_value(const frontends::TensorDesc& tensor, void* data);

// Reads s32 or s64 element 0.
int64_t read_integer(iotadnn_data_type_t type, const void* data);

}  // namespace iotadnn::benchdnn
