// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/compiled_partition.h"

namespace iotadnn::impl {

// compile_partition() for what is not a single generator: regions of several ops, and single
// pointwise ops.
Result<CompileOutcome> compile_region(const Partition& partition, Span<const LogicalTensor> inputs,
                                      Span<const LogicalTensor> outputs);

// Whether the region has a form as one program; unimplemented with the sentence if not. CanLower of
// make_partitions().
Status can_lower_region(const Partition& partition);

}  // namespace iotadnn::impl
