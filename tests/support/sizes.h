// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

namespace iotadnn::test {

// Row lengths at which a vector loop changes its behaviour, for `lanes` elements in a vector: 0, 1
// and one less, exactly, and one more than 1, 2, 3 and 4 vectors (4 is the usual unrolling).
// Sorted, each once.
inline std::vector<int64_t> vector_edges(int64_t lanes) {
  std::vector<int64_t> sizes = {0, 1};
  for (int64_t vectors = 1; vectors <= 4; ++vectors)
    for (int64_t extra = -1; extra <= 1; ++extra)
      sizes.push_back(std::max<int64_t>(0, vectors * lanes + extra));
  std::sort(sizes.begin(), sizes.end());
  sizes.erase(std::unique(sizes.begin(), sizes.end()), sizes.end());
  return sizes;
}

// The edges of both vector widths that kernels are made for (32 and 64 bytes).
inline std::vector<int64_t> vector_edges_of_type(int elem_bytes) {
  std::vector<int64_t> sizes = vector_edges(32 / elem_bytes);
  for (const int64_t size : vector_edges(64 / elem_bytes))
    sizes.push_back(size);
  std::sort(sizes.begin(), sizes.end());
  sizes.erase(std::unique(sizes.begin(), sizes.end()), sizes.end());
  return sizes;
}

}  // namespace iotadnn::test
