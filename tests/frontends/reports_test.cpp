// SPDX-License-Identifier: Apache-2.0
// Faults of other projects that were reported in public, each as a small model with the value that
// ONNX's specification gives. A test names the report that it comes from.
#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "frontends/model_fixture.h"

namespace iotadnn::models_test {
namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr int64_t kLeast = std::numeric_limits<int64_t>::min();
constexpr int64_t kMost = std::numeric_limits<int64_t>::max();

Tensor counting(iotadnn_data_type_t type, const Dims& dims) {
  std::vector<double> values(static_cast<size_t>(*models::element_count(dims)));
  for (size_t i = 0; i < values.size(); ++i)
    values[i] = static_cast<double>(i % 100 + 1);
  return tensor(type, dims, values);
}

Tensor zeros(iotadnn_data_type_t type, const Dims& dims) {
  return tensor(type, dims,
                std::vector<double>(static_cast<size_t>(*models::element_count(dims)), 0));
}

Tensor int64_scalar(int64_t value) {
  return Tensor::scalar_s64(value);
}

const iotadnn_data_type_t kTypes[] = {
    iotadnn_f32, iotadnn_bf16, iotadnn_f16, iotadnn_f64, iotadnn_s8,  iotadnn_s16,    iotadnn_s32,
    iotadnn_s64, iotadnn_u8,   iotadnn_u16, iotadnn_u32, iotadnn_u64, iotadnn_boolean};

// microsoft/onnxruntime#24441, onnx/onnx#7031, sdpython/mlprodict#409: every type of an input that
// is not read, with dtype and without; bf16 below opset 22, too.
TEST(Reports, EyeLikeOfEveryType) {
  for (const auto given : kTypes) {
    const Tensor like = zeros(given, {4, 4});
    expect_equal(run_node("EyeLike", {like}, {}, 9), eye(given, 4, 4, 0));
    for (const auto wanted : kTypes)
      expect_equal(run_node("EyeLike", {like}, {attr_type("dtype", wanted), attr("k", -1)}),
                   eye(wanted, 4, 4, -1));
  }
}

// kohya-ss/sd-scripts#2078
TEST(Reports, AnIdentityOfBf16HasAFullTrace) {
  const auto values = values_of(run_node("EyeLike", {zeros(iotadnn_bf16, {768, 768})}));
  double trace = 0;
  for (size_t i = 0; i < 768; ++i)
    trace += values[i * 769];
  EXPECT_EQ(trace, 768);
}

// openvinotoolkit/openvino#12746, ROCm/AMDMIGraphX's parser, apache/mxnet#20963
TEST(Reports, ADiagonalOutsideOfTheMatrixIsZeros) {
  const Tensor like = f32({3, 4}, std::vector<double>(12, 1));
  for (const int64_t k :
       {int64_t{4}, int64_t{-3}, int64_t{100}, kLeast, kMost, -(int64_t{1} << 62)})
    expect_equal(run_node("EyeLike", {like}, {attr("k", k)}), zeros(iotadnn_f32, {3, 4}));
}

// tracel-ai/burn#3731
TEST(Reports, EyeLikeOfManyShapesAndDiagonals) {
  for (int64_t k = -5; k <= 5; ++k)
    for (const auto& dims : {Dims{1, 1}, Dims{1, 8}, Dims{4, 3}})
      expect_equal(run_node("EyeLike", {zeros(iotadnn_boolean, dims)}, {attr("k", k)}),
                   eye(iotadnn_boolean, dims[0], dims[1], k));
}

// llvm/torch-mlir#2994, onnx/onnx-tensorrt
TEST(Reports, EyeLikeOfDynamicShape) {
  OnnxModel model;
  model.input("x", iotadnn_f32, {-1, -1}).node("EyeLike", {"x"}, {"y"}, {attr("k", -1)});
  const Model read = model.output("y").read();
  models::Session session(read);
  expect_equal(session.run({zeros(iotadnn_f32, {3, 5})})[0], eye(iotadnn_f32, 3, 5, -1));
  expect_equal(session.run({zeros(iotadnn_f32, {5, 3})})[0], eye(iotadnn_f32, 5, 3, -1));
}

// ENOT-AutoDL/onnx2torch#141, onnx/onnx's reference (which takes rank 1)
TEST(Reports, EyeLikeTakesRank2Only) {
  for (const auto& dims : {Dims{3, 4, 2}, Dims{4}, Dims{}}) {
    const Tensor like = zeros(iotadnn_f32, dims);
    const Model read = one_node("EyeLike", {like}).read();
    EXPECT_THROW(models::Session(read).run({like}), models::ModelError);
  }
}

// microsoft/onnxruntime#32013
TEST(Reports, TriluOfExtremeDiagonals) {
  const Tensor x = counting(iotadnn_f32, {3, 4});
  const Tensor none = zeros(iotadnn_f32, {3, 4});
  expect_equal(run_node("Trilu", {x, int64_scalar(kMost)}), none);
  expect_equal(run_node("Trilu", {x, int64_scalar(kLeast)}), x);
  expect_equal(run_node("Trilu", {x, int64_scalar(kMost)}, {attr("upper", 0)}), x);
  expect_equal(run_node("Trilu", {x, int64_scalar(kLeast)}, {attr("upper", 0)}), none);
}

// PINTO0309/onnx2tf#538, ROCm/AMDMIGraphX#1509
TEST(Reports, TriluBeyondTheMatrix) {
  const Tensor x = counting(iotadnn_f32, {1, 2, 2});
  expect_equal(run_node("Trilu", {x, int64_scalar(-3)}), x);
  const Tensor y = counting(iotadnn_f32, {2, 3, 3});
  expect_equal(run_node("Trilu", {y, int64_scalar(4)}), zeros(iotadnn_f32, {2, 3, 3}));
  expect_equal(run_node("Trilu", {y, int64_scalar(-4)}), y);
}

// openvinotoolkit/openvino#21172, microsoft/onnxruntime#21400: k of shape [1]
TEST(Reports, TriluTakesADiagonalOfOneElement) {
  const Tensor x = tensor(iotadnn_s32, {1, 1, 2, 2}, {1, 2, 3, 4});
  expect_equal(run_node("Trilu", {x, s64({1}, {-1})}, {attr("upper", 0)}),
               tensor(iotadnn_s32, {1, 1, 2, 2}, {0, 0, 3, 0}));
}

// apache/tvm#15297: k as an input of the model, other values without reading it again
TEST(Reports, TriluOfADiagonalThatIsData) {
  OnnxModel model;
  model.input("x", iotadnn_f32, {2, 2}).input("k", iotadnn_s64, {});
  const Model read = model.node("Trilu", {"x", "k"}, {"y"}).output("y").read();
  models::Session session(read);
  const Tensor x = f32({2, 2}, {1, 2, 3, 4});
  expect_equal(session.run({x, int64_scalar(1)})[0], f32({2, 2}, {0, 2, 0, 0}));
  expect_equal(session.run({x, int64_scalar(0)})[0], f32({2, 2}, {1, 2, 0, 4}));
}

// microsoft/onnxruntime#16189, huggingface/transformers#23942
TEST(Reports, TriluOfBooleanAndBf16) {
  expect_equal(run_node("Trilu", {boolean({2, 2}, {1, 1, 1, 1})}, {attr("upper", 0)}),
               boolean({2, 2}, {1, 0, 1, 1}));
  expect_equal(run_node("Trilu", {tensor(iotadnn_bf16, {2, 2}, {1, 2, 3, 4})}),
               tensor(iotadnn_bf16, {2, 2}, {1, 2, 0, 4}));
}

// The head of PyTorch's exports of eye: a tensor of zeros that only carries a shape.
OnnxModel exported_eye(const Dims& dims) {
  OnnxModel model(13);
  model.input("x", iotadnn_f32, dims);
  model.initializer("zero", s64({1}, {0})).initializer("one", s64({1}, {1}));
  model.node("Shape", {"x"}, {"s"}).node("Gather", {"s", "zero"}, {"n"});
  model.node("Gather", {"s", "one"}, {"m"}).node("Concat", {"n", "m"}, {"nm"}, {attr("axis", 0)});
  model.node("ConstantOfShape", {"nm"}, {"zeros"}).node("EyeLike", {"zeros"}, {"e"});
  return model;
}

// pytorch/pytorch#50719, pytorch/pytorch#47016, onnx/onnx#4065, onnx/tensorflow-onnx#308
TEST(Reports, ExportsOfEyeAreOnePartitionWithTheirConsumer) {
  OnnxModel model = exported_eye({-1, -1});
  const Model read = model.node("Add", {"x", "e"}, {"y"}).output("y").read();
  models::Session session(read);
  expect_equal(session.run({f32({2, 3}, {1, 2, 3, 4, 5, 6})})[0], f32({2, 3}, {2, 2, 3, 4, 6, 6}));
  expect_equal(session.run({f32({3, 1}, {1, 2, 3})})[0], f32({3, 1}, {2, 2, 3}));
  EXPECT_THAT(compiled_kinds(read, {f32({2, 2}, {1, 2, 3, 4})}),
              testing::ElementsAre(testing::UnorderedElementsAre("EyeLike", "Add")));
}

// torch.diagonal's export: Mul with a shifted identity, summed; llvm/torch-mlir#2994
TEST(Reports, ExportsOfDiagonal) {
  OnnxModel model(13);
  model.input("x", iotadnn_f32, {3, 3}).initializer("axes", s64({1}, {1}));
  model.node("EyeLike", {"x"}, {"e"}, {attr("k", -1)}).node("Mul", {"x", "e"}, {"d"});
  model.node("ReduceSum", {"d", "axes"}, {"y"}, {attr("keepdims", 0)}).output("y");
  expect_equal(run(model.read(), {counting(iotadnn_f32, {3, 3})})[0], f32({3}, {0, 4, 8}));
}

// onnx/onnx#2512, onnx/tensorflow-onnx#950: a vector on a diagonal
TEST(Reports, AVectorOnADiagonal) {
  OnnxModel model = exported_eye({2, 2});
  model.input("v", iotadnn_f32, {2}).initializer("last", s64({1}, {-1}));
  model.node("Unsqueeze", {"v", "last"}, {"column"}).node("Mul", {"column", "e"}, {"y"});
  expect_equal(run(model.output("y").read(), {zeros(iotadnn_f32, {2, 2}), f32({2}, {5, 7})})[0],
               f32({2, 2}, {5, 0, 0, 7}));
}

// rchillyard/Majabigwaduce#21
TEST(Reports, AProductWithAnIdentity) {
  OnnxModel model = exported_eye({2, 2});
  model.node("MatMul", {"x", "e"}, {"y"}).output("y");
  const Tensor x = f32({2, 2}, {1, 2, 3, 4});
  expect_equal(run(model.read(), {x})[0], x);
}

// pytorch/pytorch#32968, huggingface/transformers#9738: a matrix with -inf, masked by Where
TEST(Reports, AMaskBySelectionMakesNoNan) {
  OnnxModel model;
  model.input("x", iotadnn_f32, {2, 2}).initializer("k", s64({}, {1}));
  model.initializer("ones", f32({2, 2}, {1, 1, 1, 1})).initializer("zero", f32({}, {0}));
  model.node("Trilu", {"ones", "k"}, {"t"});
  model.node("Cast", {"t"}, {"mask"}, {attr_type("to", iotadnn_boolean)});
  model.node("Where", {"mask", "zero", "x"}, {"y"}).output("y");
  expect_equal(run(model.read(), {f32({2, 2}, {-kInf, -kInf, 3, kInf})})[0],
               f32({2, 2}, {-kInf, 0, 3, kInf}));
}

// huggingface/transformers#29241, pytorch/pytorch#75597: what is made of constants is not kept as
// data when it is large.
TEST(Reports, LargeMasksAreNotFolded) {
  OnnxModel model;
  model.input("x", iotadnn_f32, {64, 64}).initializer("shape", s64({2}, {64, 64}));
  model.node("ConstantOfShape", {"shape"}, {"ones"}, {attr("value", f32({1}, {1}))});
  model.node("Trilu", {"ones"}, {"mask"}).node("Mul", {"x", "mask"}, {"y"}).output("y");
  const Model read = model.read();
  const Tensor x = counting(iotadnn_f32, {64, 64});
  expect_equal(run(read, {x})[0], run_node("Trilu", {x}));
  models::Session session(read);
  EXPECT_TRUE(session.plan_for({x}).folded.empty());
}

// NVIDIA/TransformerEngine#209: one query after five keys sees all of them (bottom-right).
TEST(Reports, ARectangularMaskOfTheLastRow) {
  OnnxModel model;
  model.input("x", iotadnn_f32, {1, 5}).initializer("k", s64({}, {5}));
  model.initializer("minus", f32({}, {-kInf})).initializer("shape", s64({2}, {1, 5}));
  model.node("Expand", {"minus", "shape"}, {"full"}).node("Trilu", {"full", "k"}, {"mask"});
  model.node("Add", {"x", "mask"}, {"y"}).output("y");
  const Tensor x = counting(iotadnn_f32, {1, 5});
  expect_equal(run(model.read(), {x})[0], x);
}

// onnx's MatrixBandPart and F6 of tf2onnx: the running sum of an identity is a triangle.
TEST(Reports, TheRunningSumOfAnIdentityIsATriangle) {
  OnnxModel model = exported_eye({3, 3});
  model.initializer("axis", s64({}, {0})).node("CumSum", {"e", "axis"}, {"y"}).output("y");
  expect_equal(run(model.read(), {zeros(iotadnn_f32, {3, 3})})[0],
               f32({3, 3}, {1, 0, 0, 1, 1, 0, 1, 1, 1}));
}

// apple/coremltools' eye: x + eye(2, 3)
TEST(Reports, ASumWithARectangularIdentity) {
  const Tensor x = f32({2, 3}, {1, 2, 3, 4, 5, 6});
  OnnxModel model = exported_eye({2, 3});
  model.node("Add", {"x", "e"}, {"y"}).output("y");
  expect_equal(run(model.read(), {x})[0], f32({2, 3}, {2, 2, 3, 4, 6, 6}));
}

}  // namespace
}  // namespace iotadnn::models_test
