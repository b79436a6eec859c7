// SPDX-License-Identifier: Apache-2.0
#include "frontends/openvino/types.h"

#include <algorithm>

#include "frontends/model/error.h"
#include "frontends/openvino/net.h"

namespace iotadnn::models {
namespace {

struct TypeRow {
  const char* name;
  const char* precision;
  DataType type;
};

constexpr TypeRow kTypes[] = {
    {"f32", "FP32", iotadnn_f32},
    {"f16", "FP16", iotadnn_f16},
    {"bf16", "BF16", iotadnn_bf16},
    {"f64", "FP64", iotadnn_f64},
    {"i8", "I8", iotadnn_s8},
    {"i16", "I16", iotadnn_s16},
    {"i32", "I32", iotadnn_s32},
    {"i64", "I64", iotadnn_s64},
    {"u8", "U8", iotadnn_u8},
    {"u16", "U16", iotadnn_u16},
    {"u32", "U32", iotadnn_u32},
    {"u64", "U64", iotadnn_u64},
    {"boolean", "BOOL", iotadnn_boolean},
};

std::string trimmed(const std::string& text) {
  const size_t first = text.find_first_not_of(" \t\n");
  if (first == std::string::npos) return "";
  return text.substr(first, text.find_last_not_of(" \t\n") - first + 1);
}

// An extent that may be missing at an open end of a range, as in "2..".
bool is_bound(const std::string& text) {
  int64_t bound = 0;
  return text.empty() || (parse_integer(text, bound) && bound >= 0);
}

int64_t extent_of(const std::string& text, const std::string& shape, const std::string& where) {
  int64_t extent = 0;
  if (text == "?" || text == "-1") return kUnknownDim;
  if (const size_t dots = text.find(".."); dots != std::string::npos) {
    if (is_bound(text.substr(0, dots)) && is_bound(text.substr(dots + 2))) return kUnknownDim;
  } else if (parse_integer(text, extent) && extent >= 0) {
    return extent;
  }
  throw ModelError(where + ": extent '" + text + "' of shape '" + shape +
                   "', allowed: 0 and more, ?, -1 and ranges such as 1..8");
}

}  // namespace

DataType data_type_from_ir(const std::string& name, const std::string& where) {
  for (const TypeRow& row : kTypes)
    if (name == row.name) return row.type;
  throw ModelError(
      where + ": type '" + name +
      "' is not supported, allowed: f32, f16, bf16, f64, i8 to i64, u8 to u64, boolean");
}

std::string ir_name_of(DataType type) {
  for (const TypeRow& row : kTypes)
    if (type == row.type) return row.name;
  return "undefined";
}

std::optional<DataType> data_type_from_precision(const std::string& precision) {
  for (const TypeRow& row : kTypes)
    if (precision == row.precision) return row.type;
  return std::nullopt;
}

std::optional<Dims> shape_from_ir(const std::string& text, const std::string& where) {
  const std::string shape = trimmed(text);
  if (shape == "...") return std::nullopt;
  Dims dims;
  if (shape.empty()) return dims;
  for (size_t begin = 0; begin <= shape.size();) {
    const size_t comma = std::min(shape.find(',', begin), shape.size());
    dims.push_back(extent_of(trimmed(shape.substr(begin, comma - begin)), shape, where));
    begin = comma + 1;
  }
  return dims;
}

}  // namespace iotadnn::models
