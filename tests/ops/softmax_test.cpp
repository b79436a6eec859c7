// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "ops/reference_runner.h"

// SoftMax: expected values from its definition, in long double.
namespace iotadnn::impl {
namespace {

using test::Element;
using test::Filled;
using test::filled;
using test::from_real;
using test::make_op;
using test::real_of;
using test::run_reference;
using test::unknown_rank;

constexpr long double kInf = std::numeric_limits<long double>::infinity();
constexpr long double kNan = std::numeric_limits<long double>::quiet_NaN();
constexpr AttrId kMode = 0x84;

std::vector<Element> elements(DataType type, const std::vector<long double>& values) {
  std::vector<Element> made;
  for (const long double value : values)
    made.push_back(from_real(static_cast<int>(type), value));
  return made;
}

Op softmax(const Filled& in, DataType out, int64_t axis, const char* mode = "none") {
  return make_op("SoftMax", 1, {in.lt}, {unknown_rank(9, out)},
                 {{attr_id::kAxis, axis}, {kMode, std::string(mode)}});
}

// Within half a unit in the last place of the type (four in f64), and NaN where NaN is wanted.
void expect_close(DataType type, const Element& got, long double want) {
  const long double actual = real_of(got);
  if (std::isnan(want)) {
    EXPECT_TRUE(std::isnan(actual)) << actual;
    return;
  }
  const long double unit = type == DataType::f64   ? 8 * 0x1p-52L
                           : type == DataType::f32 ? 0x1p-23L
                           : type == DataType::f16 ? 0x1p-10L
                                                   : 0x1p-7L;
  EXPECT_LE(std::abs(actual - want), unit * 0.51L * std::max(std::abs(want), 0x1p-14L));
}

TEST(SoftMax, EachRowAlongTheAxis) {
  const std::vector<long double> x = {1, -2, 0.5, 3, 3, -8, 0, 2, 11, 4, -1, 0};  // 2x3x2
  for (const DataType type : {DataType::f32, DataType::f64, DataType::f16, DataType::bf16})
    for (const int64_t axis : {0, 1, 2, -1, -3}) {
      const Filled in = filled(0, type, {2, 3, 2}, elements(type, x), {7, 2, 1});
      const auto got = run_reference(softmax(in, type, axis), {in});
      ASSERT_TRUE(got.status.ok()) << got.status.message();
      EXPECT_EQ(got.dims, (std::vector<int64_t>{2, 3, 2}));
      const int64_t steps[] = {6, 2, 1};
      const int64_t extents[] = {2, 3, 2};
      const auto d = static_cast<size_t>(axis < 0 ? axis + 3 : axis);
      for (int64_t i = 0; i < 12; ++i) {
        const int64_t first = i - i / steps[d] % extents[d] * steps[d];
        long double sum = 0;
        for (int64_t j = 0; j < extents[d]; ++j)
          sum += std::exp(x[static_cast<size_t>(first + j * steps[d])]);
        expect_close(type, got.elements[static_cast<size_t>(i)],
                     std::exp(x[static_cast<size_t>(i)]) / sum);
      }
    }
}

TEST(SoftMax, RowsWithWhatIsNotFinite) {
  const auto run = [](const std::vector<long double>& row, const char* mode) {
    const auto count = static_cast<int64_t>(row.size());
    const Filled in = filled(0, DataType::f32, {1, count}, elements(DataType::f32, row));
    return run_reference(softmax(in, DataType::f32, -1, mode), {in}).elements;
  };
  for (const char* mode : {"none", "inf_as_zero"}) {
    const auto masked = run({-kInf, 5, -kInf, 5}, mode);
    for (size_t i = 0; i < 4; ++i)
      expect_close(DataType::f32, masked[i], i % 2 == 0 ? 0 : 0.5L);
    for (const auto& row : {std::vector<long double>{1, kNan, 2}, {kInf, 1, kNan}, {-kInf, kNan}})
      for (const Element& e : run(row, mode))
        expect_close(DataType::f32, e, kNan);
    const auto infinite = run({kInf, 1}, mode);
    expect_close(DataType::f32, infinite[0], kNan);
    expect_close(DataType::f32, infinite[1], kNan);  // the sum is NaN
    const auto extreme = run({-60000, 60000, 60000}, mode);
    expect_close(DataType::f32, extreme[0], 0);
    expect_close(DataType::f32, extreme[2], 0.5L);
  }
  for (const Element& e : run({-kInf, -kInf}, "none"))
    expect_close(DataType::f32, e, kNan);
  for (const Element& e : run({-kInf, -kInf}, "inf_as_zero"))
    EXPECT_EQ(e.bits, 0u);
}

TEST(SoftMax, StatsAreTheLogarithmOfTheSum) {
  const Filled in =
      filled(0, DataType::f32, {3, 2}, elements(DataType::f32, {1, 2, -kInf, -kInf, 100, -100}));
  for (const char* mode : {"none", "inf_as_zero"}) {
    Op op = softmax(in, DataType::f32, 1, mode);
    op.outputs.push_back(unknown_rank(10, DataType::f32));
    ASSERT_TRUE(check_schema(op).ok());
    const std::vector<TensorView> inputs = {{&in.lt, const_cast<unsigned char*>(in.data.data())}};
    ShapeContext shapes{&op, inputs, op.outputs};
    ASSERT_TRUE(infer_shapes(shapes).ok());
    EXPECT_EQ(shapes.outputs[1].dims[0], 3);
    EXPECT_EQ(shapes.outputs[1].dims[1], 1);
    std::vector<float> out(6);
    std::vector<float> stats(3);
    const RefContext ctx{
        &op, inputs, {{&shapes.outputs[0], out.data()}, {&shapes.outputs[1], stats.data()}}};
    ASSERT_TRUE(find_op(op.kind)->reference(ctx).ok());
    EXPECT_FLOAT_EQ(stats[0], std::log(std::exp(1.0f) + std::exp(2.0f)));
    EXPECT_EQ(stats[2], 100);
    if (std::string(mode) == "none")
      EXPECT_TRUE(std::isnan(stats[1]));
    else
      EXPECT_EQ(stats[1], 0);  // exp(-inf - stats) is 0, as the output is
  }
}

TEST(SoftMax, NoRowsAndEmptyRows) {
  for (const auto& dims : {std::vector<int64_t>{0, 4}, {4, 0}}) {
    const Filled in = filled(0, DataType::f32, dims, {});
    const auto got = run_reference(softmax(in, DataType::f32, 1), {in});
    EXPECT_TRUE(got.status.ok()) << got.status.message();
    EXPECT_EQ(got.dims, dims);
  }
}

TEST(SoftMax, AnAxisOutsideIsRefused) {
  const Filled in = filled(0, DataType::f32, {2, 2}, elements(DataType::f32, {1, 2, 3, 4}));
  for (const int64_t axis : {2, -3}) {
    const auto got = run_reference(softmax(in, DataType::f32, axis), {in});
    ASSERT_FALSE(got.status.ok());
    EXPECT_NE(got.status.message().find("axis"), std::string::npos) << got.status.message();
  }
}

}  // namespace
}  // namespace iotadnn::impl
