// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "benchdnn/compare.h"
#include "benchdnn/partition_run.h"

// For partitions whose outputs follow from data: what goes in, and what must come out.
namespace iotadnn::benchdnn {

// Whether an op of the graph computes from the data of its inputs, which therefore need content.
bool reads_data(const frontends::GraphDesc& graph);

// Content for an input without a value: small numbers, some of them zero, with a few infinities and
// NaN among floating-point ones; the same for the same tensor in each run.
void fill_input(const frontends::TensorDesc& tensor, TensorMemory& memory, bool specials);

// The outputs of the run as the library's reference computes them, in buffers of their own; to be
// called before the run itself, which may write over its inputs. The cap on the ISA is the same
// afterwards.
Memories run_reference(const frontends::GraphDesc& graph, const PartitionRun& run,
                       const Memories& memories, const graph::engine& engine, graph::stream& stream,
                       const MemoryOptions& options);

// How many units in the last place an output of the graph may be from the reference: 0 where no
// math function is in it.
int64_t allowed_ulps(const frontends::GraphDesc& graph);

}  // namespace iotadnn::benchdnn
