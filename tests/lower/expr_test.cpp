// SPDX-License-Identifier: Apache-2.0
#include "lower/expr.h"

#include <gtest/gtest.h>

namespace iotadnn::test {
namespace {

using namespace impl;  // NOLINT(google-build-using-namespace): the layer under test

constexpr uint64_t kOne = 0x3f800000;
constexpr uint64_t kMinusZero = 0x80000000;
constexpr auto kF32 = DataType::f32;
constexpr auto kS32 = DataType::s32;

struct ExprTest : testing::Test {
  Value load(Expr& expr, DataType type) { return expr.leaf(Opcode::load, type, 0); }
};

TEST_F(ExprTest, ConstantsAreFoldedInTheirType) {
  Expr expr(ExprRules{});
  const Value most = expr.constant(kS32, 0x7fffffff);
  const Value sum = expr.apply(Opcode::add, kS32, most, expr.integer(kS32, 1));
  EXPECT_EQ(sum, expr.constant(kS32, 0x80000000));
  const Value third =
      expr.apply(Opcode::divide, kF32, expr.constant(kF32, kOne), expr.constant(kF32, 0x40400000));
  EXPECT_EQ(expr[third].imm, 0x3eaaaaabu);
}

TEST_F(ExprTest, EqualValuesAreOne) {
  Expr expr(ExprRules{});
  const Value x = load(expr, kF32);
  const Value y = expr.leaf(Opcode::load, kF32, 1);
  EXPECT_EQ(expr.apply(Opcode::add, kF32, x, y), expr.apply(Opcode::add, kF32, x, y));
  EXPECT_NE(expr.apply(Opcode::add, kF32, x, y), expr.apply(Opcode::subtract, kF32, x, y));
}

TEST_F(ExprTest, WhatChangesNothingIsDropped) {
  Expr expr(ExprRules{});
  for (const DataType type : {kF32, kS32}) {
    const Value x = load(expr, type);
    const Value zero = expr.constant(type, 0);
    const Value one = expr.constant(type, type == kF32 ? kOne : 1);
    EXPECT_EQ(expr.apply(Opcode::add, type, x, zero), x);
    EXPECT_EQ(expr.apply(Opcode::add, type, zero, x), x);
    EXPECT_EQ(expr.apply(Opcode::subtract, type, x, zero), x);
    EXPECT_EQ(expr.apply(Opcode::multiply, type, x, one), x);
    EXPECT_EQ(expr.apply(Opcode::divide, type, x, one), x);
    EXPECT_EQ(expr.apply(Opcode::convert, type, x), x);
  }
}

TEST_F(ExprTest, TimesZeroIsZeroOnlyWhereNothingIsInfinite) {
  struct Case {
    MathMode mode;
    bool data;    // whether data * 0 may become 0
    bool scalar;  // and scalar * 0
  };

  for (const Case c :
       {Case{MathMode::standard, false, true}, Case{MathMode::strict_bits, false, false},
        Case{MathMode::finite, true, true}}) {
    Expr expr(ExprRules{c.mode, true});
    const Value zero = expr.constant(kF32, 0);
    EXPECT_EQ(expr.apply(Opcode::multiply, kF32, load(expr, kF32), zero) == zero, c.data);
    const Value scalar = expr.leaf(Opcode::scalar, kF32, 3);
    EXPECT_EQ(expr.apply(Opcode::multiply, kF32, zero, scalar) == zero, c.scalar);
    EXPECT_EQ(expr.assumed().finite_scalars, c.mode == MathMode::standard ? 1u << 3 : 0u);
    const Value integer = expr.constant(kS32, 0);
    EXPECT_EQ(expr.apply(Opcode::multiply, kS32, load(expr, kS32), integer), integer);
  }
}

TEST_F(ExprTest, AStepOfARangeIsTakenForOne) {
  for (const bool assume : {false, true}) {
    Expr expr(ExprRules{MathMode::standard, assume});
    const Value column = expr.leaf(Opcode::coord, DataType::s64, 1);
    const Value step = expr.leaf(Opcode::scalar, DataType::s64, 2);
    EXPECT_EQ(expr.apply(Opcode::multiply, DataType::s64, column, step) == column, assume);
    EXPECT_EQ(expr.assumed().unit_scalars, assume ? 1u << 2 : 0u);
  }
}

TEST_F(ExprTest, StrictBitsKeepTheSignOfZero) {
  Expr expr(ExprRules{MathMode::strict_bits, true});
  const Value x = load(expr, kF32);
  EXPECT_NE(expr.apply(Opcode::add, kF32, x, expr.constant(kF32, 0)), x);
  EXPECT_EQ(expr.apply(Opcode::add, kF32, x, expr.constant(kF32, kMinusZero)), x);
}

TEST_F(ExprTest, QuotientsOfArithmeticNeedTheSignOfZero) {
  for (const bool exact : {false, true}) {
    Expr expr(ExprRules{MathMode::standard, true, exact});
    const Value x = load(expr, kF32);
    const Value root = expr.apply(Opcode::sqrt, kF32, x);
    EXPECT_FALSE(expr.divides());
    expr.apply(Opcode::divide, kF32, expr.constant(kF32, kOne), root);
    EXPECT_TRUE(expr.divides());
    EXPECT_FALSE(divides_by_arithmetic(expr));
    const Value sum = expr.apply(Opcode::add, kF32, x, expr.constant(kF32, 0));
    EXPECT_EQ(sum == x, !exact);
    expr.apply(Opcode::divide, kF32, root, expr.apply(Opcode::abs, kF32, sum));
    EXPECT_EQ(divides_by_arithmetic(expr), exact);
  }
}

TEST_F(ExprTest, ComparisonsOfEqualsAreFoldedForIntegersOnly) {
  Expr expr(ExprRules{});
  const Value i = load(expr, kS32);
  EXPECT_EQ(expr.apply(Opcode::greater_equal, DataType::boolean, i, i), expr.boolean(true));
  EXPECT_EQ(expr.apply(Opcode::less, DataType::boolean, i, i), expr.boolean(false));
  const Value x = load(expr, kF32);  // may be NaN
  EXPECT_FALSE(expr.is_constant(expr.apply(Opcode::equal, DataType::boolean, x, x)));
}

TEST_F(ExprTest, NotOfAComparisonIsItsContraryWhereNoNaNCanBe) {
  Expr expr(ExprRules{});
  const auto negated = [&](Opcode op, DataType type) {
    const Value c =
        expr.apply(op, DataType::boolean, load(expr, type), expr.leaf(Opcode::load, type, 1));
    return expr[expr.apply(Opcode::logical_not, DataType::boolean, c)].op;
  };
  EXPECT_EQ(negated(Opcode::less, kS32), Opcode::greater_equal);
  EXPECT_EQ(negated(Opcode::less, kF32), Opcode::logical_not);
  EXPECT_EQ(negated(Opcode::equal, kF32), Opcode::not_equal);
}

TEST_F(ExprTest, ABodyHoldsOnlyWhatItsResultsNeed) {
  Expr expr(ExprRules{});
  const Value x = load(expr, kF32);
  const Value y = expr.leaf(Opcode::load, kF32, 1);
  expr.apply(Opcode::multiply, kF32, x, y);
  const Value sum = expr.apply(Opcode::add, kF32, y, y);
  const Body body = to_body(expr, {sum, y});
  ASSERT_EQ(body.insts.size(), 2u);
  EXPECT_EQ(body.insts[0].imm, 1u);
  EXPECT_EQ(body.insts[1].op, Opcode::add);
  EXPECT_EQ(body.results, (std::vector<uint16_t>{1, 0}));
}

}  // namespace
}  // namespace iotadnn::test
