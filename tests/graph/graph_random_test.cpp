// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <unordered_map>

#include <gtest/gtest.h>

#include "graph/graph.h"
#include "ops/op_builder.h"
#include "support/random.h"

namespace iotadnn::impl {
namespace {

// A random graph without cycles, its ops in random order. Value v is written by op v - 1; value 0
// is the input of the graph.
std::vector<Op> random_dag(test::Random& random, size_t count) {
  std::vector<Op> ops;
  for (size_t i = 0; i < count; ++i) {
    Op op = test::make_op("Wildcard", i, {}, {test::tensor(i + 1, DataType::f32, {2})});
    for (int64_t reads = random.between(0, 3); reads > 0; --reads) {
      const auto from = static_cast<size_t>(random.between(0, static_cast<int64_t>(i)));
      op.inputs.push_back(test::tensor(from, DataType::f32, {2}));
    }
    ops.push_back(op);
  }
  std::shuffle(ops.begin(), ops.end(), random.engine());
  return ops;
}

TEST(RandomGraphs, EveryOpComesAfterItsProducersAndAsEarlyAsItMay) {
  test::Random random;
  for (int round = 0; round < 200; ++round) {
    const std::vector<Op> ops = random_dag(random, static_cast<size_t>(random.between(1, 40)));
    Graph graph(1);
    for (const Op& op : ops)
      ASSERT_TRUE(graph.add_op(op).ok());
    ASSERT_TRUE(graph.finalize().ok());
    // The straightforward definition: again and again the first op, in order of insertion, that has
    // not run and whose inputs are there.
    std::vector<bool> has_run(ops.size(), false);
    std::vector<bool> is_written(ops.size() + 1, false);
    is_written[0] = true;
    for (const Op& sorted : graph.ops()) {
      const auto next = std::find_if(ops.begin(), ops.end(), [&](const Op& op) {
        return !has_run[op.id] &&
               std::all_of(op.inputs.begin(), op.inputs.end(),
                           [&](const LogicalTensor& in) { return is_written[in.id]; });
      });
      ASSERT_NE(next, ops.end());
      ASSERT_EQ(sorted.id, next->id);
      has_run[next->id] = true;
      is_written[next->outputs[0].id] = true;
    }
    ASSERT_EQ(graph.ops().size(), ops.size());
  }
}

TEST(RandomGraphs, OneBackwardEdgeIsACycle) {
  test::Random random;
  for (int round = 0; round < 100; ++round) {
    std::vector<Op> ops = random_dag(random, 20);
    const auto by_id = [&](size_t id) {
      return std::find_if(ops.begin(), ops.end(), [&](const Op& op) { return op.id == id; });
    };
    // A chain from op `first` to op `last`, and the edge back.
    const auto first = static_cast<size_t>(random.between(0, 19));
    const auto last = static_cast<size_t>(random.between(static_cast<int64_t>(first), 19));
    for (size_t i = first; i < last; ++i)
      by_id(i + 1)->inputs.push_back(test::tensor(i + 1, DataType::f32, {2}));
    by_id(first)->inputs.push_back(test::tensor(last + 1, DataType::f32, {2}));
    Graph graph(1);
    for (const Op& op : ops)
      ASSERT_TRUE(graph.add_op(op).ok());
    const Status status = graph.finalize();
    ASSERT_EQ(status.code(), StatusCode::invalid_graph);
    EXPECT_NE(status.message().find("cycle"), std::string::npos) << status.message();
  }
}

}  // namespace
}  // namespace iotadnn::impl
