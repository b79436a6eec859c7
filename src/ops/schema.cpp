// SPDX-License-Identifier: Apache-2.0
#include <charconv>
#include <string>
#include <utility>

#include "ops/op_table.h"

namespace iotadnn::impl {
namespace {

std::string attr_text(const Op& op, AttrId id) {
  const AttrInfo* info = find_attr(id);
  return op_text(op) + ": attribute " +
         (info != nullptr ? std::string(info->name) : "number " + std::to_string(id));
}

// Sets a default as the table writes it. Vectors have none.
void set_default(Op& op, const AttrInfo& info, std::string_view text) {
  switch (info.type) {
    case AttrType::s64: {
      int64_t value = 0;
      std::from_chars(text.data(), text.data() + text.size(), value);
      op.attrs.try_emplace(info.id, std::in_place_type<int64_t>, value);
      return;
    }
    case AttrType::boolean:
      op.attrs.try_emplace(info.id, std::in_place_type<bool>, text == "true");
      return;
    case AttrType::string:
      op.attrs.try_emplace(info.id, std::in_place_type<std::string>, text);
      return;
    case AttrType::f32: {
      float value = 0;
      std::from_chars(text.data(), text.data() + text.size(), value);
      op.attrs.try_emplace(info.id, std::in_place_type<float>, value);
      return;
    }
    case AttrType::f32_vector:
    case AttrType::s64_vector:
      return;
  }
}

void fill_defaults(Op& op, Span<const AttrSpec> specs) {
  for (const AttrSpec& spec : specs) {
    if (spec.default_value.empty() || op.attrs.count(spec.id) != 0) continue;
    if (const AttrInfo* info = find_attr(spec.id)) set_default(op, *info, spec.default_value);
  }
}

std::string count_text(size_t min, size_t max) {
  return min == max ? std::to_string(min) : std::to_string(min) + " to " + std::to_string(max);
}

Status check_count(const Op& op, const char* what, size_t given, int min_ports,
                   Span<const PortSpec> specs) {
  const auto min = static_cast<size_t>(min_ports);
  if (given >= min && given <= specs.size()) return {};
  return invalid_graph_op(op_text(op) + " has " + std::to_string(given) + " " + what +
                          (given == 1 ? "" : "s") + ", allowed: " + count_text(min, specs.size()));
}

// Which port gave a type variable its type.
struct Binding {
  char variable = 0;
  DataType type = DataType::undef;
  std::string port;
};

class TypeChecker {
 public:
  explicit TypeChecker(const Op& op) : op_(op) {}

  Status check(const std::vector<LogicalTensor>& ports, Span<const PortSpec> specs,
               std::string (*text_of)(const Op&, size_t)) {
    for (size_t p = 0; p < ports.size(); ++p) {
      const DataType type = ports[p].type;
      if (!specs[p].types.has(type))
        return invalid_graph_op(text_of(op_, p) + " is " + type_text(type) +
                                ", allowed: " + type_set_text(specs[p].types));
      if (specs[p].variable != 0) IOTADNN_TRY(bind(specs[p].variable, type, text_of(op_, p)));
    }
    return {};
  }

 private:
  static std::string type_text(DataType type) {
    if (is_known(type) || type == DataType::undef) return std::string(name_of(type));
    return "of unknown type number " + std::to_string(static_cast<int32_t>(type));
  }

  Status bind(char variable, DataType type, std::string port) {
    for (const Binding& bound : bindings_) {
      if (bound.variable != variable) continue;
      if (bound.type == type) return {};
      return invalid_graph_op(port + " is " + type_text(type) + ", but " + bound.port + " is " +
                              type_text(bound.type) + "; both must have the same type");
    }
    bindings_.push_back({variable, type, std::move(port)});
    return {};
  }

  const Op& op_;
  std::vector<Binding> bindings_;
};

bool is_among(std::string_view value, std::string_view allowed) {
  while (!allowed.empty()) {
    const size_t bar = allowed.find('|');
    if (allowed.substr(0, bar) == value) return true;
    if (bar == std::string_view::npos) return false;
    allowed.remove_prefix(bar + 1);
  }
  return false;
}

std::string allowed_text(std::string_view allowed) {
  std::string text;
  for (const char c : allowed)
    text += c == '|' ? std::string(", ") : std::string(1, c);
  return text;
}

Status check_attr_value(const Op& op, const AttrSpec& spec, const AttrValue& value) {
  const AttrType expected = find_attr(spec.id)->type;
  const AttrType given = type_of(value);
  if (given != expected)
    return invalid_graph_op(attr_text(op, spec.id) + " is " + std::string(name_of(given)) +
                            ", allowed: " + std::string(name_of(expected)));
  if (spec.allowed.empty()) return {};
  const auto* text = std::get_if<std::string>(&value);
  if (text == nullptr || is_among(*text, spec.allowed)) return {};
  return invalid_graph_op(attr_text(op, spec.id) + " is '" + *text +
                          "', allowed: " + allowed_text(spec.allowed));
}

Status check_attrs(const Op& op, Span<const AttrSpec> specs) {
  for (const AttrSpec& spec : specs)
    if (spec.required && op.attrs.count(spec.id) == 0)
      return invalid_graph_op(attr_text(op, spec.id) + " is missing, it is required");
  for (const AttrSpec& spec : specs) {
    const auto given = op.attrs.find(spec.id);
    if (given != op.attrs.end()) IOTADNN_TRY(check_attr_value(op, spec, given->second));
  }
  for (const auto& [id, value] : op.attrs) {
    bool is_defined = false;
    for (const AttrSpec& spec : specs)
      is_defined = is_defined || spec.id == id;
    if (is_defined) continue;
    std::string names;
    for (const AttrSpec& spec : specs)
      names += (names.empty() ? "" : ", ") + std::string(find_attr(spec.id)->name);
    return invalid_graph_op(attr_text(op, id) + " is not defined for this op, allowed: " +
                            (names.empty() ? "none" : names));
  }
  return {};
}

}  // namespace

Status check_schema(Op& op) {
  const OpDef* def = find_op(op.kind);
  if (def == nullptr || def->signature == nullptr) return {};
  const Signature& signature = *def->signature;
  fill_defaults(op, signature.attrs);
  TypeChecker types(op);
  IOTADNN_TRY(check_count(op, "input", op.inputs.size(), signature.min_inputs, signature.inputs));
  IOTADNN_TRY(types.check(op.inputs, signature.inputs, input_text));
  IOTADNN_TRY(
      check_count(op, "output", op.outputs.size(), signature.min_outputs, signature.outputs));
  IOTADNN_TRY(types.check(op.outputs, signature.outputs, output_text));
  IOTADNN_TRY(check_attrs(op, signature.attrs));
  return def->check == nullptr ? Status() : def->check(op);
}

}  // namespace iotadnn::impl
