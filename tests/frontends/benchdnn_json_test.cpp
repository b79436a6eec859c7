// SPDX-License-Identifier: Apache-2.0
#include "frontends/benchdnn_json.h"

#include <filesystem>
#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace iotadnn::frontends {
namespace {

using testing::ElementsAre;

// The example of oneDNN's graph JSON, keys in the order in which its dumper writes them.
constexpr char kGenIndex[] = R"({ "version":"3.14.0", "engine_kind":"cpu", "fpmath_mode":"bf16",
  "fpmath_mode_apply_to_int":"true", "input_ports":[0], "output_ports":[1],
  "graph":[ { "id":7, "name":"gi", "kind":"GenIndex",
    "attrs": { "axis": { "type":"s64", "value":2 } },
    "inputs": [ { "id":0, "dtype":"f16", "shape":[2,8,16,16], "stride":[2048,16,128,1],
                  "layout_type":"strided", "property_type":"constant" } ],
    "outputs":[ { "id":1, "dtype":"s32", "shape":[2,8,16,16], "stride":[2048,256,16,1],
                  "layout_type":"any", "property_type":"undef" } ] } ] })";

TEST(BenchdnnJson, ReadsEveryKey) {
  const GraphDesc graph = read_benchdnn_json(kGenIndex);
  EXPECT_EQ(graph.version, "3.14.0");
  EXPECT_EQ(graph.engine_kind, "cpu");
  EXPECT_EQ(graph.fpmath_mode, iotadnn_fpmath_mode_bf16);
  EXPECT_TRUE(graph.fpmath_apply_to_int);
  EXPECT_THAT(graph.input_ports, ElementsAre(0u));
  EXPECT_THAT(graph.output_ports, ElementsAre(1u));
  ASSERT_EQ(graph.ops.size(), 1u);
  const OpDesc& op = graph.ops[0];
  EXPECT_EQ(op.id, 7u);
  EXPECT_EQ(op.name, "gi");
  EXPECT_EQ(op.kind, iotadnn_graph_op_gen_index);
  EXPECT_EQ(op.attrs.at("axis"), AttrValue(int64_t{2}));
  const TensorDesc& source = graph.tensors.at(0);
  EXPECT_EQ(source.data_type, iotadnn_f16);
  EXPECT_THAT(*source.dims, ElementsAre(2, 8, 16, 16));
  EXPECT_THAT(source.strides, ElementsAre(2048, 16, 128, 1));
  EXPECT_EQ(source.property, iotadnn_graph_tensor_property_constant);
  EXPECT_EQ(graph.tensors.at(1).layout, iotadnn_graph_layout_type_any);
}

TEST(BenchdnnJson, KeysInAnyOrderAndUnknownOnesSkipped) {
  const GraphDesc graph = read_benchdnn_json(R"({
    "graph": [ { "partition_id": 3, "backend": {"name": ["dnnl_backend", {"x": [1, 2]}]},
      "outputs": [ { "shape": [4, 4], "comment": null, "id": 9, "dtype": "f32" } ],
      "attrs": { "k": { "value": -2, "type": "s64", "note": [] },
                 "shape": { "value": [4, 4], "type": "s64[]" } },
      "kind": "Eye", "id": 0 } ],
    "tool": { "nested": { "deeper": [ {}, [], "}" ] } } })");
  EXPECT_EQ(graph.ops[0].kind, iotadnn_graph_op_eye);
  EXPECT_EQ(graph.ops[0].attrs.at("k"), AttrValue(int64_t{-2}));
  EXPECT_EQ(graph.ops[0].attrs.at("shape"), AttrValue(std::vector<int64_t>{4, 4}));
  EXPECT_THAT(graph.ops[0].outputs, ElementsAre(9u));
}

