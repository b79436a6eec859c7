// SPDX-License-Identifier: Apache-2.0
#include "ops/contract.h"

#include <algorithm>

#include "ops/json_writer.h"

namespace iotadnn::impl {
namespace {

struct ShapeRule {
  std::string_view op;
  std::string_view words;
};

// What the shape functions of the rows do; pointwise ops share one.
constexpr std::string_view kPointwiseRule =
    "the shapes of the inputs, broadcast to each other as in numpy";

constexpr ShapeRule kShapeRules[] = {
    {"DynamicDequantize", "the shape of the input"},
    {"Eye",
     "with inputs: the elements of batch_shape, then num_rows and num_columns; without: attribute "
     "shape"},
    {"EyeLike", "the shape of the input, of rank 2"},
    {"Fill", "attribute shape"},
    {"Gather",
     "the shape of the data, with the shape of the indices in the place of dimension axis"},
    {"GenIndex", "the shape of the input"},
    {"MatMul",
     "the leading dimensions broadcast to each other, then the rows of the first matrix and the "
     "columns of the second; a vector has no dimension of its own in the output"},
    {"OneHot", "the shape of the indices, with depth put in as dimension axis"},
    {"Range", "one dimension: max(ceil((limit - start) / step), 0)"},
    {"ReduceSum",
     "the shape of the input, where each of the axes is 1 with keep_dims and gone without"},
    {"SoftMax", "the shape of the input; stats have an extent of 1 in place of the axis"},
    {"StaticReshape",
     "attribute shape: -1 is what is left, 0 is the input's extent with special_zero"},
    {"StaticTranspose", "the extents of the input in the order of attribute order"},
    {"Trilu", "the shape of the input"},
};

std::string_view shape_rule(const OpDef& def) {
  if (def.op_class == OpClass::pointwise) return kPointwiseRule;
  for (const ShapeRule& rule : kShapeRules)
    if (rule.op == def.name) return rule.words;
  return "";
}

std::string_view class_name(OpClass op_class) {
  switch (op_class) {
    case OpClass::generator:
      return "generator";
    case OpClass::coordinate:
      return "coordinate";
    case OpClass::pointwise:
      return "pointwise";
    case OpClass::relabel:
      return "relabel";
    case OpClass::gather:
      return "gather";
    case OpClass::reduction:
      return "reduction";
    case OpClass::contraction:
      return "contraction";
    case OpClass::normalization:
      return "normalization";
    case OpClass::quantization:
      return "quantization";
    case OpClass::unsupported:
      break;
  }
  return "unsupported";
}

void write_boolean(JsonWriter& json, std::string_view key, bool value) {
  json.key(key);
  json.literal(value ? "true" : "false");
}

void write_string(JsonWriter& json, std::string_view key, std::string_view value) {
  json.key(key);
  json.string(value);
}

// The parts of a text between separators.
void write_list(JsonWriter& json, std::string_view key, std::string_view text,
                std::string_view separator) {
  json.key(key);
  json.begin_array();
  while (!text.empty()) {
    const size_t end = std::min(text.find(separator), text.size());
    json.string(text.substr(0, end));
    text.remove_prefix(std::min(end + separator.size(), text.size()));
  }
  json.end_array();
}

std::string_view reading_of(const OpDef& def, size_t port) {
  if ((def.shape_inputs >> port & 1u) != 0) return "data, which decide the output's shape";
  return (def.data_inputs >> port & 1u) != 0 ? "data" : "type and shape only";
}

void write_ports(JsonWriter& json, const OpDef& def, std::string_view key,
                 Span<const PortSpec> ports, int least, bool are_inputs) {
  json.key(key);
  json.begin_array();
  for (size_t port = 0; port < ports.size(); ++port) {
    json.begin_object();
    write_string(json, "name", ports[port].name);
    write_boolean(json, "optional", port >= static_cast<size_t>(least));
    write_list(json, "types", type_set_text(ports[port].types), ", ");
    if (ports[port].variable != 0)
      write_string(json, "type_variable", std::string(1, ports[port].variable));
    if (are_inputs) write_string(json, "read", reading_of(def, port));
    json.end_object();
  }
  json.end_array();
}

void write_attr(JsonWriter& json, const AttrSpec& spec) {
  const AttrInfo& info = *find_attr(spec.id);
  json.begin_object();
  write_string(json, "name", info.name);
  write_string(json, "type", name_of(info.type));
  write_boolean(json, "required", spec.required);
  if (!spec.default_value.empty()) {
    json.key("default");
    if (info.type == AttrType::string)
      json.string(spec.default_value);
    else
      json.literal(spec.default_value);
  }
  if (!spec.allowed.empty()) write_list(json, "allowed", spec.allowed, "|");
  json.end_object();
}

}  // namespace

std::string contract_json(const OpDef& def) {
  const std::string_view rule = shape_rule(def);
  if (def.signature == nullptr || rule.empty()) return "";
  const Signature& signature = *def.signature;
  JsonWriter json;
  json.begin_object();
  write_string(json, "name", def.name);
  json.key("kind");
  json.literal(std::to_string(def.kind));
  write_string(json, "class", class_name(def.op_class));
  write_ports(json, def, "inputs", signature.inputs, signature.min_inputs, true);
  write_ports(json, def, "outputs", signature.outputs, signature.min_outputs, false);
  json.key("attributes");
  json.begin_array();
  for (const AttrSpec& spec : signature.attrs)
    write_attr(json, spec);
  json.end_array();
  write_string(json, "output_shape", rule);
  json.end_object();
  return json.text();
}

}  // namespace iotadnn::impl
