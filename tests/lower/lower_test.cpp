// SPDX-License-Identifier: Apache-2.0
#include "lower/lower.h"

#include <gtest/gtest.h>

#include "ops/op_table.h"

namespace iotadnn::impl {
namespace {

Partition gen_index(int rank) {
  Partition partition;
  partition.supported = true;
  Op op;
  op.kind = find_op("GenIndex")->kind;
  op.name = "gi";
  op.attrs[find_attr("axis")->id] = int64_t{0};
  LogicalTensor lt;
  lt.rank = rank;
  lt.dims.fill(kUnknownDim);
  lt.strides.fill(kUnknownDim);
  lt.type = DataType::f32;
  op.inputs = {lt};
  lt.id = 1;
  lt.type = DataType::s32;
  op.outputs = {lt};
  partition.ops = {op};
  return partition;
}

TEST(Lower, NeedsTheRankButNoExtent) {
  EXPECT_TRUE(lower(gen_index(3)).ok());
  const auto unknown = lower(gen_index(kUnknownRank));
  ASSERT_FALSE(unknown.ok());
  EXPECT_EQ(unknown.status().code(), StatusCode::invalid_shape);
}

TEST(Lower, RefusesOpsWithoutLowering) {
  Partition partition = gen_index(2);
  partition.ops[0].kind = find_op("Select")->kind;
  const auto refused = lower(partition);
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.status().code(), StatusCode::unimplemented);
}

TEST(Lower, RefusesSeveralOps) {
  Partition partition = gen_index(2);
  partition.ops.push_back(partition.ops[0]);
  EXPECT_EQ(lower(partition).status().code(), StatusCode::unimplemented);
}

}  // namespace
}  // namespace iotadnn::impl
