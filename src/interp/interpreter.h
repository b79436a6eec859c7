// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "base/span.h"
#include "base/status.h"
#include "ops/op_def.h"

namespace iotadnn::impl {

// Runs ops in order, each through its row's reference function, over the caller's buffers. `inputs`
// and `outputs` are the ports of the whole list, found by logical-tensor id; values between the ops
// live in buffers of the interpreter's own. Every logical tensor must be fully known.
// Thread safe (no state between calls).
Status interpret(Span<const Op> ops, Span<const TensorView> inputs, Span<const TensorView> outputs);

}  // namespace iotadnn::impl
