// SPDX-License-Identifier: Apache-2.0
//
// Sums of which an identity picks one term: MatMul(A, I) is A shifted, ReduceSum(A * I) the
// diagonal. The terms are expanded at a coordinate of their own; where an equality with it decides
// whether a term is there at all, the sum is the term that it picks, if that is within the sum.
#include <limits>
#include <optional>

#include "base/float16.h"
#include "lower/expander.h"
#include "ops/contraction_ops.h"
#include "ops/op_table.h"
#include "ops/relabel_ops.h"
#include "program/evaluate.h"
#include "program/opcodes.h"

namespace iotadnn::impl {
namespace {

bool is_zero(const Inst& inst) {
  if (inst.op != Opcode::constant) return false;
  const uint64_t sign = is_floating(inst.type) ? uint64_t{1} << (8 * bytes_of(inst.type) - 1) : 0;
  return (inst.imm & ~sign) == 0;
}

// The term again in `to`, where the equality does not hold.
Value without(Value equality, const Expr& from, Value term, Expr& to) {
  const auto replaced = [&](size_t v) -> std::optional<bool> {
    if (v != equality) return std::nullopt;
    return from[equality].op == Opcode::not_equal;
  };
  return remake(from, reached_from(from, {term}), to, replaced)[term];
}

// Equalities of integers that hold for all coordinates, as that.
Value without_identities(Expr& expr, Value root, std::vector<RangeGuard>& guards) {
  const std::vector<bool> reached = reached_from(expr, {root});
  std::map<size_t, bool> known;
  for (size_t v = 0; v < reached.size(); ++v) {
    if (!reached[v]) continue;
    const Inst& inst = expr[static_cast<Value>(v)];
    if (inst.op != Opcode::equal && inst.op != Opcode::not_equal) continue;
    if (is_floating(expr[inst.args[0]].type)) continue;
    const auto difference = affine_difference(expr, static_cast<Value>(v));
    if (!difference || !(difference->value == Affine{})) continue;
    known.emplace(v, inst.op == Opcode::equal);
    guards.insert(guards.end(), difference->guards.begin(), difference->guards.end());
  }
  if (known.empty()) return root;
  const auto replaced = [&](size_t v) -> std::optional<bool> {
    const auto found = known.find(v);
    return found == known.end() ? std::nullopt : std::optional<bool>(found->second);
  };
  return remake(expr, reached, expr, replaced)[root];
}

}  // namespace

// Indices below 0 count from the end, those outside give zeros.
Result<Value> Expander::expand_gather(const Op& op, const Coords& coords) {
  const LogicalTensor& data = op.inputs[0];
  const LogicalTensor& indices = op.inputs[1];
  const Axis axis = relabel_ops::gather_axis(op, data.rank);
  if (!axis.fault.empty()) return invalid_arguments(axis.fault);
  const auto first = coords.begin() + axis.axis;
  const auto index = value_at(indices.id, Coords(first, first + indices.rank));
  if (!index.ok()) return index.status();
  const auto count = extent(data, axis.axis);
  if (!count.ok()) return count.status();
  Expr& expr = region_.expr;
  const Value i = expr.apply(Opcode::convert, DataType::s64, *index);
  const Value from_end = expr.apply(Opcode::add, DataType::s64, i, *count);
  const auto compare = [&expr](Opcode opcode, Value a, Value b) {
    return expr.apply(opcode, DataType::boolean, a, b);
  };
  const auto within = [&](Value v) {
    return expr.apply(Opcode::logical_and, DataType::boolean,
                      compare(Opcode::greater_equal, v, zero()), compare(Opcode::less, v, *count));
  };
  Coords at(coords.begin(), first);
  at.push_back(i);
  at.insert(at.end(), first + indices.rank, coords.end());
  const auto front = value_at(data.id, at);
  if (!front.ok()) return front.status();
  at[static_cast<size_t>(axis.axis)] = from_end;
  const auto back = value_at(data.id, at);
  if (!back.ok()) return back.status();
  const Value nothing = expr.integer(data.type, 0);
  const Value is_negative = compare(Opcode::less, i, zero());
  const Value counted = expr.apply(Opcode::logical_and, DataType::boolean, is_negative,
                                   compare(Opcode::greater_equal, from_end, zero()));
  const Value otherwise = expr.apply(Opcode::select, data.type, counted, *back, nothing);
  return expr.apply(Opcode::select, data.type, within(i), *front, otherwise);
}

Result<Value> Expander::expand_reduction(const Op& op, const Coords& coords) {
  const LogicalTensor& in = op.inputs[0];
  const relabel_ops::ReducedAxes axes = relabel_ops::reduced_axes(op, in.rank);
  if (!axes.fault.empty()) return invalid_arguments(axes.fault);
  Coords inner(static_cast<size_t>(in.rank), zero());
  std::vector<int> summed;
  size_t out = 0;
  for (int d = 0; d < in.rank; ++d) {
    const bool is_reduced = axes.is_reduced[static_cast<size_t>(d)];
    if (is_reduced) summed.push_back(d);
    if (is_reduced && !relabel_ops::keeps_dims(op)) continue;
    if (!is_reduced && in.dims[d] != 1) inner[static_cast<size_t>(d)] = coords[out];
    ++out;
  }
  if (summed.empty()) {
    const auto same = value_at(in.id, inner);
    return same.ok() ? Result<Value>(from_zero(*same)) : same;
  }
  // The innermost sum first, as the others are sums of it.
  std::function<Result<Value>(size_t, Coords)> over = [&](size_t next, Coords at) -> Result<Value> {
    if (next == summed.size()) return value_at(in.id, at);
    const int dim = summed[next];
    return sum(op, in, dim, [&, at](Value index) mutable {
      at[static_cast<size_t>(dim)] = index;
      return over(next + 1, at);
    });
  };
  return over(0, inner);
}

Result<Value> Expander::expand_contraction(const Op& op, const Coords& coords) {
  const LogicalTensor& a = op.inputs[0];
  const LogicalTensor& b = op.inputs[1];
  const LogicalTensor& out = op.outputs[0];
  const contraction_ops::MatMulForm form = contraction_ops::matmul_form(op, a.rank, b.rank);
  const auto operand = [&](const LogicalTensor& t, int matrix, int matrix_out, int inner) {
    Coords at(static_cast<size_t>(t.rank), zero());
    for (int d = 0; d + 2 < t.rank; ++d)
      at[static_cast<size_t>(d)] = broadcast(t, d, out, form.batch_axis(d, t.rank), coords);
    if (matrix != contraction_ops::MatMulForm::kNone && t.dims[matrix] != 1)
      at[static_cast<size_t>(matrix)] = coords[static_cast<size_t>(matrix_out)];
    return [this, &t, at, inner](Value index) mutable {
      at[static_cast<size_t>(inner)] = index;
      return value_at(t.id, at);
    };
  };
  if (a.dims[form.a_inner] == kUnknownDim || b.dims[form.b_inner] == kUnknownDim)
    region_.extent_guards.push_back({a.id, form.a_inner, b.id, form.b_inner});
  // Rounded once, at the end, as the reference does. A product of two is often exact in less.
  const DataType summed = is_floating(a.type) ? DataType::f64 : out.type;
  auto by_a = operand(a, form.a_row, form.out_row, form.a_inner);
  auto by_b = operand(b, form.b_column, form.out_column, form.b_inner);
  const auto product = [&](Value index) -> Result<Value> {
    const auto x = by_a(index);
    if (!x.ok()) return x.status();
    const auto y = by_b(index);
    if (!y.ok()) return y.status();
    const auto wide = [&](Value v) { return region_.expr.apply(Opcode::convert, summed, v); };
    return region_.expr.apply(Opcode::multiply, summed, wide(*x), wide(*y));
  };
  auto total = sum(op, a, form.a_inner, product);
  if (total.ok() && op.inputs.size() > 2) total = add_bias(op, coords, *total);
  if (!total.ok()) return total;
  return region_.expr.apply(Opcode::convert, out.type, *total);
}

Result<Value> Expander::add_bias(const Op& op, const Coords& coords, Value sum) {
  const LogicalTensor& bias = op.inputs[2];
  const LogicalTensor& out = op.outputs[0];
  Coords at(static_cast<size_t>(bias.rank), zero());
  for (int d = 0; d < bias.rank; ++d) {
    const int axis = d + out.rank - bias.rank;
    if (axis >= 0) at[static_cast<size_t>(d)] = broadcast(bias, d, out, axis, coords);
  }
  const auto value = value_at(bias.id, at);
  if (!value.ok()) return value;
  const DataType type = region_.expr[sum].type;
  return region_.expr.apply(Opcode::add, type, sum,
                            region_.expr.apply(Opcode::convert, type, *value));
}

// A sum starts from +0, so that it is never -0.
Value Expander::from_zero(Value term) {
  const DataType type = region_.expr[term].type;
  if (!is_floating(type)) return term;
  return region_.expr.apply(Opcode::add, type, term, region_.expr.integer(type, 0));
}

// The sum over dimension `dim` of tensor `of`, whose terms are at(index).
Result<Value> Expander::sum(const Op& op, const LogicalTensor& of, int dim, const AtIndex& at) {
  Expr& expr = region_.expr;
  if (of.dims[dim] == 1) {
    const auto term = at(zero());
    return term.ok() ? Result<Value>(from_zero(*term)) : term;
  }
  const size_t axis = static_cast<size_t>(std::max(1, partition_.outputs.front().rank)) +
                      region_.summed_extents.size();
  if (axis >= size_t{kMaxRank}) return unimplemented(op_text(op) + " sums along too many axes");
  region_.summed_extents.push_back({of.id, dim});
  const int picked_before = region_.picked;
  const int remaining_before = region_.remaining;
  const auto any = at(expr.leaf(Opcode::coord, DataType::s64, axis));
  if (!any.ok()) return any.status();
  const auto selection = select_term(op, *any, static_cast<int>(axis));
  if (!selection.ok()) {
    // A trace: the sum of what another sum has picked. It is added up when it is all that is
    // handed out.
    if (!may_remain(op) || region_.picked == picked_before) return selection.status();
    ++region_.remaining;
    return any;
  }
  if (region_.remaining != remaining_before)
    return unimplemented(op_text(op) + " sums, outside of what it picks, terms that stay a sum");
  ++region_.picked;
  const auto count = extent(of, dim);
  if (!count.ok()) return count.status();
  return sum_of_one_term(op, *selection, static_cast<int>(axis), *count, at);
}

Result<Value> Expander::sum_of_one_term(const Op& op, const Selection& selection, int axis,
                                        Value count, const AtIndex& at) {
  Expr& expr = region_.expr;
  const auto in_range = range_of(selection.index, count);
  if (!in_range.ok()) return in_range.status();
  const int remaining_before = region_.remaining;
  const auto picked = at(selection.index);
  if (!picked.ok()) return picked.status();
  if (region_.remaining != remaining_before)
    return unimplemented(op_text(op) + " picks a term that stays a sum");
  const Value term = from_zero(without_identities(expr, *picked, region_.guards));
  const DataType type = expr[term].type;
  const Value total = expr.apply(Opcode::select, type, *in_range, term, expr.integer(type, 0));
  return checked(total, *in_range, selection, axis);
}

// Whether 0 <= index < count: two conditions that cut rows, or, where scalars alone decide, a
// guard.
Result<Value> Expander::range_of(Value index, Value count) {
  Expr& expr = region_.expr;
  std::vector<Value>& range = ranges_[index];
  range.clear();
  const auto affine = affine_value(expr, index);
  const auto limit = affine_value(expr, count);
  const bool by_scalars = affine && limit && affine->coords == Affine{}.coords &&
                          affine->elements == Affine{}.elements && !expr.is_constant(index);
  if (by_scalars) {
    Affine below = *affine;  // index - count
    for (size_t s = 0; s < below.scalars.size(); ++s)
      below.scalars[s] = static_cast<int8_t>(below.scalars[s] - limit->scalars[s]);
    if (__builtin_sub_overflow(below.imm, limit->imm, &below.imm))
      return unimplemented("an identity's diagonal is too far away");
    region_.guards.push_back({*affine, 0, std::numeric_limits<int64_t>::max()});
    region_.guards.push_back({below, std::numeric_limits<int64_t>::min(), -1});
    return expr.boolean(true);
  }
  range.push_back(expr.apply(Opcode::greater_equal, DataType::boolean, index, zero()));
  range.push_back(expr.apply(Opcode::less, DataType::boolean, index, count));
  return expr.apply(Opcode::logical_and, DataType::boolean, range[0], range[1]);
}

// Whether the op's sum may be added up: it makes the region's only output, and rounds once.
bool Expander::may_remain(const Op& op) const {
  return find_op(op.kind)->op_class == OpClass::reduction && partition_.outputs.size() == 1 &&
         op.outputs[0].id == partition_.outputs.front().id;
}

// Looks for the equality without which the term vanishes.
Result<Expander::Selection> Expander::select_term(const Op& op, Value term, int axis) {
  const std::vector<bool> reached = reached_from(region_.expr, {term});
  Status status = unimplemented(op_text(op) + " sums terms of which no identity picks one");
  for (size_t v = 0; v < reached.size(); ++v) {
    const auto equality = static_cast<Value>(v);
    if (!reached[v]) continue;
    const Opcode opcode = region_.expr[equality].op;
    if (opcode != Opcode::equal && opcode != Opcode::not_equal) continue;
    const auto difference = affine_difference(region_.expr, equality);
    if (!difference) continue;
    const int coefficient = difference->value.coords[static_cast<size_t>(axis)];
    if (coefficient != 1 && coefficient != -1) continue;
    Selection selection;
    const auto gone = vanishes(op, term, equality, selection);
    if (!gone.ok()) status = gone.status();
    if (!gone.ok() || !*gone) continue;
    const auto index = solve(difference->value, axis);
    if (!index.ok()) return index.status();
    selection.index = *index;
    region_.guards.insert(region_.guards.end(), difference->guards.begin(),
                          difference->guards.end());
    return selection;
  }
  return status;
}

// Whether the term is 0 where the equality does not hold, finite inputs provided. A scalar is taken
// for 0.
Result<bool> Expander::vanishes(const Op& op, Value term, Value equality, Selection& selection) {
  Expr simpler(ExprRules{MathMode::finite, rules_.assume_scalars});
  const Inst& other = simpler[without(equality, region_.expr, term, simpler)];
  const bool is_scalar = other.op == Opcode::scalar && rules_.assume_scalars;
  if (!is_zero(other) && !is_scalar) return false;
  region_.assumed |= simpler.assumed();
  if (is_scalar) region_.assumed.zero_scalars |= 1u << other.imm;
  if (rules_.mode == MathMode::finite) return true;
  const FinitePromises& promised = simpler.promised();
  if (promised.computed)
    return unimplemented(op_text(op) +
                         " multiplies an identity by what the region computes, which would have "
                         "to be looked at for infinities");
  if (promised.inputs != 0 && !hands_nan_on(term, equality))
    return unimplemented(op_text(op) +
                         " sums what may hide that 0 times an infinity is not a number");
  region_.assumed.finite_scalars |= promised.scalars;
  for (size_t i = 0; i < region_.inputs.size(); ++i)
    if ((promised.inputs >> i & 1u) != 0) selection.must_finite.push_back(i);
  return true;
}

// Whether a NaN that the zeros of the term give, where the equality does not hold, is one of the
// term.
bool Expander::hands_nan_on(Value term, Value equality) const {
  Expr plain(ExprRules{MathMode::standard, rules_.assume_scalars});
  const Value rest = without(equality, region_.expr, term, plain);
  const std::vector<bool> reached = reached_from(plain, {rest});
  for (size_t v = 0; v < reached.size(); ++v) {
    if (!reached[v]) continue;
    const Inst& inst = plain[static_cast<Value>(v)];
    const bool is_arithmetic = inst.op == Opcode::convert || inst.op == Opcode::negate ||
                               (inst.op >= Opcode::add && inst.op <= Opcode::multiply);
    const bool is_leaf = inst.op < kFirstPointwise;
    if (!is_leaf && (!is_arithmetic || !is_floating(inst.type))) return false;
  }
  return true;
}

// The value of coordinate `axis` for which the difference is 0.
Result<Value> Expander::solve(const Affine& difference, int axis) {
  Affine rest = difference;
  const int sign = rest.coords[static_cast<size_t>(axis)];
  rest.coords[static_cast<size_t>(axis)] = 0;
  if (sign > 0) {
    for (auto& c : rest.coords)
      c = static_cast<int8_t>(-c);
    for (auto& c : rest.scalars)
      c = static_cast<int8_t>(-c);
    for (auto& c : rest.elements)
      c = static_cast<int8_t>(-c);
    if (__builtin_sub_overflow(int64_t{0}, rest.imm, &rest.imm))
      return unimplemented("an identity's diagonal is too far away");
  }
  return sum_of_leaves(rest);
}

// As a value in s64. A coordinate alone gets a scalar of 0 beside it, so that it can be told from
// others of its axis: it may be outside the sum.
Result<Value> Expander::sum_of_leaves(const Affine& affine) {
  Expr& expr = region_.expr;
  Value total = expr.integer(DataType::s64, affine.imm);
  const auto add = [&](Value v, int coefficient) {
    const Opcode opcode = coefficient > 0 ? Opcode::add : Opcode::subtract;
    for (int i = 0; i < std::abs(coefficient); ++i)
      total =
          expr.apply(opcode, DataType::s64, total, expr.apply(Opcode::convert, DataType::s64, v));
  };
  for (size_t d = 0; d < affine.coords.size(); ++d)
    if (affine.coords[d] != 0) add(expr.leaf(Opcode::coord, DataType::s64, d), affine.coords[d]);
  for (size_t s = 0; s < affine.scalars.size(); ++s) {
    if (affine.scalars[s] == 0) continue;
    const RegionScalar& scalar = region_.scalars[s];
    const bool clipped = scalar.kind == RegionScalar::Kind::diagonal;
    add(expr.leaf(Opcode::scalar, clipped ? DataType::s64 : scalar.type, s), affine.scalars[s]);
  }
  for (size_t i = 0; i < affine.elements.size(); ++i)
    if (affine.elements[i] != 0)
      add(expr.leaf(Opcode::load, find_tensor(region_.inputs[i].id)->type, i), affine.elements[i]);
  if (expr[total].op != Opcode::coord) return total;
  const auto none =
      leaf_scalar({RegionScalar::Kind::parameter, DataType::s64, 0, 0}, DataType::s64);
  if (!none.ok()) return none.status();
  return expr.apply(Opcode::add, DataType::s64, total, *none);
}

// The sum, NaN where another term than the picked one is: 0 times what is not finite.
Result<Value> Expander::checked(Value sum, Value in_range, const Selection& selection, int axis) {
  Expr& expr = region_.expr;
  const DataType type = expr[sum].type;
  Value clean = expr.boolean(true);
  for (const size_t input : selection.must_finite) {
    const RegionInput& in = region_.inputs[input];
    FiniteCheck check{in.id, 0};
    for (int d = 0; d < in.rank; ++d)
      if (in.axes[static_cast<size_t>(d)] == axis) check.summed |= 1u << d;
    if (check.summed == 0 || (check.summed & (check.summed - 1)) != 0)
      return unimplemented("tensor " + std::to_string(in.id) +
                           " is multiplied by an identity along none or several of its axes");
    const size_t index = position(region_.finite_checks, check);
    if (form_ != SumForm::repaired) continue;
    const auto others = count_of_others(input, index, in_range, selection.index, axis);
    if (!others.ok()) return others.status();
    clean = expr.apply(
        Opcode::logical_and, DataType::boolean, clean,
        expr.apply(Opcode::equal, DataType::boolean, *others, expr.integer(DataType::s32, 0)));
  }
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const Value not_a_number =
      expr.constant(type, convert_bits(type, DataType::f64, bit_cast<uint64_t>(nan)));
  return expr.apply(Opcode::select, type, clean, sum, not_a_number);
}

// How many of the sum's terms beside the picked one are not finite in the input.
Result<Value> Expander::count_of_others(size_t input, size_t check, Value in_range, Value index,
                                        int axis) {
  Expr& expr = region_.expr;
  const RegionInput in = region_.inputs[input];
  const DataType type = find_tensor(in.id)->type;
  RegionInput counts{RegionInput::kCounts + check, in.rank, in.axes, in.offsets};
  Coords at;
  for (int d = 0; d < in.rank; ++d) {
    const int8_t own = in.axes[static_cast<size_t>(d)];
    if (own == axis) counts.axes[static_cast<size_t>(d)] = RegionInput::kFixed;
    at.push_back(own == axis ? index
                 : own == RegionInput::kFixed
                     ? zero()
                     : expr.leaf(Opcode::coord, DataType::s64, static_cast<uint64_t>(own)));
  }
  if (!in.offsets.empty())
    return unimplemented("tensor " + std::to_string(in.id) + " is multiplied by two identities");
  const size_t position_of_counts = position(region_.inputs, counts);
  if (position_of_counts >= size_t{kMaxInputs})
    return unimplemented("the region reads more than " + std::to_string(kMaxInputs) + " tensors");
  region_.ranges.resize(region_.inputs.size());
  const Value all = expr.leaf(Opcode::load, DataType::s32, position_of_counts);
  const auto own = read_input(in.id, at);
  if (!own.ok()) return own.status();
  const Value is_infinite =
      expr.apply(Opcode::not_equal, DataType::boolean,
                 expr.apply(Opcode::subtract, type, *own, *own), expr.integer(type, 0));
  const Value counted =
      expr.apply(Opcode::select, DataType::s32,
                 expr.apply(Opcode::logical_and, DataType::boolean, in_range, is_infinite),
                 expr.integer(DataType::s32, 1), expr.integer(DataType::s32, 0));
  return expr.apply(Opcode::subtract, DataType::s32, all, counted);
}

}  // namespace iotadnn::impl
