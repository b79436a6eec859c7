// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "base/status.h"
#include "graph/op.h"
#include "ops/op_def.h"

namespace iotadnn::impl {

// Runs a region op by op through the reference functions. An input that shares memory with an
// output is copied first: here outputs are written before every input has been read.
Status interpret_region(const std::vector<Op>& ops, std::vector<TensorView> inputs,
                        const std::vector<TensorView>& outputs);

}  // namespace iotadnn::impl
