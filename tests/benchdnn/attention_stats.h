// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "benchdnn/partition_run.h"

namespace iotadnn::benchdnn {

// Fills the stats input of a backward graph with those of its forward pass: the op `reader`
// subtracts them from the scores, which are computed from the graph's other inputs, an op at a
// time. RewriteError when this library cannot.
void fill_stats(const frontends::GraphDesc& graph, size_t reader, const graph::logical_tensor& lt,
                TensorMemory& memory, const graph::engine& engine, const MemoryOptions& options);

}  // namespace iotadnn::benchdnn
