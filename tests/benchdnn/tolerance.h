// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "benchdnn/attention_fill.h"
#include "benchdnn/compare.h"
#include "benchdnn/partition_run.h"

namespace iotadnn::benchdnn {

// How far an output of the run may be from the reference, which computes sums and SoftMax in f64
// and rounds wherever the graph has a tensor. Partitions without SoftMax or oneDNN's primitives, in
// graphs without attention: units in the last place, as allowed_ulps() has them. Others as oneDNN's
// driver compares them, or in the small fill within what the types make of an error.
Tolerance tolerance_of(const frontends::GraphDesc& graph, const PartitionRun& run, size_t output,
                       const AttentionContent& content, AttentionFill fill);

}  // namespace iotadnn::benchdnn
