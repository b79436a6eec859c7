// SPDX-License-Identifier: Apache-2.0
#include <iterator>
#include <string>
#include <vector>

#include "ops/op_kinds.h"
#include "ops/op_table.h"
#include "partition/partition.h"

namespace iotadnn::impl {
namespace {

// "GenIndex, Eye and EyeLike": what the table can compile.
std::string compiled_ops() {
  std::vector<std::string_view> names;
  for (const OpDef& def : op_table())
    if (def.op_class == OpClass::generator) names.push_back(def.name);
  std::string text;
  for (size_t i = 0; i < names.size(); ++i) {
    if (i > 0) text += i + 1 == names.size() ? " and " : ", ";
    text += names[i];
  }
  return text;
}

// Each rule: the reason why this op cannot be claimed, or "" when the rule does not object. A rule
// may rely on those before it.

std::string outside_the_table(const Op& op) {
  if (find_op(op.kind) != nullptr) return "";
  return op_text(op) + " is not an op that this library knows, so it stays with the host";
}

std::string wildcard(const Op& op) {
  if (op.kind != op_kind::kWildcard) return "";
  return op_text(op) + " stands for a computation that only the host knows";
}

std::string end(const Op& op) {
  if (op.kind != op_kind::kEnd) return "";
  return op_text(op) + " marks its input as an output of the graph, there is nothing to compute";
}

std::string not_compiled(const Op& op) {
  if (find_op(op.kind)->op_class == OpClass::generator) return "";
  return op_text(op) + " is not compiled by this library yet; only " + compiled_ops() + " are";
}

// Ops that came past add_op's checks, or around them.
std::string breaks_the_schema(const Op& op) {
  Op copy = op;
  return check_schema(copy).message();
}

std::string opaque_layout(const Op& op) {
  const std::string why =
      " has an opaque layout, which no query of this library returns; allowed: "
      "strided, any or undef";
  for (size_t p = 0; p < op.inputs.size(); ++p)
    if (op.inputs[p].layout == LayoutType::opaque) return input_text(op, p) + why;
  for (size_t p = 0; p < op.outputs.size(); ++p)
    if (op.outputs[p].layout == LayoutType::opaque) return output_text(op, p) + why;
  return "";
}

using Rule = std::string (*)(const Op& op);

constexpr Rule kRules[] = {outside_the_table, wildcard,          end,
                           not_compiled,      breaks_the_schema, opaque_layout};

}  // namespace

std::string refusal(const Op& op) {
  for (const Rule rule : kRules)
    if (std::string reason = rule(op); !reason.empty()) return reason;
  return "";
}

}  // namespace iotadnn::impl
