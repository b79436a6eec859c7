// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>

#include "base/status.h"

namespace iotadnn::impl {

inline constexpr int kMaxRank = 12;
inline constexpr int kUnknownRank = -1;
inline constexpr int64_t kUnknownDim = std::numeric_limits<int64_t>::min();

using Dims = std::array<int64_t, kMaxRank>;  // the first `rank` entries count

// Products and sums of user-given sizes: nullopt on overflow of int64.
std::optional<int64_t> checked_mul(int64_t a, int64_t b);
std::optional<int64_t> checked_add(int64_t a, int64_t b);

// Sum clamped to the range of int64.
int64_t saturating_add(int64_t a, int64_t b);

// Number of elements of a fully known shape; invalid_shape for a negative extent or when the number
// of elements overflows int64.
Result<int64_t> num_elements(const Dims& dims, int rank);

// Elements from the first to one past the last that dims/strides (in elements) touch: 0 for an
// empty tensor, 1 for a scalar; invalid_shape on overflow or a negative stride.
Result<int64_t> span_elements(const Dims& dims, const Dims& strides, int rank);

// Row-major strides of a known shape; an extent of 0 counts as 1. invalid_shape on overflow, but
// not of an empty tensor, whose strides nobody uses: they stop at the limit of int64.
Result<Dims> dense_strides(const Dims& dims, int rank);

// False when two index tuples may address the same element. Sorts by stride: each stride must reach
// past all that the smaller ones span, so that a few interleavings that are harmless (3x2 with
// strides 2, 3) count as overlaps too. Extents of 1 are ignored; an empty tensor never overlaps.
bool non_overlapping(const Dims& dims, const Dims& strides, int rank);

bool is_known_shape(const Dims& dims, int rank);  // rank known and no dim unknown

// "2x3x?" ("" for a scalar, "unknown rank" for rank -1).
std::string shape_text(const Dims& dims, int rank);

}  // namespace iotadnn::impl
