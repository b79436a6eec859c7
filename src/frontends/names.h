// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "iotadnn/iotadnn_types.h"

// The spellings of graph JSON, oneDNN's and ours, and the enumerators of the public headers.
namespace iotadnn::frontends {

enum class AttrType { s64, s64_vector, f32, f32_vector, boolean, string };

struct AttrRow {
  std::string_view name;
  iotadnn_graph_op_attr_t id;
};

// Exact spellings; nullopt for anything else. "undef" is a spelling where the enum has it.
std::optional<iotadnn_graph_op_kind_t> op_kind_from_name(std::string_view name);
std::optional<iotadnn_data_type_t> data_type_from_name(std::string_view name);
std::optional<iotadnn_graph_layout_type_t> layout_from_name(std::string_view name);
std::optional<iotadnn_graph_tensor_property_t> property_from_name(std::string_view name);
std::optional<iotadnn_fpmath_mode_t> fpmath_mode_from_name(std::string_view name);
std::optional<iotadnn_graph_math_mode_t> math_mode_from_name(std::string_view name);
std::optional<AttrType> attr_type_from_name(std::string_view name);  // "s64[]", "bool", ...
const AttrRow* attr_from_name(std::string_view name);                // null for unknown names

// What the id's range says about the value (oneDNN numbers attributes by type).
AttrType type_of(const AttrRow& attr);

std::string_view name_of(iotadnn_graph_op_kind_t kind);  // "unknown" for other numbers
std::string_view name_of(iotadnn_data_type_t type);      // "undef" for other numbers
std::string_view name_of(iotadnn_graph_layout_type_t layout);
std::string_view name_of(iotadnn_graph_tensor_property_t property);
std::string_view name_of(iotadnn_fpmath_mode_t mode);
std::string_view name_of(AttrType type);

// Bytes of one element; 0 for undef and for types that have no whole bytes.
int bytes_of(iotadnn_data_type_t type);

// The thirteen types that the library computes.
const std::vector<iotadnn_data_type_t>& computed_types();

}  // namespace iotadnn::frontends