TEST(BenchdnnJson, MissingKeysTakeDefaults) {
  const GraphDesc graph = read_benchdnn_json(
      R"({"graph":[{"id":1,"kind":"EyeLike","inputs":[{"id":0}],"outputs":[{"id":1,"shape":[2,3]}]}]})");
  EXPECT_EQ(graph.fpmath_mode, iotadnn_fpmath_mode_strict);
  EXPECT_FALSE(graph.fpmath_apply_to_int);
  EXPECT_EQ(graph.ops[0].name, "");
  EXPECT_FALSE(graph.tensors.at(0).dims.has_value()) << "a missing shape is an unknown rank";
  EXPECT_EQ(graph.tensors.at(0).data_type, iotadnn_data_type_undef);
  EXPECT_EQ(graph.tensors.at(1).layout, iotadnn_graph_layout_type_strided);
  EXPECT_TRUE(graph.tensors.at(1).strides.empty());
}

TEST(BenchdnnJson, DecodesEscapes) {
  const GraphDesc graph = read_benchdnn_json(
      R"({"graph":[{"id":1,"name":"a\"b\\c\u0041\u00e9","kind":"Eye","outputs":[{"id":1,"shape":[2,2]}]}]})");
  EXPECT_EQ(graph.ops[0].name, "a\"b\\cA\xc3\xa9");
}

TEST(BenchdnnJson, EveryAttributeType) {
  const GraphDesc graph = read_benchdnn_json(R"({"graph":[{"id":1,"kind":"Wildcard","attrs":{
      "axis":{"type":"s64","value":-9223372036854775808},
      "axes":{"type":"s64[]","value":[]},
      "alpha":{"type":"f32","value":0.5},
      "scales":{"type":"f32[]","value":[1, 0.25]},
      "keep_dims":{"type":"bool","value":1},
      "transpose_a":{"type":"bool","value":false},
      "mode":{"type":"string","value":"inf_as_zero"}}}]})");
  const auto& attrs = graph.ops[0].attrs;
  EXPECT_EQ(attrs.at("axis"), AttrValue(std::numeric_limits<int64_t>::min()));
  EXPECT_EQ(attrs.at("axes"), AttrValue(std::vector<int64_t>{}));
  EXPECT_EQ(attrs.at("alpha"), AttrValue(0.5F));
  EXPECT_EQ(attrs.at("scales"), AttrValue(std::vector<float>{1, 0.25F}));
  EXPECT_EQ(attrs.at("keep_dims"), AttrValue(true));
  EXPECT_EQ(attrs.at("transpose_a"), AttrValue(false));
  EXPECT_EQ(attrs.at("mode"), AttrValue(std::string("inf_as_zero")));
}

TEST(BenchdnnJson, IntegersStayExact) {
  // 2^53 + 1 and INT64_MAX are no doubles; ids go up to 2^64 - 1.
  const GraphDesc graph = read_benchdnn_json(R"({"graph":[{"id":18446744073709551615,"kind":"Eye",
      "attrs":{"k":{"type":"s64","value":9223372036854775807}},
      "outputs":[{"id":9007199254740993,"shape":[0,9223372036854775807]}]}]})");
  EXPECT_EQ(graph.ops[0].id, std::numeric_limits<size_t>::max());
  EXPECT_EQ(graph.ops[0].attrs.at("k"), AttrValue(std::numeric_limits<int64_t>::max()));
  EXPECT_EQ(graph.ops[0].outputs[0], 9007199254740993u);
}

TEST(BenchdnnJson, ValuesOfScalarsAndLists) {
  const GraphDesc graph = read_benchdnn_json(R"({"graph":[{"id":0,"kind":"Eye","inputs":[
      {"id":0,"dtype":"s64","shape":[],"stride":[],"property_type":"host_scalar","value":-7},
      {"id":1,"dtype":"f32","shape":[1],"value":[1.5]},
      {"id":2,"dtype":"s32","shape":[2],"value":[2, 3]}],"outputs":[{"id":3,"shape":[1,1]}]}]})");
  EXPECT_EQ(*graph.tensors.at(0).value, TensorValue(std::vector<int64_t>{-7}));
  EXPECT_EQ(*graph.tensors.at(1).value, TensorValue(std::vector<double>{1.5}));
  EXPECT_EQ(*graph.tensors.at(2).value, TensorValue(std::vector<int64_t>{2, 3}));
  EXPECT_THAT(*graph.tensors.at(0).dims, ElementsAre());
}

