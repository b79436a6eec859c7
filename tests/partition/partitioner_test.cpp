// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "ops/op_builder.h"
#include "partition/partition.h"

namespace iotadnn::impl {
namespace {

using test::make_op;
using test::tensor;

constexpr auto f32 = DataType::f32;
constexpr auto s32 = DataType::s32;

// Bottom-up on purpose: partitions come in topological order, not as the ops were added.
Graph causal_mask() {
  const std::vector<int64_t> dims = {4, 4};
  Graph graph(1);
  graph.set_fpmath(2, true);
  const LogicalTensor score = tensor(0, f32, dims);
  const LogicalTensor row = tensor(1, s32, dims);
  const LogicalTensor column = tensor(2, s32, dims);
  const LogicalTensor keep = tensor(3, DataType::boolean, dims);
  const LogicalTensor masked = tensor(4, f32, dims);
  EXPECT_TRUE(graph.add_op(make_op("End", 14, {masked}, {})).ok());
  EXPECT_TRUE(
      graph.add_op(make_op("Select", 13, {keep, score, tensor(9, f32, {})}, {masked})).ok());
  EXPECT_TRUE(graph.add_op(make_op("GreaterEqual", 12, {row, column}, {keep})).ok());
  for (const size_t i : {0, 1})
    EXPECT_TRUE(graph
                    .add_op(make_op("GenIndex", 10 + i, {score}, {i == 0 ? row : column},
                                    {{attr_id::kAxis, static_cast<int64_t>(i)}}))
                    .ok());
  EXPECT_TRUE(graph.finalize().ok());
  return graph;
}

class Policies : public testing::TestWithParam<Policy> {};

TEST_P(Policies, ComeBackInTopologicalOrderEveryOpOnce) {
  const auto partitions = make_partitions(causal_mask(), GetParam());
  std::vector<size_t> ids;
  for (const Partition& p : partitions)
    for (const Op& op : p.ops)
      ids.push_back(op.id);
  EXPECT_EQ(ids, (std::vector<size_t>{10, 11, 12, 13, 14}));
}

TEST(Partitions, FusionClaimsTheMaskAsOne) {
  const auto partitions = make_partitions(causal_mask(), Policy::fusion);
  ASSERT_EQ(partitions.size(), 2u);
  EXPECT_TRUE(partitions[0].supported) << partitions[0].reason;
  EXPECT_EQ(partitions[0].ops.size(), 4u);
  EXPECT_EQ(partitions[0].kind, "misc_post_ops");
  EXPECT_FALSE(partitions[1].supported);
  EXPECT_NE(partitions[1].reason, "");
  ASSERT_EQ(partitions[0].outputs.size(), 1u);
  EXPECT_EQ(partitions[0].outputs[0], tensor(4, f32, {4, 4}));
  ASSERT_EQ(partitions[0].inputs.size(), 4u);  // the scores three times, and the other value
}

TEST(Partitions, DebugClaimsEachOpThatIsCompiled) {
  const auto partitions = make_partitions(causal_mask(), Policy::debug);
  ASSERT_EQ(partitions.size(), 5u);
  for (const Partition& p : partitions) {
    const bool is_end = p.ops[0].kind == op_kind::kEnd;
    EXPECT_EQ(p.supported, !is_end) << p.reason;
    EXPECT_EQ(p.reason.empty(), !is_end);
    EXPECT_EQ(p.kind, "misc_post_ops");
  }
  ASSERT_EQ(partitions[0].inputs.size(), 1u);
  EXPECT_EQ(partitions[0].inputs[0], tensor(0, f32, {4, 4}));
  ASSERT_EQ(partitions[0].outputs.size(), 1u);
  EXPECT_EQ(partitions[0].outputs[0], tensor(1, s32, {4, 4}));
  EXPECT_EQ(partitions[3].inputs.size(), 3u);
  EXPECT_EQ(partitions[4].inputs.size(), 1u);
  EXPECT_TRUE(partitions[4].outputs.empty());
}

// The numbers of partitions of TypeCast -> Range -> Negative.
size_t partitions_of_computed_range(int64_t extent) {
  Graph graph(1);
  const LogicalTensor start = tensor(1, s32, {});
  const LogicalTensor range = tensor(4, s32, {extent});
  EXPECT_TRUE(graph.add_op(make_op("TypeCast", 0, {tensor(0, f32, {})}, {start})).ok());
  EXPECT_TRUE(
      graph.add_op(make_op("Range", 1, {start, tensor(2, s32, {}), tensor(3, s32, {})}, {range}))
          .ok());
  EXPECT_TRUE(graph.add_op(make_op("Negative", 2, {range}, {tensor(5, s32, {extent})})).ok());
  EXPECT_TRUE(graph.finalize().ok());
  return make_partitions(graph, Policy::fusion).size();
}

// The extent of the range, which is not handed out, could not be known before the region has run.
TEST(Partitions, FusionLeavesOutWhatAnUnknownShapeFollowsFrom) {
  EXPECT_EQ(partitions_of_computed_range(test::kUnknown), 2u);
  EXPECT_EQ(partitions_of_computed_range(5), 1u);
}

// The numbers of partitions of a sum of identities with so many diagonals.
size_t partitions_of_diagonals(size_t count, size_t different) {
  const std::vector<int64_t> dims = {4, 4};
  Graph graph(1);
  size_t next = 1;
  LogicalTensor sum = tensor(0, f32, dims);
  for (size_t i = 0; i < count; ++i) {
    const LogicalTensor eye = tensor(next++, f32, dims);
    const LogicalTensor added = tensor(next++, f32, dims);
    EXPECT_TRUE(graph
                    .add_op(make_op("EyeLike", 2 * i, {tensor(0, f32, dims)}, {eye},
                                    {{attr_id::kK, static_cast<int64_t>(i % different)}}))
                    .ok());
    EXPECT_TRUE(graph.add_op(make_op("Add", 2 * i + 1, {sum, eye}, {added})).ok());
    sum = added;
  }
  EXPECT_TRUE(graph.finalize().ok());
  const auto partitions = make_partitions(graph, Policy::fusion);
  for (const Partition& p : partitions)
    EXPECT_TRUE(p.supported) << p.reason;
  return partitions.size();
}

TEST(Partitions, FusionCountsDiagonals) {
  EXPECT_EQ(partitions_of_diagonals(16, 16), 1u);
  EXPECT_EQ(partitions_of_diagonals(17, 16), 1u) << "one of them twice";
  EXPECT_EQ(partitions_of_diagonals(17, 17), 2u);
}

TEST_P(Policies, InheritFromTheGraph) {
  const Graph graph = causal_mask();
  size_t last_id = graph.id();
  for (const Partition& p : make_partitions(graph, GetParam())) {
    EXPECT_EQ(p.engine_kind, 1);
    EXPECT_EQ(p.fpmath_mode, 2);
    EXPECT_TRUE(p.fpmath_apply_to_int);
    EXPECT_GT(p.id, last_id);
    last_id = p.id;
  }
}

INSTANTIATE_TEST_SUITE_P(Both, Policies, testing::Values(Policy::fusion, Policy::debug),
                         [](const auto& tested) {
                           return tested.param == Policy::fusion ? "fusion" : "debug";
                         });

TEST(Partitions, EmptyGraph) {
  Graph graph(1);
  ASSERT_TRUE(graph.finalize().ok());
  EXPECT_TRUE(make_partitions(graph, Policy::fusion).empty());
}

TEST(Partitions, OfALargeGraph) {
  constexpr size_t kOps = 100000;
  Graph graph(1);
  for (size_t i = 0; i < kOps; ++i)
    ASSERT_TRUE(graph
                    .add_op(make_op(i % 2 == 0 ? "EyeLike" : "Exp", i, {tensor(i, f32, {2, 2})},
                                    {tensor(i + 1, f32, {2, 2})}))
                    .ok());
  ASSERT_TRUE(graph.finalize().ok());
  // One chain, cut where a region has as many ops as it may have.
  EXPECT_EQ(make_partitions(graph, Policy::fusion).size(), (kOps + 63) / 64);
  EXPECT_EQ(make_partitions(graph, Policy::debug).size(), kOps);
}

}  // namespace
}  // namespace iotadnn::impl
