// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include "kernels/random_region_sources.h"

namespace iotadnn::test {

// What ops of a random graph read: values that are there, made to fit, or new ones.
class RegionOperands : public RegionSources {
 protected:
  using RegionSources::RegionSources;

  // A value that is there, or the newest.
  size_t any_exact();
  size_t any_numeric();
  size_t any_floating();
  size_t any_boolean();
  std::vector<size_t> matching(const std::function<bool(size_t)>& wanted) const;
  // A value of the type that broadcasts with the shape.
  size_t operand(int wanted, const Extents& with, bool math_allowed = false);
  Extents joined(const std::vector<size_t>& inputs) const;
  size_t pointwise(graph::op::kind op, const std::vector<size_t>& inputs, int output_type,
                   RegionAttrs attrs = {});
  void keep_math(size_t from, size_t to);
  // A type and the integer at which it ends, or stops to hold every integer; and a number near it.
  std::pair<int, int64_t> random_edge();
  size_t near_edge(int wanted, int64_t edge);

  bool math_ = false;  // whether the graph may hold functions with a stated error
};

}  // namespace iotadnn::test
