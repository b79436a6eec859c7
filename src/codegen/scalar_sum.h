// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "program/program.h"

namespace iotadnn::impl {

// The saturating sum of a bound's scalars and constant; its coordinates count as 0.
int64_t scalar_sum(const Bound& bound, const int64_t* scalars);

// Whether leaving the coordinates to the end of the sum changes nothing that a comparison with a
// coordinate could see: at most one scalar, and a constant far from the limits of int64.
bool scalars_separate(const Bound& bound);

// Row-major without gaps; the stride of an extent of 1 does not count.
bool is_dense(const int64_t* extents, const int64_t* strides, int rank);

}  // namespace iotadnn::impl
