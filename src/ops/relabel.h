// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

#include "base/status.h"
#include "graph/op.h"

namespace iotadnn::impl {

inline constexpr int8_t kNoAxis = -1;

// For an op that only moves elements (StaticTranspose, StaticReshape): which of the output's axes
// gives the coordinate of each of the input's dimensions, kNoAxis for one of extent 1.
// unimplemented with the sentence where a coordinate would have to be computed: a reshape that
// merges or splits dimensions, or one whose shapes are not known.
Result<std::array<int8_t, kMaxRank>> relabeled_axes(const Op& op);

}  // namespace iotadnn::impl
