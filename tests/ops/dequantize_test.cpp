// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "ops/reference_runner.h"

// DynamicDequantize: expected values written out by hand from dst = (src - zero point) * scale.
namespace iotadnn::impl {
namespace {

using test::Element;
using test::elements_of;
using test::Filled;
using test::filled;
using test::from_real;
using test::gives;
using test::make_op;
using test::run_reference;
using test::unknown_rank;

constexpr AttrId kGroupShape = 0x4e;
constexpr AttrId kQtype = 0x85;

using Attrs = std::map<AttrId, AttrValue>;
using List = std::vector<int64_t>;

std::vector<Element> reals(DataType type, const std::vector<long double>& values) {
  std::vector<Element> made;
  for (const long double value : values)
    made.push_back(from_real(static_cast<int>(type), value));
  return made;
}

Filled integers(size_t id, DataType type, const List& dims, const List& values,
                const List& strides = {}) {
  return filled(id, type, dims, elements_of(type, values), strides);
}

Op dequantize(const std::vector<Filled>& inputs, const Attrs& attrs) {
  std::vector<LogicalTensor> ports;
  for (const Filled& input : inputs)
    ports.push_back(input.lt);
  return make_op("DynamicDequantize", 1, ports, {unknown_rank(9, inputs[1].lt.type)}, attrs);
}

Attrs per_group(const List& groups) {
  return {{kQtype, std::string("per_group")}, {kGroupShape, groups}};
}

Attrs per_channel(int64_t axis) {
  return {{kQtype, std::string("per_channel")}, {attr_id::kAxis, axis}};
}

TEST(DynamicDequantize, OneScaleForAll) {
  const Filled src = integers(0, DataType::s8, {2, 2}, {-128, 0, 1, 127});
  for (const DataType type : {DataType::f32, DataType::bf16, DataType::f16})
    for (const List& dims : {List{1}, List{}}) {
      const std::vector<Filled> inputs = {src, filled(1, type, dims, reals(type, {0.5})),
                                          integers(2, DataType::s32, dims, {-2})};
      EXPECT_TRUE(gives(dequantize(inputs, {}), inputs, {2, 2}, reals(type, {-63, 1, 1.5, 64.5})));
      const std::vector<Filled> without = {inputs[0], inputs[1]};
      EXPECT_TRUE(
          gives(dequantize(without, {}), without, {2, 2}, reals(type, {-64, 0, 0.5, 63.5})));
    }
}

TEST(DynamicDequantize, OneScaleForEachChannel) {
  const auto f32 = DataType::f32;
  const Filled src = integers(0, DataType::u8, {2, 3}, {0, 10, 255, 1, 20, 128});
  const std::vector<Filled> columns = {src, filled(1, f32, {3}, reals(f32, {1, 0.25, 2})),
                                       integers(2, DataType::u8, {3}, {0, 20, 128})};
  for (const int64_t axis : {1, -1})
    EXPECT_TRUE(gives(dequantize(columns, per_channel(axis)), columns, {2, 3},
                      reals(f32, {0, -2.5, 254, 1, 0, 0})));
  const std::vector<Filled> rows = {src, filled(1, f32, {2}, reals(f32, {3, -1}), {5})};
  EXPECT_TRUE(gives(dequantize(rows, per_channel(0)), rows, {2, 3},
                    reals(f32, {0, 30, 765, -1, -20, -128})));
}

// Groups of two rows and of one column, from a source that is stored by columns.
TEST(DynamicDequantize, OneScaleForEachGroup) {
  const auto f16 = DataType::f16;
  const std::vector<Filled> inputs = {
      integers(0, DataType::s8, {1, 4, 2}, {1, 2, 3, 4, 5, 6, 7, 8}, {8, 1, 4}),
      filled(1, f16, {1, 2, 2}, reals(f16, {1, 10, 0.5, 0.25})),
      integers(2, DataType::s8, {1, 2, 2}, {1, 0, -1, 8})};
  EXPECT_TRUE(gives(dequantize(inputs, per_group({1, 2, 1})), inputs, {1, 4, 2},
                    reals(f16, {0, 20, 2, 40, 3, -0.5, 4, 0})));
}

TEST(DynamicDequantize, IsRoundedOnce) {
  const auto bf16 = DataType::bf16;
  const std::vector<Filled> inputs = {integers(0, DataType::u8, {1}, {255}),
                                      filled(1, bf16, {1}, reals(bf16, {1})),
                                      integers(2, DataType::s32, {1}, {-1000})};
  EXPECT_TRUE(gives(dequantize(inputs, {}), inputs, {1}, reals(bf16, {1256})));  // of 1255
}

TEST(DynamicDequantize, EmptySource) {
  const std::vector<Filled> inputs = {integers(0, DataType::s8, {0, 4}, {}),
                                      filled(1, DataType::f32, {0, 2}, {})};
  EXPECT_TRUE(gives(dequantize(inputs, per_group({1, 2})), inputs, {0, 4}, {}));
}

TEST(DynamicDequantize, WhatDoesNotFitIsRefused) {
  const auto f32 = DataType::f32;
  const Filled src = integers(0, DataType::s8, {2, 4}, List(8, 1));
  const auto ones = [&](const List& dims, size_t count) {
    return filled(1, f32, dims, std::vector<Element>(count, from_real(static_cast<int>(f32), 1)));
  };

  struct Case {
    Filled scales;
    Attrs attrs;
    const char* words;
  };

  const std::vector<Case> cases = {
      {ones({2}, 2), {}, "input 1 (scales) has 2 elements, allowed: one"},
      {ones({3}, 3), per_channel(1), "input 1 (scales) is 3 and must be 4 for an input of 2x4"},
      {ones({4}, 4), per_channel(2), "attribute axis is 2, allowed for rank 2: -2 to 1"},
      {ones({2, 4}, 8), per_group({1, 2}), "is 2x4 and must be 2x2"},
      {ones({2, 2}, 4), per_group({1, 3}), "has 3 in dimension 1, which does not divide"},
      {ones({2, 2}, 4), per_group({1, 0}), "has 0 in dimension 1"},
      {ones({2, 2}, 4), per_group({2}), "has 1 extents for an input of rank 2"},
      {ones({2, 2}, 4), {{kQtype, std::string("per_group")}}, "group_shape is missing"},
      {ones({1}, 1), {{kQtype, std::string("per_row")}}, "allowed: per_tensor, per_channel"},
  };
  for (const Case& one : cases) {
    const std::vector<Filled> inputs = {src, one.scales};
    const auto got = run_reference(dequantize(inputs, one.attrs), inputs);
    ASSERT_FALSE(got.status.ok()) << one.words;
    EXPECT_NE(got.status.message().find(one.words), std::string::npos) << got.status.message();
  }
}

TEST(DynamicDequantize, FourBitsStayWithTheHost) {
  Op op = make_op("DynamicDequantize", 1,
                  {test::tensor(0, DataType::s4, {4}), test::tensor(1, DataType::f32, {1})},
                  {unknown_rank(9, DataType::f32)});
  ASSERT_TRUE(check_schema(op).ok());
  const Status status = find_op(op.kind)->claimable(op);
  ASSERT_FALSE(status.ok());
  EXPECT_NE(status.message().find("is s4"), std::string::npos) << status.message();
}

}  // namespace
}  // namespace iotadnn::impl
