// SPDX-License-Identifier: Apache-2.0
#include "frontends/graph_desc.h"

#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace iotadnn::frontends {
namespace {

using testing::ElementsAre;

constexpr int64_t kMax = std::numeric_limits<int64_t>::max();

GraphDesc chain() {
  GraphDesc graph;
  OpDesc first;
  first.id = 10;
  first.inputs = {0, 1, 0};
  first.outputs = {2};
  OpDesc second;
  second.id = 11;
  second.inputs = {2, 3};
  second.outputs = {4};
  graph.ops = {first, second};
  return graph;
}

TEST(GraphDescTest, PortsFollowFromTheOps) {
  GraphDesc graph = chain();
  EXPECT_THAT(graph.graph_inputs(), ElementsAre(0u, 1u, 3u));
  EXPECT_EQ(graph.producer_of(2), &graph.ops[0]);
  EXPECT_EQ(graph.producer_of(3), nullptr);
  EXPECT_TRUE(graph.is_consumed(2));
  EXPECT_FALSE(graph.is_consumed(4));
  EXPECT_EQ(graph.find_op(11), &graph.ops[1]);
  EXPECT_EQ(graph.find_op(12), nullptr);
}

TEST(GraphDescTest, SortsAndKeepsOrderWhereItCan) {
  GraphDesc graph = chain();
  std::swap(graph.ops[0], graph.ops[1]);
  OpDesc lone;
  lone.id = 9;
  graph.ops.push_back(lone);
  sort_topologically(graph);
  EXPECT_EQ(graph.ops[0].id, 10u);
  EXPECT_EQ(graph.ops[1].id, 11u);
  EXPECT_EQ(graph.ops[2].id, 9u);
}

TEST(GraphDescTest, CycleOfTwo) {
  GraphDesc graph = chain();
  graph.ops[0].inputs.push_back(4);
  EXPECT_THROW(sort_topologically(graph), GraphError);
}

TEST(GraphDescTest, DenseStrides) {
  EXPECT_THAT(*dense_strides({2, 3, 4}), ElementsAre(12, 4, 1));
  EXPECT_THAT(*dense_strides({2, 0, 4}), ElementsAre(4, 4, 1));
  EXPECT_THAT(*dense_strides({}), ElementsAre());
  EXPECT_FALSE(dense_strides({2, kMax, 2}).has_value());
  EXPECT_FALSE(dense_strides({2, IOTADNN_GRAPH_UNKNOWN_DIM}).has_value());
}

TEST(GraphDescTest, SpanCountsToTheLastElement) {
  EXPECT_EQ(span_of({2, 3}, {10, 2}), 15);
  EXPECT_EQ(span_of({}, {}), 1);
  EXPECT_EQ(span_of({kMax, 0}, {kMax, kMax}), 0);
  EXPECT_FALSE(span_of({kMax / 8 + 1}, {1}).has_value());
  EXPECT_EQ(span_of({kMax / 8}, {1}), kMax / 8);
  EXPECT_FALSE(span_of({3, 3}, {kMax / 2, kMax / 2}).has_value());
}

}  // namespace
}  // namespace iotadnn::frontends
