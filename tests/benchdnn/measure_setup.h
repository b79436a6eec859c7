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

// A meter for every output with elements; none at all when an output's content is not known.
std::vector<LimitMeter> make_meters(const frontends::GraphDesc& graph,
                                    const std::vector<PartitionRun>& runs, const Memories& memories,
                                    int64_t threads, bool cold);

}  // namespace iotadnn::benchdnn
