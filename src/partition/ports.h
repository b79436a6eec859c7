// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <unordered_map>
#include <vector>

#include "base/span.h"
#include "graph/op.h"

namespace iotadnn::impl {

// Who writes and who reads each value of a list of ops; ops are positions in the list, which must
// outlive the index.
class ValueIndex {
 public:
  static constexpr size_t kNone = static_cast<size_t>(-1);

  explicit ValueIndex(const std::vector<Op>& ops);

  const std::vector<Op>& ops() const { return ops_; }

  // The op that writes the value with this id; kNone when it comes from outside the list.
  size_t producer(size_t id) const;

  // The ops that read it, in order, one entry per reading port.
  Span<const size_t> consumers(size_t id) const;

 private:
  const std::vector<Op>& ops_;
  std::unordered_map<size_t, size_t> producers_;
  std::unordered_map<size_t, std::vector<size_t>> consumers_;
};

struct RegionPorts {
  std::vector<LogicalTensor> inputs;
  std::vector<LogicalTensor> outputs;
};

// The ports of a region (positions of ops, ascending), as oneDNN counts them. Inputs: one entry per
// reading port whose value comes from outside, in op and port order, so a value may repeat.
// Outputs: each value that nobody reads, that an op outside reads, or that an End inside exports.
RegionPorts ports_of(const ValueIndex& values, Span<const size_t> region);

}  // namespace iotadnn::impl
