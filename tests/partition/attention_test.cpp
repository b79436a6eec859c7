// SPDX-License-Identifier: Apache-2.0
// Which ops become one attention; whether these can be lowered is asked elsewhere, and said by a
// stand-in here.
#include <algorithm>
#include <vector>

#include <gtest/gtest.h>

#include "ops/op_builder.h"
#include "partition/partition.h"

namespace iotadnn::impl {
namespace {

using test::make_op;
using test::tensor;

constexpr auto f32 = DataType::f32;
constexpr auto s32 = DataType::s32;

Status accepts_attentions(const Partition& partition) {
  const auto has_softmax = std::any_of(partition.ops.begin(), partition.ops.end(),
                                       [](const Op& op) { return op.kind == op_kind::kSoftMax; });
  return has_softmax ? Status() : unimplemented("no SoftMax");
}

Status accepts_nothing(const Partition&) {
  return unimplemented("the test says so");
}

const std::vector<int64_t> kSquare = {4, 4};

LogicalTensor square(size_t id, DataType type = f32) {
  return tensor(id, type, kSquare);
}

class Attentions : public testing::Test {
 protected:
  void add(const std::string& kind, const std::vector<LogicalTensor>& from,
           const std::vector<LogicalTensor>& to, std::map<AttrId, AttrValue> attrs = {}) {
    const Status status = graph_.add_op(make_op(kind, ops_++, from, to, std::move(attrs)));
    ASSERT_TRUE(status.ok()) << status.message();
  }

  // keep = row >= column
  void add_mask(size_t first, const LogicalTensor& like, const LogicalTensor& keep) {
    for (const int64_t axis : {0, 1})
      add("GenIndex", {like}, {square(first + static_cast<size_t>(axis), s32)},
          {{attr_id::kAxis, axis}});
    add("GreaterEqual", {square(first, s32), square(first + 1, s32)}, {keep});
  }

  // Tensors first ... first + 4: score, masked, probabilities, result, stats; q, k and v are given.
  void add_attention(size_t first, const LogicalTensor& keep, const LogicalTensor& v,
                     bool has_stats = false) {
    add("MatMul", {square(100), square(101)}, {square(first)});
    add("Select", {keep, square(first), tensor(103, f32, {1})}, {square(first + 1)});
    std::vector<LogicalTensor> outs = {square(first + 2)};
    if (has_stats) outs.push_back(tensor(first + 4, f32, {4, 1}));
    add("SoftMax", {square(first + 1)}, outs, {{attr_id::kAxis, int64_t{1}}});
    add("MatMul", {square(first + 2), v}, {square(first + 3)});
  }

  std::vector<Partition> partitions(CanLower can_lower = accepts_attentions) {
    const Status status = graph_.finalize();
    EXPECT_TRUE(status.ok()) << status.message();
    return make_partitions(graph_, Policy::fusion, can_lower);
  }

  static size_t attentions_of(const std::vector<Partition>& partitions) {
    return static_cast<size_t>(
        std::count_if(partitions.begin(), partitions.end(),
                      [](const Partition& p) { return p.supported && p.kind == "sdp"; }));
  }

