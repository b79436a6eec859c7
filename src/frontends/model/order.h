// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

namespace iotadnn::models {

struct Order {
  std::vector<size_t> order;
  std::optional<size_t> in_cycle;  // one of those that depend on themselves
};

// Each after its sources, otherwise in the given order. sources[i] are indices, with repetitions.
Order sources_first(const std::vector<std::vector<size_t>>& sources);

}  // namespace iotadnn::models
