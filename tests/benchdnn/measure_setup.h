// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "benchdnn/limit.h"
#include "benchdnn/partition_run.h"

namespace iotadnn::benchdnn {

// How many sets of tensors a measurement cycles through: 1 for warm caches, else so many that
// together they are four times the last-level cache (or a tlb:SIZE of --cold-cache).
size_t tensor_sets(const std::string& cold_cache, double bytes_of_one_set);

// A meter and the sums that its time belongs to.
struct PurposefulMeter {
  LimitMeter meter;
  bool limit = false;
  bool out_of_place = false;
  bool reading = false;
};

using Meters = std::vector<PurposefulMeter>;

struct MeterSettings {
  int64_t threads = 1;
  bool cold = false;  // push all that is moved out of the caches before each pass
  bool limit = false;
  bool out_of_place = false;
};

// What the settings ask for: for partitions of a single op that an oracle knows a meter of each
// output with elements, else one of the moves that executions show (moves.h). None at all when
// there is a partition for which neither can be formed.
Meters make_meters(const frontends::GraphDesc& graph, const std::vector<PartitionRun>& runs,
                   const Memories& memories, const graph::engine& engine,
                   const MeterSettings& settings);

// Of reading as many bytes as these buffers have (read_limit.h).
PurposefulMeter make_read_meter(const std::vector<size_t>& sizes, const MeterSettings& settings);

}  // namespace iotadnn::benchdnn