  Graph graph_{1};
  size_t ops_ = 0;
};

TEST_F(Attentions, AChainWithItsMask) {
  add_mask(50, square(0), square(60, DataType::boolean));
  add_attention(0, square(60, DataType::boolean), square(102), true);
  const auto found = partitions();
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(attentions_of(found), 1u);
  EXPECT_EQ(found[0].ops.size(), 7u);
  ASSERT_EQ(found[0].outputs.size(), 2u);
  EXPECT_EQ(found[0].outputs[0].id + found[0].outputs[1].id, 3u + 4u);
}

TEST_F(Attentions, AMaskThatTwoShareIsATensorForBoth) {
  add_mask(50, square(100), square(60, DataType::boolean));
  add_attention(0, square(60, DataType::boolean), square(102));
  add_attention(10, square(60, DataType::boolean), square(102));
  const auto found = partitions();
  ASSERT_EQ(found.size(), 3u);
  EXPECT_EQ(attentions_of(found), 2u);
  EXPECT_TRUE(found[0].supported);
  EXPECT_EQ(found[0].ops.size(), 3u);
}

TEST_F(Attentions, AProductThatMakesTheValuesStaysOutside) {
  add_mask(50, square(0), square(60, DataType::boolean));
  add("MatMul", {square(104), square(105)}, {square(102)});
  add_attention(0, square(60, DataType::boolean), square(102));
  const auto found = partitions();
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(attentions_of(found), 1u);
}

TEST_F(Attentions, ProbabilitiesThatAreReadElsewhere) {
  add_mask(50, square(0), square(60, DataType::boolean));
  add_attention(0, square(60, DataType::boolean), square(102));
  add("Exp", {square(2)}, {square(70)});
  EXPECT_EQ(attentions_of(partitions()), 0u);
}

TEST_F(Attentions, ScoresThatAreReadElsewhereLeaveIt) {
  add_mask(50, square(0), square(60, DataType::boolean));
  add_attention(0, square(60, DataType::boolean), square(102));
  add("Exp", {square(1)}, {square(70)});
  const auto found = partitions();
  ASSERT_EQ(attentions_of(found), 1u);
  ASSERT_EQ(found[0].ops.size(), 7u);
  ASSERT_EQ(found[0].outputs.size(), 2u);
  EXPECT_EQ(found[0].outputs[0].id, 1u);
  EXPECT_EQ(found[0].outputs[1].id, 3u);
}

// Masked scores -> Exp -> the values of the same attention.
TEST_F(Attentions, ScoresThatComeBack) {
  add_mask(50, square(0), square(60, DataType::boolean));
  add_attention(0, square(60, DataType::boolean), square(71));
  add("Exp", {square(1)}, {square(71)});
  EXPECT_EQ(attentions_of(partitions()), 0u);
}

// Stats -> Add -> the values of the same attention: one partition would wait for itself.
TEST_F(Attentions, StatsThatComeBack) {
  add_mask(50, square(0), square(60, DataType::boolean));
  add_attention(0, square(60, DataType::boolean), square(71), true);
  add("Add", {tensor(4, f32, {4, 1}), square(102)}, {square(71)});
  EXPECT_EQ(attentions_of(partitions()), 0u);
}

// Each one's stats make the other's values: only one of them can be fused, and no op is lost.
TEST_F(Attentions, StatsThatCross) {
  add_attention(0, square(60, DataType::boolean), square(71), true);
  add_attention(10, square(60, DataType::boolean), square(72), true);
  add("Add", {tensor(4, f32, {4, 1}), square(102)}, {square(72)});
  add("Add", {tensor(14, f32, {4, 1}), square(102)}, {square(71)});
  const auto found = partitions();
  EXPECT_EQ(attentions_of(found), 1u);
  size_t ops = 0;
  for (const Partition& p : found)
    ops += p.ops.size();
  EXPECT_EQ(ops, 10u);
}

// MatMul -> SoftMax -> MatMul -> SoftMax -> MatMul: the one in the middle belongs to one of them.
TEST_F(Attentions, AProductThatEndsOneAndBeginsAnother) {
  add_attention(0, square(60, DataType::boolean), square(102));
  add("SoftMax", {square(3)}, {square(20)}, {{attr_id::kAxis, int64_t{1}}});
  add("MatMul", {square(20), square(105)}, {square(21)});
  const auto found = partitions();
  EXPECT_EQ(attentions_of(found), 1u);
  size_t ops = 0;
  for (const Partition& p : found)
    ops += p.ops.size();
  EXPECT_EQ(ops, 6u);
}

TEST_F(Attentions, ARefusalSaysWhy) {
  add_mask(50, square(0), square(60, DataType::boolean));
  add_attention(0, square(60, DataType::boolean), square(102));
  std::string reason;
  for (const Partition& p : partitions(accepts_nothing))
    if (p.ops[0].kind == op_kind::kSoftMax) reason = p.reason;
  EXPECT_NE(reason.find("is not fused as an attention: the test says so"), std::string::npos)
      << reason;
}

}  // namespace
}  // namespace iotadnn::impl
