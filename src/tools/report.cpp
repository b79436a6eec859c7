// SPDX-License-Identifier: Apache-2.0
#include "tools/report.h"

#include <cstdio>
#include <set>

namespace iotadnn::tools {

std::string type_and_shape(const models::Value& value) {
  std::string text = models::type_text(value.type);
  if (!value.dims) return text + "[...]";
  text += '[';
  for (size_t d = 0; d < value.dims->size(); ++d) {
    const int64_t extent = (*value.dims)[d];
    const std::string symbol = d < value.symbols.size() ? value.symbols[d] : "";
    text += (d > 0 ? ", " : "");
    text += extent != models::kUnknownDim ? std::to_string(extent) : symbol.empty() ? "?" : symbol;
  }
  return text + "]";
}

std::string kinds_of(const models::Model& model, const models::Step& step) {
  constexpr size_t kMost = 8;
  std::string text;
  std::set<size_t> numbers;
  for (const size_t n : step.nodes) {
    const models::Node& node = model.nodes[n];
    if (numbers.insert(node.number).second && numbers.size() <= kMost)
      text += (text.empty() ? "" : " ") + models::printable(node.kind);
  }
  if (numbers.size() > kMost) text += " and " + std::to_string(numbers.size() - kMost) + " more";
  return text;
}

std::string milliseconds(double nanoseconds) {
  char text[32];
  std::snprintf(text, sizeof text, "%.4f", nanoseconds / 1e6);
  return text;
}

}  // namespace iotadnn::tools
