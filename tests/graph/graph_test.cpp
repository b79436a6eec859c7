// SPDX-License-Identifier: Apache-2.0
#include "graph/graph.h"

#include <chrono>
#include <limits>
#include <thread>

#include <gtest/gtest.h>

#include "ops/op_builder.h"

namespace iotadnn::impl {
namespace {

using test::make_op;
using test::tensor;

constexpr size_t kMaxId = std::numeric_limits<size_t>::max();

LogicalTensor value(size_t id) {
  return tensor(id, DataType::f32, {2, 3});
}

// An op that reads and writes values of one and the same shape.
Op op_of(size_t id, const std::vector<size_t>& reads, const std::vector<size_t>& writes) {
  Op op = make_op("Wildcard", id, {}, {});
  op.name = "op" + std::to_string(id);
  for (const size_t v : reads)
    op.inputs.push_back(value(v));
  for (const size_t v : writes)
    op.outputs.push_back(value(v));
  return op;
}

Graph graph_of(const std::vector<Op>& ops) {
  Graph graph(1);
  for (const Op& op : ops)
    EXPECT_TRUE(graph.add_op(op).ok());
  return graph;
}

std::vector<size_t> ids(const Graph& graph) {
  std::vector<size_t> all;
  for (const Op& op : graph.ops())
    all.push_back(op.id);
  return all;
}

void expect_refused(Graph graph, const std::vector<std::string>& words) {
  const std::vector<size_t> before = ids(graph);
  const Status status = graph.finalize();
  EXPECT_EQ(status.code(), StatusCode::invalid_graph);
  for (const std::string& word : words)
    EXPECT_NE(status.message().find(word), std::string::npos)
        << "no '" << word << "' in: " << status.message();
  EXPECT_FALSE(graph.finalized());
  EXPECT_EQ(ids(graph), before);
}

TEST(Graph, EmptyGraphsFinalize) {
  Graph graph(1);
  EXPECT_TRUE(graph.finalize().ok());
  EXPECT_TRUE(graph.finalized());
}

TEST(Graph, FinalizesOnceAndForAll) {
  Graph graph = graph_of({op_of(1, {0}, {1})});
  EXPECT_TRUE(graph.finalize().ok());
  EXPECT_TRUE(graph.finalize().ok());
  const Status status = graph.add_op(op_of(2, {1}, {2}));
  EXPECT_EQ(status.code(), StatusCode::invalid_graph);
  EXPECT_NE(status.message().find("op 'op2' (id 2)"), std::string::npos) << status.message();
  EXPECT_EQ(graph.ops().size(), 1u);
}

TEST(Graph, RefusesAnOpIdThatIsThere) {
  Graph graph = graph_of({op_of(kMaxId, {0}, {1})});
  const Status status = graph.add_op(op_of(kMaxId, {1}, {2}));
  EXPECT_EQ(status.code(), StatusCode::invalid_graph_op);
  EXPECT_NE(status.message().find("18446744073709551615"), std::string::npos) << status.message();
  EXPECT_EQ(graph.ops().size(), 1u);
}

TEST(Graph, TakesAnyIdsForValues) {
  Graph graph = graph_of({op_of(0, {kMaxId}, {0}), op_of(kMaxId, {0, kMaxId}, {kMaxId - 1})});
  EXPECT_TRUE(graph.finalize().ok());
}

TEST(Graph, KeepsInsertionOrderAmongReadyOps) {
  Graph sorted = graph_of({op_of(5, {0}, {1}), op_of(3, {0}, {2}), op_of(9, {2, 1}, {3})});
  ASSERT_TRUE(sorted.finalize().ok());
  EXPECT_EQ(ids(sorted), (std::vector<size_t>{5, 3, 9}));
  Graph reversed = graph_of({op_of(9, {2, 1}, {3}), op_of(3, {0}, {2}), op_of(5, {0}, {1})});
  ASSERT_TRUE(reversed.finalize().ok());
  EXPECT_EQ(ids(reversed), (std::vector<size_t>{3, 5, 9}));
}

TEST(Graph, OneAppearanceOfAnIdMustBeLikeTheOther) {
  const auto refused = [](LogicalTensor other, const std::vector<std::string>& words) {
    Op reader = op_of(2, {}, {2});
    reader.inputs = {other};
    expect_refused(graph_of({op_of(1, {0}, {1}), reader}), words);
  };
  LogicalTensor other = value(1);
  other.dims[1] = 4;
  refused(other, {"logical tensor 1", "2x3", "2x4", "output 0 of op 'op1' (id 1)",
                  "input 0 of op 'op2' (id 2)"});
  other = value(1);
  other.type = DataType::s32;
  refused(other, {"f32:1", "s32:1"});
  other = value(1);
  other.strides = {1, 2};
  refused(other, {"3s1", "1s2"});
  other = value(1);
  other.layout = LayoutType::any;
  refused(other, {"strided", "any"});
  other = value(1);
  other.property = Property::constant;
  refused(other, {"undef", "constant"});
  other = value(1);
  other.rank = kUnknownRank;
  refused(other, {"logical tensor 1"});
}

TEST(Graph, InputsOfTheGraphMustAgreeToo) {
  Op other = op_of(2, {}, {2});
  other.inputs = {tensor(0, DataType::f32, {3, 2})};
  expect_refused(graph_of({op_of(1, {0}, {1}), other}), {"logical tensor 0"});
}

TEST(Graph, AValueHasOneProducer) {
  expect_refused(graph_of({op_of(1, {0}, {7}), op_of(2, {0}, {7})}),
                 {"logical tensor 7 is written twice", "op 'op1'", "op 'op2'"});
  expect_refused(graph_of({op_of(1, {0}, {7, 7})}), {"output 0", "output 1"});
}

TEST(Graph, RefusesCyclesAndNamesTheirOps) {
  expect_refused(graph_of({op_of(1, {5}, {5})}), {"cycle: op 'op1' (id 1) -> op 'op1' (id 1)"});
  // The ops before and behind the cycle are not its members.
  const Graph graph = graph_of({op_of(1, {0}, {1}), op_of(2, {1, 4}, {2}), op_of(3, {2}, {3}),
                                op_of(4, {3}, {4}), op_of(5, {4}, {5})});
  Graph copy = graph;
  const std::string text = copy.finalize().message();
  expect_refused(graph, {"cycle"});
  EXPECT_EQ(text.find("op1"), std::string::npos) << text;
  EXPECT_EQ(text.find("op5"), std::string::npos) << text;
  EXPECT_NE(text.find("op 'op2' (id 2) -> op 'op3' (id 3)"), std::string::npos) << text;
  EXPECT_NE(text.find("op 'op3' (id 3) -> op 'op4' (id 4)"), std::string::npos) << text;
}

TEST(Graph, ACycleThatIsFarFromTheFirstOpIsFound) {
  // op 1 waits for the cycle but is no part of it.
  expect_refused(graph_of({op_of(1, {9}, {1}), op_of(2, {8}, {9}), op_of(3, {9}, {8})}),
                 {"op2", "op3"});
}

TEST(Graph, SortsALargeReversedChainQuickly) {
  constexpr size_t kOps = 100000;
  Graph graph(1);
  for (size_t i = kOps; i-- > 0;)
    ASSERT_TRUE(graph.add_op(op_of(i, {i}, {i + 1})).ok());
  const auto start = std::chrono::steady_clock::now();
  ASSERT_TRUE(graph.finalize().ok());
  const auto taken = std::chrono::steady_clock::now() - start;
  // Quadratic work would take minutes; this bound only has to hold on a busy sanitized machine.
  EXPECT_LT(std::chrono::duration<double>(taken).count(), 20.0);
  for (size_t i = 0; i < kOps; ++i)
    ASSERT_EQ(graph.ops()[i].id, i);
}

TEST(Graph, ALargeCycleIsToldInOneSentence) {
  constexpr size_t kOps = 100000;
  Graph graph(1);
  for (size_t i = 0; i < kOps; ++i)
    ASSERT_TRUE(graph.add_op(op_of(i, {i}, {(i + 1) % kOps})).ok());
  const Status status = graph.finalize();
  EXPECT_EQ(status.code(), StatusCode::invalid_graph);
  EXPECT_LT(status.message().size(), 1000u);
}

TEST(Graph, OneValueMayHaveManyReaders) {
  constexpr size_t kOps = 50000;
  Graph graph(1);
  for (size_t i = 0; i < kOps; ++i)
    ASSERT_TRUE(graph.add_op(op_of(i, {7, 7}, {100 + i})).ok());
  ASSERT_TRUE(graph.add_op(op_of(kOps, {0}, {7})).ok());
  ASSERT_TRUE(graph.finalize().ok());
  EXPECT_EQ(graph.ops().front().id, kOps);
  EXPECT_EQ(graph.ops().back().id, kOps - 1);
}

TEST(Graph, ObjectIdsAreUniqueAcrossThreads) {
  EXPECT_GE(next_object_id(), 100001u);
  std::vector<std::vector<size_t>> taken(4);
  std::vector<std::thread> threads;
  for (auto& mine : taken)
    threads.emplace_back([&mine] {
      for (int i = 0; i < 1000; ++i)
        mine.push_back(next_object_id());
    });
  for (std::thread& thread : threads)
    thread.join();
  std::vector<size_t> all;
  for (const auto& mine : taken)
    all.insert(all.end(), mine.begin(), mine.end());
  std::sort(all.begin(), all.end());
  EXPECT_EQ(std::adjacent_find(all.begin(), all.end()), all.end());
}

}  // namespace
}  // namespace iotadnn::impl
