// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/status.h"
#include "graph/logical_tensor.h"

namespace iotadnn::impl {

// The numeric value of iotadnn_graph_op_kind_t: oneDNN's 0..87, ours from 0x1000.
using OpKind = int32_t;
// The numeric value of iotadnn_graph_op_attr_t: oneDNN's 0x1..0x88, ours from 0x1000.
using AttrId = int32_t;

// Attributes that the library itself reads.
namespace attr_id {
inline constexpr AttrId kBeta = 0x02;
inline constexpr AttrId kMax = 0x04;
inline constexpr AttrId kMin = 0x05;
inline constexpr AttrId kAxis = 0x30;
inline constexpr AttrId kAxes = 0x40;
inline constexpr AttrId kOrder = 0x44;
inline constexpr AttrId kShape = 0x48;
inline constexpr AttrId kKeepDims = 0x61;
inline constexpr AttrId kSpecialZero = 0x64;
inline constexpr AttrId kAutoBroadcast = 0x80;
inline constexpr AttrId kK = 0x1000;
inline constexpr AttrId kUpper = 0x1001;
inline constexpr AttrId kDepth = 0x1002;
inline constexpr AttrId kOnValue = 0x1003;
inline constexpr AttrId kOffValue = 0x1004;
inline constexpr AttrId kValue = 0x1005;
}  // namespace attr_id

using AttrValue =
    std::variant<float, std::vector<float>, int64_t, std::vector<int64_t>, bool, std::string>;

enum class AttrType { f32, f32_vector, s64, s64_vector, boolean, string };

// Name, number and type of every attribute; the number decides the type, as in oneDNN.
struct AttrInfo {
  AttrId id;
  std::string_view name;  // "axis", "k", ...: the JSON spelling
  AttrType type;
};

const AttrInfo* find_attr(AttrId id);              // null for numbers outside the list
const AttrInfo* find_attr(std::string_view name);  // exact JSON spelling; null for other text

std::string_view name_of(AttrType type);  // "s64", "s64[]", "bool", ...: the JSON spelling
AttrType type_of(const AttrValue& value);

struct Op {
  size_t id = 0;
  OpKind kind = 0;
  std::string name;  // verbose name; "<Kind>_<id>" when the user gave none
  std::map<AttrId, AttrValue> attrs;
  std::vector<LogicalTensor> inputs;   // port order
  std::vector<LogicalTensor> outputs;  // port order

  // The value of an attribute, or null when it is absent or of another type.
  template <class T>
  const T* attr(AttrId attr_id) const {
    const auto found = attrs.find(attr_id);
    return found == attrs.end() ? nullptr : std::get_if<T>(&found->second);
  }
};

}  // namespace iotadnn::impl
