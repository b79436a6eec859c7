// SPDX-License-Identifier: Apache-2.0
#include "kernels/shrink_region.h"

#include <algorithm>
#include <exception>

#include "kernels/region_runner.h"
#include "support/strided.h"

namespace iotadnn::test {
namespace {

bool is_read(const RandomRegion& region, size_t v) {
  return std::any_of(region.ops.begin(), region.ops.end(), [v](const RegionOp& op) {
    return std::find(op.inputs.begin(), op.inputs.end(), v) != op.inputs.end();
  });
}

void remove_op(RandomRegion& region, size_t i) {
  auto& extra = region.extra_outputs;
  extra.erase(std::remove(extra.begin(), extra.end(), region.ops[i].output), extra.end());
  region.ops.erase(region.ops.begin() + static_cast<int64_t>(i));
}

// Every value as the reference computes it, op by op.
RegionResults all_results(RandomRegion region) {
  region.fusion = false;
  region.in_place = false;
  ImplCounts unused;
  const RegionRunner runner(region, Placement::end_flush);
  return runner.run(kNamedIsas[0], unused);
}

// Values that nothing reads and nothing makes must not be made memory for.
void forget_unread(RandomRegion& region) {
  for (size_t v = 0; v < region.values.size(); ++v) {
    if (!region.values[v].is_input || is_read(region, v)) continue;
    region.values[v].is_input = false;
    region.values[v].bits.clear();
    region.values[v].known_in_graph = region.values[v].known_at_compile = true;
  }
}

}  // namespace

RandomRegion shrunk(RandomRegion region, const std::function<bool(const RandomRegion&)>& fails) {
  bool smaller = false;
  const auto keep_if_failing = [&](RandomRegion candidate) {
    forget_unread(candidate);
    if (!fails(candidate)) return false;
    region = std::move(candidate);
    smaller = true;
    return true;
  };
  do {
    smaller = false;
    for (size_t i = region.ops.size(); i-- > 0;) {
      if (is_read(region, region.ops[i].output)) continue;
      RandomRegion candidate = region;
      remove_op(candidate, i);
      keep_if_failing(std::move(candidate));
    }
    RegionResults results;
    try {
      results = all_results(region);
    } catch (const std::exception&) {  // what fails is not to be had as data
    }
    for (size_t i = region.ops.size(); i-- > 0;) {
      const size_t v = region.ops[i].output;
      if (results.count(v) == 0) continue;
      RandomRegion candidate = region;
      candidate.values[v].is_input = true;
      candidate.values[v].bits = results[v];
      remove_op(candidate, i);
      keep_if_failing(std::move(candidate));
    }
    for (size_t i = region.extra_outputs.size(); i-- > 0;) {
      RandomRegion candidate = region;
      candidate.extra_outputs.erase(candidate.extra_outputs.begin() + static_cast<int64_t>(i));
      keep_if_failing(std::move(candidate));
    }
    if (region.in_place) {
      RandomRegion candidate = region;
      candidate.in_place = false;
      keep_if_failing(std::move(candidate));
    }
    if (!region.strategy.empty()) {
      RandomRegion candidate = region;
      candidate.strategy.clear();
      keep_if_failing(std::move(candidate));
    }
    for (size_t v = 0; v < region.values.size(); ++v) {
      const RegionValue& value = region.values[v];
      if (!value.known_in_graph || !value.known_at_compile) {
        RandomRegion candidate = region;
        candidate.values[v].known_in_graph = candidate.values[v].known_at_compile = true;
        keep_if_failing(std::move(candidate));
      }
      if (region.values[v].known_extents != 0) {
        RandomRegion candidate = region;
        candidate.values[v].known_extents = 0;
        keep_if_failing(std::move(candidate));
      }
      if (region.values[v].strides != dense_strides(region.values[v].dims)) {
        RandomRegion candidate = region;
        candidate.values[v].strides = dense_strides(candidate.values[v].dims);
        keep_if_failing(std::move(candidate));
      }
    }
  } while (smaller);
  return region;
}

}  // namespace iotadnn::test
