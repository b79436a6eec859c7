// SPDX-License-Identifier: Apache-2.0
#include "lower/layout.h"

#include <gtest/gtest.h>

#include "program/text.h"
#include "program/verify.h"

namespace iotadnn::impl {
namespace {

RowProgram ramp(int rank, int axis) {
  RowProgram program;
  program.rank = rank;
  program.bodies = {Body{{Inst{Opcode::coord, static_cast<uint64_t>(axis)}}}};
  return program;
}

Dims dims_of(std::initializer_list<int64_t> values) {
  Dims dims{};
  std::copy(values.begin(), values.end(), dims.begin());
  return dims;
}

TEST(PhysicalShape, MergesFreeDimensionsOnBothSidesOfTheAxis) {
  const Dims dims = dims_of({2, 3, 4, 5, 6});
  const PhysicalShape shape = physical_shape(ramp(5, 2), dims, *dense_strides(dims, 5));
  ASSERT_EQ(shape.order.rank, 3);
  EXPECT_EQ(shape.order.axes[0], kMergedAxes);
  EXPECT_EQ(shape.order.axes[1], 2);
  EXPECT_EQ(shape.order.axes[2], kMergedAxes);
  EXPECT_EQ(shape.extents[0], 6);
  EXPECT_EQ(shape.extents[1], 4);
  EXPECT_EQ(shape.extents[2], 30);
  EXPECT_EQ(shape.strides[0], 120);
  EXPECT_EQ(shape.strides[1], 30);
  EXPECT_EQ(shape.strides[2], 1);
}

TEST(PhysicalShape, AGapKeepsDimensionsApart) {
  const PhysicalShape shape = physical_shape(ramp(3, 2), dims_of({2, 3, 4}), dims_of({13, 4, 1}));
  EXPECT_EQ(shape.order.rank, 3);
}

TEST(PhysicalShape, FreeDimensionsMergeInAnyLogicalOrder) {
  // Axis 0 lies inside axis 1 in memory, and both are free.
  const PhysicalShape shape = physical_shape(ramp(3, 2), dims_of({2, 3, 4}), dims_of({4, 8, 1}));
  ASSERT_EQ(shape.order.rank, 2);
  EXPECT_EQ(shape.extents[0], 6);
  EXPECT_EQ(shape.strides[0], 4);
}

TEST(PhysicalShape, StridesOfExtentOneAreIgnored) {
  const PhysicalShape shape = physical_shape(ramp(3, 2), dims_of({1, 3, 4}), dims_of({-5, 4, 1}));
  ASSERT_EQ(shape.order.rank, 2);
  EXPECT_EQ(shape.extents[0], 3);
}

TEST(PhysicalShape, OneElementOfAProgramWithoutCoordinates) {
  RowProgram constant;
  constant.rank = 3;
  constant.bodies = {Body{{Inst{Opcode::constant, 7}}}};
  const PhysicalShape shape = physical_shape(constant, dims_of({1, 1, 1}), dims_of({9, 9, 9}));
  ASSERT_EQ(shape.order.rank, 1);
  EXPECT_EQ(shape.extents[0], 1);
  EXPECT_EQ(shape.strides[0], 1);
}

TEST(PhysicalShape, TwelveStridedDimensions) {
  Dims dims{};
  Dims strides{};
  int64_t stride = 1;
  for (int d = kMaxRank - 1; d >= 0; --d) {
    dims[d] = 2;
    strides[d] = stride;
    stride = stride * 2 + 1;
  }
  const PhysicalShape shape = physical_shape(ramp(12, 0), dims, strides);
  EXPECT_EQ(shape.order.rank, 12);
}

AxisOrder order_of(std::initializer_list<int8_t> axes) {
  AxisOrder order;
  order.rank = static_cast<int>(axes.size());
  std::copy(axes.begin(), axes.end(), order.axes.begin());
  return order;
}

RowProgram parsed(const char* text) {
  auto program = parse_program(text);
  EXPECT_TRUE(program.ok()) << program.status().message();
  return *program;
}

// c1 in [c0 + s0, c0 + s0 + 3)  <=>  c0 in [c1 - s0 - 2, c1 - s0 + 1)
TEST(ToPhysical, SolvesABandForTheOtherCoordinate) {
  const RowProgram logical = parsed(
      "program rank=2 width=4 scalars=1\n"
      "predicate p0: c1 in [c0 + s0, c0 + s0 + 3)\n"
      "body 0: v0 = constant 0x0\n"
      "body 1: v0 = constant 0x1\n");
  const RowProgram physical = to_physical(logical, order_of({1, 0}));
  EXPECT_TRUE(verify(physical).ok());
  EXPECT_EQ(physical, parsed("program rank=2 width=4 scalars=1\n"
                             "predicate p0: c1 in [c0 - s0 - 2, c0 - s0 + 1)\n"
                             "body 0: v0 = constant 0x0\n"
                             "body 1: v0 = constant 0x1\n"));
}

// c1 in [s0 - c0, s0 - c0 + 1), an anti-diagonal, is its own mirror image.
TEST(ToPhysical, SolvesAnAntiDiagonal) {
  const RowProgram logical = parsed(
      "program rank=2 width=4 scalars=1\n"
      "predicate p0: c1 in [s0 - c0, s0 - c0 + 1)\n"
      "body 0: v0 = constant 0x0\n"
      "body 1: v0 = constant 0x1\n");
  const RowProgram physical = to_physical(logical, order_of({1, 0}));
  EXPECT_EQ(physical.predicates[0].axis, 1);
  EXPECT_EQ(physical.predicates[0].lo.terms.size(), 2u);
  EXPECT_EQ(physical.predicates[0].lo.terms[0], (Term{Term::Kind::coord, 0, true}));
  EXPECT_EQ(physical.predicates[0].hi.imm, 1);
}

}  // namespace
}  // namespace iotadnn::impl
