// SPDX-License-Identifier: Apache-2.0
#include <cstdint>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "api/api_test_util.h"

namespace iotadnn::test {
namespace {

using Graph = graph::graph;
using graph::status;

Graph cpu_graph() {
  return {engine::kind::cpu};
}

std::string last_error() {
  return iotadnn_get_last_error();
}

TEST(Graph, AddOpCopiesTheOp) {
  Graph g = cpu_graph();
  {
    const Op op = gen_index_op(strided(0, DataType::f32, {4}), strided(1, DataType::s32, {4}), 0);
    EXPECT_EQ(g.add_op(op), status::success);
  }
  g.finalize();
  EXPECT_EQ(g.get_partitions().size(), 1u);
}

TEST(Graph, LifeCycle) {
  Graph g = cpu_graph();
  EXPECT_FALSE(g.is_finalized());
  expect_error(iotadnn_invalid_graph, [&] { g.get_partitions(); });
  EXPECT_IOTADNN(iotadnn_invalid_graph,
                 iotadnn_graph_graph_filter(g.get(), iotadnn_graph_partition_policy_fusion));
  g.finalize();
  g.finalize();
  EXPECT_TRUE(g.is_finalized());
  const Op op = eye_op(strided(1, DataType::f32, {4, 4}), {4, 4}, 0);
  expect_error(iotadnn_invalid_graph, [&] { g.add_op(op); });
  EXPECT_EQ(g.add_op(op, false), status::invalid_graph);
  expect_error(iotadnn_invalid_graph, [&] { g.set_fpmath_mode(fpmath_mode::bf16); });
  EXPECT_TRUE(g.get_partitions().empty());
}

TEST(Graph, FpmathModeIsReadableAfterFinalize) {
  Graph g(engine::kind::cpu, fpmath_mode::bf16);
  fpmath_mode mode = fpmath_mode::strict;
  bool apply_to_int = true;
  g.get_fpmath_mode(mode, apply_to_int);
  EXPECT_EQ(mode, fpmath_mode::bf16);
  EXPECT_FALSE(apply_to_int);
  g.set_fpmath_mode(fpmath_mode::tf32, true);
  g.finalize();
  g.get_fpmath_mode(mode, apply_to_int);
  EXPECT_EQ(mode, fpmath_mode::tf32);
  EXPECT_TRUE(apply_to_int);
  EXPECT_IOTADNN(iotadnn_success, iotadnn_graph_graph_get_fpmath_mode(g.get(), nullptr, nullptr));
}

TEST(Graph, MathModeIsReadableAfterFinalize) {
  Graph g(engine::kind::cpu);
  EXPECT_EQ(g.get_math_mode(), Graph::math_mode::standard);
  g.set_math_mode(Graph::math_mode::finite);
  g.finalize();
  EXPECT_EQ(g.get_math_mode(), Graph::math_mode::finite);
  expect_error(iotadnn_invalid_graph, [&] { g.set_math_mode(Graph::math_mode::standard); });
}

TEST(Graph, OnlyForTheCpu) {
  expect_error(iotadnn_invalid_arguments, [] { Graph{engine::kind::gpu}; });
  expect_error(iotadnn_invalid_arguments, [] { Graph{engine::kind::any}; });
  expect_error(iotadnn_invalid_arguments,
               [] { Graph(engine::kind::cpu, static_cast<fpmath_mode>(5)); });
}

// Documented by oneDNN as a failure (it succeeds there).
TEST(Graph, DuplicateOpId) {
  Graph g = cpu_graph();
  g.add_op(eye_op(strided(1, DataType::f32, {4, 4}), {4, 4}, 0, 7));
  EXPECT_EQ(g.add_op(eye_op(strided(2, DataType::f32, {4, 4}), {4, 4}, 0, 7), false),
            status::invalid_graph_op);
  EXPECT_NE(last_error().find("7"), std::string::npos);
}

TEST(Graph, SchemaRefusals) {
  Graph g = cpu_graph();
  const Lt src = strided(0, DataType::f32, {4, 4});
  const Lt dst = strided(1, DataType::s32, {4, 4});
  // No axis, two inputs, an output of a float type, an unknown attribute, an axis out of range.
  const Op no_axis(1, Op::kind::GenIndex, {src}, {dst});
  expect_error(iotadnn_invalid_graph_op, [&] { g.add_op(no_axis); });
  EXPECT_NE(last_error().find("axis"), std::string::npos);
  Op two(2, Op::kind::GenIndex, {src, strided(2, DataType::f32, {4, 4})}, {dst});
  two.set_attr<int64_t>(Op::attr::axis, 0);
  EXPECT_EQ(g.add_op(two, false), status::invalid_graph_op);
  EXPECT_EQ(g.add_op(gen_index_op(src, strided(3, DataType::f32, {4, 4}), 0), false),
            status::invalid_graph_op);
  Op unknown = gen_index_op(src, dst, 0);
  unknown.set_attr<int64_t>(Op::attr::k, 1);
  EXPECT_EQ(g.add_op(unknown, false), status::invalid_graph_op);
  EXPECT_EQ(g.add_op(gen_index_op(src, dst, 2), false), status::invalid_graph_op);
  EXPECT_EQ(g.add_op(gen_index_op(src, dst, -3), false), status::invalid_graph_op);
  EXPECT_EQ(g.add_op(gen_index_op(src, dst, -2), false), status::success);
}

// oneDNN's DifferentLogicalTensorWithSameID.
TEST(Graph, DifferentLogicalTensorsWithOneId) {
  Graph g = cpu_graph();
  g.add_op(gen_index_op(strided(0, DataType::f32, {4}), strided(1, DataType::s32, {4}), 0, 0));
  g.add_op(gen_index_op(strided(0, DataType::f32, {5}), strided(2, DataType::s32, {5}), 0, 1));
  expect_error(iotadnn_invalid_graph, [&] { g.finalize(); });
  EXPECT_FALSE(g.is_finalized());
}

TEST(Graph, Cycles) {
  Graph g = cpu_graph();
  const Lt a = strided(0, DataType::f32, {4});
  const Lt b = strided(1, DataType::f32, {4});
  g.add_op(Op(0, Op::kind::Wildcard, {a}, {b}));
  g.add_op(Op(1, Op::kind::Wildcard, {b}, {a}));
  expect_error(iotadnn_invalid_graph, [&] { g.finalize(); });
  EXPECT_NE(last_error().find("cycle"), std::string::npos);
}

TEST(Graph, PartitionCountIsChecked) {
  Graph g = cpu_graph();
  g.add_op(eye_op(strided(1, DataType::f32, {4, 4}), {4, 4}, 0, 0));
  g.add_op(eye_op(strided(2, DataType::f32, {4, 4}), {4, 4}, 0, 1));
  g.finalize();
  size_t num = 9;
  EXPECT_IOTADNN(iotadnn_success, iotadnn_graph_graph_get_partition_num(g.get(), &num));
  EXPECT_EQ(num, 0u) << "nothing before the first filter";
  EXPECT_IOTADNN(iotadnn_success,
                 iotadnn_graph_graph_filter(g.get(), iotadnn_graph_partition_policy_fusion));
  EXPECT_IOTADNN(iotadnn_success, iotadnn_graph_graph_get_partition_num(g.get(), &num));
  ASSERT_EQ(num, 2u);
  iotadnn_graph_partition_t handles[3] = {};
  EXPECT_IOTADNN(iotadnn_invalid_graph, iotadnn_graph_graph_get_partitions(g.get(), 0, handles));
  EXPECT_IOTADNN(iotadnn_invalid_arguments,
                 iotadnn_graph_graph_get_partitions(g.get(), 1, handles));
  EXPECT_IOTADNN(iotadnn_invalid_arguments,
                 iotadnn_graph_graph_get_partitions(g.get(), 3, handles));
  EXPECT_EQ(handles[0], nullptr);
  EXPECT_IOTADNN(iotadnn_success, iotadnn_graph_graph_get_partitions(g.get(), 2, handles));
  for (size_t i = 0; i < num; ++i)
    iotadnn_graph_partition_destroy(handles[i]);
}

// oneDNN's GetPartitionsReentrant: another policy on the same graph; old handles stay valid.
TEST(Graph, GetPartitionsReentrant) {
  Graph g = cpu_graph();
  g.add_op(eye_op(strided(1, DataType::f32, {4, 4}), {4, 4}, 0, 0));
  g.add_op(
      gen_index_op(strided(1, DataType::f32, {4, 4}), strided(2, DataType::s32, {4, 4}), 0, 1));
  g.finalize();
  const auto fused = g.get_partitions();
  const auto single = g.get_partitions(graph::partition::policy::debug);
  ASSERT_EQ(single.size(), 2u);
  for (const auto& partition : single)
    EXPECT_TRUE(partition.is_supported());
  for (const auto& partition : fused)
    EXPECT_GT(partition.get_ops_num(), 0u);
}

TEST(Graph, PartitionsOutliveTheGraph) {
  std::vector<graph::partition> partitions;
  {
    Graph g = cpu_graph();
    g.add_op(eye_op(strided(1, DataType::f32, {4, 4}), {4, 4}, 0, 42));
    g.finalize();
    partitions = g.get_partitions();
  }
  ASSERT_EQ(partitions.size(), 1u);
  EXPECT_EQ(partitions[0].get_ops(), std::vector<size_t>{42});
}

TEST(Graph, IdsOfPartitionsAreUnique) {
  const Op op = eye_op(strided(1, DataType::f32, {4, 4}), {4, 4}, 0);
  const size_t first = partition_of(op).get_id();
  EXPECT_GT(first, 100000u);
  EXPECT_GT(partition_of(op).get_id(), first);
}

}  // namespace
}  // namespace iotadnn::test
