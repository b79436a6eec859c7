// SPDX-License-Identifier: Apache-2.0
// Graphs of benchdnn as models: the library against the interpreter of the models library, which
// shares no code with it.
#include <cmath>
#include <filesystem>
#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "frontends/benchdnn_json.h"
#include "frontends/files/load.h"
#include "frontends/json/model_from_json.h"
#include "frontends/model/error.h"
#include "frontends/model_fixture.h"
#include "tools/inputs.h"

namespace iotadnn::models_test {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;

Model read(const std::string& ops) {
  return models::model_from_graph(
      frontends::read_benchdnn_json(R"({"version":"3.14.0","graph":[)" + ops + "]}"));
}

std::string refusal(const std::string& ops) {
  try {
    static_cast<void>(read(ops));
    return "";
  } catch (const models::ModelError& error) {
    return error.what();
  }
}

// The fusion graphs of the driver, each with its neighbours that are not fused.
TEST(JsonModels, FusedGraphsAgreeWithTheInterpreter) {
  size_t count = 0;
  const fs::path folder = fs::path(IOTADNN_SOURCE_DIR) / "benchdnn_inputs/graph/fusion";
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (entry.path().extension() != ".json") continue;
    SCOPED_TRACE(entry.path().filename().string());
    const Model model = models::load_model(entry.path().string());
    tools::InputOptions options;
    options.assumed = 5;
    run(model, tools::make_inputs(model, options));
    ++count;
  }
  EXPECT_GT(count, 30u);
}

TEST(JsonModels, EyeOfTensors) {
  const Model model = read(
      R"({"id":0,"kind":"Eye","inputs":[{"id":0,"dtype":"s32","shape":[]},
          {"id":1,"dtype":"s64","shape":[1]},{"id":2,"dtype":"s32","shape":[1]},
          {"id":3,"dtype":"s64","shape":[1]}],"outputs":[{"id":4,"dtype":"u8"}]})");
  EXPECT_EQ(model.inputs.size(), 4u);
  const auto inputs = [](int64_t rows, int64_t columns, double k, double batch) {
    return std::vector<Tensor>{tensor(iotadnn_s32, {}, {static_cast<double>(rows)}),
                               s64({1}, {static_cast<double>(columns)}),
                               tensor(iotadnn_s32, {1}, {k}), s64({1}, {batch})};
  };
  expect_equal(run(model, inputs(2, 3, 1, 1))[0],
               tensor(iotadnn_u8, {1, 2, 3}, {0, 1, 0, 0, 0, 1}));
  expect_equal(run(model, inputs(2, 1, -1, 2))[0], tensor(iotadnn_u8, {2, 2, 1}, {0, 1, 0, 1}));
  EXPECT_THROW(run(model, inputs(-1, 1, 0, 1)), models::ModelError);
  EXPECT_THROW(run(model, inputs(1, 1, 0, -1)), models::ModelError);
}

TEST(JsonModels, ValuesAreConstantsAndEndsAreOutputs) {
  const Model model = read(
      R"({"id":0,"kind":"Add","inputs":[{"id":0,"dtype":"f32","shape":[2]},
          {"id":1,"dtype":"s32","shape":[],"value":3}],
          "outputs":[{"id":2,"dtype":"f64","shape":[2]}]},
         {"id":1,"kind":"Negative","inputs":[{"id":2,"dtype":"f64","shape":[2]}],
          "outputs":[{"id":3,"dtype":"f64","shape":[2]}]},
         {"id":2,"kind":"End","inputs":[{"id":2,"dtype":"f64","shape":[2]}]})");
  EXPECT_THAT(model.output_names, testing::ElementsAre("t2", "t3"));
  const auto outputs = run(model, {f32({2}, {1, 2})});
  expect_equal(outputs[0], tensor(iotadnn_f64, {2}, {4, 5}));
  expect_equal(outputs[1], tensor(iotadnn_f64, {2}, {-4, -5}));
}

TEST(JsonModels, SoftmaxOfAHiddenRowMayBeZeros) {
  const Model model = read(
      R"({"id":0,"kind":"SoftMax","attrs":{"axis":{"type":"s64","value":1},
          "mode":{"type":"string","value":"inf_as_zero"}},
          "inputs":[{"id":0,"dtype":"f32","shape":[2,2]}],
          "outputs":[{"id":1,"dtype":"f32","shape":[2,2]}]})");
  const double inf = HUGE_VAL;
  expect_equal(run(model, {f32({2, 2}, {-inf, -inf, 1, 1})})[0], f32({2, 2}, {0, 0, 0.5, 0.5}));
}

