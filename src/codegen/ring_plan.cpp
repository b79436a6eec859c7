// SPDX-License-Identifier: Apache-2.0
#include "codegen/ring_plan.h"

#include <algorithm>

#include "codegen/scalar_sum.h"

namespace iotadnn::impl {
namespace {

int outermost(const Bound& bound, int so_far) {
  for (const Term& term : bound.terms)
    if (term.kind == Term::Kind::coord) so_far = std::min<int>(so_far, term.index);
  return so_far;
}

// The sum of what may be added or subtracted in a lane for this bound.
int64_t reach_of(const Predicate& predicate, const Bound& bound, const int64_t* extents) {
  int64_t reach = extents[predicate.axis];
  for (const Term& term : bound.terms)
    if (term.kind == Term::Kind::coord) reach = saturating_add(reach, extents[term.index]);
  return reach;
}

}  // namespace

RingPlan ring_plan(const RowProgram& program) {
  int first = program.rank;
  for (const Body& body : program.bodies) {
    const Inst& result = body.insts.back();
    if (result.op == Opcode::coord) first = std::min(first, static_cast<int>(result.imm));
  }
  for (const Predicate& p : program.predicates)
    first = outermost(p.hi, outermost(p.lo, std::min<int>(first, p.axis)));
  RingPlan plan;
  plan.first_dim = first;
  plan.digits = program.rank - first;
  return plan;
}

LaneBound lane_bound(const RingPlan& plan, const Bound& bound) {
  LaneBound lanes;
  for (const Term& term : bound.terms)
    if (term.kind == Term::Kind::coord)
      (term.negated ? lanes.plus : lanes.minus).push_back(term.index - plan.first_dim);
  return lanes;
}

bool is_single(const Predicate& predicate) {
  return predicate.lo.terms == predicate.hi.terms && predicate.hi.imm == predicate.lo.imm + 1;
}

bool ring_applies(const RowProgram& program) {
  if (ring_plan(program).digits > kMaxRingDigits) return false;
  if (program.predicates.size() > kMaxRingPredicates) return false;
  for (const Predicate& p : program.predicates)
    if (!scalars_separate(p.lo) || !scalars_separate(p.hi)) return false;
  return true;
}

bool ring_fits(const RowProgram& program, const int64_t* extents, const int64_t* strides) {
  if (!is_dense(extents, strides, program.rank)) return false;
  const RingPlan plan = ring_plan(program);
  // A digit and a step, both less than the extent, are added before the extent is taken off; a
  // reach, and one more on each side, is compared as a signed number.
  const int64_t limit = int64_t{1} << (8 * program.elem_bytes - 1 - (program.elem_bytes == 8));
  for (int d = 0; d < plan.digits; d++)
    if (plan.wraps(d) && extents[plan.first_dim + d] > limit) return false;
  for (const Predicate& p : program.predicates)
    for (const Bound* bound : {&p.lo, &p.hi})
      if (reach_of(p, *bound, extents) > limit - 3) return false;
  return true;
}

}  // namespace iotadnn::impl
