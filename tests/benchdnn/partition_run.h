// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <memory>
#include <vector>

#include "iotadnn/graph.hpp"

#include "benchdnn/settings.h"
#include "benchdnn/tensor_memory.h"
#include "frontends/graph_desc.h"

namespace iotadnn::benchdnn {

// Buffers by tensor id: a result that another partition reads is the same buffer there.
using Memories = std::map<size_t, std::shared_ptr<TensorMemory>>;

// A compiled partition with its logical tensors (known shapes) in compile order.
struct PartitionRun {
  graph::partition partition;
  graph::compiled_partition compiled;
  std::vector<graph::logical_tensor> inputs;
  std::vector<graph::logical_tensor> outputs;
  std::vector<graph::tensor> input_tensors;
  std::vector<graph::tensor> output_tensors;
  std::vector<std::pair<size_t, size_t>> inplace;  // pairs in use: (input id, output id)
};

// Compiles supported partitions in topological order; partitions of a single End op are left out.
// When `choose_layouts`, results that other partitions read are compiled with layout `any` and
// arrive there as the library chose them. `parallel`: independent compilations at the same time.
std::vector<PartitionRun> compile_partitions(const frontends::GraphDesc& graph,
                                             const std::vector<graph::partition>& partitions,
                                             const graph::engine& engine, bool choose_layouts,
                                             bool parallel);

// Bytes that make_tensors() will allocate.
double bytes_needed(const std::vector<PartitionRun>& runs);

class AttentionContent;

struct MemoryOptions {
  bool guarded = true;        // canaries in and around every buffer
  bool inplace = false;       // outputs take the buffers of the inputs they are paired with
  bool specials = true;       // some elements are infinite, NaN or at their type's limits
  std::string buffer_prefix;  // PREFIX.ID.bin
  const AttentionContent* attention = nullptr;  // what inputs with a role in attention hold
};

// Gives a run its tensors: graph inputs with a value get it, host scalars too, all others are
// buffers from `memories` or new ones in it. RewriteError for a value that does not fit.
void make_tensors(const frontends::GraphDesc& graph, PartitionRun& run, Memories& memories,
                  const graph::engine& engine, const MemoryOptions& options);

}  // namespace iotadnn::benchdnn
