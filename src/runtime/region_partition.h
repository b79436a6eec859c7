// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/compiled_partition.h"

namespace iotadnn::impl {

// compile_partition() for what is not a single generator: regions of several ops, and single
// pointwise ops.
Result<CompileOutcome> compile_region(const Partition& partition, Span<const LogicalTensor> inputs,
                                      Span<const LogicalTensor> outputs);

}  // namespace iotadnn::impl
