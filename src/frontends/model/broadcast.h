// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include "frontends/model/tensor.h"

namespace iotadnn::models {

// Attribute "broadcast" of pointwise ops: which shapes of the inputs are allowed.
enum class Broadcast : int64_t {
  numpy,  // as in numpy
  none,   // one shape
  first,  // as in numpy, and the output has the shape of input 0
};

// The common shape of two, as in numpy; nullopt when there is none.
std::optional<Dims> broadcast(const Dims& a, const Dims& b);

// Goes over all index tuples of a shape in row-major order and keeps, for each operand, the element
// number that its strides lead to.
class Walk {
 public:
  explicit Walk(Dims dims) : dims_(std::move(dims)), index_(dims_.size(), 0) {}

  // An operand with these strides (in elements, one per dimension); returns its number.
  size_t add(Dims strides, int64_t start = 0);

  // An operand of a shape that broadcasts to the walk's.
  size_t add_broadcast(const Dims& dims);

  [[nodiscard]] int64_t at(size_t operand) const { return at_[operand]; }

  void next();

 private:
  Dims dims_;
  Dims index_;
  std::vector<Dims> strides_;
  std::vector<int64_t> at_;
};

// Row-major strides in elements.
Dims strides_of(const Dims& dims);

// The product of extents [begin, end).
int64_t product(const Dims& dims, size_t begin, size_t end);

}  // namespace iotadnn::models
