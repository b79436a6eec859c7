// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "lower/affine.h"
#include "lower/expr.h"

namespace iotadnn::impl {

// An expression whose comparisons of coordinates became predicates: one simplified body per
// combination of their truths.
struct SplitProgram {
  std::vector<Predicate> predicates;
  std::vector<Body> bodies;        // 1 << predicates.size()
  std::vector<RangeGuard> guards;  // the predicates are the comparisons only if these hold
  ScalarAssumptions assumed;       // and these
  bool is_safe = true;             // no body reads an input where its conditions do not hold
};

// Index set splitting of what `roots` compute. At most kMaxPredicates of the comparisons become
// predicates, the first in the order of the expression; without one there is one body.
// inputs[i]: the coordinates that input i depends on; ranges[i]: the conditions under which it may
// be read.
SplitProgram split(const Expr& expr, ExprRules rules, const std::vector<Value>& roots,
                   Span<const AxisSet> inputs, const std::vector<std::vector<Value>>& ranges);

}  // namespace iotadnn::impl
