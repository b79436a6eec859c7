// SPDX-License-Identifier: Apache-2.0
#include <limits>

#include <gtest/gtest.h>

#include "ops/reference_runner.h"

// StaticReshape, StaticTranspose, ReduceSum and Gather: expected values written out by hand.
namespace iotadnn::impl {
namespace {

using test::Element;
using test::elements_of;
using test::Filled;
using test::filled;
using test::from_real;
using test::gives;
using test::kUnknown;
using test::make_op;
using test::tensor;
using test::unknown_rank;

using Attrs = std::map<AttrId, AttrValue>;
using Ints = std::vector<int64_t>;

Op unary(const char* kind, const LogicalTensor& in, Attrs attrs) {
  return make_op(kind, 1, {in}, {unknown_rank(9, in.type)}, std::move(attrs));
}

struct Inferred {
  Status status;
  Ints dims;
};

Inferred inferred(const Op& op) {
  Op checked = op;
  if (Status status = check_schema(checked); !status.ok()) return {status, {}};
  ShapeContext ctx{&checked, {}, checked.outputs};
  for (const LogicalTensor& in : checked.inputs)
    ctx.inputs.push_back({&in, nullptr});
  const Status status = infer_shapes(ctx);
  const LogicalTensor& out = ctx.outputs[0];
  return {status, status.ok() && out.rank >= 0 ? Ints(out.dims.begin(), out.dims.begin() + out.rank)
                                               : Ints{}};
}

void expect_refused(const Op& op, const char* problem) {
  const Inferred got = inferred(op);
  ASSERT_FALSE(got.status.ok()) << problem;
  EXPECT_NE(got.status.message().find(problem), std::string::npos) << got.status.message();
}

Attrs reshape(Ints shape, bool special_zero = false) {
  return {{attr_id::kShape, std::move(shape)}, {attr_id::kSpecialZero, special_zero}};
}

TEST(StaticReshape, KeepsRowMajorOrder) {
  const auto numbers = elements_of(DataType::s16, {1, 2, 3, 4, 5, 6});
  for (const Ints& strides : {Ints{3, 1}, Ints{1, 2}, Ints{8, 2}}) {
    const Filled in = filled(0, DataType::s16, {2, 3}, numbers, strides);
    for (const Ints& shape : {Ints{3, 2}, Ints{6}, Ints{1, 6, 1}, Ints{-1, 2}})
      EXPECT_TRUE(gives(unary("StaticReshape", in.lt, reshape(shape)), {in},
                        shape[0] == -1 ? Ints{3, 2} : shape, numbers));
  }
  const Filled one = filled(0, DataType::f64, {1, 1}, {from_real(7, 2.5L)});
  EXPECT_TRUE(gives(unary("StaticReshape", one.lt, reshape({})), {one}, {}, {from_real(7, 2.5L)}));
  const Filled none = filled(0, DataType::u8, {0, 3}, {});
  EXPECT_TRUE(gives(unary("StaticReshape", none.lt, reshape({5, 0})), {none}, {5, 0}, {}));
}

TEST(StaticReshape, Shapes) {
  const auto of = [](const Ints& in, Ints shape, bool zero) {
    return inferred(unary("StaticReshape", tensor(0, DataType::f32, in), reshape(shape, zero)))
        .dims;
  };
  EXPECT_EQ(of({2, 3, 4}, {0, -1}, true), (Ints{2, 12}));
  EXPECT_EQ(of({2, kUnknown}, {0, -1}, true), (Ints{2, kUnknown}));
  EXPECT_EQ(of({kUnknown, 3}, {0, 3}, true), (Ints{kUnknown, 3}));
  EXPECT_EQ(of({0, 3}, {-1, 3}, false), (Ints{0, 3}));
}

TEST(StaticReshape, Refusals) {
  const LogicalTensor in = tensor(0, DataType::f32, {2, 3});
  const auto refused = [&in](Ints shape, bool zero, const char* problem) {
    expect_refused(unary("StaticReshape", in, reshape(std::move(shape), zero)), problem);
  };
  refused({4}, false, "has an input of shape 2x3, whose elements do not fill 4");
  refused({-1, 4}, false, "do not fill ?x4");
  refused({-1, 0}, false, "do not fill ?x0");
  refused({-1, -1}, false, "attribute shape[1] is -1, allowed: 0 and more, and one -1");
  refused({-2, 3}, false, "attribute shape[0] is -2");
  refused({2, 3, 0}, true, "attribute shape[2] is 0, which takes the extent");
  refused(Ints(13, 1), false, "rank 13, allowed: 0 to 12");
}

Attrs order(Ints axes) {
  return {{attr_id::kOrder, std::move(axes)}};
}

TEST(StaticTranspose, PermutesDimensions) {
  const Filled in =
      filled(0, DataType::bf16, {2, 3}, elements_of(DataType::bf16, {1, 2, 3, 4, 5, 6}));
  const auto turned = elements_of(DataType::bf16, {1, 4, 2, 5, 3, 6});
  for (const Ints& axes : {Ints{1, 0}, Ints{-1, -2}, Ints{}})
    EXPECT_TRUE(gives(unary("StaticTranspose", in.lt, order(axes)), {in}, {3, 2}, turned));
  const Filled cube =
      filled(0, DataType::s8, {2, 2, 2}, elements_of(DataType::s8, {0, 1, 2, 3, 4, 5, 6, 7}));
  EXPECT_TRUE(gives(unary("StaticTranspose", cube.lt, order({2, 0, 1})), {cube}, {2, 2, 2},
                    elements_of(DataType::s8, {0, 2, 4, 6, 1, 3, 5, 7})));
  EXPECT_EQ(inferred(unary("StaticTranspose", tensor(0, DataType::f32, {kUnknown, 3, 4}),
                           order({2, 0, 1})))
                .dims,
            (Ints{4, kUnknown, 3}));
}

TEST(StaticTranspose, Refusals) {
  const LogicalTensor in = tensor(0, DataType::f32, {2, 3});
  expect_refused(unary("StaticTranspose", in, order({0, 2})),
                 "attribute order[1] is 2, allowed for rank 2: -2 to 1");
  expect_refused(unary("StaticTranspose", in, order({0, 0})),
                 "each axis of the input of rank 2 once");
  expect_refused(unary("StaticTranspose", in, order({0, 1, 2})), "has 3 entries");
  expect_refused(unary("StaticTranspose", unary("Exp", in, {}).outputs[0], {}), "order is missing");
}

Attrs axes(Ints list, bool keep = false) {
  return {{attr_id::kAxes, std::move(list)}, {attr_id::kKeepDims, keep}};
}

TEST(ReduceSum, EveryNumericTypeAndAxis) {
  for (const DataType type : kComputedTypes) {
    if (!types::kNumeric.has(type)) continue;
    const auto e = [type](const Ints& v) { return elements_of(type, v); };
    for (const Ints& strides : {Ints{3, 1}, Ints{1, 2}}) {
      const Filled in = filled(0, type, {2, 3}, e({1, 2, 3, 4, 5, 6}), strides);
      EXPECT_TRUE(gives(unary("ReduceSum", in.lt, axes({0})), {in}, {3}, e({5, 7, 9})));
      EXPECT_TRUE(gives(unary("ReduceSum", in.lt, axes({-1}, true)), {in}, {2, 1}, e({6, 15})));
      EXPECT_TRUE(gives(unary("ReduceSum", in.lt, axes({0, 1})), {in}, {}, e({21})));
      EXPECT_TRUE(gives(unary("ReduceSum", in.lt, axes({})), {in}, {2, 3}, e({1, 2, 3, 4, 5, 6})));
    }
    const Filled none = filled(0, type, {0, 2}, {});
    EXPECT_TRUE(gives(unary("ReduceSum", none.lt, axes({0})), {none}, {2}, e({0, 0})));
  }
}

TEST(ReduceSum, WrapsAndRoundsOnce) {
  const Filled bytes = filled(0, DataType::s8, {3}, elements_of(DataType::s8, {100, 100, 100}));
  EXPECT_TRUE(
      gives(unary("ReduceSum", bytes.lt, axes({0})), {bytes}, {}, elements_of(DataType::s8, {44})));
  const Filled halves = filled(0, DataType::f16, {4}, elements_of(DataType::f16, {2048, 1, 1, 1}));
  EXPECT_TRUE(gives(unary("ReduceSum", halves.lt, axes({0})), {halves}, {},
                    elements_of(DataType::f16, {2052})))
      << "2051 lies between two numbers of f16, in f16 all along it would be 2048";
}

TEST(ReduceSum, Refusals) {
  const LogicalTensor in = tensor(0, DataType::f32, {2, 3});
  expect_refused(unary("ReduceSum", in, axes({2})), "attribute axes[0] is 2, allowed for rank 2");
  Op by_input = make_op("ReduceSum", 1, {in, tensor(1, DataType::s32, {1})},
                        {unknown_rank(9, DataType::f32)});
  EXPECT_TRUE(check_schema(by_input).ok());
  EXPECT_NE(find_op(by_input.kind)->claimable(by_input).message().find("input 1 (axes)"),
            std::string::npos);
  expect_refused(by_input, "gives the axes as data");
  by_input.attrs = axes({0});
  expect_refused(by_input, "attribute axes is not allowed together with input 1 (axes)");
}

Op gather(const Filled& data, const Filled& indices, int64_t axis) {
  return make_op("Gather", 1, {data.lt, indices.lt}, {unknown_rank(9, data.lt.type)},
                 {{attr_id::kAxis, axis}});
}

TEST(Gather, TakesSlices) {
  for (const DataType type : kComputedTypes)
    for (const DataType index : {DataType::s32, DataType::s64}) {
      const auto e = [type](const Ints& v) { return elements_of(type, v); };
      if (type == DataType::boolean) continue;
      const Filled data = filled(0, type, {3, 2}, e({1, 2, 3, 4, 5, 6}), {1, 3});
      const Filled rows = filled(1, index, {2, 2}, elements_of(index, {0, -1, 1, 3}));
      EXPECT_TRUE(
          gives(gather(data, rows, 0), {data, rows}, {2, 2, 2}, e({1, 2, 5, 6, 3, 4, 0, 0})));
      const Filled column = filled(1, index, {}, elements_of(index, {1}));
      EXPECT_TRUE(gives(gather(data, column, -1), {data, column}, {3}, e({2, 4, 6})));
    }
}

TEST(Gather, NothingOutsideIsRead) {
  constexpr int64_t kMin = std::numeric_limits<int64_t>::min();
  constexpr int64_t kMax = std::numeric_limits<int64_t>::max();
  const Filled data = filled(0, DataType::u8, {2}, elements_of(DataType::u8, {7, 8}));
  const Filled far =
      filled(1, DataType::s64, {6}, elements_of(DataType::s64, {kMin, -3, -2, 2, kMax, 1}));
  EXPECT_TRUE(
      gives(gather(data, far, 0), {data, far}, {6}, elements_of(DataType::u8, {0, 0, 7, 0, 0, 8})));
  const Filled empty = filled(0, DataType::u8, {0}, {});
  EXPECT_TRUE(
      gives(gather(empty, far, 0), {empty, far}, {6}, elements_of(DataType::u8, Ints(6, 0))));
}

TEST(Gather, Refusals) {
  const Filled data = filled(0, DataType::f32, {2}, elements_of(DataType::f32, {1, 2}));
  const Filled indices = filled(1, DataType::s32, {1}, elements_of(DataType::s32, {0}));
  expect_refused(gather(data, indices, 1), "attribute axis is 1, allowed for rank 1: -1 to 0");
  const Filled real = filled(1, DataType::f32, {1}, elements_of(DataType::f32, {0}));
  expect_refused(gather(data, real, 0), "input 1 (indices) is f32, allowed: s32, s64");
  const Filled deep = filled(0, DataType::f32, Ints(12, 1), elements_of(DataType::f32, {1}));
  const Filled pair = filled(1, DataType::s32, {1, 1}, elements_of(DataType::s32, {0}));
  expect_refused(gather(deep, pair, 0), "would have more than 12 dimensions");
}

}  // namespace
}  // namespace iotadnn::impl
