// SPDX-License-Identifier: Apache-2.0
#include "frontends/model/model.h"

namespace iotadnn::models {

int64_t Node::integer(const std::string& attr, int64_t otherwise) const {
  const auto found = attrs.find(attr);
  return found == attrs.end() ? otherwise : std::get<int64_t>(found->second);
}

const Tensor* Node::tensor(const std::string& attr) const {
  const auto found = attrs.find(attr);
  return found == attrs.end() ? nullptr : &std::get<Tensor>(found->second);
}

std::optional<size_t> Model::find_input(const std::string& input) const {
  for (size_t i = 0; i < inputs.size(); ++i)
    if (values[inputs[i]].name == input) return i;
  return std::nullopt;
}

std::string printable(const std::string& name) {
  constexpr char kDigits[] = "0123456789abcdef";
  std::string text;
  for (const char c : name) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte >= 0x20 && byte != 0x7f)
      text += c;
    else
      text += {'\\', 'x', kDigits[byte >> 4], kDigits[byte & 15]};
  }
  return text;
}

std::string describe(const Node& node) {
  return "node " +
         (node.name.empty() ? std::to_string(node.number) : "'" + printable(node.name) + "'") +
         " (" + printable(node.kind) + ")";
}

std::string describe(const Value& value) {
  return value.name.empty() ? "an unnamed value" : "'" + printable(value.name) + "'";
}

std::string label(const Node& node) {
  return printable(node.name.empty() ? node.kind + "_" + std::to_string(node.number) : node.name);
}

}  // namespace iotadnn::models
