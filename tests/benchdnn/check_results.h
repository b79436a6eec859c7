// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <optional>
#include <string>

#include "benchdnn/compare.h"
#include "benchdnn/partition_run.h"

// What modes C and B ask of a run that has been executed.
namespace iotadnn::benchdnn {

// An output whose op no oracle knows.
std::optional<size_t> output_without_oracle(const frontends::GraphDesc& graph,
                                            const PartitionRun& run, const Memories& memories);

// All outputs against the oracle.
CompareResult compare_outputs(const frontends::GraphDesc& graph, const PartitionRun& run,
                              const Memories& memories, int64_t verbose);

// The outputs that the description gives content, against it.
CompareResult compare_with_values(const frontends::GraphDesc& graph, const PartitionRun& run,
                                  const Memories& memories, int64_t verbose);

// An output and how it is compared.
using Tolerances = std::map<size_t, Tolerance>;

// The outputs against those of run_reference().
CompareResult compare_with_reference(const PartitionRun& run, const Memories& memories,
                                     const Memories& expected, const Tolerances& tolerances,
                                     int64_t verbose);

// All outputs of two executions against each other.
CompareResult compare_executions(const PartitionRun& run, const Memories& first,
                                 const Memories& second, int64_t verbose);

// "" or a sentence: margins and stride gaps of outputs still hold their canaries, and so do all
// bytes of inputs that were given no content (`inputs_filled`: files gave content to some).
std::string damage_of(const frontends::GraphDesc& graph, const PartitionRun& run,
                      const Memories& memories, bool inputs_filled);

}  // namespace iotadnn::benchdnn
