// SPDX-License-Identifier: Apache-2.0
#include "lower/layout.h"

#include <algorithm>
#include <limits>
#include <vector>

namespace iotadnn::impl {
namespace {

void add_coords(const Bound& bound, AxisSet& used) {
  for (const Term& term : bound.terms)
    if (term.kind == Term::Kind::coord) used |= 1u << term.index;
}

Bound negated(Bound bound) {
  for (Term& term : bound.terms)
    term.negated = !term.negated;
  bound.imm = -bound.imm;
  return bound;
}

Bound plus(Bound bound, int64_t imm) {
  bound.imm += imm;
  return bound;
}

// Takes coordinate `axis` out of a bound; returns its sign, or 0 when it is not there.
int take_coord(Bound& bound, uint8_t axis) {
  for (size_t i = 0; i < bound.terms.size(); ++i) {
    const Term term = bound.terms[i];
    if (term.kind != Term::Kind::coord || term.index != axis) continue;
    bound.terms.erase(bound.terms.begin() + static_cast<std::ptrdiff_t>(i));
    return term.negated ? -1 : 1;
  }
  return 0;
}

Bound with_coord(Bound bound, uint8_t axis, bool negate) {
  Term term;
  term.kind = Term::Kind::coord;
  term.index = axis;
  term.negated = negate;
  bound.terms.insert(bound.terms.begin(), term);
  return bound;
}

constexpr int64_t kMin = std::numeric_limits<int64_t>::min();
constexpr int64_t kMax = std::numeric_limits<int64_t>::max();

// An interval without an end on one side.
bool is_unbounded(const Bound& bound) {
  return bound.terms.empty() && (bound.imm == kMin || bound.imm == kMax);
}

// Solves the predicate for `last` when its bounds hold that coordinate; bounds that have an end
// hold it with the same sign in every lowering here.
Predicate solved_for(Predicate p, uint8_t last) {
  Bound lo = p.lo;
  Bound hi = p.hi;
  const int lo_sign = take_coord(lo, last);
  const int hi_sign = take_coord(hi, last);
  const int sign = lo_sign != 0 ? lo_sign : hi_sign;
  const auto agrees = [sign](const Bound& bound, int own) {
    return own == sign || is_unbounded(bound);
  };
  if (p.axis == last || sign == 0 || !agrees(lo, lo_sign) || !agrees(hi, hi_sign)) return p;
  Predicate solved;
  solved.axis = last;
  solved.lo.imm = kMin;
  solved.hi.imm = kMax;
  if (sign > 0) {
    if (!is_unbounded(hi)) solved.lo = plus(with_coord(negated(hi), p.axis, false), 1);
    if (!is_unbounded(lo)) solved.hi = plus(with_coord(negated(lo), p.axis, false), 1);
  } else {
    if (!is_unbounded(lo)) solved.lo = with_coord(lo, p.axis, true);
    if (!is_unbounded(hi)) solved.hi = with_coord(hi, p.axis, true);
  }
  return solved;
}

void rename(Bound& bound, const std::array<uint8_t, kMaxRank>& physical) {
  for (Term& term : bound.terms)
    if (term.kind == Term::Kind::coord) term.index = physical[term.index];
}

struct Dim {
  int8_t axis;
  int64_t extent;
  int64_t stride;
};

// Outermost first: extents of one, then by falling stride.
std::vector<Dim> sorted_dims(AxisSet used, const Dims& dims, const Dims& strides, int rank) {
  std::vector<Dim> sorted;
  sorted.reserve(kMaxRank);
  for (int a = 0; a < rank; ++a) {
    const bool is_used = (used >> a & 1u) != 0;
    if (dims[a] == 1 && !is_used) continue;
    const int8_t axis = is_used ? static_cast<int8_t>(a) : kMergedAxes;
    sorted.push_back({axis, dims[a], strides[a]});
  }
  std::stable_sort(sorted.begin(), sorted.end(), [](const Dim& a, const Dim& b) {
    if ((a.extent == 1) != (b.extent == 1)) return a.extent == 1;
    return a.extent != 1 && a.stride > b.stride;
  });
  return sorted;
}

}  // namespace

AxisSet used_axes(const RowProgram& program) {
  AxisSet used = 0;
  for (const Predicate& p : program.predicates) {
    used |= 1u << p.axis;
    add_coords(p.lo, used);
    add_coords(p.hi, used);
  }
  for (const Body& body : program.bodies)
    for (const Inst& inst : body.insts)
      if (inst.op == Opcode::coord) used |= 1u << inst.imm;
  return used;
}

PhysicalShape physical_shape(const RowProgram& logical, const Dims& dims, const Dims& strides) {
  const std::vector<Dim> sorted = sorted_dims(used_axes(logical), dims, strides, logical.rank);
  PhysicalShape shape;
  int rank = 0;
  for (const Dim& dim : sorted) {
    const bool merges = rank > 0 && dim.axis == kMergedAxes &&
                        shape.order.axes[rank - 1] == kMergedAxes &&
                        shape.strides[rank - 1] == dim.stride * dim.extent;
    if (merges) {
      shape.extents[rank - 1] *= dim.extent;
      shape.strides[rank - 1] = dim.stride;
      continue;
    }
    shape.order.axes[rank] = dim.axis;
    shape.extents[rank] = dim.extent;
    shape.strides[rank] = dim.stride;
    ++rank;
  }
  if (rank == 0) {  // one element, and a program that reads no coordinate
    shape.order.axes[0] = kMergedAxes;
    shape.extents[0] = 1;
    rank = 1;
  }
  if (shape.extents[rank - 1] == 1) shape.strides[rank - 1] = 1;
  shape.order.rank = rank;
  return shape;
}

RowProgram to_physical(const RowProgram& logical, const AxisOrder& order) {
  std::array<uint8_t, kMaxRank> physical{};
  for (int p = 0; p < order.rank; ++p)
    if (order.axes[p] != kMergedAxes)
      physical[static_cast<size_t>(order.axes[p])] = static_cast<uint8_t>(p);
  RowProgram program = logical;
  program.rank = order.rank;
  for (Predicate& p : program.predicates) {
    p.axis = physical[p.axis];
    rename(p.lo, physical);
    rename(p.hi, physical);
    p = solved_for(std::move(p), static_cast<uint8_t>(order.rank - 1));
  }
  for (Body& body : program.bodies)
    for (Inst& inst : body.insts)
      if (inst.op == Opcode::coord) inst.imm = physical[inst.imm];
  return program;
}

}  // namespace iotadnn::impl
