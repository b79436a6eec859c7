// SPDX-License-Identifier: Apache-2.0
#include "ops/graph_json.h"

#include <array>
#include <charconv>
#include <cmath>

#include "ops/json_writer.h"
#include "ops/op_table.h"

namespace iotadnn::impl {
namespace {

// Spellings of iotadnn_engine_kind_t and iotadnn_fpmath_mode_t, by number.
constexpr std::string_view kEngineKinds[] = {"any", "cpu", "gpu"};
constexpr std::string_view kFpmathModes[] = {"strict", "bf16", "f16", "any", "tf32"};

template <size_t N>
std::string_view spelling(const std::string_view (&names)[N], int32_t number) {
  return number >= 0 && static_cast<size_t>(number) < N ? names[number] : "";
}

void write_values(JsonWriter& json, const int64_t* values, int count) {
  json.begin_array();
  for (int i = 0; i < count; ++i)
    json.literal(std::to_string(values[i]));
  json.end_array();
}

void write_float(JsonWriter& json, float value) {
  if (std::isnan(value)) return json.string("nan");
  if (std::isinf(value)) return json.string(value > 0 ? "inf" : "-inf");
  char text[32];
  const auto end = std::to_chars(text, text + sizeof text, value).ptr;  // shortest that reads back
  json.literal(std::string_view(text, static_cast<size_t>(end - text)));
}

struct ValueWriter {
  JsonWriter& json;

  void operator()(float value) const { write_float(json, value); }

  void operator()(const std::vector<float>& values) const {
    json.begin_array();
    for (const float value : values)
      write_float(json, value);
    json.end_array();
  }

  void operator()(int64_t value) const { json.literal(std::to_string(value)); }

  void operator()(const std::vector<int64_t>& values) const {
    write_values(json, values.data(), static_cast<int>(values.size()));
  }

  void operator()(bool value) const { json.literal(value ? "1" : "0"); }

  void operator()(const std::string& value) const { json.string(value); }
};

void write_tensor(JsonWriter& json, const LogicalTensor& t) {
  const int rank = t.rank == kUnknownRank ? 0 : t.rank;
  Dims unknown;
  unknown.fill(kUnknownDim);
  const bool has_strides = t.layout == LayoutType::strided;
  json.begin_object();
  json.key("id");
  json.literal(std::to_string(t.id));
  json.key("dtype");
  json.string(name_of(t.type));
  json.key("shape");
  write_values(json, t.dims.data(), rank);
  json.key("stride");
  write_values(json, has_strides ? t.strides.data() : unknown.data(), rank);
  json.key("layout_type");
  json.string(name_of(t.layout));
  json.key("property_type");
  json.string(name_of(t.property));
  if (t.rank == kUnknownRank) {
    json.key("ndims");
    json.literal("-1");
  }
  json.end_object();
}

void write_tensors(JsonWriter& json, const std::vector<LogicalTensor>& tensors) {
  json.begin_array();
  for (const LogicalTensor& t : tensors)
    write_tensor(json, t);
  json.end_array();
}

void write_attrs(JsonWriter& json, const Op& op) {
  json.begin_object();
  for (const auto& [id, value] : op.attrs) {
    const AttrInfo* info = find_attr(id);
    json.key(info != nullptr ? std::string(info->name) : std::to_string(id));
    json.begin_object();
    json.key("type");
    json.string(name_of(type_of(value)));
    json.key("value");
    std::visit(ValueWriter{json}, value);
    json.end_object();
  }
  json.end_object();
}

void write_op(JsonWriter& json, const Op& op, const OpPlacement* placement) {
  const OpDef* def = find_op(op.kind);
  json.begin_object();
  json.key("id");
  json.literal(std::to_string(op.id));
  json.key("name");
  json.string(op.name);
  json.key("kind");
  json.string(def != nullptr ? std::string(def->name) : std::to_string(op.kind));
  if (placement != nullptr) {
    json.key("partition_id");
    json.literal(std::to_string(placement->partition_id));
    json.key("backend");
    json.string(placement->backend);
  }
  json.key("attrs");
  write_attrs(json, op);
  json.key("inputs");
  write_tensors(json, op.inputs);
  json.key("outputs");
  write_tensors(json, op.outputs);
  json.end_object();
}

void write_ids(JsonWriter& json, Span<const LogicalTensor> tensors) {
  json.begin_array();
  for (const LogicalTensor& t : tensors)
    json.literal(std::to_string(t.id));
  json.end_array();
}

}  // namespace

std::string graph_json(Span<const Op> ops, int32_t engine_kind, int32_t fpmath_mode,
                       bool apply_to_int, Span<const LogicalTensor> inputs,
                       Span<const LogicalTensor> outputs, Span<const OpPlacement> placements,
                       MathMode math_mode) {
  JsonWriter json;
  json.begin_object();
  json.key("version");
  json.string(IOTADNN_VERSION_STRING);
  json.key("engine_kind");
  json.string(spelling(kEngineKinds, engine_kind));
  json.key("fpmath_mode");
  json.string(spelling(kFpmathModes, fpmath_mode));
  json.key("fpmath_mode_apply_to_int");
  json.string(apply_to_int ? "true" : "false");
  if (math_mode != MathMode::standard) {
    json.key("math_mode");
    json.string(math_mode == MathMode::finite ? "finite" : "strict_bits");
  }
  json.key("input_ports");
  write_ids(json, inputs);
  json.key("output_ports");
  write_ids(json, outputs);
  json.key("graph");
  json.begin_array();
  for (size_t i = 0; i < ops.size(); ++i)
    write_op(json, ops[i], placements.empty() ? nullptr : &placements[i]);
  json.end_array();
  json.end_object();
  return json.text() + "\n";
}

}  // namespace iotadnn::impl
