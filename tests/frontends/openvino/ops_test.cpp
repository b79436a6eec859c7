// SPDX-License-Identifier: Apache-2.0
// Ops around Eye: each expected value is from an example or a sentence of OpenVINO's operation
// specifications (openvino-ir-format/operation-sets/operation-specs).
#include <cmath>
#include <limits>

#include "frontends/openvino/ir_run.h"

namespace iotadnn::models::test {
namespace {

using Floats = std::vector<float>;
using Longs = std::vector<int64_t>;
using Attrs = IrWriter::Attrs;
using Out = IrWriter::Out;

// One op over constants.
Tensor run_op(IrWriter& ir, const std::string& type, const std::string& opset,
              const std::vector<Out>& inputs, const Attrs& attrs, const std::string& precision) {
  ir.result(ir.layer(type, opset, inputs, attrs, precision));
  return run_ir(ir).at(0);
}

template <class T>
Longs as_longs(const Tensor& tensor) {
  const std::vector<T> values = values_of<T>(tensor);
  return Longs(values.begin(), values.end());
}

Longs counting(int64_t first, int64_t count) {
  Longs values;
  for (int64_t i = 0; i < count; ++i)
    values.push_back(first + i);
  return values;
}

struct BroadcastCase {
  Dims source;
  Longs shape;
  const char* mode;
  Longs mapping;  // of mode explicit
  Dims want;      // empty: refused
};

TEST(IrOps, BroadcastModes) {
  const std::vector<BroadcastCase> cases = {
      {{16, 1, 1}, {1, 16, 50, 50}, "numpy", {}, {1, 16, 50, 50}},
      {{16}, {1, 16, 5, 5}, "explicit", {1}, {1, 16, 5, 5}},
      {{5, 6}, {1, 5, 6, 16}, "explicit", {1, 2}, {1, 5, 6, 16}},
      {{16}, {1, 16, 5, 5}, "none", {1}, {1, 16, 5, 5}},  // how the serializer calls explicit
      {{16, 1, 1}, {1, 1, 50, 50}, "bidirectional", {}, {1, 16, 50, 50}},
      {{3, 1}, {2, 1, 6}, "bidirectional", {}, {2, 3, 6}},
      {{2, 3}, {3}, "bidirectional", {}, {2, 3}},
      {{16, 1, 1}, {1, 1, 50, 50}, "numpy", {}, {}},  // numpy goes one way
      {{2, 3}, {3}, "numpy", {}, {}},
      {{5, 6}, {1, 5, 6, 16}, "explicit", {2, 1}, {}},  // not sorted
      {{5, 6}, {1, 5, 6, 16}, "explicit", {1}, {}},
      {{5, 6}, {1, 5, 6, 16}, "explicit", {1, 4}, {}},
      {{5, 6}, {1, 5, 6, 16}, "pdpd", {}, {}},
  };
  for (const BroadcastCase& one : cases) {
    SCOPED_TRACE(std::string(one.mode) + " " + shape_text(one.source) + " to " +
                 shape_text(one.shape));
    IrWriter ir;
    int64_t count = 1;
    for (const int64_t extent : one.source)
      count *= extent;
    std::vector<Out> inputs = {ir.constant("i64", one.source, counting(0, count)),
                               ir.list(one.shape)};
    if (!one.mapping.empty()) inputs.push_back(ir.list(one.mapping));
    ir.result(ir.layer("Broadcast", "opset3", inputs, {{"mode", one.mode}}, "I64"));
    if (one.want.empty()) {
      EXPECT_NE(refusal_of(ir), "");
      continue;
    }
    EXPECT_EQ(run_ir(ir).at(0).dims(), one.want);
  }
}

// [H, W] on [N, H, W, C] with axes_mapping [1, 2]: element (n, h, w, c) is (h, w).
TEST(IrOps, BroadcastExplicitPutsElementsInPlace) {
  IrWriter ir;
  const Tensor got =
      run_op(ir, "Broadcast", "opset1",
             {ir.constant("i64", {2, 3}, counting(0, 6)), ir.list({2, 2, 3, 2}), ir.list({1, 2})},
             {{"mode", "explicit"}}, "I64");
  const Longs values = values_of<int64_t>(got);
  for (size_t i = 0; i < values.size(); ++i)
    EXPECT_EQ(values[i], static_cast<int64_t>(i / 2 % 6));
}

TEST(IrOps, RangeOfIntegersAndFloats) {
  const auto range = [](double start, double stop, double step, const std::string& type,
                        const std::string& precision) {
    IrWriter ir;
    const auto real = [&](double value) { return ir.f32(static_cast<float>(value)); };
    return run_op(ir, "Range", "opset4", {real(start), real(stop), real(step)},
                  {{"output_type", type}}, precision);
  };
  EXPECT_EQ(as_longs<int32_t>(range(2, 23, 3, "i32", "I32")), (Longs{2, 5, 8, 11, 14, 17, 20}));
  EXPECT_EQ(as_longs<int32_t>(range(23, 2, -3, "i32", "I32")), (Longs{23, 20, 17, 14, 11, 8, 5}));
  EXPECT_EQ(values_of<float>(range(1, 2.5, 0.5, "f32", "FP32")), (Floats{1, 1.5, 2}));
  EXPECT_EQ(range(3, 2, 1, "i64", "I64").dims(), (Dims{0}));
  // Rounded towards zero before anything is counted: 1 to 4 by 2.
  EXPECT_EQ(as_longs<int64_t>(range(1.9, 4.9, 2.9, "i64", "I64")), (Longs{1, 3}));
  EXPECT_EQ(as_longs<uint8_t>(range(0, 3, 1, "u8", "U8")), (Longs{0, 1, 2}));
  EXPECT_EQ(values_of<uint16_t>(range(0, 1, 0.5, "f16", "FP16")),
            (std::vector<uint16_t>{0, 0x3800}));
}

TEST(IrOps, RangeOfMixedTypesAndBeforeOpset4) {
  IrWriter mixed;
  EXPECT_EQ(
      as_longs<int64_t>(run_op(mixed, "Range", "opset4", {mixed.i32(0), mixed.i64(4), mixed.f32(2)},
                               {{"output_type", "i64"}}, "I64")),
      (Longs{0, 2}));
  IrWriter old;
  EXPECT_EQ(as_longs<int32_t>(
                run_op(old, "Range", "opset1", {old.i32(1), old.i32(4), old.i32(1)}, {}, "I32")),
            (Longs{1, 2, 3}));
}

TEST(IrOps, SqueezeLeavesWhatIsNotOne) {
  const auto shape = [](const std::vector<Longs>& axes, const Attrs& attrs) {
    IrWriter ir;
    std::vector<Out> inputs = {ir.constant("i64", {1, 3, 1, 2}, counting(0, 6))};
    for (const Longs& list : axes)
      inputs.push_back(ir.list(list));
    return run_op(ir, "Squeeze", "opset15", inputs, attrs, "I64").dims();
  };
  EXPECT_EQ(shape({{0, 2}}, {}), (Dims{3, 2}));
  EXPECT_EQ(shape({{-2}}, {{"allow_axis_skip", "false"}}), (Dims{1, 3, 2}));
  EXPECT_EQ(shape({}, {}), (Dims{3, 2}));
  EXPECT_EQ(shape({Longs{}}, {}), (Dims{3, 2}));
  EXPECT_EQ(shape({{0, 1}}, {{"allow_axis_skip", "true"}}), (Dims{3, 1, 2}));
}

TEST(IrOps, UnsqueezeTakesAScalarOrAList) {
  IrWriter ir;
  const auto x = ir.constant("i64", {2, 3}, counting(0, 6));
  ir.result(ir.layer("Unsqueeze", "opset1", {x, ir.list({0, 3})}, {}, "I64"));
  ir.result(ir.layer("Unsqueeze", "opset1", {x, ir.i32(-1)}, {}, "I64"));
  const auto got = run_ir(ir);
  EXPECT_EQ(got.at(0).dims(), (Dims{1, 2, 3, 1}));
  EXPECT_EQ(got.at(1).dims(), (Dims{2, 3, 1}));
}

TEST(IrOps, ReshapeWithAndWithoutSpecialZero) {
  const auto shape = [](const Dims& source, const Longs& wanted, const char* special_zero) {
    IrWriter ir;
    int64_t count = 1;
    for (const int64_t extent : source)
      count *= extent;
    return run_op(ir, "Reshape", "opset1",
                  {ir.constant("i64", source, counting(0, count)), ir.list(wanted)},
                  {{"special_zero", special_zero}}, "I64")
        .dims();
  };
  EXPECT_EQ(shape({2, 5, 5, 0}, {0, 4}, "false"), (Dims{0, 4}));
  EXPECT_EQ(shape({2, 5, 5, 24}, {0, -1, 4}, "true"), (Dims{2, 150, 4}));
  EXPECT_EQ(shape({2, 2, 3}, {0, 0, 1, -1}, "true"), (Dims{2, 2, 1, 3}));
  EXPECT_EQ(shape({3, 1, 1}, {-1, 0}, "true"), (Dims{3, 1}));
}

struct GatherCase {
  Dims data_dims;
  Longs data;
  Dims index_dims;
  Longs indices;
  int64_t axis;
  const char* batch_dims;
  Dims want_dims;
  Longs want;
};

TEST(IrOps, GatherExamplesOfTheSpecification) {
  const std::vector<GatherCase> cases = {
      {{5}, counting(1, 5), {3}, {0, 0, 4}, 0, "0", {3}, {1, 1, 5}},
      {{2, 5}, counting(1, 10), {2, 3}, {0, 0, 4, 4, 0, 0}, 1, "1", {2, 3}, {1, 1, 5, 10, 6, 6}},
      {{2, 2, 5},
       counting(1, 20),
       {2, 2, 3},
       {0, 0, 4, 4, 0, 0, 1, 2, 4, 4, 3, 2},
       2,
       "2",
       {2, 2, 3},
       {1, 1, 5, 10, 6, 6, 12, 13, 15, 20, 19, 18}},
      {{2, 1, 5, 4},
       counting(1, 40),
       {2, 3},
       {1, 2, 4, 4, 3, 2},
       2,
       "1",
       {2, 1, 3, 4},
       {5, 6, 7, 8, 9, 10, 11, 12, 17, 18, 19, 20, 37, 38, 39, 40, 33, 34, 35, 36, 29, 30, 31, 32}},
      {{2, 5}, counting(1, 10), {2, 3}, {0, 0, 4, 4, 0, 0}, 1, "-1", {2, 3}, {1, 1, 5, 10, 6, 6}},
      {{5}, counting(1, 5), {3}, {0, -2, -1}, 0, "0", {3}, {1, 4, 5}},
      {{5}, counting(1, 5), {3}, {3, 10, -20}, 0, "0", {3}, {4, 0, 0}},
      {{2, 5}, counting(1, 10), {}, {1}, -2, "0", {5}, {6, 7, 8, 9, 10}},
  };
  for (size_t i = 0; i < cases.size(); ++i) {
    SCOPED_TRACE("case " + std::to_string(i));
    const GatherCase& one = cases[i];
    IrWriter ir;
    const Tensor got = run_op(ir, "Gather", "opset8",
                              {ir.constant("i64", one.data_dims, one.data),
                               ir.constant("i64", one.index_dims, one.indices), ir.i64(one.axis)},
                              {{"batch_dims", one.batch_dims}}, "I64");
    EXPECT_EQ(got.dims(), one.want_dims);
    EXPECT_EQ(values_of<int64_t>(got), one.want);
  }
}

TEST(IrOps, SliceExamplesOfTheSpecification) {
  const auto slice = [](const Longs& start, const Longs& stop, const Longs& step) {
    IrWriter ir;
    return values_of<int64_t>(run_op(ir, "Slice", "opset8",
                                     {ir.constant("i64", {10}, counting(0, 10)), ir.list(start),
                                      ir.list(stop), ir.list(step), ir.list({0})},
                                     {}, "I64"));
  };
  EXPECT_EQ(slice({1}, {8}, {1}), (Longs{1, 2, 3, 4, 5, 6, 7}));
  EXPECT_EQ(slice({1}, {8}, {2}), (Longs{1, 3, 5, 7}));
  EXPECT_EQ(slice({-100}, {100}, {1}), counting(0, 10));
  EXPECT_EQ(slice({9}, {-11}, {-1}), (Longs{9, 8, 7, 6, 5, 4, 3, 2, 1, 0}));
  EXPECT_EQ(slice({9}, {0}, {-1}), (Longs{9, 8, 7, 6, 5, 4, 3, 2, 1}));
  EXPECT_EQ(slice({9}, {-11}, {-2}), (Longs{9, 7, 5, 3, 1}));
  EXPECT_EQ(slice({100}, {-100}, {-1}), (Longs{9, 8, 7, 6, 5, 4, 3, 2, 1, 0}));
  IrWriter ir;  // two axes, without the axes
  EXPECT_EQ(values_of<int64_t>(run_op(ir, "Slice", "opset8",
                                      {ir.constant("i64", {2, 5}, counting(0, 10)), ir.list({0, 1}),
                                       ir.list({2, 4}), ir.list({1, 2})},
                                      {}, "I64")),
            (Longs{1, 3, 6, 8}));
}

struct PairCase {
  Dims a, b;
  Attrs attrs;
  Dims want;  // nothing: refused
};

TEST(IrOps, AutoBroadcastRules) {
  const auto pdpd = [](const char* axis) {
    return Attrs{{"auto_broadcast", "pdpd"}, {"auto_broadcast_axis", axis}};
  };
  const Attrs none = {{"auto_broadcast", "none"}};
  const std::vector<PairCase> cases = {
      {{2, 3}, {1}, {}, {2, 3}},
      {{2, 1, 5}, {1, 4, 5}, {{"auto_broadcast", "numpy"}}, {2, 4, 5}},
      {{3}, {2}, {}, {}},
      {{2, 3}, {2, 3}, none, {2, 3}},
      {{2, 3}, {3}, none, {}},
      {{2, 3}, {1, 3}, none, {}},
      {{2, 3, 4, 5}, {3, 4}, pdpd("1"), {2, 3, 4, 5}},
      {{2, 3, 4, 5}, {3, 1}, pdpd("1"), {2, 3, 4, 5}},
      {{2, 3, 4, 5}, {4, 5}, pdpd("-1"), {2, 3, 4, 5}},
      {{2, 3, 4, 5}, {4, 5}, pdpd("2"), {2, 3, 4, 5}},
      {{2, 3, 4, 5}, {1, 3}, pdpd("0"), {2, 3, 4, 5}},
      {{2, 3, 4, 5}, {}, pdpd("-1"), {2, 3, 4, 5}},
      {{2, 3, 4, 5}, {5}, pdpd("3"), {2, 3, 4, 5}},
      {{8, 1, 6, 1}, {7, 1, 5}, pdpd("1"), {}},  // only B to A
      {{2, 3, 4, 5}, {3, 4}, pdpd("3"), {}},
      {{2, 3, 4, 5}, {3, 4}, pdpd("-2"), {}},
  };
  for (const PairCase& one : cases) {
    SCOPED_TRACE(shape_text(one.a) + " and " + shape_text(one.b));
    IrWriter ir;
    const auto a = ir.parameter("a", "i64", "...");
    const auto b = ir.parameter("b", "i64", "...");
    ir.result(ir.layer("Add", "opset1", {a, b}, one.attrs, "I64"));
    const auto input = [](const Dims& dims) {
      return tensor_of(iotadnn_s64, dims, counting(0, element_count(dims).value()));
    };
    const std::vector<Tensor> inputs = {input(one.a), input(one.b)};
    if (one.want.empty()) {
      EXPECT_NE(refusal_of(ir, inputs), "");
      continue;
    }
    EXPECT_EQ(run_ir(ir, inputs).at(0).dims(), one.want);
  }
}

// [3, 4] on [2, 3, 4, 5] from dimension 1: element (n, i, j, m) gets b(i, j).
TEST(IrOps, PdpdPutsElementsInPlace) {
  IrWriter ir;
  const auto a = ir.constant("i64", {2, 3, 4, 5}, Longs(120, 0));
  const auto b = ir.constant("i64", {3, 4}, counting(0, 12));
  const Tensor got = run_op(ir, "Add", "opset1", {a, b},
                            {{"auto_broadcast", "pdpd"}, {"auto_broadcast_axis", "1"}}, "I64");
  const Longs values = values_of<int64_t>(got);
  for (size_t i = 0; i < values.size(); ++i)
    EXPECT_EQ(values[i], static_cast<int64_t>(i / 5 % 12));
}

// Integers are divided rounding down unless m_pythondiv is false.
TEST(IrOps, DivideAndTheRemainders) {
  const int32_t least = std::numeric_limits<int32_t>::min();
  const std::vector<int32_t> a = {7, -7, 7, -7, 6, -6, least, least};
  const std::vector<int32_t> b = {2, 2, -2, -2, 3, 3, 3, 1};
  const auto run = [&](const char* type, const Attrs& attrs) {
    IrWriter ir;
    return as_longs<int32_t>(run_op(ir, type, "opset1",
                                    {ir.constant("i32", {8}, a), ir.constant("i32", {8}, b)}, attrs,
                                    "I32"));
  };
  const Longs floored = {3, -4, -4, 3, 2, -2, -715827883, least};
  EXPECT_EQ(run("Divide", {}), floored);
  EXPECT_EQ(run("Divide", {{"m_pythondiv", "true"}, {"auto_broadcast", "numpy"}}), floored);
  EXPECT_EQ(run("Divide", {{"m_pythondiv", "false"}}),
            (Longs{3, -3, -3, 3, 2, -2, -715827882, least}));
  // The sign of the dividend, and that of the divisor.
  EXPECT_EQ(run("Mod", {}), (Longs{1, -1, 1, -1, 0, 0, -2, 0}));
  EXPECT_EQ(run("FloorMod", {}), (Longs{1, 1, -1, -1, 0, 0, 1, 0}));
  IrWriter real;
  EXPECT_EQ(
      values_of<float>(run_op(real, "Divide", "opset1", {real.f32(7), real.f32(-2)}, {}, "FP32")),
      (Floats{-3.5}));
}

TEST(IrOps, ConvertOfNegativeToUnsignedIsModular) {
  IrWriter ir;
  const auto got =
      run_op(ir, "Convert", "opset1", {ir.i32(-1)}, {{"destination_type", "u32"}}, "U32");
  EXPECT_EQ(values_of<uint32_t>(got).at(0), 4294967295u);
  IrWriter like;
  const auto back =
      run_op(like, "ConvertLike", "opset1", {like.f32(3.75f), like.i64(0)}, {}, "I64");
  EXPECT_EQ(values_of<int64_t>(back).at(0), 3);
}

TEST(IrOps, SelectComparisonsAndLogic) {
  IrWriter ir;
  const auto condition = ir.constant<unsigned char>("boolean", {3, 2}, {0, 0, 1, 0, 1, 1});
  const auto then = ir.constant<float>("f32", {3, 2}, {-1, 0, 1, 2, 3, 4});
  const auto otherwise = ir.constant<float>("f32", {3, 2}, {11, 10, 9, 8, 7, 6});
  ir.result(ir.layer("Select", "opset1", {condition, then, otherwise},
                     {{"auto_broadcast", "numpy"}}, "FP32"));
  const auto less = ir.layer("Less", "opset1", {then, otherwise}, {}, "BOOL");
  const auto not_less = ir.layer("LogicalNot", "opset1", {less}, {}, "BOOL");
  ir.result(ir.layer("LogicalOr", "opset1", {not_less, condition}, {}, "BOOL"));
  ir.result(ir.layer("LogicalXor", "opset1", {less, condition}, {}, "BOOL"));
  const auto got = run_ir(ir);
  EXPECT_EQ(values_of<float>(got.at(0)), (Floats{11, 10, 1, 8, 3, 4}));
  EXPECT_EQ(as_longs<uint8_t>(got.at(1)), (Longs{0, 0, 1, 0, 1, 1}));
  EXPECT_EQ(as_longs<uint8_t>(got.at(2)), (Longs{1, 1, 0, 1, 0, 0}));
}

TEST(IrOps, ReductionsWithEmptyAxesChangeNothing) {
  IrWriter ir;
  const auto x = ir.constant<float>("f32", {2, 3}, {1, 2, 3, 4, 5, 6});
  ir.result(ir.layer("ReduceSum", "opset1", {x, ir.list({-1})}, {{"keep_dims", "true"}}, "FP32"));
  ir.result(ir.layer("ReduceSum", "opset1", {x, ir.i32(0)}, {}, "FP32"));
  ir.result(ir.layer("ReduceSum", "opset1", {x, ir.list({})}, {{"keep_dims", "false"}}, "FP32"));
  const auto got = run_ir(ir);
  EXPECT_EQ(got.at(0).dims(), (Dims{2, 1}));
  EXPECT_EQ(values_of<float>(got.at(0)), (Floats{6, 15}));
  EXPECT_EQ(got.at(1).dims(), (Dims{3}));
  EXPECT_EQ(values_of<float>(got.at(1)), (Floats{5, 7, 9}));
  EXPECT_EQ(got.at(2).dims(), (Dims{2, 3}));
}

// Transposes are ignored for vectors.
TEST(IrOps, MatMulTransposesAndVectors) {
  IrWriter ir;
  const auto a = ir.constant<float>("f32", {3, 2}, {1, 2, 3, 4, 5, 6});
  const auto b = ir.constant<float>("f32", {3, 2}, {1, 0, 0, 1, 1, 1});
  const auto v = ir.constant<float>("f32", {2}, {1, 10});
  ir.result(ir.layer("MatMul", "opset1", {a, b},
                     {{"transpose_a", "true"}, {"transpose_b", "false"}}, "FP32"));
  ir.result(ir.layer("MatMul", "opset1", {v, a}, {{"transpose_a", "true"}, {"transpose_b", "true"}},
                     "FP32"));
  ir.result(ir.layer("MatMul", "opset1", {a, v}, {}, "FP32"));
  const auto got = run_ir(ir);
  EXPECT_EQ(values_of<float>(got.at(0)), (Floats{6, 8, 8, 10}));
  EXPECT_EQ(got.at(1).dims(), (Dims{3}));
  EXPECT_EQ(values_of<float>(got.at(1)), (Floats{21, 43, 65}));
  EXPECT_EQ(values_of<float>(got.at(2)), (Floats{21, 43, 65}));
}

TEST(IrOps, MovesTransposesAndTheRest) {
  IrWriter ir;
  const auto x = ir.constant("i64", {2, 3}, counting(0, 6));
  ir.result(ir.layer("Transpose", "opset1", {x, ir.list({1, 0})}, {}, "I64"));
  ir.result(ir.layer("Transpose", "opset1", {x, ir.list({})}, {}, "I64"));
  ir.result(ir.layer("Concat", "opset1", {x, x}, {{"axis", "-2"}}, "I64"));
  ir.result(ir.layer("Negative", "opset1", {x}, {}, "I64"));
  ir.result(ir.layer("Clamp", "opset1", {x}, {{"min", "1.5"}, {"max", "3.5"}}, "I64"));
  ir.result(ir.layer("SquaredDifference", "opset1", {x, ir.i64(2)}, {}, "I64"));
  ir.result(ir.layer("CumSum", "opset3", {x, ir.i64(1)},
                     {{"exclusive", "true"}, {"reverse", "false"}}, "I64"));
  ir.result(ir.layer("ShapeOf", "opset1", {x}, {}, "I64"));
  ir.result(ir.layer("ShapeOf", "opset3", {x}, {{"output_type", "i32"}}, "I32"));
  const auto got = run_ir(ir);
  EXPECT_EQ(values_of<int64_t>(got.at(0)), (Longs{0, 3, 1, 4, 2, 5}));
  EXPECT_EQ(values_of<int64_t>(got.at(1)), (Longs{0, 3, 1, 4, 2, 5}));
  EXPECT_EQ(got.at(2).dims(), (Dims{4, 3}));
  EXPECT_EQ(values_of<int64_t>(got.at(3)), (Longs{0, -1, -2, -3, -4, -5}));
  EXPECT_EQ(values_of<int64_t>(got.at(4)), (Longs{2, 2, 2, 3, 3, 3}));
  EXPECT_EQ(values_of<int64_t>(got.at(5)), (Longs{4, 1, 0, 1, 4, 9}));
  EXPECT_EQ(values_of<int64_t>(got.at(6)), (Longs{0, 0, 1, 0, 3, 7}));
  EXPECT_EQ(values_of<int64_t>(got.at(7)), (Longs{2, 3}));
  EXPECT_EQ(as_longs<int32_t>(got.at(8)), (Longs{2, 3}));
}

// Both spellings; over one axis in every opset.
TEST(IrOps, SoftmaxIsOverOneAxis) {
  for (const char* type : {"SoftMax", "Softmax"}) {
    IrWriter ir;
    const auto x = ir.constant<float>("f32", {1, 2, 2}, {0, 0, 0, 0});
    ir.result(ir.layer(type, "opset1", {x}, {{"axis", "1"}}, "FP32"));
    ir.result(ir.layer(type, "opset8", {x}, {{"axis", "-3"}}, "FP32"));
    const Model model = read_ir(ir);
    const auto got = Session(model).run({});
    EXPECT_EQ(values_of<float>(got.at(0)), Floats(4, 0.5f));
    EXPECT_EQ(values_of<float>(got.at(1)), Floats(4, 1.0f));
  }
}

// A causal mask as exports have it: Range, Unsqueeze, LessEqual, Select.
TEST(IrOps, CausalMaskIsOnePartition) {
  IrWriter ir;
  const auto scores = ir.parameter("scores", "f32", "?,?");
  const auto shape = ir.layer("ShapeOf", "opset3", {scores}, {{"output_type", "i32"}}, "I32");
  const auto range = [&](int64_t axis) {
    const auto extent = ir.layer("Gather", "opset8", {shape, ir.i64(axis), ir.i64(0)},
                                 {{"batch_dims", "0"}}, "I32");
    return ir.layer("Range", "opset4", {ir.i32(0), extent, ir.i32(1)}, {{"output_type", "i64"}},
                    "I64");
  };
  const auto rows = ir.layer("Unsqueeze", "opset1", {range(0), ir.i64(1)}, {}, "I64");
  const auto columns = ir.layer("Unsqueeze", "opset1", {range(1), ir.i64(0)}, {}, "I64");
  const auto keep = ir.layer("LessEqual", "opset1", {columns, rows}, {}, "BOOL");
  ir.result(ir.layer("Select", "opset1", {keep, scores, ir.f32(-INFINITY)}, {}, "FP32", "masked"));
  const Model model = read_ir(ir);
  for (const int64_t n : {3, 5}) {
    Floats given;
    Floats want;
    for (int64_t i = 0; i < n * n; ++i) {
      given.push_back(static_cast<float>(i));
      want.push_back(i % n <= i / n ? static_cast<float>(i) : -INFINITY);
    }
    EXPECT_EQ(values_of<float>(run_model(model, {f32_tensor({n, n}, given)}).at(0)), want);
  }
  Session session(model);
  const Plan& plan = session.plan_for({f32_tensor({2, 2}, {1, 2, 3, 4})});
  EXPECT_EQ(plan.steps.size(), 1u);
  EXPECT_TRUE(plan.steps.at(0).is_compiled);
}

}  // namespace
}  // namespace iotadnn::models::test
