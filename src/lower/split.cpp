// SPDX-License-Identifier: Apache-2.0
#include "lower/split.h"

#include <algorithm>
#include <optional>

#include "program/opcodes.h"

namespace iotadnn::impl {
namespace {

// The comparisons that became predicates: which, and whether the predicate's truth is theirs.
struct Conditions {
  struct Entry {
    Value value;
    size_t predicate;
    bool negated;
  };

  std::vector<Entry> entries;

  const Entry* find(Value value) const {
    const auto found = std::find_if(entries.begin(), entries.end(),
                                    [value](const Entry& e) { return e.value == value; });
    return found == entries.end() ? nullptr : &*found;
  }

  // What the value is where the predicates are as the bits of `truths` say.
  std::optional<bool> truth(Value value, size_t truths) const {
    const Entry* entry = find(value);
    if (entry == nullptr) return std::nullopt;
    return ((truths >> entry->predicate & 1u) != 0) != entry->negated;
  }
};

Conditions find_conditions(const Expr& expr, const std::vector<Value>& roots,
                           Span<const AxisSet> inputs, SplitProgram& program) {
  Conditions conditions;
  const std::vector<bool> reached = reached_from(expr, roots);
  for (size_t v = 0; v < expr.size(); ++v) {
    if (!reached[v]) continue;
    auto condition = affine_condition(expr, static_cast<Value>(v), inputs);
    if (!condition) continue;
    const auto same =
        std::find(program.predicates.begin(), program.predicates.end(), condition->predicate);
    const auto index = static_cast<size_t>(same - program.predicates.begin());
    if (same == program.predicates.end()) {
      if (index == size_t{kMaxPredicates}) continue;
      program.predicates.push_back(std::move(condition->predicate));
    }
    for (const RangeGuard& guard : condition->guards)
      if (std::find(program.guards.begin(), program.guards.end(), guard) == program.guards.end())
        program.guards.push_back(guard);
    conditions.entries.push_back({static_cast<Value>(v), index, condition->negated});
  }
  return conditions;
}

// The expression with its conditions replaced by what they are for `truth`.
Body body_for(const Expr& expr, ExprRules rules, const std::vector<Value>& roots,
              const std::vector<bool>& reached, const Conditions& conditions, size_t truth,
              ScalarAssumptions& assumed) {
  Expr simpler(rules);
  const auto replaced = [&](size_t v) { return conditions.truth(static_cast<Value>(v), truth); };
  const std::vector<Value> now = remake(expr, reached, simpler, replaced);
  assumed |= simpler.assumed();
  std::vector<Value> results;
  results.reserve(roots.size());
  for (const Value root : roots)
    results.push_back(now[root]);
  return to_body(simpler, results);
}

// Whether all conditions of what the body loads hold for `truth`.
bool is_safe(const Expr& expr, const Body& body, const Conditions& conditions, size_t truth,
             const std::vector<std::vector<Value>>& ranges) {
  for (const Inst& inst : body.insts) {
    if (inst.op != Opcode::load) continue;
    for (const Value condition : ranges[inst.imm]) {
      const bool always = expr.is_constant(condition) && expr[condition].imm != 0;
      if (!always && !conditions.truth(condition, truth).value_or(false)) return false;
    }
  }
  return true;
}

bool all_equal(const std::vector<Body>& bodies) {
  return std::all_of(bodies.begin(), bodies.end(),
                     [&](const Body& body) { return body == bodies.front(); });
}

}  // namespace

SplitProgram split(const Expr& expr, ExprRules rules, const std::vector<Value>& roots,
                   Span<const AxisSet> inputs, const std::vector<std::vector<Value>>& ranges) {
  SplitProgram program;
  const Conditions conditions = find_conditions(expr, roots, inputs, program);
  const std::vector<bool> reached = reached_from(expr, roots);
  const size_t combinations = size_t{1} << program.predicates.size();
  for (size_t truth = 0; truth < combinations; ++truth) {
    program.bodies.push_back(
        body_for(expr, rules, roots, reached, conditions, truth, program.assumed));
    program.is_safe =
        program.is_safe && is_safe(expr, program.bodies.back(), conditions, truth, ranges);
  }
  program.assumed |= expr.assumed();
  if (!program.predicates.empty() && all_equal(program.bodies)) {
    program.bodies.resize(1);  // the guards stay: the body is right only where they hold
    program.predicates.clear();
  }
  return program;
}

}  // namespace iotadnn::impl
