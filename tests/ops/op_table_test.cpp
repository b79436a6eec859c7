// SPDX-License-Identifier: Apache-2.0
#include "ops/op_table.h"

#include <set>

#include <gtest/gtest.h>

#include "ops/op_builder.h"

namespace iotadnn::impl {
namespace {

// oneDNN's dnnl_graph_op_kind_t in its order (numbers 0 to 87), then ours from 0x1000.
constexpr std::string_view kOneDnnNames[] = {"Abs",
                                             "AbsBackward",
                                             "Add",
                                             "AvgPool",
                                             "AvgPoolBackward",
                                             "BatchNormTrainingBackward",
                                             "BatchNormForwardTraining",
                                             "BatchNormInference",
                                             "BiasAdd",
                                             "BiasAddBackward",
                                             "Clamp",
                                             "ClampBackward",
                                             "Concat",
                                             "Convolution",
                                             "ConvolutionBackwardData",
                                             "ConvolutionBackwardWeights",
                                             "ConvTranspose",
                                             "ConvTransposeBackwardData",
                                             "ConvTransposeBackwardWeights",
                                             "Dequantize",
                                             "Divide",
                                             "DynamicDequantize",
                                             "DynamicQuantize",
                                             "Elu",
                                             "EluBackward",
                                             "End",
                                             "Exp",
                                             "GELU",
                                             "GELUBackward",
                                             "HardSwish",
                                             "HardSwishBackward",
                                             "Interpolate",
                                             "InterpolateBackward",
                                             "LayerNorm",
                                             "LayerNormBackward",
                                             "LeakyReLU",
                                             "Log",
                                             "LogSoftmax",
                                             "LogSoftmaxBackward",
                                             "MatMul",
                                             "Maximum",
                                             "MaxPool",
                                             "MaxPoolBackward",
                                             "Minimum",
                                             "Mish",
                                             "MishBackward",
                                             "Multiply",
                                             "PReLU",
                                             "PReLUBackward",
                                             "Quantize",
                                             "Reciprocal",
                                             "ReduceL1",
                                             "ReduceL2",
                                             "ReduceMax",
                                             "ReduceMean",
                                             "ReduceMin",
                                             "ReduceProd",
                                             "ReduceSum",
                                             "ReLU",
                                             "ReLUBackward",
                                             "Reorder",
                                             "Round",
                                             "Sigmoid",
                                             "SigmoidBackward",
                                             "SoftMax",
                                             "SoftMaxBackward",
                                             "SoftPlus",
                                             "SoftPlusBackward",
                                             "Sqrt",
                                             "SqrtBackward",
                                             "Square",
                                             "SquaredDifference",
                                             "StaticReshape",
                                             "StaticTranspose",
                                             "Subtract",
                                             "Tanh",
                                             "TanhBackward",
                                             "TypeCast",
                                             "Wildcard",
                                             "HardSigmoid",
                                             "HardSigmoidBackward",
                                             "Select",
                                             "Pow",
                                             "GroupNorm",
                                             "GenIndex",
                                             "GreaterEqual",
                                             "RMSNorm",
                                             "Dropout"};

TEST(OpTable, HasEveryKindOfOneDnnUnderItsNumber) {
  ASSERT_EQ(std::size(kOneDnnNames), 88u);
  for (size_t i = 0; i < std::size(kOneDnnNames); ++i) {
    const OpDef* def = find_op(static_cast<OpKind>(i));
    ASSERT_NE(def, nullptr) << i;
    EXPECT_EQ(def->name, kOneDnnNames[i]);
    EXPECT_EQ(find_op(kOneDnnNames[i]), def);
  }
}

TEST(OpTable, HasOurKinds) {
  constexpr std::string_view kOurs[] = {
      "Eye",   "EyeLike",   "Power",      "Equal",     "NotEqual",   "Greater",
      "Less",  "LessEqual", "LogicalAnd", "LogicalOr", "LogicalNot", "Negative",
      "Range", "Fill",      "Trilu",      "OneHot",    "Gather",     "Sign"};
  for (size_t i = 0; i < std::size(kOurs); ++i) {
    const OpDef* def = find_op(static_cast<OpKind>(0x1000 + i));
    ASSERT_NE(def, nullptr) << i;
    EXPECT_EQ(def->name, kOurs[i]);
  }
  EXPECT_EQ(op_table().size(), std::size(kOneDnnNames) + std::size(kOurs));
}

TEST(OpTable, HasNothingElse) {
  const auto past_ours = static_cast<OpKind>(0x1000 + op_table().size() - std::size(kOneDnnNames));
  for (const OpKind kind : {-1, 88, 89, 0xfff, past_ours, 0x7fffffff, -0x7fffffff - 1})
    EXPECT_EQ(find_op(kind), nullptr) << kind;
  for (const std::string_view name : {"", "eye", "EYE", "Eyelike", "GenIndex ", "LastSymbol"})
    EXPECT_EQ(find_op(name), nullptr) << name;
}

TEST(OpTable, CompilesTheThreeGenerators) {
  std::set<std::string_view> names;
  for (const OpDef& def : op_table())
    if (def.op_class == OpClass::generator) names.insert(def.name);
  EXPECT_EQ(names, (std::set<std::string_view>{"Eye", "EyeLike", "GenIndex"}));
}

// What a row has follows from its class.
TEST(OpTable, RowsAreComplete) {
  for (const OpDef& def : op_table()) {
    const bool is_ours = def.op_class != OpClass::unsupported;
    const bool is_generator = def.op_class == OpClass::generator;
    const bool expands =
        is_generator || def.op_class == OpClass::coordinate || def.op_class == OpClass::pointwise;
    EXPECT_TRUE(!is_ours || def.signature != nullptr) << def.name;
    EXPECT_EQ(def.infer != nullptr, is_ours) << def.name;
    EXPECT_EQ(def.reference != nullptr, is_ours) << def.name;
    EXPECT_EQ(def.lower != nullptr, is_generator) << def.name;
    EXPECT_EQ(def.expand != nullptr, expands) << def.name;
    EXPECT_TRUE(!expands || def.signature->outputs.size() == 1) << def.name;
  }
}

// GenIndex and EyeLike take a shape from an input, and no data.
TEST(OpTable, DataInputsArePorts) {
  for (const OpDef& def : op_table()) {
    if (def.op_class == OpClass::unsupported) continue;
    const uint32_t ports = (1u << def.signature->inputs.size()) - 1;
    const uint32_t unread = def.name == "GenIndex" || def.name == "EyeLike" ? 0x1
                            : def.name == "ReduceSum"                       ? 0x2
                                                                            : 0x0;
    EXPECT_EQ(def.data_inputs & ports, ports & ~unread) << def.name;
  }
}

TEST(OpTable, DataThatDecideAShapeAreRead) {
  for (const OpDef& def : op_table()) {
    EXPECT_EQ(def.shape_inputs & ~def.data_inputs, 0u) << def.name;
    const uint32_t expected = def.name == "Eye"     ? 0xb  // all but the diagonal
                              : def.name == "Range" ? 0x7
                                                    : 0x0;
    EXPECT_EQ(def.shape_inputs, expected) << def.name;
  }
}

// The schema's defaults must be text of the attribute's type, and its attributes must exist.
TEST(OpTable, AttributesAreDefined) {
  for (const OpDef& def : op_table()) {
    if (def.signature == nullptr) continue;
    for (const AttrSpec& spec : def.signature->attrs) {
      const AttrInfo* info = find_attr(spec.id);
      ASSERT_NE(info, nullptr) << def.name;
      EXPECT_FALSE(spec.required && !spec.default_value.empty()) << def.name << " " << info->name;
      if (spec.default_value.empty()) continue;
      EXPECT_TRUE(info->type == AttrType::s64 || info->type == AttrType::boolean ||
                  info->type == AttrType::f32 || info->type == AttrType::string)
          << def.name << " " << info->name;
    }
  }
}

TEST(OpTable, NamesOpsAndPorts) {
  Op op = test::make_op("Eye", 7, {}, {});
  op.name = "mask";
  EXPECT_EQ(op_text(op), "Eye 'mask'");
  EXPECT_EQ(input_text(op, 1), "Eye 'mask': input 1 (num_columns)");
  EXPECT_EQ(input_text(op, 9), "Eye 'mask': input 9");
  EXPECT_EQ(output_text(op, 0), "Eye 'mask': output 0 (output)");
  op.kind = 4242;
  EXPECT_EQ(op_text(op), "op of kind 4242 'mask'");
  EXPECT_EQ(input_text(op, 0), "op of kind 4242 'mask': input 0");
}

TEST(TypeSet, HoldsWhatItIsMadeOf) {
  constexpr TypeSet kSet{DataType::undef, DataType::s64, DataType::s16, DataType::u64};
  EXPECT_TRUE(kSet.has(DataType::undef));
  EXPECT_TRUE(kSet.has(DataType::s64));
  EXPECT_TRUE(kSet.has(DataType::s16));
  EXPECT_FALSE(kSet.has(DataType::u16));
  EXPECT_FALSE(kSet.has(DataType(0x104)));
  EXPECT_FALSE(kSet.has(DataType(-1)));
  EXPECT_FALSE(kSet.has(DataType(0x7fff)));
  EXPECT_EQ(type_set_text(kSet), "undef, s64, s16, u64");
}

TEST(TypeSet, AgreesWithBase) {
  for (int number = -1; number < 0x200; ++number) {
    const auto type = static_cast<DataType>(number);
    EXPECT_EQ(types::kComputed.has(type), is_computed(type)) << number;
    EXPECT_EQ(types::kAny.has(type), is_known(type)) << number;
  }
}

}  // namespace
}  // namespace iotadnn::impl
