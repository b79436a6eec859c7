// SPDX-License-Identifier: Apache-2.0
#include "lower/affine.h"

#include <algorithm>
#include <initializer_list>
#include <limits>
#include <type_traits>

#include <gtest/gtest.h>

#include "program/row_walk.h"
#include "support/random.h"

namespace iotadnn::test {
namespace {

using namespace impl;  // NOLINT(google-build-using-namespace): the layer under test

constexpr int kRank = 3;
constexpr int kScalars = 2;
constexpr AxisSet kEverywhere[] = {7};
constexpr Opcode kComparisons[] = {Opcode::equal,         Opcode::not_equal, Opcode::greater,
                                   Opcode::greater_equal, Opcode::less,      Opcode::less_equal};

// What an expression is at one point, in plain 64-bit arithmetic.
int64_t value_at(const Expr& expr, Value v, const int64_t* coords, const int64_t* scalars) {
  const Inst& inst = expr[v];
  const auto arg = [&](size_t i) { return value_at(expr, inst.args[i], coords, scalars); };
  switch (inst.op) {
    case Opcode::constant:
      return static_cast<int64_t>(inst.imm);
    case Opcode::coord:
      return coords[inst.imm];
    case Opcode::scalar:
      return scalars[inst.imm];
    case Opcode::add:
      return arg(0) + arg(1);
    case Opcode::subtract:
      return arg(0) - arg(1);
    case Opcode::negate:
      return -arg(0);
    case Opcode::equal:
      return arg(0) == arg(1) ? 1 : 0;
    case Opcode::not_equal:
      return arg(0) != arg(1) ? 1 : 0;
    case Opcode::greater:
      return arg(0) > arg(1) ? 1 : 0;
    case Opcode::greater_equal:
      return arg(0) >= arg(1) ? 1 : 0;
    case Opcode::less:
      return arg(0) < arg(1) ? 1 : 0;
    default:
      return arg(0) <= arg(1) ? 1 : 0;
  }
}

Value random_sum(Random& random, Expr& expr, int depth) {
  if (depth == 0 || random.between(0, 3) == 0) {
    switch (random.between(0, 2)) {
      case 0:
        return expr.leaf(Opcode::coord, DataType::s64,
                         static_cast<uint64_t>(random.between(0, kRank - 1)));
      case 1:
        return expr.leaf(Opcode::scalar, DataType::s64,
                         static_cast<uint64_t>(random.between(0, kScalars - 1)));
      default:
        return expr.integer(DataType::s64, random.between(-3, 3));
    }
  }
  const Value a = random_sum(random, expr, depth - 1);
  if (random.between(0, 4) == 0) return expr.apply(Opcode::negate, DataType::s64, a);
  const Value b = random_sum(random, expr, depth - 1);
  return expr.apply(random.between(0, 1) == 0 ? Opcode::add : Opcode::subtract, DataType::s64, a,
                    b);
}

bool holds_at(const AffineCondition& condition, const int64_t* coords, const int64_t* scalars) {
  const int64_t x = coords[condition.predicate.axis];
  const RowValues row{coords, scalars, nullptr};
  const bool inside =
      evaluate(condition.predicate.lo, row) <= x && x < evaluate(condition.predicate.hi, row);
  return inside != condition.negated;
}

TEST(Affine, ConditionsAreTheComparisonsEverywhere) {
  Random random;
  int conditions = 0;
  for (int round = 0; round < 3000; ++round) {
    Expr expr(ExprRules{});
    const Value a = random_sum(random, expr, 3);
    const Value b = random_sum(random, expr, 3);
    const Opcode op = kComparisons[random.between(0, 5)];
    const Value comparison = expr.apply(op, DataType::boolean, a, b);
    const auto condition = affine_condition(expr, comparison, {});
    if (!condition) continue;
    ++conditions;
    const int64_t scalars[kScalars] = {random.between(-4, 4), random.between(-4, 4)};
    int64_t coords[kRank];
    for (coords[0] = 0; coords[0] < 3; ++coords[0])
      for (coords[1] = 0; coords[1] < 4; ++coords[1])
        for (coords[2] = 0; coords[2] < 5; ++coords[2])
          ASSERT_EQ(holds_at(*condition, coords, scalars),
                    value_at(expr, comparison, coords, scalars) != 0)
              << "round " << round;
  }
  EXPECT_GT(conditions, 1000);
}

// row + offset >= column, in the type of the indices.
AffineCondition causal(DataType type) {
  Expr expr(ExprRules{});
  const Value row = expr.leaf(Opcode::coord, DataType::s32, 0);
  const Value column = expr.leaf(Opcode::coord, DataType::s32, 1);
  const Value left =
      expr.apply(Opcode::add, type, expr.apply(Opcode::convert, type, row), expr.constant(type, 0));
  const Value shifted =
      expr.apply(Opcode::add, DataType::s32, row, expr.leaf(Opcode::scalar, DataType::s32, 0));
  const Value compared = type == DataType::s32
                             ? expr.apply(Opcode::greater_equal, DataType::boolean, shifted, column)
                             : expr.apply(Opcode::greater_equal, DataType::boolean, left,
                                          expr.apply(Opcode::convert, type, column));
  return *affine_condition(expr, compared, {});
}

bool all_hold(const AffineCondition& condition, std::initializer_list<int64_t> extents,
              int64_t scalar) {
  for (const RangeGuard& guard : condition.guards)
    if (!holds(guard, extents.begin(), static_cast<int>(extents.size()), &scalar)) return false;
  return true;
}

TEST(Affine, GuardsFailWhereIndexArithmeticWraps) {
  const AffineCondition condition = causal(DataType::s32);
  constexpr int64_t kMax = std::numeric_limits<int32_t>::max();
  EXPECT_TRUE(all_hold(condition, {100, 100}, kMax - 99));
  EXPECT_FALSE(all_hold(condition, {100, 100}, kMax - 98));
  EXPECT_TRUE(all_hold(condition, {1, 100}, kMax));
  EXPECT_TRUE(all_hold(condition, {100, 100}, -kMax - 1));
}

TEST(Affine, GuardsFailWhereIndexArithmeticRounds) {
  struct Case {
    DataType type;
    int64_t exact;  // the largest integer up to which the type holds all
  };

  for (const Case c :
       {Case{DataType::f32, 1 << 24}, Case{DataType::f16, 2048}, Case{DataType::bf16, 256}}) {
    const AffineCondition condition = causal(c.type);
    EXPECT_TRUE(all_hold(condition, {c.exact + 1, 8}, 0)) << name_of(c.type);
    EXPECT_FALSE(all_hold(condition, {c.exact + 2, 8}, 0)) << name_of(c.type);
    EXPECT_FALSE(all_hold(condition, {8, c.exact + 2}, 0)) << name_of(c.type);
  }
}

TEST(Affine, LargeTermsThatCouldCancelOutAreGuarded) {
  Expr expr(ExprRules{});
  const Value sum =
      expr.apply(Opcode::add, DataType::s64, expr.leaf(Opcode::scalar, DataType::s64, 0),
                 expr.leaf(Opcode::scalar, DataType::s64, 1));
  const Value column = expr.leaf(Opcode::coord, DataType::s64, 0);
  const auto condition =
      affine_condition(expr, expr.apply(Opcode::less, DataType::boolean, column, sum), {});
  ASSERT_TRUE(condition);
  const int64_t extents[] = {10};
  const int64_t cancelling[] = {std::numeric_limits<int64_t>::max(),
                                -std::numeric_limits<int64_t>::max() + 4};
  EXPECT_FALSE(
      std::all_of(condition->guards.begin(), condition->guards.end(),
                  [&](const RangeGuard& guard) { return holds(guard, extents, 1, cancelling); }));
}

// A comparison `column OP index + shift` of type T, as the machine computes it, and as its
// predicate says, at every column; false when the guards exclude the case.
template <class T>
bool agrees(const AffineCondition& condition, Opcode op, int64_t index, int64_t shift) {
  constexpr int64_t kColumns = 6;
  const int64_t extents[] = {1, kColumns};
  for (const RangeGuard& guard : condition.guards)
    if (!holds(guard, extents, 2, &shift)) return false;
  using Unsigned = std::make_unsigned_t<T>;
  for (int64_t column = 0; column < kColumns; ++column) {
    const int64_t coords[] = {0, column};
    const RowValues row{coords, &shift, &index};
    const bool inside = evaluate(condition.predicate.lo, row) <= column &&
                        column < evaluate(condition.predicate.hi, row);
    const T sum = static_cast<T>(static_cast<Unsigned>(index) + static_cast<Unsigned>(shift));
    const bool expected =
        op == Opcode::equal ? static_cast<T>(column) == sum : static_cast<T>(column) < sum;
    EXPECT_EQ(inside != condition.negated, expected) << column << " " << index << " " << shift;
  }
  return true;
}

AffineCondition compared_with_element(DataType type, Opcode op) {
  Expr expr(ExprRules{});
  const Value index = expr.leaf(Opcode::load, type, 0);
  const Value shift = expr.leaf(Opcode::scalar, type, 0);
  const Value column = expr.leaf(Opcode::coord, type, 1);
  const Value sum = op == Opcode::equal ? expr.apply(Opcode::add, type, index, shift) : index;
  const AxisSet depends_on_row[] = {1};
  return *affine_condition(expr, expr.apply(op, DataType::boolean, column, sum), depends_on_row);
}

template <class T>
void compare_with_elements(DataType type) {
  using Limits = std::numeric_limits<T>;
  const AffineCondition equal = compared_with_element(type, Opcode::equal);
  const AffineCondition less = compared_with_element(type, Opcode::less);
  int checked = 0;
  for (const int64_t index :
       {int64_t{Limits::min()}, int64_t{Limits::min()} + 3, int64_t{-1}, int64_t{0}, int64_t{4},
        int64_t{Limits::max()} - 2, int64_t{Limits::max()}}) {
    EXPECT_TRUE(agrees<T>(less, Opcode::less, index, 0));
    for (const int64_t shift : {int64_t{-4}, int64_t{0}, int64_t{3}, int64_t{Limits::max()} / 64,
                                int64_t{Limits::max()}, int64_t{Limits::min()}})
      checked += agrees<T>(equal, Opcode::equal, index, shift) ? 1 : 0;
  }
  EXPECT_GE(checked, 7 * 4);  // the guards may exclude the largest shifts only
}

TEST(Affine, ElementsThatAreConstantInARowAreTerms) {
  compare_with_elements<int64_t>(DataType::s64);
  compare_with_elements<int32_t>(DataType::s32);
  compare_with_elements<int8_t>(DataType::s8);
}

TEST(Affine, AnElementThatMovesWithTheColumnIsNoTermOfItsBound) {
  Expr expr(ExprRules{});
  const Value index = expr.leaf(Opcode::load, DataType::s64, 0);
  const Value column = expr.leaf(Opcode::coord, DataType::s64, 1);
  const Value equal = expr.apply(Opcode::equal, DataType::boolean, index, column);
  const AxisSet by_column[] = {2};
  const AxisSet by_row[] = {1};
  EXPECT_FALSE(affine_condition(expr, equal, by_column));
  EXPECT_TRUE(affine_condition(expr, equal, by_row));
}

// The sum wraps for some of the index's values, whatever the shift.
TEST(Affine, AnOrderOfASumThatWrapsIsNoCondition) {
  Expr expr(ExprRules{});
  const Value sum =
      expr.apply(Opcode::add, DataType::s32, expr.leaf(Opcode::load, DataType::s32, 0),
                 expr.integer(DataType::s32, 1));
  const Value column = expr.leaf(Opcode::coord, DataType::s32, 1);
  const AxisSet by_row[] = {1};
  EXPECT_FALSE(
      affine_condition(expr, expr.apply(Opcode::less, DataType::boolean, column, sum), by_row));
}

TEST(Affine, WhatIsNotAffineIsNoCondition) {
  Expr expr(ExprRules{});
  const Value column = expr.leaf(Opcode::coord, DataType::s32, 1);
  const Value data = expr.leaf(Opcode::load, DataType::s32, 0);
  const Value scaled =
      expr.apply(Opcode::multiply, DataType::s32, column, expr.integer(DataType::s32, 2));
  const auto greater = [&](Value a, Value b) {
    return affine_condition(expr, expr.apply(Opcode::greater, DataType::boolean, a, b),
                            kEverywhere);
  };
  EXPECT_FALSE(greater(column, data));
  EXPECT_FALSE(greater(scaled, expr.integer(DataType::s32, 4)));
  EXPECT_FALSE(
      greater(expr.leaf(Opcode::scalar, DataType::s32, 0), expr.integer(DataType::s32, 4)));
  EXPECT_FALSE(affine_condition(expr, column, {}));
}

}  // namespace
}  // namespace iotadnn::test
