// SPDX-License-Identifier: Apache-2.0
#include "runtime/strategy.h"

#include <gtest/gtest.h>

#include "program/text.h"

namespace iotadnn::impl {
namespace {

RowProgram eye_f32() {
  return *parse_program(
      "program rank=2 width=4 scalars=1\n"
      "predicate p0: c1 in [c0 + s0, c0 + s0 + 1)\n"
      "body 0: v0 = constant 0x0\n"
      "body 1: v0 = constant 0x3f800000\n");
}

PhysicalShape matrix(int64_t rows, int64_t columns, int64_t row_stride) {
  PhysicalShape shape;
  shape.order.rank = 2;
  shape.order.axes = {0, 1};
  shape.extents = {rows, columns};
  shape.strides = {row_stride, 1};
  return shape;
}

Strategy chosen(const PhysicalShape& shape, int threads, const char* forced = "") {
  return choose_strategy(eye_f32(), shape, threads, *parse_strategy(forced));
}

TEST(ChooseStrategy, SmallWorkStaysOnOneThread) {
  EXPECT_EQ(chosen(matrix(64, 64, 64), 8).threads, 1);
  EXPECT_GT(chosen(matrix(8192, 8192, 8192), 8).threads, 1);
  EXPECT_LE(chosen(matrix(8192, 8192, 8192), 2).threads, 2);
}

TEST(ChooseStrategy, GapsLeaveOnlyRows) {
  EXPECT_EQ(chosen(matrix(512, 512, 512), 1).walk, Walk::points);
  EXPECT_EQ(chosen(matrix(512, 512, 520), 1).walk, Walk::rows);
  EXPECT_EQ(chosen(matrix(512, 512, 520), 1, "walk=points").walk, Walk::rows);
  EXPECT_EQ(chosen(matrix(512, 512, 520), 1, "walk=ring").walk, Walk::rows);
}

TEST(ChooseStrategy, TakesWhatIsForcedAndLegal) {
  const Strategy strategy =
      chosen(matrix(512, 512, 512), 4, "walk=rows,store=nontemporal,threads=3");
  EXPECT_EQ(strategy.walk, Walk::rows);
  EXPECT_EQ(strategy.store, Store::nontemporal);
  EXPECT_EQ(strategy.threads, 3);
}

// A matrix that does not repeat has no template.
TEST(ChooseStrategy, TemplatesNeedARepeatedPeriod) {
  EXPECT_EQ(chosen(matrix(512, 512, 512), 1, "template=on").template_bytes, 0);
  PhysicalShape batch;
  batch.order.rank = 3;
  batch.order.axes = {kMergedAxes, 0, 1};
  batch.extents = {100000, 3, 5};
  batch.strides = {15, 5, 1};
  RowProgram program = eye_f32();
  program.rank = 3;
  program.predicates[0].axis = 2;
  program.predicates[0].lo.terms[0].index = 1;
  program.predicates[0].hi.terms[0].index = 1;
  const Strategy strategy = choose_strategy(program, batch, 1, *parse_strategy("template=on"));
  EXPECT_GT(strategy.template_bytes, 0);
  EXPECT_EQ(strategy.template_bytes % (15 * 4), 0);
  EXPECT_EQ(strategy.template_bytes % 64, 0);
}

TEST(ParseStrategy, NamesWhatItDoesNotUnderstand) {
  for (const char* text : {"walk=up", "store", "threads=0", "threads=1x", "template=1", "x=1"}) {
    const auto parsed = parse_strategy(text);
    ASSERT_FALSE(parsed.ok()) << text;
    EXPECT_EQ(parsed.status().code(), StatusCode::invalid_arguments);
    EXPECT_NE(parsed.status().message().find(text), std::string::npos) << parsed.status().message();
  }
  EXPECT_TRUE(parse_strategy("").ok());
}

}  // namespace
}  // namespace iotadnn::impl
