// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <vector>

#include "kernels/random_region.h"
#include "support/numbers.h"

namespace iotadnn::test {

using RegionAttrs = std::map<graph::op::attr, RegionAttr>;

// What ops of a random graph start from: inputs, host scalars and ops that compute from
// coordinates.
class RegionSources {
 protected:
  RegionSources(Random& random, RandomRegion& made);

  int type(size_t v) const { return made_.values[v].type; }

  Extents dims(size_t v) const { return made_.values[v].dims; }

  // One of few types, so that values of the same one meet.
  int random_type() { return r_.pick(palette_); }

  int numeric_type();
  int floating_type();
  float random_float();
  int64_t diagonal(int64_t rows, int64_t columns);

  // Joins the shapes as numpy does; false when they do not go together or become too large.
  static bool broadcast(Extents& into, const Extents& with);

  // The shape, or one that broadcasts to it.
  Extents shape_for(const Extents& shape);

  size_t emit(graph::op::kind op, const std::vector<size_t>& inputs, int output_type,
              const Extents& output_dims, RegionAttrs attrs);
  size_t cast(size_t v);
  size_t cast(size_t v, int to);
  size_t input(int wanted, const Extents& shape);

  // A value of the type whose shape broadcasts with the given one.
  size_t source(int wanted, const Extents& shape);

  // The output of an op that computes from coordinates; rank 0 is that of Fill.
  size_t coordinates(int wanted, const Extents& shape);

  Random& r_;
  RandomRegion& made_;
  Extents domain_;

 private:
  int64_t random_extent();
  // An input of one element.
  size_t one_element(int wanted, std::vector<uint64_t> bits, bool host);
  // The same, or the output of a TypeCast that is this number.
  size_t one_number(int wanted, const Element& e, bool host);
  size_t gen_index(const Extents& shape);
  size_t eye(int wanted, const Extents& shape);
  size_t range(int wanted);
  size_t fill(int wanted, const Extents& shape);
  size_t one_hot(int wanted, const Extents& shape);
  size_t shape_source(const Extents& shape);

  std::vector<int> palette_;
};

}  // namespace iotadnn::test
