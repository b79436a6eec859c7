// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "benchdnn/moves.h"
#include "benchdnn/partition_run.h"

namespace iotadnn::benchdnn {

// A run's inputs and outputs after executions on different data, in buffers of its own.
struct ProbedRun {
  std::vector<ProbedInput> inputs;
  std::vector<ProbedOutput> outputs;
  std::vector<std::shared_ptr<TensorMemory>> buffers;  // what the pointers above point to
};

// Executes a run out of place, once and then once more for each input that ops read, which then has
// another content in each element: NaN for floating-point types, so that 0 * x counts as reading x,
// unless the graph's math mode promises finite numbers.
// Inputs with a value keep it. `data` of the result is what the run's own tensors are. nullopt
// where the library refuses the executions (shapes that follow from data), memory is short, or sums
// of promised numbers hide what they read.
std::optional<ProbedRun> probe(const frontends::GraphDesc& graph, const PartitionRun& run,
                               const Memories& memories, const graph::engine& engine);

}  // namespace iotadnn::benchdnn