TEST(JsonModels, RefusalsNameTheOp) {
  const std::string ports =
      R"("inputs":[{"id":0,"dtype":"f32","shape":[1,1]}],"outputs":[{"id":1,"dtype":"f32"}]})";
  EXPECT_THAT(refusal(R"({"id":0,"name":"c","kind":"Mish",)" + ports),
              AllOf(HasSubstr("node 'c' (Mish)"), HasSubstr("not supported")));
  EXPECT_THAT(refusal(R"({"id":0,"kind":"Abs","attrs":{"axis":{"type":"s64","value":0}},)" + ports),
              HasSubstr("attribute 'axis' is not supported"));
  EXPECT_THAT(refusal(R"({"id":0,"kind":"Equal",)" + ports), HasSubstr("1 inputs, allowed: 2"));
  EXPECT_THAT(refusal(R"({"id":0,"kind":"Select",)" + ports), HasSubstr("allowed: 3"));
}

TEST(JsonModels, RequiredAttributesAreRequired) {
  const std::string in = R"("inputs":[{"id":0,"dtype":"f32","shape":[2,2]}])";
  const std::string out = R"("outputs":[{"id":1,"dtype":"f32","shape":[2,2]}]})";
  const auto refused = [&](const std::string& kind, const std::string& attrs) {
    return refusal(R"({"id":0,"kind":")" + kind + R"(","attrs":{)" + attrs + "}," + in + "," + out);
  };
  EXPECT_THAT(refused("Clamp", R"("max":{"type":"f32","value":1})"),
              HasSubstr("attribute 'min' is missing"));
  EXPECT_THAT(refused("Pow", ""), HasSubstr("attribute 'beta' is missing"));
  EXPECT_THAT(refused("GenIndex", ""), HasSubstr("attribute 'axis' is missing"));
  EXPECT_THAT(refused("StaticTranspose", ""), HasSubstr("attribute 'order' is missing"));
}

TEST(JsonModels, StatedShapesAreHeldAgainstTheComputed) {
  const auto add = [](const char* second, const char* attrs, const char* out) {
    const Model model = read(R"({"id":0,"kind":"Add","attrs":{)" + std::string(attrs) +
                             R"(},"inputs":[{"id":0,"dtype":"f32","shape":[2,2]},)" +
                             R"({"id":1,"dtype":"f32","shape":)" + second +
                             R"(}],"outputs":[{"id":2,"dtype":"f32","shape":)" + out + "}]}");
    try {
      std::vector<Tensor> inputs;
      for (const size_t value : model.inputs) {
        const Dims& dims = *model.values[value].dims;
        inputs.push_back(f32(dims, std::vector<double>(dims.size() == 1 ? 2 : 4, 1)));
      }
      models::Session(model).run(inputs);
      return std::string();
    } catch (const models::ModelError& error) {
      return std::string(error.what());
    }
  };
  EXPECT_EQ(add("[2]", "", "[2,2]"), "");
  EXPECT_THAT(add("[2]", "", "[5]"), HasSubstr("has shape [2, 2], the file states [5]"));
  EXPECT_THAT(add("[2]", R"("auto_broadcast":{"type":"string","value":"none"})", "[2,2]"),
              testing::Not(testing::IsEmpty()));
}

TEST(JsonModels, SignAndStatsOfSoftMax) {
  const Model sign = read(R"({"id":0,"kind":"Sign","inputs":[{"id":0,"dtype":"s8","shape":[3]}],
                              "outputs":[{"id":1,"dtype":"s8","shape":[3]}]})");
  expect_equal(run(sign, {tensor(iotadnn_s8, {3}, {-5, 0, 7})})[0],
               tensor(iotadnn_s8, {3}, {-1, 0, 1}));
  constexpr double kInf = std::numeric_limits<double>::infinity();
  for (const bool zeros : {true, false}) {
    const Model softmax =
        read(R"({"id":0,"kind":"SoftMax","attrs":{"axis":{"type":"s64","value":-1},"mode":)" +
             std::string(R"({"type":"string","value":")") + (zeros ? "inf_as_zero" : "none") +
             R"("}},"inputs":[{"id":0,"dtype":"f32","shape":[2,2]}],
                "outputs":[{"id":1,"dtype":"f32","shape":[2,2]},
                           {"id":2,"dtype":"f32","shape":[2,1]}]})");
    const auto outputs = run(softmax, {f32({2, 2}, {0, 0, -kInf, -kInf})});
    const double masked = zeros ? 0 : std::numeric_limits<double>::quiet_NaN();
    expect_equal(outputs[0], f32({2, 2}, {0.5, 0.5, masked, masked}), 1e-6);
    expect_equal(outputs[1], f32({2, 1}, {std::log(2.0), masked}), 1e-6);
  }
}

}  // namespace
}  // namespace iotadnn::models_test
