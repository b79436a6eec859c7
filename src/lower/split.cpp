// SPDX-License-Identifier: Apache-2.0
#include "lower/split.h"

#include <algorithm>

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
};

Conditions find_conditions(const Expr& expr, const std::vector<Value>& roots,
                           Span<const AxisMask> inputs, SplitProgram& program) {
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
  std::vector<Value> now(expr.size(), 0);
  for (size_t v = 0; v < expr.size(); ++v) {
    if (!reached[v]) continue;
    const Inst& inst = expr[static_cast<Value>(v)];
    if (const auto* condition = conditions.find(static_cast<Value>(v))) {
      now[v] = simpler.boolean(((truth >> condition->predicate & 1u) != 0) != condition->negated);
    } else if (inst.op == Opcode::constant) {
      now[v] = simpler.constant(inst.type, inst.imm);
    } else if (inst.op < kFirstPointwise) {
      now[v] = simpler.leaf(inst.op, inst.type, inst.imm);
    } else {
      now[v] = simpler.apply(inst.op, inst.type, now[inst.args[0]], now[inst.args[1]],
                             now[inst.args[2]]);
    }
  }
  assumed |= simpler.assumed();
  std::vector<Value> results;
  results.reserve(roots.size());
  for (const Value root : roots)
    results.push_back(now[root]);
  return to_body(simpler, results);
}

bool all_equal(const std::vector<Body>& bodies) {
  return std::all_of(bodies.begin(), bodies.end(),
                     [&](const Body& body) { return body == bodies.front(); });
}

}  // namespace

SplitProgram split(const Expr& expr, ExprRules rules, const std::vector<Value>& roots,
                   Span<const AxisMask> inputs) {
  SplitProgram program;
  const Conditions conditions = find_conditions(expr, roots, inputs, program);
  const std::vector<bool> reached = reached_from(expr, roots);
  const size_t combinations = size_t{1} << program.predicates.size();
  for (size_t truth = 0; truth < combinations; ++truth)
    program.bodies.push_back(
        body_for(expr, rules, roots, reached, conditions, truth, program.assumed));
  program.assumed |= expr.assumed();
  if (!program.predicates.empty() && all_equal(program.bodies)) {
    program.bodies.resize(1);  // the guards stay: the body is right only where they hold
    program.predicates.clear();
  }
  return program;
}

}  // namespace iotadnn::impl
