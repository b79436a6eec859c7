// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "frontends/graph_desc.h"

namespace iotadnn::frontends {

// Limits that keep hostile input from costing more than it is worth.
inline constexpr size_t kMaxJsonBytes = size_t{1} << 28;
inline constexpr int kMaxJsonDepth = 64;
inline constexpr int kMaxRank = 12;  // of a tensor, as in oneDNN

// Reads graph JSON as benchdnn's graph driver and the library's dumps write it: oneDNN's files
// unchanged, partitioning dumps, and ours (types s16, u16, u32, u64, f64; kinds Eye and EyeLike;
// attribute k; a "value" beside a tensor: a number, or a list of them for rank 1; "ndims": -1
// beside an empty shape: an unknown rank; "math_mode": "default", "strict_bits" or "finite"; f32
// attributes "inf", "-inf" and "nan").
//
// Beyond oneDNN's reader: keys may come in any order, unknown keys are skipped with their values,
// string escapes are decoded, and a missing key takes its default (version, engine_kind,
// fpmath_mode and its apply_to_int, ports, an op's name, attrs, inputs and outputs, a tensor's
// stride, layout_type and property_type; a missing shape is an unknown rank too). Integers are
// exact or refused.
//
// GraphError for anything else, naming op, port and key (or line and column of malformed text). Ops
// of the result are in topological order; ids are unique; a tensor that several ports name has one
// description.
GraphDesc read_benchdnn_json(std::string_view text);

// The same from a file. GraphError also when it cannot be read.
GraphDesc read_benchdnn_json_file(const std::string& path);

}  // namespace iotadnn::frontends