TEST(BenchdnnJson, OpsAreSorted) {
  const GraphDesc graph = read_benchdnn_json(R"({"graph":[
      {"id":5,"kind":"EyeLike","inputs":[{"id":1,"shape":[2,2]}],"outputs":[{"id":2,"shape":[2,2]}]},
      {"id":4,"kind":"GenIndex","inputs":[{"id":0,"shape":[2,2]}],"outputs":[{"id":1,"shape":[2,2]}]}
      ]})");
  EXPECT_EQ(graph.ops[0].id, 4u);
  EXPECT_EQ(graph.ops[1].id, 5u);
}

TEST(BenchdnnJson, UnknownExtentsAndStrides) {
  const GraphDesc graph = read_benchdnn_json(R"({"graph":[{"id":0,"kind":"EyeLike","inputs":[
      {"id":0,"shape":[-9223372036854775808,4],"stride":[-9223372036854775808,1]}],
      "outputs":[{"id":1,"shape":[3,4],"stride":[0],"layout_type":"undef"}]}]})");
  EXPECT_THAT(*graph.tensors.at(0).dims, ElementsAre(IOTADNN_GRAPH_UNKNOWN_DIM, 4));
  EXPECT_TRUE(graph.tensors.at(0).strides.empty());
  EXPECT_TRUE(graph.tensors.at(1).strides.empty()) << "the stub beside an undef layout";
}

TEST(BenchdnnJson, UnknownRanks) {
  const GraphDesc graph = read_benchdnn_json(R"({"graph":[{"id":0,"kind":"EyeLike","inputs":[
      {"id":0,"shape":[],"stride":[],"layout_type":"strided","ndims":-1}],
      "outputs":[{"id":1,"shape":[],"ndims":0},{"id":2,"shape":[5],"ndims":1},{"id":3}]}]})");
  EXPECT_FALSE(graph.tensors.at(0).dims.has_value());
  EXPECT_THAT(*graph.tensors.at(1).dims, ElementsAre());
  EXPECT_THAT(*graph.tensors.at(2).dims, ElementsAre(5));
  EXPECT_FALSE(graph.tensors.at(3).dims.has_value());
}

TEST(BenchdnnJson, NumbersThatAreNotFinite) {
  const GraphDesc graph = read_benchdnn_json(R"({"graph":[{"id":0,"kind":"Clamp","attrs":{
      "min":{"type":"f32","value":"-inf"},"max":{"type":"f32","value":"inf"},
      "scales":{"type":"f32[]","value":[1,"nan",-0.5]}}}]})");
  const auto& attrs = graph.ops.at(0).attrs;
  EXPECT_EQ(std::get<float>(attrs.at("min")), -std::numeric_limits<float>::infinity());
  EXPECT_EQ(std::get<float>(attrs.at("max")), std::numeric_limits<float>::infinity());
  const auto& scales = std::get<std::vector<float>>(attrs.at("scales"));
  ASSERT_EQ(scales.size(), 3u);
  EXPECT_TRUE(std::isnan(scales[1]));
  EXPECT_EQ(scales[2], -0.5f);
}

TEST(BenchdnnJson, ReadsOurFiles) {
  int files = 0;
  for (const auto& entry :
       std::filesystem::recursive_directory_iterator(IOTADNN_SOURCE_DIR "/benchdnn_inputs/graph")) {
    if (entry.path().extension() != ".json") continue;
    SCOPED_TRACE(entry.path().string());
    EXPECT_NO_THROW(read_benchdnn_json_file(entry.path().string()));
    ++files;
  }
  EXPECT_GE(files, 13 * 7);
}

}  // namespace
}  // namespace iotadnn::frontends
