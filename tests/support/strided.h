// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <string>
#include <vector>

namespace iotadnn::test {

// Row-major strides of dims; an extent of 0 counts as 1.
inline std::vector<int64_t> dense_strides(const std::vector<int64_t>& dims) {
  std::vector<int64_t> strides(dims.size(), 1);
  for (size_t i = dims.size(); i-- > 1;)
    strides[i - 1] = strides[i] * (dims[i] > 0 ? dims[i] : 1);
  return strides;
}

// Strides of a tensor whose dimensions lie in memory in `order` (order[0] is the outermost), each
// dimension followed by a gap of `pad` elements of the next inner one; pad 0 is dense.
inline std::vector<int64_t> permuted_strides(const std::vector<int64_t>& dims,
                                             const std::vector<int>& order, int64_t pad = 0) {
  std::vector<int64_t> strides(dims.size(), 1);
  int64_t next = 1;
  for (size_t i = order.size(); i-- > 0;) {
    const auto d = static_cast<size_t>(order[i]);
    strides[d] = next;
    next *= (dims[d] > 0 ? dims[d] : 1) + pad;
  }
  return strides;
}

// Elements from the first to one past the last that dims and strides touch; 0 for an empty tensor.
inline int64_t span_of(const std::vector<int64_t>& dims, const std::vector<int64_t>& strides) {
  for (const int64_t dim : dims)
    if (dim == 0) return 0;
  int64_t last = 0;
  for (size_t i = 0; i < dims.size(); ++i)
    last += (dims[i] - 1) * strides[i];
  return last + 1;
}

// Calls visit(index, offset in elements) for each element in row-major order of the index, until
// visit returns false. A rank of 0 has one element.
template <class Visit>
void for_each_element(const std::vector<int64_t>& dims, const std::vector<int64_t>& strides,
                      Visit visit) {
  for (const int64_t dim : dims)
    if (dim == 0) return;
  std::vector<int64_t> index(dims.size(), 0);
  int64_t offset = 0;
  while (visit(static_cast<const std::vector<int64_t>&>(index), offset)) {
    size_t d = dims.size();
    while (d > 0) {
      --d;
      offset += strides[d];
      if (++index[d] < dims[d]) break;
      offset -= index[d] * strides[d];
      index[d] = 0;
      if (d == 0) return;
    }
    if (dims.empty()) return;
  }
}

// "2x3x4", or "" for rank 0.
inline std::string dims_text(const std::vector<int64_t>& dims, const char* separator = "x") {
  std::string text;
  for (size_t i = 0; i < dims.size(); ++i)
    text += (i > 0 ? separator : "") + std::to_string(dims[i]);
  return text;
}

}  // namespace iotadnn::test
