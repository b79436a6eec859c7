// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include "base/span.h"
#include "graph/graph.h"
#include "partition/partition.h"

namespace iotadnn::impl {

// JSON files in the current directory as IOTADNN_GRAPH_DUMP (comma-separated graph, subgraph; an
// unknown token clears what stands before it, as in oneDNN) or set_dump_mode() asks. Each function
// does nothing when its file is not wanted; a file that cannot be written is no error.

// A mask of iotadnn_graph_dump_mode_t; wins over the environment. Thread safe.
void set_dump_mode(unsigned mode);

// graph-<graph id>.json
void dump_graph(const Graph& graph);

// graph-<graph id>-partitioning.json: the same with each op's partition.
void dump_partitioning(const Graph& graph,
                       const std::vector<std::shared_ptr<const Partition>>& partitions);

// graph-<partition id>-<hash of the logical tensors>.json: the partition with the shapes that it
// was compiled for.
void dump_subgraph(const Partition& partition, Span<const LogicalTensor> inputs,
                   Span<const LogicalTensor> outputs);

}  // namespace iotadnn::impl
