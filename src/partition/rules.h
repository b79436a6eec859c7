// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "graph/op.h"

namespace iotadnn::impl {

// Why an op cannot be in a region; "" when it can. Its tensors should be as far known as they can
// be. can_lower: whether ops that need lowering may be asked for it.
std::string fusion_refusal(const Op& op, bool can_lower);

// Whether the op sums or gathers: only those who lower a region know whether it can hold it.
bool needs_lowering(const Op& op);

// Whether a region may grow from the op: it computes from coordinates.
bool starts_region(const Op& op);

}  // namespace iotadnn::impl
