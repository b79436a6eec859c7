// SPDX-License-Identifier: Apache-2.0
#include "partition/rules.h"

#include <string>

#include "ops/op_kinds.h"
#include "ops/op_table.h"
#include "ops/relabel.h"
#include "partition/partition.h"

namespace iotadnn::impl {
namespace {

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
  if (find_op(op.kind)->reference != nullptr) return "";
  return op_text(op) + " is not an op that this library compiles (doc/ops.md lists those)";
}

std::string form_of_the_host(const Op& op) {
  const OpDef* def = find_op(op.kind);
  return def->claimable == nullptr ? "" : def->claimable(op).message();
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

constexpr Rule kRules[] = {outside_the_table, wildcard,        end, not_compiled, breaks_the_schema,
                           opaque_layout,     form_of_the_host};

// Rules of what is computed together with others, in a region.

bool works_point_by_point(const Op& op) {
  const OpClass op_class = find_op(op.kind)->op_class;
  return op_class == OpClass::generator || op_class == OpClass::coordinate ||
         op_class == OpClass::pointwise || op_class == OpClass::relabel;
}

std::string computed_coordinates(const Op& op) {
  if (find_op(op.kind)->op_class != OpClass::relabel) return "";
  return relabeled_axes(op).status().message();
}

}  // namespace

std::string refusal(const Op& op) {
  for (const Rule rule : kRules)
    if (std::string reason = rule(op); !reason.empty()) return reason;
  return "";
}

bool needs_lowering(const Op& op) {
  const OpClass op_class = find_op(op.kind)->op_class;
  return op_class == OpClass::gather || op_class == OpClass::reduction ||
         op_class == OpClass::contraction;
}

std::string fusion_refusal(const Op& op, bool can_lower) {
  if (std::string reason = refusal(op); !reason.empty()) return reason;
  if (!works_point_by_point(op) && !(can_lower && needs_lowering(op)))
    return op_text(op) + " does not work point by point, so it is not fused";
  return computed_coordinates(op);
}

bool starts_region(const Op& op) {
  const OpDef* def = find_op(op.kind);
  return def->op_class == OpClass::generator || def->op_class == OpClass::coordinate;
}

}  // namespace iotadnn::impl
