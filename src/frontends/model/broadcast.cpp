// SPDX-License-Identifier: Apache-2.0
#include "frontends/model/broadcast.h"

#include <algorithm>
#include <utility>

namespace iotadnn::models {

std::optional<Dims> broadcast(const Dims& a, const Dims& b) {
  Dims common(std::max(a.size(), b.size()));
  for (size_t back = 1; back <= common.size(); ++back) {
    const int64_t x = back <= a.size() ? a[a.size() - back] : 1;
    const int64_t y = back <= b.size() ? b[b.size() - back] : 1;
    if (x != y && x != 1 && y != 1) return std::nullopt;
    common[common.size() - back] = x == 1 ? y : x;
  }
  return common;
}

size_t Walk::add(Dims strides, int64_t start) {
  strides_.push_back(std::move(strides));
  at_.push_back(start);
  return at_.size() - 1;
}

size_t Walk::add_broadcast(const Dims& dims) {
  const Dims dense = strides_of(dims);
  Dims strides(dims_.size(), 0);
  for (size_t back = 1; back <= dims.size(); ++back)
    if (dims[dims.size() - back] != 1) strides[dims_.size() - back] = dense[dims.size() - back];
  return add(std::move(strides));
}

void Walk::next() {
  for (size_t d = dims_.size(); d-- > 0;) {
    const bool turns = ++index_[d] == dims_[d];
    const int64_t steps = turns ? 1 - dims_[d] : 1;
    for (size_t o = 0; o < at_.size(); ++o)
      at_[o] += steps * strides_[o][d];
    if (!turns) return;
    index_[d] = 0;
  }
}

Dims strides_of(const Dims& dims) {
  Dims strides(dims.size(), 1);
  for (size_t d = dims.size(); d-- > 1;)
    strides[d - 1] = strides[d] * std::max<int64_t>(dims[d], 1);
  return strides;
}

int64_t product(const Dims& dims, size_t begin, size_t end) {
  int64_t result = 1;
  for (size_t d = begin; d < end; ++d)
    result *= dims[d];
  return result;
}

}  // namespace iotadnn::models
