// SPDX-License-Identifier: Apache-2.0
#include "frontends/graph_builder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "frontends/benchdnn_json.h"

namespace iotadnn::frontends {
namespace {

using graph::logical_tensor;
using testing::ElementsAre;
using testing::HasSubstr;

GraphDesc read(const std::string& ops) {
  return read_benchdnn_json(R"({"graph":[)" + ops + "]}");
}

constexpr char kEye[] = R"({"id":4,"name":"eye","kind":"Eye",
    "attrs":{"k":{"type":"s64","value":1},"shape":{"type":"s64[]","value":[3,4]}},
    "outputs":[{"id":8,"dtype":"u16","shape":[3,4],"stride":[1,3]}]})";

TEST(GraphBuilder, BuildsWhatTheLibraryCompiles) {
  graph::graph built = build_graph(read(kEye), engine::kind::cpu);
  built.finalize();
  const auto partitions = built.get_partitions();
  ASSERT_EQ(partitions.size(), 1u);
  EXPECT_TRUE(partitions[0].is_supported()) << partitions[0].get_reason();
  EXPECT_THAT(partitions[0].get_ops(), ElementsAre(4u));
  const logical_tensor output = partitions[0].get_output_ports().at(0);
  EXPECT_EQ(output.get_id(), 8u);
  EXPECT_EQ(output.get_data_type(), logical_tensor::data_type::u16);
  EXPECT_THAT(output.get_strides(), ElementsAre(1, 3));
}

TEST(GraphBuilder, FpmathModeReachesTheGraph) {
  GraphDesc desc = read(kEye);
  desc.fpmath_mode = iotadnn_fpmath_mode_bf16;
  desc.fpmath_apply_to_int = true;
  const graph::graph built = build_graph(desc, engine::kind::cpu);
  fpmath_mode mode = fpmath_mode::strict;
  bool apply_to_int = false;
  built.get_fpmath_mode(mode, apply_to_int);
  EXPECT_EQ(mode, fpmath_mode::bf16);
  EXPECT_TRUE(apply_to_int);
}

TEST(GraphBuilder, AttributeOfAnotherType) {
  GraphDesc desc = read(kEye);
  desc.ops[0].attrs["k"] = std::string("one");
  try {
    build_graph(desc, engine::kind::cpu);
    FAIL() << "accepted";
  } catch (const GraphError& error) {
    EXPECT_THAT(error.what(), HasSubstr("op 4 ('eye', Eye), attribute 'k': type string given"));
    EXPECT_THAT(error.what(), HasSubstr("s64 expected"));
  }
}

TEST(GraphBuilder, RefusalsOfTheLibraryCarryItsSentence) {
  GraphDesc desc = read(kEye);
  desc.ops[0].attrs.erase("shape");
  try {
    build_graph(desc, engine::kind::cpu);
    FAIL() << "accepted";
  } catch (const error& refusal) {
    EXPECT_EQ(refusal.status, iotadnn_invalid_graph_op);
    EXPECT_THAT(refusal.what(), HasSubstr("eye"));
  }
}

TEST(GraphBuilder, LogicalTensorsOfEveryKnowledge) {
  TensorDesc tensor;
  tensor.id = 3;
  tensor.data_type = iotadnn_f32;
  EXPECT_EQ(build_logical_tensor(tensor).get().ndims, IOTADNN_GRAPH_UNKNOWN_NDIMS);
  tensor.dims = std::vector<int64_t>{2, 3};
  EXPECT_THAT(build_logical_tensor(tensor).get_strides(), ElementsAre(3, 1));
  tensor.layout = iotadnn_graph_layout_type_any;
  tensor.strides = {3, 1};
  EXPECT_EQ(build_logical_tensor(tensor).get_layout_type(), logical_tensor::layout_type::any);
  tensor.layout = iotadnn_graph_layout_type_undef;
  EXPECT_EQ(build_logical_tensor(tensor).get_layout_type(), logical_tensor::layout_type::strided);
  tensor.dims = std::vector<int64_t>{};
  tensor.strides.clear();
  tensor.data_type = iotadnn_s64;
  tensor.property = iotadnn_graph_tensor_property_host_scalar;
  EXPECT_EQ(build_logical_tensor(tensor).get_property_type(),
            logical_tensor::property_type::host_scalar);
}

}  // namespace
}  // namespace iotadnn::frontends
