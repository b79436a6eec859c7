// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "lower/region.h"

namespace iotadnn::impl {

// One MatMul or SoftMax and what works point by point behind it. Ids are those of tensors.
struct PrimitiveForm {
  size_t op = 0;      // its position
  size_t result = 0;  // what it gives, which the epilogue reads
};

struct LoweredPrimitive {
  PrimitiveForm form;
  // Its programs read the result as the graph types it, under its id. Absent: nothing follows.
  std::optional<LoweredRegion> epilogue;
};

// Whether the ops are such as far as their kinds go, and the MatMul or SoftMax reads inputs of the
// partition only.
bool looks_like_primitive(const Partition& partition);

// unimplemented, with the sentence, for what is none or has an epilogue without a program; ranks
// must be known.
Result<LoweredPrimitive> lower_primitive(const Partition& partition);

}  // namespace iotadnn::impl
