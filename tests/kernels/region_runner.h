// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "iotadnn/graph.hpp"

#include "kernels/random_region.h"
#include "support/guarded_buffer.h"
#include "support/isa_param.h"

namespace iotadnn::test {

// How many compiled partitions say what get_impl() answers.
using ImplCounts = std::map<std::string, int64_t>;

// Elements of what the partitions handed out, in row-major order, by id.
using RegionResults = std::map<size_t, std::vector<uint64_t>>;

// A random graph with its partitions and inputs, to be run under any ISA.
class RegionRunner {
 public:
  RegionRunner(const RandomRegion& region, Placement placement);

  // Runs all partitions in order. Throws std::runtime_error or iotadnn::error where one is refused,
  // an implementation ran that the ISA does not allow, or a byte was written that is none of an
  // output's. What a partition hands to the next is taken from `given` where that has it: what is
  // computed from a zero depends on its sign, which may differ. What a primitive of oneDNN sums up
  // rounds in another order, so that it counts as given, too.
  RegionResults run(const NamedIsa& isa, ImplCounts& impls, const RegionResults& given = {}) const;

 private:
  struct Memory {
    std::shared_ptr<GuardedBuffer> buffer;
    void* data = nullptr;
  };

  graph::logical_tensor tensor_of(size_t id, bool known) const;
  graph::graph build() const;
  graph::partition compilable(const graph::partition& partition) const;
  Memory memory_of(size_t id, const std::vector<uint64_t>* bits) const;
  std::vector<uint64_t> elements(size_t id, const void* data) const;
  void run_partition(const graph::partition& partition, const NamedIsa& isa, ImplCounts& impls,
                     std::map<size_t, Memory>& memory, RegionResults& results,
                     const RegionResults& given_results) const;

  const RandomRegion& region_;
  Placement placement_;
  engine engine_{engine::kind::cpu, 0};
  std::map<size_t, Memory> inputs_;
  std::vector<graph::partition> partitions_;
  mutable std::vector<graph::partition> singles_;  // policy debug, made when needed
};

// What differs from the reference's results; empty when nothing does.
std::string differences(const RandomRegion& region, const RegionResults& want,
                        const RegionResults& got);

}  // namespace iotadnn::test
