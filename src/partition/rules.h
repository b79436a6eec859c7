// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "graph/op.h"

namespace iotadnn::impl {

// Why an op cannot be in a region; "" when it can. Its tensors should be as far known as they can
// be.
std::string fusion_refusal(const Op& op);

// Whether a region may grow from the op: it computes from coordinates.
bool starts_region(const Op& op);

}  // namespace iotadnn::impl
