// SPDX-License-Identifier: Apache-2.0
// One node each, with values from the specification of the op (Operators.md and the examples there)
// or worked out by hand.
#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "frontends/model_fixture.h"

namespace iotadnn::models_test {
namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();
const double kNan = std::numeric_limits<double>::quiet_NaN();
const Tensor kAbsent;

void expect_node(const std::string& kind, const std::vector<Tensor>& inputs,
                 const std::vector<pb::AttributeProto>& attrs, const Tensor& want,
                 int64_t opset = 22, double relative = 0) {
  SCOPED_TRACE(kind + ", opset " + std::to_string(opset));
  expect_equal(run_node(kind, inputs, attrs, opset), want, relative);
}

TEST(OnnxOps, PointwiseOfTwo) {
  const Tensor a = f32({2, 2}, {1, -2, 3, 4});
  const Tensor b = f32({2}, {2, 0.5});
  expect_node("Add", {a, b}, {}, f32({2, 2}, {3, -1.5, 5, 4.5}));
  expect_node("Sub", {a, b}, {}, f32({2, 2}, {-1, -2.5, 1, 3.5}));
  expect_node("Mul", {a, b}, {}, f32({2, 2}, {2, -1, 6, 2}), 7);
  expect_node("Div", {a, b}, {}, f32({2, 2}, {0.5, -4, 1.5, 8}));
  expect_node("Max", {a, b}, {}, f32({2, 2}, {2, 0.5, 3, 4}));
  expect_node("Min", {a, b, f32({}, {-1})}, {}, f32({2, 2}, {-1, -2, -1, -1}));
  expect_node("Max", {a}, {}, a);
  expect_node("Div", {s64({3}, {7, -7, 6}), s64({}, {2})}, {}, s64({3}, {3, -3, 3}));
  expect_node("Add", {tensor(iotadnn_s8, {2}, {127, 1}), tensor(iotadnn_s8, {2}, {1, 1})}, {},
              tensor(iotadnn_s8, {2}, {-128, 2}));
}

TEST(OnnxOps, PowMayHaveTypesOfItsOwn) {
  expect_node("Pow", {f32({3}, {1, 2, 3}), s64({3}, {4, 5, 6})}, {}, f32({3}, {1, 32, 729}), 12,
              1e-6);
  expect_node("Pow", {s64({3}, {1, 2, 3}), f32({3}, {4, 5, 6})}, {}, s64({3}, {1, 32, 729}));
  expect_node("Pow", {s64({2}, {-2, 3}), s64({}, {3})}, {}, s64({2}, {-8, 27}));
}

TEST(OnnxOps, ModFollowsTheSignOfEither) {
  // The two examples of the specification, and its fmod.
  expect_node("Mod", {s64({6}, {-4, 7, 5, 4, -7, 8}), s64({6}, {2, -3, 8, -2, 3, 5})}, {},
              s64({6}, {0, -2, 5, 0, 2, 3}));
  expect_node("Mod", {s64({6}, {-4, 7, 5, 4, -7, 8}), s64({6}, {2, -3, 8, -2, 3, 5})},
              {attr("fmod", 1)}, s64({6}, {0, 1, 5, 0, -1, 3}));
  expect_node("Mod", {f32({2}, {-4.5, 7.5}), f32({2}, {2, -3})}, {attr("fmod", 1)},
              f32({2}, {-0.5, 1.5}));
}

TEST(OnnxOps, Comparisons) {
  const Tensor a = f32({4}, {1, 2, 3, kNan});
  const Tensor b = f32({4}, {2, 2, 2, kNan});
  expect_node("Less", {a, b}, {}, boolean({4}, {1, 0, 0, 0}));
  expect_node("LessOrEqual", {a, b}, {}, boolean({4}, {1, 1, 0, 0}), 16);
  expect_node("Greater", {a, b}, {}, boolean({4}, {0, 0, 1, 0}));
  expect_node("GreaterOrEqual", {a, b}, {}, boolean({4}, {0, 1, 1, 0}), 16);
  expect_node("Equal", {a, b}, {}, boolean({4}, {0, 1, 0, 0}));
  expect_node("Equal", {boolean({2}, {1, 0}), boolean({2}, {1, 1})}, {}, boolean({2}, {1, 0}));
}

TEST(OnnxOps, Logic) {
  const Tensor a = boolean({4}, {0, 0, 1, 1});
  const Tensor b = boolean({4}, {0, 1, 0, 1});
  expect_node("And", {a, b}, {}, boolean({4}, {0, 0, 0, 1}));
  expect_node("Or", {a, b}, {}, boolean({4}, {0, 1, 1, 1}));
  expect_node("Xor", {a, b}, {}, boolean({4}, {0, 1, 1, 0}));
  expect_node("Not", {a}, {}, boolean({4}, {1, 1, 0, 0}));
  expect_node("Where", {boolean({2, 1}, {1, 0}), f32({2}, {1, 2}), f32({}, {9})}, {},
              f32({2, 2}, {1, 2, 9, 9}));
}

TEST(OnnxOps, PointwiseOfOne) {
  const Tensor x = f32({4}, {-2, -0.5, 0, 4});
  expect_node("Neg", {x}, {}, f32({4}, {2, 0.5, 0, -4}));
  expect_node("Abs", {x}, {}, f32({4}, {2, 0.5, 0, 4}));
  expect_node("Relu", {x}, {}, f32({4}, {0, 0, 0, 4}));
  expect_node("Ceil", {x}, {}, f32({4}, {-2, -0., 0, 4}));
  expect_node("Floor", {x}, {}, f32({4}, {-2, -1, 0, 4}));
  expect_node("Sqrt", {f32({2}, {4, 2})}, {}, f32({2}, {2, std::sqrt(2.)}));
  expect_node("Reciprocal", {f32({2}, {4, -0.5})}, {}, f32({2}, {0.25, -2}));
  expect_node("Exp", {f32({2}, {0, 1})}, {}, f32({2}, {1, std::exp(1.)}), 22, 1e-6);
  expect_node("Log", {f32({2}, {1, 10})}, {}, f32({2}, {0, std::log(10.)}), 22, 1e-6);
  expect_node("Sigmoid", {f32({2}, {0, -1})}, {}, f32({2}, {0.5, 1 / (1 + std::exp(1.))}), 22,
              1e-6);
  expect_node("Tanh", {f32({2}, {0, 1})}, {}, f32({2}, {0, std::tanh(1.)}), 22, 1e-6);
  expect_node("Identity", {x}, {}, x);
}

TEST(OnnxOps, Casts) {
  const Tensor x = f32({4}, {-1.75, 0, 2.5, 300});
  expect_node("Cast", {x}, {attr_type("to", iotadnn_s32)},
              tensor(iotadnn_s32, {4}, {-1, 0, 2, 300}));
  expect_node("Cast", {x}, {attr_type("to", iotadnn_boolean)}, boolean({4}, {1, 0, 1, 1}));
  expect_node("Cast", {x}, {attr_type("to", iotadnn_f32)}, x);
  expect_node("Cast", {x}, {attr_type("to", iotadnn_bf16), attr("saturate", 0)},
              tensor(iotadnn_bf16, {4}, {-1.75, 0, 2.5, 300}), 19);
  expect_node("CastLike", {x, s64({}, {0})}, {}, s64({4}, {-1, 0, 2, 300}));
}

TEST(OnnxOps, ClipHasBoundsAsAttributesBeforeOpset11) {
  const Tensor x = f32({3}, {-2, 0, 2});
  expect_node("Clip", {x}, {attr_real("min", -1), attr_real("max", 1)}, f32({3}, {-1, 0, 1}),
              6 + 1);
  expect_node("Clip", {x, f32({}, {-1}), f32({}, {1})}, {}, f32({3}, {-1, 0, 1}));
  expect_node("Clip", {x, kAbsent, f32({}, {1})}, {}, f32({3}, {-2, 0, 1}));
  expect_node("Clip", {x}, {}, x);
  expect_node("Clip", {x, f32({}, {2}), f32({}, {1})}, {}, f32({3}, {1, 1, 1}));
  expect_node("Clip", {s64({3}, {-9, 0, 9}), s64({}, {-3}), s64({}, {3})}, {}, s64({3}, {-3, 0, 3}),
              12);
}

TEST(OnnxOps, Generators) {
  expect_node("EyeLike", {s64({2, 3}, {9, 9, 9, 9, 9, 9})}, {attr("k", 1)},
              eye(iotadnn_s64, 2, 3, 1));
  expect_node("Trilu", {s64({2, 2}, {1, 2, 3, 4})}, {}, s64({2, 2}, {1, 2, 0, 4}));
  expect_node("Trilu", {s64({2, 2}, {1, 2, 3, 4}), s64({}, {-1})}, {attr("upper", 0)},
              s64({2, 2}, {0, 0, 3, 0}));
  expect_node("Range", {f32({}, {1}), f32({}, {5}), f32({}, {2})}, {}, f32({2}, {1, 3}));
  expect_node("Range", {s64({}, {10}), s64({}, {6}), s64({}, {-3})}, {}, s64({2}, {10, 7}));
  expect_node("ConstantOfShape", {s64({2}, {2, 1})}, {attr("value", s64({1}, {7}))},
              s64({2, 1}, {7, 7}));
  expect_node("ConstantOfShape", {s64({1}, {2})}, {}, f32({2}, {0, 0}));
  expect_node("ConstantOfShape", {s64({0}, {})}, {}, f32({}, {0}));
}

TEST(OnnxOps, OneHotCountsIndicesBelowZeroFromTheEnd) {
  // The examples of the specification: indices [0, 7, 8], [1, 9 | 2, 4] and [0, -7, -8].
  const Tensor values = f32({2}, {2, 5});
  Tensor want = f32({3, 10}, std::vector<double>(30, 2));
  const auto set = [&](int64_t row, int64_t column) {
    reinterpret_cast<float*>(want.data())[row * 10 + column] = 5;
  };
  set(0, 0), set(1, 3), set(2, 2);
  expect_node("OneHot", {s64({3}, {0, -7, -8}), s64({}, {10}), values}, {}, want, 11);
  expect_node("OneHot", {f32({2}, {1, 0}), f32({1}, {2}), s64({2}, {0, 1})}, {attr("axis", 0)},
              s64({2, 2}, {0, 1, 1, 0}), 11);
  expect_node("OneHot", {s64({2}, {2, -3}), s64({}, {2}), s64({2}, {4, 1})}, {},
              s64({2, 2}, {4, 4, 4, 4}), 11);
}

TEST(OnnxOps, ShapesOfTensors) {
  const Tensor x = f32({3, 4, 5}, std::vector<double>(60, 0));
  expect_node("Shape", {x}, {}, s64({3}, {3, 4, 5}), 13);
  expect_node("Shape", {x}, {attr("start", -1)}, s64({1}, {5}), 15);
  expect_node("Shape", {x}, {attr("start", 1), attr("end", -1)}, s64({1}, {4}), 15);
  expect_node("Size", {x}, {}, s64({}, {60}));
}

TEST(OnnxOps, AxesAreAttributesBeforeOpset13) {
  const Tensor x = f32({1, 2, 1}, {3, 4});
  expect_node("Squeeze", {x}, {attr("axes", std::vector<int64_t>{0})}, f32({2, 1}, {3, 4}), 11);
  expect_node("Squeeze", {x, s64({1}, {-1})}, {}, f32({1, 2}, {3, 4}));
  expect_node("Squeeze", {x}, {}, f32({2}, {3, 4}));
  expect_node("Unsqueeze", {f32({2}, {3, 4})}, {attr("axes", std::vector<int64_t>{0, 2})}, x, 11);
  expect_node("Unsqueeze", {f32({2}, {3, 4}), s64({2}, {2, 0})}, {}, x);
  expect_node("ReduceSum", {x}, {attr("axes", std::vector<int64_t>{1}), attr("keepdims", 0)},
              f32({1, 1}, {7}), 11);
  expect_node("ReduceSum", {x, s64({1}, {1})}, {}, f32({1, 1, 1}, {7}));
  expect_node("ReduceSum", {x}, {attr("noop_with_empty_axes", 1)}, x);
  expect_node("ReduceMax", {x}, {attr("axes", std::vector<int64_t>{-2})}, f32({1, 1, 1}, {4}), 13);
  expect_node("ReduceMax", {x, s64({1}, {-2})}, {attr("keepdims", 0)}, f32({1, 1}, {4}), 18);
  expect_node("ReduceMin", {x}, {attr("keepdims", 0)}, f32({}, {3}), 18);
  expect_node("ReduceProd", {x}, {attr("keepdims", 0)}, f32({}, {12}), 18);
  expect_node("ReduceMean", {x}, {attr("keepdims", 0)}, f32({}, {3.5}), 18);
}

TEST(OnnxOps, Reshapes) {
  const Tensor x = f32({2, 3}, {1, 2, 3, 4, 5, 6});
  expect_node("Reshape", {x, s64({2}, {3, -1})}, {}, f32({3, 2}, {1, 2, 3, 4, 5, 6}));
  expect_node("Reshape", {x, s64({3}, {0, 1, -1})}, {}, f32({2, 1, 3}, {1, 2, 3, 4, 5, 6}));
  expect_node("Reshape", {f32({0, 3}, {}), s64({2}, {3, 0})}, {attr("allowzero", 1)},
              f32({3, 0}, {}), 14);
  expect_node("Flatten", {f32({1, 2, 2}, {1, 2, 3, 4})}, {}, f32({1, 4}, {1, 2, 3, 4}));
  expect_node("Flatten", {f32({1, 2, 2}, {1, 2, 3, 4})}, {attr("axis", 3)},
              f32({4, 1}, {1, 2, 3, 4}));
  expect_node("Flatten", {f32({1, 2, 2}, {1, 2, 3, 4})}, {attr("axis", -1)},
              f32({2, 2}, {1, 2, 3, 4}), 11);
}

TEST(OnnxOps, Moves) {
  const Tensor x = f32({2, 3}, {1, 2, 3, 4, 5, 6});
  expect_node("Transpose", {x}, {}, f32({3, 2}, {1, 4, 2, 5, 3, 6}));
  expect_node("Transpose", {x}, {attr("perm", std::vector<int64_t>{0, 1})}, x);
  expect_node("Expand", {f32({3, 1}, {1, 2, 3}), s64({3}, {2, 1, 2})}, {},
              f32({2, 3, 2}, {1, 1, 2, 2, 3, 3, 1, 1, 2, 2, 3, 3}));
  expect_node("Concat", {x, f32({1, 3}, {7, 8, 9})}, {attr("axis", 0)},
              f32({3, 3}, {1, 2, 3, 4, 5, 6, 7, 8, 9}));
  expect_node("Concat", {x, f32({2, 1}, {7, 8})}, {attr("axis", -1)},
              f32({2, 4}, {1, 2, 3, 7, 4, 5, 6, 8}));
  expect_node("Gather", {x, s64({2}, {-1, 0})}, {attr("axis", 1)}, f32({2, 2}, {3, 1, 6, 4}));
  expect_node("Gather", {x, s64({}, {1})}, {}, f32({3}, {4, 5, 6}));
}

TEST(OnnxOps, SliceClampsAsNumpyDoes) {
  const Tensor x = f32({2, 4}, {1, 2, 3, 4, 5, 6, 7, 8});
  // The two examples of the specification.
  expect_node("Slice", {x, s64({2}, {1, 0}), s64({2}, {2, 3}), s64({2}, {0, 1}), s64({2}, {1, 2})},
              {}, f32({1, 2}, {5, 7}));
  expect_node("Slice", {x, s64({2}, {0, 1}), s64({2}, {-1, 1000})}, {}, f32({1, 3}, {2, 3, 4}));
  expect_node("Slice", {x},
              {attr("starts", std::vector<int64_t>{1}), attr("ends", std::vector<int64_t>{3}),
               attr("axes", std::vector<int64_t>{1})},
              f32({2, 2}, {2, 3, 6, 7}), 9);
  const double least = -9223372036854775808.0;
  expect_node("Slice", {x, s64({1}, {-1}), s64({1}, {least}), s64({1}, {1}), s64({1}, {-1})}, {},
              f32({2, 4}, {4, 3, 2, 1, 8, 7, 6, 5}));
  expect_node("Slice", {x, s64({1}, {3}), s64({1}, {1}), s64({1}, {1})}, {}, f32({2, 0}, {}));
}

TEST(OnnxOps, SplitInPartsThatAreGivenOrEqual) {
  const auto split = [](int64_t opset, const std::vector<pb::AttributeProto>& attrs, size_t parts,
                        bool with_lengths) {
    OnnxModel model(opset);
    model.input("x", iotadnn_f32, {5});
    model.initializer("lengths", s64({2}, {2, 3}));
    std::vector<std::string> outputs;
    for (size_t i = 0; i < parts; ++i)
      outputs.push_back("y" + std::to_string(i));
    model.node(
        "Split",
        with_lengths ? std::vector<std::string>{"x", "lengths"} : std::vector<std::string>{"x"},
        outputs, attrs);
    for (const std::string& name : outputs)
      model.output(name);
    return run(model.read(), {f32({5}, {1, 2, 3, 4, 5})});
  };
  const auto given = split(13, {}, 2, true);
  expect_equal(given[0], f32({2}, {1, 2}));
  expect_equal(given[1], f32({3}, {3, 4, 5}));
  const auto attribute = split(11, {attr("split", std::vector<int64_t>{4, 1})}, 2, false);
  expect_equal(attribute[0], f32({4}, {1, 2, 3, 4}));
  expect_equal(attribute[1], f32({1}, {5}));
  const auto uneven = split(18, {attr("num_outputs", 3)}, 3, false);
  expect_equal(uneven[0], f32({2}, {1, 2}));
  expect_equal(uneven[2], f32({1}, {5}));
}

TEST(OnnxOps, CumSumHasFourForms) {
  const Tensor x = f32({3}, {1, 2, 3});
  const Tensor axis = tensor(iotadnn_s32, {}, {0});
  expect_node("CumSum", {x, axis}, {}, f32({3}, {1, 3, 6}));
  expect_node("CumSum", {x, axis}, {attr("exclusive", 1)}, f32({3}, {0, 1, 3}));
  expect_node("CumSum", {x, axis}, {attr("reverse", 1)}, f32({3}, {6, 5, 3}));
  expect_node("CumSum", {x, axis}, {attr("exclusive", 1), attr("reverse", 1)}, f32({3}, {5, 3, 0}));
  expect_node("CumSum", {f32({2, 2}, {1, 2, 3, 4}), s64({}, {-2})}, {}, f32({2, 2}, {1, 2, 4, 6}));
}

TEST(OnnxOps, SoftmaxFlattensBeforeOpset13) {
  const Tensor x = f32({1, 2, 2}, {0, 0, 0, std::log(5.)});
  expect_node("Softmax", {x}, {}, f32({1, 2, 2}, {0.125, 0.125, 0.125, 0.625}), 11, 1e-6);
  expect_node("Softmax", {x}, {}, f32({1, 2, 2}, {0.5, 0.5, 1 / 6., 5 / 6.}), 13, 1e-6);
  expect_node("Softmax", {x}, {attr("axis", 1)}, f32({1, 2, 2}, {0.5, 1 / 6., 0.5, 5 / 6.}), 13,
              1e-6);
  const Tensor masked = run_node("Softmax", {f32({2}, {-kInf, -kInf})}, {attr("axis", 0)});
  EXPECT_TRUE(std::isnan(values_of(masked)[0]));
}

TEST(OnnxOps, MatMulIsThatOfNumpy) {
  const Tensor a = f32({2, 3}, {1, 2, 3, 4, 5, 6});
  expect_node("MatMul", {a, f32({3, 1}, {1, 0, -1})}, {}, f32({2, 1}, {-2, -2}));
  expect_node("MatMul", {a, f32({3}, {1, 0, -1})}, {}, f32({2}, {-2, -2}));
  expect_node("MatMul", {f32({2}, {1, 1}), a}, {}, f32({3}, {5, 7, 9}));
  expect_node("MatMul", {f32({2, 1, 1}, {2, 3}), f32({1, 1, 2}, {1, 4})}, {},
              f32({2, 1, 2}, {2, 8, 3, 12}));
  expect_node("MatMul", {tensor(iotadnn_s32, {1, 2}, {3, 4}), tensor(iotadnn_s32, {2, 1}, {5, -6})},
              {}, tensor(iotadnn_s32, {1, 1}, {-9}));
}

TEST(OnnxOps, ConstantsOfAllKinds) {
  const auto constant = [](const pb::AttributeProto& value) {
    return run(OnnxModel().node("Constant", {}, {"y"}, {value}).output("y").read(), {})[0];
  };
  expect_equal(constant(attr("value", f32({2}, {1, 2}))), f32({2}, {1, 2}));
  expect_equal(constant(attr("value_int", 5)), s64({}, {5}));
  expect_equal(constant(attr("value_ints", std::vector<int64_t>{5, 6})), s64({2}, {5, 6}));
  expect_equal(constant(attr_real("value_float", 0.5)), f32({}, {0.5}));
}

// As numpy's power(x, y).astype(x.dtype), from which ONNX's reference is made.
TEST(OnnxOps, PowOfDifferentTypes) {
  const auto one = [](iotadnn_data_type_t type, double value) {
    return tensor(type, {1}, {value});
  };
  const auto pow = [&](const Tensor& x, const Tensor& y) { return run_node("Pow", {x, y}); };
  expect_equal(pow(one(iotadnn_s64, 3), one(iotadnn_f32, 30)), one(iotadnn_s64, 205891132094649));
  expect_equal(pow(one(iotadnn_s32, 16777217), one(iotadnn_f32, 1)), one(iotadnn_s32, 16777217));
  expect_equal(pow(one(iotadnn_f32, -1), one(iotadnn_s64, 16777217)), one(iotadnn_f32, -1));
  expect_equal(pow(one(iotadnn_u8, 3), one(iotadnn_s32, -1)), one(iotadnn_u8, 0));
  expect_equal(pow(one(iotadnn_s8, 2), one(iotadnn_s32, 256)), one(iotadnn_s8, 0));
  expect_equal(pow(one(iotadnn_f16, 3), one(iotadnn_s8, 2)), one(iotadnn_f16, 9));
}

TEST(OnnxOps, BoundsOfClipAreScalars) {
  const Tensor x = f32({}, {5});
  expect_equal(run_node("Clip", {x, f32({}, {1}), f32({1}, {3})}), f32({}, {3}));
  const Model read = one_node("Clip", {x, f32({3}, {1, 2, 3})}).read();
  EXPECT_THROW(models::Session(read).run({x, f32({3}, {1, 2, 3})}), models::ModelError);
}

// Functions of one name differ in the field "overload" of IR version 10, which is newer than the
// messages here.
TEST(OnnxOps, OverloadsOfFunctions) {
  OnnxModel model;
  model.input("x", iotadnn_f32, {1});
  model.proto.add_opset_import()->set_domain("own");
  for (const char* kind : {"Neg", "Abs"}) {
    pb::FunctionProto* function = model.proto.add_functions();
    function->set_name("F");
    function->set_domain("own");
    function->add_input("a");
    function->add_output("b");
    function->add_opset_import()->set_version(22);
    pb::NodeProto* node = function->add_node();
    node->set_op_type(kind);
    node->add_input("a");
    node->add_output("b");
    function->GetReflection()->MutableUnknownFields(function)->AddLengthDelimited(13, kind);
  }
  pb::NodeProto* call = model.proto.mutable_graph()->add_node();
  call->set_op_type("F");
  call->set_domain("own");
  call->add_input("x");
  call->add_output("y");
  call->GetReflection()->MutableUnknownFields(call)->AddLengthDelimited(8, "Abs");
  expect_equal(run(model.output("y").read(), {f32({1}, {-2})})[0], f32({1}, {2}));
}

TEST(OnnxOps, BooleansAreZeroOrOne) {
  OnnxModel model;
  pb::TensorProto* proto = model.proto.mutable_graph()->add_initializer();
  proto->set_name("c");
  proto->set_data_type(9);
  proto->add_dims(3);
  proto->set_raw_data(std::string("\x00\x02\xff", 3));
  const Tensor got = run(model.output("c").read(), {})[0];
  for (int64_t i = 0; i < 3; ++i)
    EXPECT_EQ(got.data()[i], std::byte{static_cast<unsigned char>(i > 0)});
}

}  // namespace
}  // namespace iotadnn::models_test
