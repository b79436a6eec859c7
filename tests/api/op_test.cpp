// SPDX-License-Identifier: Apache-2.0
#include <cstdint>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "api/api_test_util.h"

namespace iotadnn::test {
namespace {

using Kind = Op::kind;

// In numeric order; oneDNN's APIOp.CreateAllOps checks the same.
constexpr Kind kKinds[] = {Kind::Abs,
                           Kind::AbsBackward,
                           Kind::Add,
                           Kind::AvgPool,
                           Kind::AvgPoolBackward,
                           Kind::BatchNormTrainingBackward,
                           Kind::BatchNormForwardTraining,
                           Kind::BatchNormInference,
                           Kind::BiasAdd,
                           Kind::BiasAddBackward,
                           Kind::Clamp,
                           Kind::ClampBackward,
                           Kind::Concat,
                           Kind::Convolution,
                           Kind::ConvolutionBackwardData,
                           Kind::ConvolutionBackwardWeights,
                           Kind::ConvTranspose,
                           Kind::ConvTransposeBackwardData,
                           Kind::ConvTransposeBackwardWeights,
                           Kind::Dequantize,
                           Kind::Divide,
                           Kind::DynamicDequantize,
                           Kind::DynamicQuantize,
                           Kind::Elu,
                           Kind::EluBackward,
                           Kind::End,
                           Kind::Exp,
                           Kind::GELU,
                           Kind::GELUBackward,
                           Kind::HardSwish,
                           Kind::HardSwishBackward,
                           Kind::Interpolate,
                           Kind::InterpolateBackward,
                           Kind::LayerNorm,
                           Kind::LayerNormBackward,
                           Kind::LeakyReLU,
                           Kind::Log,
                           Kind::LogSoftmax,
                           Kind::LogSoftmaxBackward,
                           Kind::MatMul,
                           Kind::Maximum,
                           Kind::MaxPool,
                           Kind::MaxPoolBackward,
                           Kind::Minimum,
                           Kind::Mish,
                           Kind::MishBackward,
                           Kind::Multiply,
                           Kind::PReLU,
                           Kind::PReLUBackward,
                           Kind::Quantize,
                           Kind::Reciprocal,
                           Kind::ReduceL1,
                           Kind::ReduceL2,
                           Kind::ReduceMax,
                           Kind::ReduceMean,
                           Kind::ReduceMin,
                           Kind::ReduceProd,
                           Kind::ReduceSum,
                           Kind::ReLU,
                           Kind::ReLUBackward,
                           Kind::Reorder,
                           Kind::Round,
                           Kind::Sigmoid,
                           Kind::SigmoidBackward,
                           Kind::SoftMax,
                           Kind::SoftMaxBackward,
                           Kind::SoftPlus,
                           Kind::SoftPlusBackward,
                           Kind::Sqrt,
                           Kind::SqrtBackward,
                           Kind::Square,
                           Kind::SquaredDifference,
                           Kind::StaticReshape,
                           Kind::StaticTranspose,
                           Kind::Subtract,
                           Kind::Tanh,
                           Kind::TanhBackward,
                           Kind::TypeCast,
                           Kind::Wildcard,
                           Kind::HardSigmoid,
                           Kind::HardSigmoidBackward,
                           Kind::Select,
                           Kind::Pow,
                           Kind::GroupNorm,
                           Kind::GenIndex,
                           Kind::GreaterEqual,
                           Kind::RMSNorm,
                           Kind::Dropout};

TEST(Op, CreateAllKinds) {
  int number = 0;
  for (const Kind kind : kKinds) {
    EXPECT_EQ(static_cast<int>(kind), number);
    const Op op(0, kind);
    EXPECT_EQ(op.get_kind(), kind);
    ++number;
  }
  EXPECT_EQ(number, static_cast<int>(Kind::LastSymbol));
  EXPECT_EQ(Op(3, Kind::Eye).get_kind(), Kind::Eye);
  EXPECT_EQ(Op(4, Kind::EyeLike).get_id(), 4u);
  EXPECT_EQ(static_cast<int>(Kind::Eye), 0x1000);
  EXPECT_EQ(static_cast<int>(Kind::EyeLike), 0x1001);
}

TEST(Op, KindsOutOfRange) {
  for (const int number : {88, -1, 0xfff, 0x1fff})
    expect_error(iotadnn_invalid_arguments, [&] { Op(0, static_cast<Kind>(number)); });
}

// The name shows in refusals.
std::string reason_of_refusal(const Op& op) {
  graph::graph g(engine::kind::cpu);
  EXPECT_EQ(g.add_op(op, false), graph::status::invalid_graph_op);
  return iotadnn_get_last_error();
}

TEST(Op, AnEmptyNameBecomesKindAndId) {
  EXPECT_NE(reason_of_refusal(Op(17, Kind::GenIndex)).find("GenIndex_17"), std::string::npos);
  EXPECT_NE(reason_of_refusal(Op(17, Kind::GenIndex, "mine")).find("mine"), std::string::npos);
}

TEST(Op, AttributesOfEveryType) {
  Op op(0, Kind::Wildcard);
  EXPECT_NO_THROW(op.set_attr<int64_t>(Op::attr::axis, -1)
                      .set_attr<float>(Op::attr::alpha, 0.5f)
                      .set_attr<bool>(Op::attr::transpose_a, true)
                      .set_attr<std::string>(Op::attr::auto_broadcast, "numpy")
                      .set_attr<std::vector<int64_t>>(Op::attr::shape, {1, 2})
                      .set_attr<std::vector<float>>(Op::attr::scales, {1.0f})
                      .set_attr<std::vector<int64_t>>(Op::attr::order, {}));
}

TEST(Op, AttributeErrorsOfTheSetter) {
  Op op(0, Kind::Wildcard);
  const int64_t numbers[2] = {1, 2};
  const float floats[2] = {1, 2};
  const uint8_t flags[2] = {1, 0};
  const auto axis = iotadnn_graph_op_attr_axis;
  const auto alpha = iotadnn_graph_op_attr_alpha;
  const auto transpose = iotadnn_graph_op_attr_transpose_a;
  const auto mode = iotadnn_graph_op_attr_mode;
  EXPECT_IOTADNN(iotadnn_invalid_arguments,
                 iotadnn_graph_op_set_attr_s64(op.get(), axis, numbers, 2));
  EXPECT_IOTADNN(iotadnn_invalid_arguments,
                 iotadnn_graph_op_set_attr_s64(op.get(), axis, numbers, 0));
  EXPECT_IOTADNN(iotadnn_invalid_arguments,
                 iotadnn_graph_op_set_attr_s64(op.get(), mode, numbers, 2));
  EXPECT_IOTADNN(iotadnn_invalid_arguments,
                 iotadnn_graph_op_set_attr_f32(op.get(), alpha, floats, 2));
  EXPECT_IOTADNN(iotadnn_invalid_arguments,
                 iotadnn_graph_op_set_attr_bool(op.get(), transpose, flags, 2));
  EXPECT_IOTADNN(iotadnn_invalid_arguments,
                 iotadnn_graph_op_set_attr_bool(op.get(), mode, flags, 2));
  EXPECT_IOTADNN(iotadnn_invalid_arguments,
                 iotadnn_graph_op_set_attr_str(op.get(), mode, "none", 0));
  for (const int number : {0, 7, 0xff, 0x1fff}) {
    const auto name = static_cast<Op::attr>(number);
    expect_error(iotadnn_invalid_arguments, [&] { op.set_attr<int64_t>(name, 1); });
    expect_error(iotadnn_invalid_arguments, [&] { op.set_attr<std::string>(name, "x"); });
  }
}

// oneDNN checks the types of attributes when the op is added, not when they are set.
TEST(Op, AttributesOfAnotherTypeAreRefusedByAddOp) {
  Op op(0, Kind::GenIndex, {strided(0, DataType::f32, {2})}, {strided(1, DataType::s32, {2})});
  op.set_attr<float>(Op::attr::axis, 0.0f);
  EXPECT_NE(reason_of_refusal(op).find("axis"), std::string::npos);
  op.set_attr<bool>(Op::attr::axis, false);
  EXPECT_NE(reason_of_refusal(op).find("axis"), std::string::npos);
  op.set_attr<std::string>(Op::attr::axis, "0");
  EXPECT_NE(reason_of_refusal(op).find("axis"), std::string::npos);
  op.set_attr<int64_t>(Op::attr::axis, 0);
  graph::graph g(engine::kind::cpu);
  EXPECT_EQ(g.add_op(op), graph::status::success);
}

// Strings end at their length, not at a terminator that may be missing.
TEST(Op, StringsHonourTheirLength) {
  Op op(0, Kind::Select);
  const char text[] = {'n', 'u', 'm', 'p', 'y', '!', '!'};
  op.add_inputs({strided(0, DataType::boolean, {2}), strided(1, DataType::f32, {2}),
                 strided(2, DataType::f32, {2})});
  op.add_output(strided(3, DataType::f32, {2}));
  EXPECT_IOTADNN(iotadnn_success, iotadnn_graph_op_set_attr_str(
                                      op.get(), iotadnn_graph_op_attr_auto_broadcast, text, 5));
  graph::graph g(engine::kind::cpu);
  EXPECT_EQ(g.add_op(op), graph::status::success);
  EXPECT_IOTADNN(iotadnn_success, iotadnn_graph_op_set_attr_str(
                                      op.get(), iotadnn_graph_op_attr_auto_broadcast, text, 7));
  EXPECT_NE(reason_of_refusal(op).find("numpy!!"), std::string::npos);
}

}  // namespace
}  // namespace iotadnn::test
