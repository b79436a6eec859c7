// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "ops/op_builder.h"

// What add_op refuses of the ops that stay with the host (oneDNN v3 operation schemas); those of
// the generators are tested beside them.
namespace iotadnn::impl {
namespace {

using test::make_op;
using test::tensor;

using Types = std::vector<DataType>;
using Attrs = std::map<AttrId, AttrValue>;

constexpr auto f32 = DataType::f32;
constexpr auto bf16 = DataType::bf16;
constexpr auto f16 = DataType::f16;
constexpr auto s32 = DataType::s32;
constexpr auto s8 = DataType::s8;
constexpr auto boolean = DataType::boolean;
constexpr auto f8 = DataType::f8_e5m2;

constexpr AttrId kAutoBroadcast = 0x80;
constexpr AttrId kMode = 0x84;
constexpr AttrId kOrder = 0x44;
constexpr AttrId kSpecialZero = 0x64;
constexpr AttrId kTransposeA = 0x65;
constexpr AttrId kAccumulationMode = 0x88;

Op op_of(std::string_view kind, const Types& inputs, const Types& outputs, Attrs attrs = {}) {
  std::vector<LogicalTensor> in;
  std::vector<LogicalTensor> out;
  for (const DataType type : inputs)
    in.push_back(tensor(in.size(), type, {2, 2}));
  for (const DataType type : outputs)
    out.push_back(tensor(100 + out.size(), type, {2, 2}));
  return make_op(kind, 1, in, out, std::move(attrs));
}

struct Case {
  std::string name;
  Op op;
  std::string problem;  // a part of the sentence; "" when the op is right
};

class HostOpSchema : public testing::TestWithParam<Case> {};

TEST_P(HostOpSchema, AddOp) {
  Op op = GetParam().op;
  const Status status = check_schema(op);
  if (GetParam().problem.empty()) {
    EXPECT_TRUE(status.ok()) << status.message();
    return;
  }
  EXPECT_EQ(status.code(), StatusCode::invalid_graph_op);
  EXPECT_NE(status.message().find(op_text(op)), std::string::npos) << status.message();
  EXPECT_NE(status.message().find(GetParam().problem), std::string::npos) << status.message();
}

std::vector<Case> cases() {
  const std::vector<int64_t> list = {0, 1};
  const Attrs reshape = {{attr_id::kShape, list}, {kSpecialZero, true}};
  return {
      {"Select", op_of("Select", {boolean, f32, f32}, {f32}), ""},
      {"SelectNone",
       op_of("Select", {boolean, f16, f16}, {f16}, {{kAutoBroadcast, std::string("none")}}), ""},
      {"SelectTwoInputs", op_of("Select", {boolean, f32}, {f32}), "has 2 inputs, allowed: 3"},
      {"SelectFourInputs", op_of("Select", {boolean, f32, f32, f32}, {f32}), "has 4 inputs"},
      {"SelectNoOutput", op_of("Select", {boolean, f32, f32}, {}), "has 0 outputs, allowed: 1"},
      {"SelectCondition", op_of("Select", {s8, f32, f32}, {f32}),
       "input 0 (cond) is s8, allowed: boolean"},
      {"SelectMixed", op_of("Select", {boolean, f32, bf16}, {f32}),
       "input 2 (src_1) is bf16, but Select 'Select_1': input 1 (src_0) is f32"},
      {"SelectOutput", op_of("Select", {boolean, f32, f32}, {bf16}), "output 0 (dst) is bf16, but"},
      {"SelectOfS32", op_of("Select", {boolean, s32, s32}, {s32}), ""},
      {"SelectOfF8", op_of("Select", {boolean, f8, f8}, {f8}), "input 1 (src_0) is f8_e5m2"},
      {"SelectOfOurTypes",
       op_of("Select", {boolean, DataType::s64, DataType::s64}, {DataType::s64}), ""},
      {"SelectBroadcast",
       op_of("Select", {boolean, f32, f32}, {f32}, {{kAutoBroadcast, std::string("pdpd")}}),
       "attribute auto_broadcast is 'pdpd', allowed: none, numpy"},
      {"GreaterEqual", op_of("GreaterEqual", {s32, s32}, {boolean}), ""},
      {"GreaterEqualOutput", op_of("GreaterEqual", {f32, f32}, {f32}),
       "output 0 (dst) is f32, allowed: boolean"},
      {"GreaterEqualOneInput", op_of("GreaterEqual", {f32}, {boolean}), "has 1 input, allowed: 2"},
      {"GreaterEqualMixed", op_of("GreaterEqual", {f32, s32}, {boolean}), "input 1 (src_1) is s32"},
      {"AddMixed", op_of("Add", {f32, bf16}, {f32}), ""},
      {"AddS32", op_of("Add", {s32, s32}, {s32}), ""},
      {"AddBoolean", op_of("Add", {boolean, f32}, {f32}), "input 0 (src_0) is boolean"},
      {"SubtractThree", op_of("Subtract", {f32, f32, f32}, {f32}), "has 3 inputs, allowed: 2"},
      {"MultiplyS32", op_of("Multiply", {s32, s32}, {s32}), ""},
      {"DivideU32", op_of("Divide", {DataType::u32, DataType::u32}, {DataType::u32}), ""},
      {"MaximumMixed", op_of("Maximum", {f32, bf16}, {f32}), "input 1 (src_1) is bf16"},
      {"Minimum", op_of("Minimum", {bf16, bf16}, {bf16}), ""},
      {"TypeCast", op_of("TypeCast", {f32}, {bf16}), ""},
      {"TypeCastSame", op_of("TypeCast", {f32}, {f32}),
       "output 0 (dst) is f32 for an input of f32"},
      {"TypeCastHalves", op_of("TypeCast", {bf16}, {f16}), ""},
      {"TypeCastIntegers", op_of("TypeCast", {s8}, {boolean}), ""},
      {"TypeCastAttribute", op_of("TypeCast", {f32}, {bf16}, {{attr_id::kAxis, int64_t{0}}}),
       "attribute axis is not defined for this op, allowed: none"},
      {"MatMul", op_of("MatMul", {bf16, bf16}, {f32}), ""},
      {"MatMulBias", op_of("MatMul", {f32, f32, f32}, {f32}, {{kTransposeA, true}}), ""},
      {"MatMulOneInput", op_of("MatMul", {f32}, {f32}), "has 1 input, allowed: 2 to 3"},
      {"MatMulOutput", op_of("MatMul", {f32, f32}, {bf16}),
       "output 0 (dst) is bf16 for an input of f32"},
      {"MatMulTranspose", op_of("MatMul", {f32, f32}, {f32}, {{kTransposeA, int64_t{1}}}),
       "attribute transpose_a is s64, allowed: bool"},
      {"MatMulMode", op_of("MatMul", {f32, f32}, {f32}, {{kAccumulationMode, std::string("bf16")}}),
       "allowed: strict, relaxed, any, f32, s32, f16"},
      {"SoftMax", op_of("SoftMax", {f32}, {bf16}, {{kMode, std::string("inf_as_zero")}}), ""},
      {"SoftMaxStats", op_of("SoftMax", {f16}, {f16, f32}), ""},
      {"SoftMaxStatsType", op_of("SoftMax", {f16}, {f16, f16}),
       "output 1 (stats) is f16, allowed: f32"},
      {"SoftMaxTypes", op_of("SoftMax", {f16}, {bf16}), "f32 on either side"},
      {"SoftMaxThreeOutputs", op_of("SoftMax", {f32}, {f32, f32, f32}),
       "has 3 outputs, allowed: 1 to 2"},
      {"Reorder", op_of("Reorder", {f32}, {f32}), ""},
      {"ReorderCast", op_of("Reorder", {f32}, {bf16}), "output 0 (dst) is bf16"},
      {"StaticReshape", op_of("StaticReshape", {f32}, {f32}, reshape), ""},
      {"StaticReshapeNoShape", op_of("StaticReshape", {f32}, {f32}, {{kSpecialZero, true}}),
       "attribute shape is missing"},
      {"StaticReshapeNoZero", op_of("StaticReshape", {f32}, {f32}, {{attr_id::kShape, list}}),
       "attribute special_zero is missing"},
      {"StaticTranspose", op_of("StaticTranspose", {f32}, {f32}, {{kOrder, list}}), ""},
      {"StaticTransposeNoOrder", op_of("StaticTranspose", {f32}, {f32}),
       "attribute order is missing"},
      {"End", op_of("End", {DataType::undef}, {}), ""},
      {"EndBoolean", op_of("End", {boolean}, {}), "input 0 (src) is boolean"},
      {"EndOutput", op_of("End", {f32}, {f32}), "has 1 output, allowed: 0"},
      {"Wildcard", op_of("Wildcard", Types(40, boolean), Types(40, DataType::u4), {{0x1, 1.0f}}),
       ""},
      {"Exp", op_of("Exp", {f32}, {f32}), ""},
  };
}

INSTANTIATE_TEST_SUITE_P(OneDnn, HostOpSchema, testing::ValuesIn(cases()),
                         [](const auto& tested) { return tested.param.name; });

TEST(Schema, FillsDefaults) {
  Op softmax = op_of("SoftMax", {f32}, {f32});
  ASSERT_TRUE(check_schema(softmax).ok());
  EXPECT_EQ(*softmax.attr<int64_t>(attr_id::kAxis), 1);
  EXPECT_EQ(*softmax.attr<std::string>(kMode), "none");
  Op matmul = op_of("MatMul", {f32, f32}, {f32}, {{kTransposeA, true}});
  ASSERT_TRUE(check_schema(matmul).ok());
  EXPECT_TRUE(*matmul.attr<bool>(kTransposeA));
  EXPECT_FALSE(*matmul.attr<bool>(0x66));
  EXPECT_EQ(*matmul.attr<std::string>(kAccumulationMode), "strict");
  Op like = op_of("EyeLike", {f32}, {f32});
  ASSERT_TRUE(check_schema(like).ok());
  EXPECT_EQ(*like.attr<int64_t>(attr_id::kK), 0);
}

TEST(Schema, KindsOutsideTheTablePass) {
  Op op = op_of("Select", {}, {});
  op.kind = 4242;
  EXPECT_TRUE(check_schema(op).ok());
}

TEST(Schema, RefusesAttributesThatNoOpHas) {
  Op op = op_of("EyeLike", {f32}, {f32}, {{0x777, int64_t{1}}});
  EXPECT_NE(check_schema(op).message().find("attribute number 1911 is not defined"),
            std::string::npos)
      << check_schema(op).message();
}

// oneDNN counts inputs before it looks at types, and looks at types before it counts outputs.
TEST(Schema, ReportsInOneDnnsOrder) {
  Op op = op_of("Select", {f32}, {}, {{attr_id::kAxis, int64_t{0}}});
  EXPECT_NE(check_schema(op).message().find("has 1 input"), std::string::npos);
  op = op_of("Select", {f32, f32, f32}, {}, {{attr_id::kAxis, int64_t{0}}});
  EXPECT_NE(check_schema(op).message().find("(cond)"), std::string::npos);
  op = op_of("Select", {boolean, f32, f32}, {}, {{attr_id::kAxis, int64_t{0}}});
  EXPECT_NE(check_schema(op).message().find("outputs"), std::string::npos);
  op = op_of("GenIndex", {f32}, {s32}, {{kOrder, int64_t{0}}});
  EXPECT_NE(check_schema(op).message().find("axis is missing"), std::string::npos);
}

}  // namespace
}  // namespace iotadnn::impl
