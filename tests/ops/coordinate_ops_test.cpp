// SPDX-License-Identifier: Apache-2.0
#include <limits>

#include <gtest/gtest.h>

#include "ops/pointwise_ops.h"
#include "ops/reference_runner.h"

// Range, Fill, Trilu and OneHot: expected values written out from ONNX and OpenVINO.
namespace iotadnn::impl {
namespace {

using test::Element;
using test::elements_of;
using test::Filled;
using test::filled;
using test::from_real;
using test::make_op;
using test::scalar_of;
using test::tensor;
using test::unknown_rank;

using Attrs = std::map<AttrId, AttrValue>;
using Ints = std::vector<int64_t>;

constexpr int64_t kMin = std::numeric_limits<int64_t>::min();
constexpr int64_t kMax = std::numeric_limits<int64_t>::max();

void expect_refused(const Op& op, const std::vector<Filled>& inputs, const char* problem) {
  const auto got = run_reference(op, inputs);
  ASSERT_FALSE(got.status.ok()) << problem;
  EXPECT_NE(got.status.message().find(problem), std::string::npos) << got.status.message();
}

struct RangeCase {
  DataType type;
  double start, limit, delta;
  std::vector<double> want;
};

Element number(DataType type, double value) {
  const int t = static_cast<int>(type);
  return test::is_floating(t) ? from_real(t, static_cast<long double>(value))
                              : test::from_integer(t, static_cast<test::Integer>(value));
}

std::vector<Filled> range_inputs(DataType type, const Element& a, const Element& b,
                                 const Element& c) {
  return {scalar_of(0, type, a), filled(1, type, {1}, {b}), scalar_of(2, type, c)};
}

Op range_of(const std::vector<Filled>& in) {
  return make_op("Range", 1, {in[0].lt, in[1].lt, in[2].lt}, {unknown_rank(9, in[0].lt.type)});
}

TEST(Range, StartPlusStepTimesDelta) {
  const RangeCase cases[] = {
      {DataType::s32, 0, 5, 1, {0, 1, 2, 3, 4}},
      {DataType::s64, 10, 4, -2, {10, 8, 6}},  // ONNX range_int32_type_negative_delta
      {DataType::f32, 1, 5, 2, {1, 3}},        // ONNX range_float_type_positive_delta
      {DataType::f64, 0, 1, 0.3, {0, 0.3, 0.6, 0.3 * 3}},
      {DataType::u8, 250, 255, 2, {250, 252, 254}},
      {DataType::s8, -128, 127, 100, {-128, -28, 72}},
      {DataType::s16, 3, 3, 1, {}},
      {DataType::u16, 5, 2, 1, {}},
      {DataType::f16, 2046, 2050, 1, {2046, 2047, 2048, 2048}},  // 2049 is no number of f16
      {DataType::bf16, 0, 2, 0.5, {0, 0.5, 1, 1.5}},
  };
  for (const RangeCase& c : cases) {
    const auto in = range_inputs(c.type, number(c.type, c.start), number(c.type, c.limit),
                                 number(c.type, c.delta));
    std::vector<Element> want;
    for (const double v : c.want)
      want.push_back(number(c.type, v));
    EXPECT_TRUE(gives(range_of(in), in, {static_cast<int64_t>(want.size())}, want))
        << name_of(c.type) << " " << c.start << " " << c.limit << " " << c.delta;
  }
}

TEST(Range, CountsIntegersExactly) {
  const auto count = [](DataType type, int64_t start, int64_t limit, int64_t delta) {
    const auto e = elements_of(type, {start, limit, delta});
    const auto in = range_inputs(type, e[0], e[1], e[2]);
    Op op = range_of(in);
    ShapeContext ctx{&op, {}, op.outputs};
    for (const Filled& f : in)
      ctx.inputs.push_back({&f.lt, const_cast<unsigned char*>(f.data.data())});
    const Status status = infer_shapes(ctx);
    return status.ok() ? ctx.outputs[0].dims[0] : int64_t{-1};
  };
  EXPECT_EQ(count(DataType::s64, kMin, kMax, kMax), 3);
  EXPECT_EQ(count(DataType::s64, kMax, kMin, kMin), 2);
  EXPECT_EQ(count(DataType::s64, kMin, kMax, 1), -1) << "more than int64 counts";
  EXPECT_EQ(count(DataType::u64, 0, -1, kMin), 2) << "0 to 2^64 - 1 by 2^63";
  EXPECT_EQ(count(DataType::s64, (int64_t{1} << 53) + 1, (int64_t{1} << 53) + 2, 1), 1);
}

TEST(Range, Refusals) {
  const auto e = elements_of(DataType::s32, {0, 5, 0});
  auto in = range_inputs(DataType::s32, e[0], e[1], e[2]);
  expect_refused(range_of(in), in, "input 2 (delta) is 0");
  const auto nan = from_real(3, std::numeric_limits<long double>::quiet_NaN());
  in = range_inputs(DataType::f32, from_real(3, 0), nan, from_real(3, 1));
  expect_refused(range_of(in), in, "NaN");
  in[1] = filled(1, DataType::f32, {2}, {from_real(3, 1), from_real(3, 2)});
  expect_refused(range_of(in), in, "input 1 (limit) has 2 elements, allowed: one");
  in[1] = scalar_of(1, DataType::f64, from_real(7, 1));
  expect_refused(range_of(in), in, "input 1 (limit) is f64");
}

TEST(Range, UnknownUntilDataAre) {
  const auto e = elements_of(DataType::s32, {0, 5, 1});
  const auto in = range_inputs(DataType::s32, e[0], e[1], e[2]);
  const Op op = range_of(in);
  ShapeContext ctx{
      &op, {{&in[0].lt, nullptr}, {&in[1].lt, nullptr}, {&in[2].lt, nullptr}}, op.outputs};
  ASSERT_TRUE(infer_shapes(ctx).ok());
  EXPECT_EQ(ctx.outputs[0].rank, 1);
  EXPECT_EQ(ctx.outputs[0].dims[0], kUnknownDim);
}

Op fill_of(DataType type, Attrs attrs, std::vector<LogicalTensor> in = {}) {
  return make_op("Fill", 1, std::move(in), {unknown_rank(9, type)}, std::move(attrs));
}

TEST(Fill, AttributeAndInput) {
  const Attrs shape = {{attr_id::kShape, Ints{2, 3}}};
  for (const DataType type : kComputedTypes) {
    EXPECT_TRUE(gives(fill_of(type, shape), {}, {2, 3}, elements_of(type, Ints(6, 0))));
    Attrs attrs = shape;
    attrs[attr_id::kValue] = 1.0f;
    EXPECT_TRUE(gives(fill_of(type, attrs), {}, {2, 3}, elements_of(type, Ints(6, 1))));
    const Filled one = scalar_of(0, type, elements_of(type, {1})[0]);
    EXPECT_TRUE(
        gives(fill_of(type, shape, {one.lt}), {one}, {2, 3}, elements_of(type, Ints(6, 1))));
  }
  const Attrs saturated = {{attr_id::kShape, Ints{}}, {attr_id::kValue, -1e10f}};
  EXPECT_TRUE(gives(fill_of(DataType::s8, saturated), {}, {}, elements_of(DataType::s8, {-128})));
  const Filled big = scalar_of(0, DataType::s64, {16, static_cast<uint64_t>(kMax)});
  EXPECT_TRUE(gives(fill_of(DataType::s64, {{attr_id::kShape, Ints{1}}}, {big.lt}), {big}, {1},
                    elements_of(DataType::s64, {kMax})));
}

TEST(Fill, Refusals) {
  const Filled one = scalar_of(0, DataType::f32, from_real(3, 1));
  expect_refused(fill_of(DataType::f32, {}), {}, "attribute shape is missing");
  expect_refused(fill_of(DataType::f32, {{attr_id::kShape, Ints{2, -1}}}), {}, "shape[1] is -1");
  expect_refused(fill_of(DataType::f32, {{attr_id::kShape, Ints(13, 1)}}), {}, "rank 13");
  expect_refused(
      fill_of(DataType::f32, {{attr_id::kShape, Ints{2}}, {attr_id::kValue, 1.0f}}, {one.lt}),
      {one}, "attribute value is not allowed together with input 0 (value)");
}

struct TriluCase {
  bool upper;
  int64_t k;
  Ints want;
};

TEST(Trilu, KeepsATriangle) {
  const TriluCase cases[] = {
      {true, 0, {1, 2, 3, 0, 5, 6}},    {false, 0, {1, 0, 0, 4, 5, 0}},
      {true, 1, {0, 2, 3, 0, 0, 6}},    {false, 1, {1, 2, 0, 4, 5, 6}},
      {true, -1, {1, 2, 3, 4, 5, 6}},   {false, -1, {0, 0, 0, 4, 0, 0}},
      {true, kMax, {0, 0, 0, 0, 0, 0}}, {false, kMax, {1, 2, 3, 4, 5, 6}},
      {true, kMin, {1, 2, 3, 4, 5, 6}}, {false, kMin, {0, 0, 0, 0, 0, 0}},
  };
  for (const DataType type : {DataType::f32, DataType::bf16, DataType::s8, DataType::u64})
    for (const TriluCase& c : cases) {
      Ints twice = c.want;
      twice.insert(twice.end(), c.want.begin(), c.want.end());
      const Filled in =
          filled(0, type, {2, 2, 3}, elements_of(type, {1, 2, 3, 4, 5, 6, 1, 2, 3, 4, 5, 6}));
      const Op op = make_op("Trilu", 1, {in.lt}, {unknown_rank(9, type)},
                            {{attr_id::kUpper, c.upper}, {attr_id::kK, c.k}});
      EXPECT_TRUE(gives(op, {in}, {2, 2, 3}, elements_of(type, twice))) << c.upper << " " << c.k;
    }
}

TEST(Trilu, DefaultsAndRank) {
  const Filled in = filled(0, DataType::s32, {2, 2}, elements_of(DataType::s32, {1, 2, 3, 4}));
  EXPECT_TRUE(gives(make_op("Trilu", 1, {in.lt}, {unknown_rank(9, DataType::s32)}), {in}, {2, 2},
                    elements_of(DataType::s32, {1, 2, 0, 4})));
  const Filled row = filled(0, DataType::s32, {2}, elements_of(DataType::s32, {1, 2}));
  expect_refused(make_op("Trilu", 1, {row.lt}, {unknown_rank(9, DataType::s32)}), {row},
                 "input 0 (src) has rank 1, allowed: 2 to 12");
}

TEST(OneHot, AxesDepthsAndValues) {
  for (const DataType index : {DataType::s32, DataType::s64})
    for (const DataType type : kComputedTypes) {
      const Filled in = filled(0, index, {3}, elements_of(index, {1, -1, 2}));
      const auto one_hot = [&](Attrs attrs) {
        return make_op("OneHot", 1, {in.lt}, {unknown_rank(9, type)}, std::move(attrs));
      };
      const Attrs last = {{attr_id::kDepth, int64_t{3}}};
      EXPECT_TRUE(
          gives(one_hot(last), {in}, {3, 3}, elements_of(type, {0, 1, 0, 0, 0, 0, 0, 0, 1})));
      Attrs first = {{attr_id::kDepth, int64_t{2}}, {attr_id::kAxis, int64_t{0}}};
      EXPECT_TRUE(gives(one_hot(first), {in}, {2, 3}, elements_of(type, {0, 0, 0, 1, 0, 0})));
      first[attr_id::kOnValue] = 0.0f;
      first[attr_id::kOffValue] = 1.0f;
      EXPECT_TRUE(gives(one_hot(first), {in}, {2, 3}, elements_of(type, {1, 1, 1, 0, 1, 1})));
    }
  const Filled scalar = scalar_of(0, DataType::s64, {16, 1});
  EXPECT_TRUE(gives(make_op("OneHot", 1, {scalar.lt}, {unknown_rank(9, DataType::u8)},
                            {{attr_id::kDepth, int64_t{2}}}),
                    {scalar}, {2}, elements_of(DataType::u8, {0, 1})));
}

TEST(OneHot, Refusals) {
  const Filled in = filled(0, DataType::s32, {2}, elements_of(DataType::s32, {0, 1}));
  const auto with = [&in](Attrs attrs) {
    return make_op("OneHot", 1, {in.lt}, {unknown_rank(9, DataType::f32)}, std::move(attrs));
  };
  expect_refused(with({}), {in}, "attribute depth is missing");
  expect_refused(with({{attr_id::kDepth, int64_t{-1}}}), {in}, "attribute depth is -1");
  expect_refused(with({{attr_id::kDepth, int64_t{1}}, {attr_id::kAxis, int64_t{2}}}), {in},
                 "attribute axis is 2, allowed for rank 2: -2 to 1");
}

// What the generators expand to, against the oracle; their references are loops of their own.
void expect_expansion(const Op& op, const std::vector<Filled>& inputs, const LogicalTensor& out,
                      const test::ExpectedElement& expected) {
  std::vector<unsigned char> data(4096);
  RefContext ctx{&op, {}, {{&out, data.data()}}};
  for (const Filled& in : inputs)
    ctx.inputs.push_back({&in.lt, const_cast<unsigned char*>(in.data.data())});
  const Status status = pointwise_ops::reference(ctx);
  ASSERT_TRUE(status.ok()) << status.message();
  const test::TensorSpec spec =
      test::dense_spec(static_cast<int>(out.type), {out.dims.begin(), out.dims.begin() + out.rank});
  EXPECT_TRUE(test::holds(data.data(), spec, expected)) << op.name;
}

TEST(Expansion, GeneratorsAgreeWithTheOracle) {
  for (const DataType type : kComputedTypes)
    for (const int64_t k : {kMin, kMin + 1, int64_t{-1}, int64_t{0}, int64_t{2}, kMax - 1, kMax}) {
      const auto want = test::expect_eye(static_cast<int>(type), k);
      const LogicalTensor out = tensor(9, type, {2, 3, 4});
      const Attrs attrs = {{attr_id::kShape, Ints{2, 3, 4}}, {attr_id::kK, k}};
      expect_expansion(make_op("Eye", 1, {}, {out}, attrs), {}, out, want);
      std::vector<Filled> in;
      for (const int64_t value : {int64_t{3}, int64_t{4}, k})
        in.push_back(scalar_of(in.size(), DataType::s64, {16, static_cast<uint64_t>(value)}));
      in.push_back(filled(3, DataType::s32, {1}, elements_of(DataType::s32, {2})));
      expect_expansion(make_op("Eye", 1, {in[0].lt, in[1].lt, in[2].lt, in[3].lt}, {out}), in, out,
                       want);
    }
  for (const DataType type : {DataType::s32, DataType::s64})
    for (const int64_t axis : {-3, 0, 1, 2}) {
      const LogicalTensor out = tensor(9, type, {2, 3, 4});
      const Op op = make_op("GenIndex", 1, {tensor(0, DataType::f32, {2, 3, 4})}, {out},
                            {{attr_id::kAxis, axis}});
      expect_expansion(op, {}, out, test::expect_gen_index(static_cast<int>(type), axis));
    }
}

}  // namespace
}  // namespace iotadnn::impl
