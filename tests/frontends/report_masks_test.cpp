// SPDX-License-Identifier: Apache-2.0
// Faults of other projects' masks that were reported in public, each as a small attention with the
// value that ONNX's specification gives. A test names the report that it comes from.
#include <cmath>
#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "frontends/model_fixture.h"

namespace iotadnn::models_test {
namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

// Row and column numbers of the scores [queries, keys]: "row" is a column vector.
void coordinates(OnnxModel& model, int64_t queries, int64_t keys) {
  model.initializer("zero", s64({}, {0})).initializer("one", s64({}, {1}));
  model.initializer("queries", s64({}, {static_cast<double>(queries)}));
  model.initializer("keys", s64({}, {static_cast<double>(keys)}));
  model.initializer("last", s64({1}, {-1})).initializer("minus", f32({}, {-kInf}));
  model.node("Range", {"zero", "queries", "one"}, {"rows"});
  model.node("Range", {"zero", "keys", "one"}, {"column"});
  model.node("Unsqueeze", {"rows", "last"}, {"row"});
}

// y = Softmax(Where(mask, scores, -inf)) @ v, where rows without a key give zeros.
Model attention(OnnxModel& model) {
  model.initializer("nothing", f32({}, {0}));
  model.node("Where", {"mask", "scores", "minus"}, {"filled"});
  model.node("Softmax", {"filled"}, {"p"}, {attr("axis", -1)});
  model.node("Cast", {"mask"}, {"kept"}, {attr_type("to", iotadnn_f32)});
  model.node("ReduceMax", {"kept", "last"}, {"any"}, {attr("keepdims", 1)});
  model.node("Cast", {"any"}, {"has_key"}, {attr_type("to", iotadnn_boolean)});
  model.node("Where", {"has_key", "p", "nothing"}, {"weights"});
  return model.node("MatMul", {"weights", "v"}, {"y"}).output("y").read();
}

// facebookresearch/xformers#1185: two sequences of 2 in one batch of 4. Each row sees its own
// sequence up to itself.
TEST(MaskReports, BlockDiagonalCausal) {
  OnnxModel model;
  model.input("sequence", iotadnn_s32, {4}).input("ones", iotadnn_f32, {4, 4});
  coordinates(model, 4, 4);
  model.node("Unsqueeze", {"sequence", "last"}, {"of_row"});
  model.node("Equal", {"of_row", "sequence"}, {"same"});
  model.node("LessOrEqual", {"column", "row"}, {"causal"});
  model.node("And", {"same", "causal"}, {"mask"}).initializer("none", f32({}, {0}));
  const Model read = model.node("Where", {"mask", "ones", "none"}, {"y"}).output("y").read();
  const std::vector<Tensor> inputs = {tensor(iotadnn_s32, {4}, {0, 0, 1, 1}),
                                      f32({4, 4}, std::vector<double>(16, 1))};
  expect_equal(run(read, inputs)[0], f32({4, 4}, {1, 0, 0, 0, 1, 1, 0, 0, 0, 0, 1, 0, 0, 0, 1, 1}));
  EXPECT_EQ(compiled_kinds(read, inputs).size(), 1u);
}

// microsoft/onnxruntime#29020: one query, four keys, no past: causal is aligned top-left, so that
// the query sees the first key alone.
TEST(MaskReports, OneQueryOfTopLeftCausalSeesTheFirstKey) {
  OnnxModel model;
  model.input("scores", iotadnn_f32, {1, 4}).input("v", iotadnn_f32, {4, 2});
  coordinates(model, 1, 4);
  model.node("LessOrEqual", {"column", "row"}, {"mask"});
  const Tensor v = f32({4, 2}, {1, 2, 3, 4, 5, 6, 7, 8});
  expect_equal(run(attention(model), {f32({1, 4}, {9, -3, 100, 0}), v})[0], f32({1, 2}, {1, 2}));
}

// onnx/onnx#8054, microsoft/onnxruntime#28904: with `nonpad` keys that are not padding the frontier
// is column <= row + nonpad - queries. A negative offset leaves rows empty: they are zeros.
TEST(MaskReports, AFrontierBehindPadding) {
  OnnxModel model;
  model.input("scores", iotadnn_f32, {3, 4}).input("v", iotadnn_f32, {4, 1});
  model.input("nonpad", iotadnn_s64, {});
  coordinates(model, 3, 4);
  model.node("Add", {"row", "nonpad"}, {"moved"}).node("Sub", {"moved", "queries"}, {"edge"});
  model.node("LessOrEqual", {"column", "edge"}, {"mask"});
  const Model read = attention(model);
  const Tensor scores = f32({3, 4}, std::vector<double>(12, 0));
  const Tensor v = f32({4, 1}, {1, 2, 3, 4});
  expect_equal(run(read, {scores, v, s64({}, {1})})[0], f32({3, 1}, {0, 0, 1}));
  expect_equal(run(read, {scores, v, s64({}, {3})})[0], f32({3, 1}, {1, 1.5, 2}), 1e-6);
  expect_equal(run(read, {scores, v, s64({}, {0})})[0], f32({3, 1}, {0, 0, 0}));
}

// robertknight/rten#1321, ml-explore/mlx#2395: a row whose keys are all masked is zeros, neither
// NaN nor what was there before, and leaves the others alone.
TEST(MaskReports, ARowWithoutKeysIsZeros) {
  OnnxModel model;
  model.input("scores", iotadnn_f32, {4, 4}).input("mask", iotadnn_boolean, {4, 4});
  model.input("v", iotadnn_f32, {4, 1}).initializer("last", s64({1}, {-1}));
  model.initializer("minus", f32({}, {-kInf}));
  std::vector<double> kept(16, 1);
  std::fill(kept.begin() + 4, kept.begin() + 8, 0);
  expect_equal(run(attention(model), {f32({4, 4}, std::vector<double>(16, 2)),
                                      boolean({4, 4}, kept), f32({4, 1}, {1, 2, 3, 6})})[0],
               f32({4, 1}, {3, 0, 3, 3}), 1e-6);
}

// onnx's attention_4d_softcap_neginf_mask: the cap comes before the mask, else tanh would make a
// finite score of -inf. What is masked has no weight.
TEST(MaskReports, ASoftcapBeforeAMaskOfMinusInfinity) {
  OnnxModel model;
  model.input("scores", iotadnn_f32, {1, 3}).input("bias", iotadnn_f32, {1, 3});
  model.input("v", iotadnn_f32, {3, 1}).initializer("cap", f32({}, {2}));
  model.node("Div", {"scores", "cap"}, {"scaled"}).node("Tanh", {"scaled"}, {"bent"});
  model.node("Mul", {"bent", "cap"}, {"capped"}).node("Add", {"capped", "bias"}, {"masked"});
  model.node("Softmax", {"masked"}, {"p"}, {attr("axis", -1)});
  const Model read = model.node("MatMul", {"p", "v"}, {"y"}).output("y").read();
  const double a = std::exp(2 * std::tanh(0.5));
  const double b = std::exp(2 * std::tanh(-1.0));
  expect_equal(run(read, {f32({1, 3}, {1, 500, -2}), f32({1, 3}, {0, -kInf, 0}),
                          f32({3, 1}, {1, 1e6, 3})})[0],
               f32({1, 1}, {(a + 3 * b) / (a + b)}), 1e-6);
}

// onnx's attention_*_boolmask_nan_robustness: a score that is NaN is not seen where it is masked by
// selection.
TEST(MaskReports, AMaskedScoreMayBeNan) {
  OnnxModel model;
  model.input("scores", iotadnn_f32, {2, 2}).input("v", iotadnn_f32, {2, 1});
  coordinates(model, 2, 2);
  model.node("LessOrEqual", {"column", "row"}, {"mask"});
  expect_equal(run(attention(model), {f32({2, 2}, {1, kNan, 0, 0}), f32({2, 1}, {5, 7})})[0],
               f32({2, 1}, {5, 6}), 1e-6);
}

}  // namespace
}  // namespace iotadnn::models_test
