// SPDX-License-Identifier: Apache-2.0
#include "benchdnn/rewrite.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "benchdnn/errors.h"
#include "benchdnn/infer.h"
#include "frontends/benchdnn_json.h"

namespace iotadnn::benchdnn {
namespace {

using frontends::GraphDesc;
using frontends::TensorValue;
using testing::ElementsAre;
using testing::HasSubstr;

GraphDesc input(const std::string& name) {
  return frontends::read_benchdnn_json_file(IOTADNN_SOURCE_DIR "/benchdnn_inputs/graph/op/" + name +
                                            ".json");
}

GraphDesc fused(const std::string& name) {
  return input("../fusion/" + name);
}

std::string tensor(int id, const char* type, const char* shape) {
  return R"({"id":)" + std::to_string(id) + R"(,"dtype":")" + type + R"(","shape":)" + shape + "}";
}

// GenIndex(2) >= GenIndex(3) selects between 2:f16[1] and the scores 0:f16[1,2,8,8] into 6.
GraphDesc mask() {
  const std::string scores = tensor(0, "f16", "[1,2,8,8]");
  const std::string row = tensor(3, "s32", "[1,2,8,8]");
  const std::string column = tensor(4, "s32", "[1,2,8,8]");
  const std::string keep = tensor(5, "boolean", "[1,2,8,8]");
  return frontends::read_benchdnn_json(
      R"({"graph":[{"id":1,"kind":"GenIndex","attrs":{"axis":{"type":"s64","value":2}},"inputs":[)" +
      scores + R"(],"outputs":[)" + row +
      R"(]},{"id":2,"kind":"GenIndex","attrs":{"axis":{"type":"s64","value":3}},"inputs":[)" +
      scores + R"(],"outputs":[)" + column + R"(]},{"id":3,"kind":"GreaterEqual","inputs":[)" +
      row + "," + column + R"(],"outputs":[)" + keep + R"(]},{"id":4,"kind":"Select","inputs":[)" +
      keep + "," + scores + "," + tensor(2, "f16", "[1]") + R"(],"outputs":[)" +
      tensor(6, "f16", "[1,2,8,8]") + "]}]}");
}

void expect_refused(GraphDesc graph, const CaseSettings& settings, const std::string& words) {
  try {
    rewrite(graph, settings);
    FAIL() << "accepted";
  } catch (const RewriteError& error) {
    EXPECT_THAT(error.what(), HasSubstr(words));
  }
}

const std::vector<int64_t>& value_of(const GraphDesc& graph, size_t id) {
  return std::get<std::vector<int64_t>>(*graph.tensors.at(id).value);
}

TEST(Rewrite, InputShapesReachTheProducedTensors) {
  GraphDesc graph = mask();
  CaseSettings settings;
  settings.in_shapes = {{0, "2x3x5x7*acbd"}};
  rewrite(graph, settings);
  for (const size_t id : {3u, 4u, 5u, 6u}) {
    EXPECT_THAT(*graph.tensors.at(id).dims, ElementsAre(2, 3, 5, 7)) << id;
    EXPECT_THAT(graph.tensors.at(id).strides, ElementsAre(105, 7, 21, 1)) << id;
  }
}

TEST(Rewrite, LengthsOfRangesFollowFromTheirScalars) {
  GraphDesc graph = fused("range_mask");
  CaseSettings settings;
  settings.in_shapes = {{0, "8x10"}};
  settings.tensor_value = {{2, "8"}, {7, "19"}, {8, "2"}};  // 0, 2, ..., 18
  settings.op_attrs = {{1, "shape:8x1"}};
  rewrite(graph, settings);
  EXPECT_THAT(*graph.tensors.at(4).dims, ElementsAre(8));
  EXPECT_THAT(*graph.tensors.at(9).dims, ElementsAre(10));
  EXPECT_THAT(*graph.tensors.at(12).dims, ElementsAre(8, 10));
  for (const auto& [stop, length] : {std::pair("0", 0), std::pair("-3", 0), std::pair("1", 1)}) {
    GraphDesc other = fused("one_hot_by_range");
    settings = CaseSettings();
    settings.tensor_value = {{2, stop}};
    rewrite(other, settings);
    EXPECT_THAT(*other.tensors.at(4).dims, ElementsAre(length)) << stop;
  }
}

TEST(Rewrite, OneHotAddsAnAxis) {
  GraphDesc graph = fused("one_hot");
  CaseSettings settings;
  settings.in_shapes = {{0, "3x4"}};
  settings.op_attrs = {{0, "depth:7*axis:1"}};
  rewrite(graph, settings);
  EXPECT_THAT(*graph.tensors.at(1).dims, ElementsAre(3, 7, 4));
  EXPECT_THAT(graph.tensors.at(1).strides, ElementsAre(28, 4, 1));
}

TEST(Rewrite, StridesOfTheFileStayWhenNoShapeChanges) {
  GraphDesc graph = input("f32/eye");
  graph.tensors.at(0).strides = {60, 1};
  rewrite(graph, CaseSettings());
  EXPECT_THAT(graph.tensors.at(0).strides, ElementsAre(60, 1));
}

TEST(Rewrite, OutputShapesAreAppliedLast) {
  GraphDesc graph = input("f32/genindex");
  CaseSettings settings;
  settings.in_shapes = {{0, "2x3x17x19"}, {1, "*dcba"}};
  rewrite(graph, settings);
  EXPECT_THAT(graph.tensors.at(1).strides, ElementsAre(1, 2, 6, 102));
}

TEST(Rewrite, InternalTensorsHaveNoShapeOfTheirOwn) {
  CaseSettings settings;
  settings.in_shapes = {{5, "1x2x8x8"}};
  expect_refused(mask(), settings, "tensor 5 is neither an input nor an output");
}

TEST(Rewrite, ShapesThatDoNotBroadcast) {
  CaseSettings settings;
  settings.in_shapes = {{2, "3"}};
  expect_refused(mask(), settings, "do not broadcast");
}

TEST(Rewrite, WholeGraphTypes) {
  GraphDesc graph = mask();
  CaseSettings settings;
  settings.dt = iotadnn_bf16;
  rewrite(graph, settings);
  EXPECT_EQ(graph.tensors.at(0).data_type, iotadnn_bf16);
  EXPECT_EQ(graph.tensors.at(2).data_type, iotadnn_bf16);
  EXPECT_EQ(graph.tensors.at(3).data_type, iotadnn_s32) << "GenIndex changes its source only";
  EXPECT_EQ(graph.tensors.at(5).data_type, iotadnn_boolean) << "Select keeps its condition";
  EXPECT_EQ(graph.tensors.at(6).data_type, iotadnn_bf16);
}

TEST(Rewrite, WholeGraphTypesLeaveCoordinatesAndConditionsAlone) {
  const GraphDesc before = fused("sliding_window");
  GraphDesc graph = before;
  CaseSettings settings;
  settings.dt = iotadnn_bf16;
  rewrite(graph, settings);
  for (const auto& [id, tensor] : before.tensors)
    EXPECT_EQ(graph.tensors.at(id).data_type,
              tensor.data_type == iotadnn_f32 ? iotadnn_bf16 : tensor.data_type)
        << id;
}

TEST(Rewrite, AConditionBroadcastsToo) {
  GraphDesc graph = frontends::read_benchdnn_json(
      R"({"graph":[{"id":0,"kind":"Select","inputs":[)" + tensor(0, "boolean", "[4,6]") + "," +
      tensor(1, "f32", "[1]") + "," + tensor(2, "f32", "[1]") + R"(],"outputs":[)" +
      tensor(3, "f32", "[4,6]") + "]}]}");
  rewrite(graph, CaseSettings());
  EXPECT_EQ(graph.tensors.at(3).dims, Dims({4, 6}));
}

TEST(Rewrite, SingleTypesAndProperties) {
  GraphDesc graph = input("f32/eye_tensors");
  CaseSettings settings;
  settings.dt_map = {{0, "s64"}, {3, "u8"}};
  settings.tensor_property = {{1, "constant"}};
  rewrite(graph, settings);
  EXPECT_EQ(graph.tensors.at(0).data_type, iotadnn_s64);
  EXPECT_EQ(graph.tensors.at(3).data_type, iotadnn_u8);
  EXPECT_EQ(graph.tensors.at(1).property, iotadnn_graph_tensor_property_constant);
}

TEST(Rewrite, OpKinds) {
  GraphDesc graph = mask();
  CaseSettings settings;
  settings.op_kind = {{3, "Minimum"}};
  rewrite(graph, settings);
  EXPECT_EQ(graph.find_op(3)->kind, iotadnn_graph_op_minimum);
  settings.op_kind = {{3, "Exp"}};
  expect_refused(mask(), settings, "cannot become Exp");
  settings.op_kind = {{4, "undef"}};
  GraphDesc shorter = mask();
  rewrite(shorter, settings);
  EXPECT_EQ(shorter.find_op(4), nullptr) << "its one produced input, the condition, passes through";
  settings.op_kind = {{1, "undef"}};
  expect_refused(mask(), settings, "0 of its inputs are produced");
}

TEST(Rewrite, AttributesByType) {
  GraphDesc graph = mask();
  CaseSettings settings;
  settings.op_attrs = {{1, "axis:-2"}, {3, "auto_broadcast:none"}};
  rewrite(graph, settings);
  EXPECT_EQ(graph.find_op(1)->attrs.at("axis"), frontends::AttrValue(int64_t{-2}));
  EXPECT_EQ(graph.find_op(3)->attrs.at("auto_broadcast"),
            frontends::AttrValue(std::string("none")));
}

TEST(Rewrite, Batch) {
  GraphDesc graph = mask();
  CaseSettings settings;
  settings.mb = 4;
  rewrite(graph, settings);
  EXPECT_THAT(*graph.tensors.at(0).dims, ElementsAre(4, 2, 8, 8));
  EXPECT_THAT(*graph.tensors.at(6).dims, ElementsAre(4, 2, 8, 8));
  GraphDesc eye = input("f32/eye_batch");
  rewrite(eye, settings);
  EXPECT_THAT(*eye.tensors.at(4).dims, ElementsAre(4, 3, 17, 23));
  EXPECT_THAT(value_of(eye, 3), ElementsAre(4, 3));
  expect_refused(input("f32/eye"), settings, "carries a batch");
}

TEST(RewriteEye, ScalarsFollowTheOutput) {
  GraphDesc graph = input("f32/eye_host_scalars");
  rewrite(graph, CaseSettings());
  EXPECT_THAT(value_of(graph, 0), ElementsAre(37));
  EXPECT_THAT(value_of(graph, 1), ElementsAre(53));
  EXPECT_THAT(value_of(graph, 2), ElementsAre(-2)) << "the file's value";
  GraphDesc other = input("f32/eye_host_scalars");
  CaseSettings settings;
  settings.in_shapes = {{3, "8x9"}};
  settings.tensor_value = {{2, "4"}};
  rewrite(other, settings);
  EXPECT_THAT(value_of(other, 0), ElementsAre(8));
  EXPECT_THAT(value_of(other, 1), ElementsAre(9));
  EXPECT_THAT(value_of(other, 2), ElementsAre(4));
}

TEST(RewriteEye, TheOutputFollowsGivenScalars) {
  GraphDesc graph = input("f32/eye_batch");
  CaseSettings settings;
  settings.tensor_value = {{0, "5"}, {3, "7"}};
  rewrite(graph, settings);
  EXPECT_THAT(*graph.tensors.at(4).dims, ElementsAre(7, 5, 23));
  EXPECT_THAT(*graph.tensors.at(3).dims, ElementsAre(1));
}

TEST(RewriteEye, GivenScalarsAndShapesMustAgree) {
  CaseSettings settings;
  settings.tensor_value = {{0, "5"}};
  settings.in_shapes = {{3, "8x9"}};
  expect_refused(input("f32/eye_host_scalars"), settings, "input 0: tensor 0 has another value");
}

// The value itself is named, not what would follow from it.
TEST(RewriteEye, ValuesThatAreNoExtents) {
  const auto refused = [](const char* file, size_t id, const char* value, const char* words) {
    CaseSettings settings;
    settings.tensor_value = {{id, value}};
    expect_refused(input(file), settings, words);
  };
  const char* scalars = "f32/eye_host_scalars";
  refused(scalars, 0, "-5", "op 0 ('eye', Eye), input 0: tensor 0 has the value -5, allowed: int");
  refused(scalars, 0, "5.5", "input 0: tensor 0 has the value 5.5, allowed: integers");
  refused(scalars, 1, "-1", "input 1: tensor 1 has the value -1, allowed: integers, 0 or more");
  refused(scalars, 2, "0.5", "input 2: tensor 2 has the value 0.5, allowed: integers");
  refused("f32/eye_batch", 3, "2x-3", "input 3: tensor 3 has the value 2x-3, allowed: integers, 0");
}

TEST(RewriteEye, BatchListFollowsTheRank) {
  GraphDesc graph = input("f32/eye_batch");
  CaseSettings settings;
  settings.in_shapes = {{4, "2x3x4x5x6"}};
  rewrite(graph, settings);
  EXPECT_THAT(value_of(graph, 3), ElementsAre(2, 3, 4));
  EXPECT_THAT(*graph.tensors.at(3).dims, ElementsAre(3));
}

TEST(RewriteEye, AttributeFormTakesTheOutputsShape) {
  GraphDesc graph = input("f32/eye");
  CaseSettings settings;
  settings.in_shapes = {{0, "8x9"}};
  rewrite(graph, settings);
  EXPECT_EQ(graph.ops[0].attrs.at("shape"), frontends::AttrValue(std::vector<int64_t>{8, 9}));
  GraphDesc by_attr = input("f32/eye");
  settings.in_shapes.clear();
  settings.op_attrs = {{0, "shape:2x5x6*k:1"}};
  rewrite(by_attr, settings);
  EXPECT_THAT(*by_attr.tensors.at(0).dims, ElementsAre(2, 5, 6));
  EXPECT_THAT(by_attr.tensors.at(0).strides, ElementsAre(30, 6, 1));
}

TEST(RewriteEye, ExtentsThatS32CannotHold) {
  CaseSettings settings;
  settings.in_shapes = {{4, "1x3000000000"}};
  expect_refused(input("f32/eye_batch"), settings, "does not fit s32");
}

TEST(TensorValues, Parsing) {
  EXPECT_EQ(parse_tensor_value("-3"), TensorValue(std::vector<int64_t>{-3}));
  EXPECT_EQ(parse_tensor_value("2x3"), TensorValue(std::vector<int64_t>{2, 3}));
  EXPECT_EQ(parse_tensor_value("1.5"), TensorValue(std::vector<double>{1.5}));
}

TEST(Broadcast, Numpy) {
  EXPECT_THAT(*broadcast({2, 1, 4}, {3, 1}), ElementsAre(2, 3, 4));
  EXPECT_THAT(*broadcast({}, {3}), ElementsAre(3));
  EXPECT_THAT(*broadcast({1}, {0}), ElementsAre(0));
  EXPECT_FALSE(broadcast({2}, {3}).has_value());
}

}  // namespace
}  // namespace iotadnn::benchdnn
