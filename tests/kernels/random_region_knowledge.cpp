// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <vector>

#include "kernels/random_region.h"
#include "support/strided.h"

namespace iotadnn::test {
namespace {

using kind = graph::op::kind;
using attr = graph::op::attr;

// Strides that are not given are dense as soon as the shape is known, so that others need a shape
// that cannot be found from what is known at compile.
void make_found_shapes_dense(RandomRegion& region) {
  enum Found { from_nothing, no, yes };

  std::vector<Found> found(region.values.size(), from_nothing);
  const auto settle = [&](size_t v) {
    RegionValue& value = region.values[v];
    if (value.known_in_graph || value.known_at_compile || value.known_extents != 0) found[v] = yes;
    if (!value.dims.empty() && value.is_input && found[v] != yes) found[v] = no;
  };
  for (size_t v = 0; v < region.values.size(); ++v)
    if (region.values[v].is_input && !region.values[v].host_scalar) settle(v);
  for (const RegionOp& op : region.ops) {
    Found& out = found[op.output];
    for (const size_t v : op.inputs)
      out = std::max(out, found[v]);
    if (op.attrs.count(attr::shape) != 0 || op.kind == kind::OneHot || out == from_nothing)
      out = yes;
    if (op.kind == kind::Range || (op.kind == kind::Eye && !op.inputs.empty())) out = no;
    settle(op.output);
    RegionValue& value = region.values[op.output];
    if (out == yes && !(value.known_in_graph && value.known_at_compile))
      value.strides = dense_strides(value.dims);
  }
}

}  // namespace

void choose_knowledge(Random& random, RandomRegion& region) {
  const int64_t knowledge = random.between(0, 7);
  for (RegionValue& v : region.values) {
    if (v.host_scalar) continue;
    const bool some = knowledge == 0 && random.coin();
    v.known_in_graph = knowledge > 2 && !some;
    v.known_at_compile = v.known_in_graph || knowledge == 1 || (knowledge == 0 && random.coin());
  }
  for (RegionValue& v : region.values)
    if (!v.host_scalar && !v.known_in_graph && random.between(0, 3) == 0)
      v.known_extents =
          static_cast<uint32_t>(random.between(0, 1 << v.dims.size()) & ((1 << v.dims.size()) - 1));
  make_found_shapes_dense(region);
}

}  // namespace iotadnn::test
