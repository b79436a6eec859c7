// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/span.h"
#include "graph/math_mode.h"
#include "graph/op.h"

namespace iotadnn::impl {

// What a partitioning dump adds to an op.
struct OpPlacement {
  size_t partition_id = 0;
  std::string backend;
};

// A graph or partition as oneDNN's dumps spell it (the grammar that benchdnn reads), 2-space pretty
// printing. Unknown dims and strides are -9223372036854775808. Beyond that grammar, where it has no
// words: a tensor of unknown rank has an empty shape and the extra key "ndims": -1; floats that are
// not finite are the strings "inf", "-inf", "nan"; a kind outside the table is its number as text.
// A math mode that is not the default is the key "math_mode": "strict_bits" or "finite".
// Bytes of a name that are not UTF-8 become U+FFFD. `placements` is empty or has one entry per op.
std::string graph_json(Span<const Op> ops, int32_t engine_kind, int32_t fpmath_mode,
                       bool apply_to_int, Span<const LogicalTensor> inputs,
                       Span<const LogicalTensor> outputs, Span<const OpPlacement> placements = {},
                       MathMode math_mode = MathMode::standard);

}  // namespace iotadnn::impl
