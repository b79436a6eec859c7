// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "ops/op_builder.h"
#include "partition/partition.h"

namespace iotadnn::impl {
namespace {

using test::make_op;
using test::tensor;
using test::unknown_rank;

constexpr auto f32 = DataType::f32;

Op eye_like() {
  return make_op("EyeLike", 4, {tensor(0, f32, {2, 2})}, {tensor(1, f32, {2, 2})});
}

void expect_reason(const Op& op, const std::string& word) {
  const std::string reason = refusal(op);
  EXPECT_NE(reason.find(word), std::string::npos) << "reason: " << reason;
}

TEST(Refusal, ClaimsTheGenerators) {
  EXPECT_EQ(refusal(eye_like()), "");
  EXPECT_EQ(refusal(make_op("GenIndex", 1, {unknown_rank(0, f32)}, {unknown_rank(1, DataType::s32)},
                            {{attr_id::kAxis, int64_t{-1}}})),
            "");
  EXPECT_EQ(refusal(make_op("Eye", 1, {}, {unknown_rank(1, DataType::boolean)},
                            {{attr_id::kShape, std::vector<int64_t>{2, 2}}})),
            "");
}

TEST(Refusal, EveryOtherOpOfTheTableHasAReason) {
  for (const OpDef& def : op_table()) {
    if (def.reference != nullptr) continue;
    const Op op = make_op(def.name, 1, {}, {});
    expect_reason(op, std::string(def.name) + " '" + op.name + "'");
  }
}

TEST(Refusal, OfAnOpThatIsNotCompiled) {
  EXPECT_EQ(refusal(make_op("GELU", 8, {}, {})),
            "GELU 'GELU_8' is not an op that this library compiles (doc/ops.md lists those)");
}

TEST(Refusal, WildcardAndEndSayWhatTheyAre) {
  expect_reason(make_op("Wildcard", 1, {}, {}), "only the host knows");
  expect_reason(make_op("End", 1, {}, {}), "nothing to compute");
}

TEST(Refusal, KindsOutsideTheTable) {
  Op op = eye_like();
  op.kind = 4242;
  expect_reason(op, "op of kind 4242 'EyeLike_4' is not an op that this library knows");
}

TEST(Refusal, WhatTheSchemaForbids) {
  Op op = eye_like();
  op.outputs[0].type = DataType::s4;
  expect_reason(op, "output 0 (output) is s4");
  op = eye_like();
  op.inputs[0] = tensor(0, f32, {2, 2, 2});
  expect_reason(op, "rank 3, allowed: 2");
  op = eye_like();
  op.inputs.clear();
  expect_reason(op, "has 0 inputs");
}

TEST(Refusal, OpaqueLayouts) {
  Op op = eye_like();
  op.inputs[0].layout = LayoutType::opaque;
  expect_reason(op, "input 0 (input) has an opaque layout");
  op = eye_like();
  op.outputs[0].layout = LayoutType::opaque;
  expect_reason(op, "output 0 (output) has an opaque layout");
}

}  // namespace
}  // namespace iotadnn::impl
