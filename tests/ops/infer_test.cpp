// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "ops/op_builder.h"

// How an inferred shape and what the user gave become one, by the example of EyeLike.
namespace iotadnn::impl {
namespace {

using test::kUnknown;
using test::make_op;
using test::tensor;
using test::unknown_rank;

constexpr auto f32 = DataType::f32;

Result<LogicalTensor> merged(const LogicalTensor& in, const LogicalTensor& out) {
  const Op op = make_op("EyeLike", 0, {in}, {out});
  ShapeContext ctx{&op, {{&op.inputs[0], nullptr}}, op.outputs};
  const Status status = infer_shapes(ctx);
  if (!status.ok()) return status;
  return ctx.outputs[0];
}

LogicalTensor with_layout(LogicalTensor t, LayoutType layout) {
  t.layout = layout;
  if (layout != LayoutType::strided) t.strides.fill(kUnknown);
  return t;
}

void expect_refused(const LogicalTensor& in, const LogicalTensor& out, const std::string& word) {
  const auto result = merged(in, out);
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.status().code(), StatusCode::invalid_shape);
  EXPECT_NE(result.status().message().find(word), std::string::npos) << result.status().message();
}

TEST(InferShapes, FillsAnUnknownOutput) {
  for (const LayoutType layout : {LayoutType::undef, LayoutType::any, LayoutType::strided}) {
    const auto out = merged(tensor(0, f32, {3, 4}), with_layout(unknown_rank(1, f32), layout));
    ASSERT_TRUE(out.ok());
    EXPECT_EQ(*out, tensor(1, f32, {3, 4}));
  }
}

// The API hands on zeros where a logical tensor of unknown rank has no strides.
TEST(InferShapes, AnUnknownRankHasNoStrides) {
  LogicalTensor given = with_layout(unknown_rank(1, f32), LayoutType::strided);
  given.dims.fill(0);
  given.strides.fill(0);
  const auto known = merged(tensor(0, f32, {3, 4}), given);
  ASSERT_TRUE(known.ok()) << known.status().message();
  EXPECT_EQ(*known, tensor(1, f32, {3, 4}));
  const auto open = merged(tensor(0, f32, {kUnknown, 4}), given);
  ASSERT_TRUE(open.ok()) << open.status().message();
  EXPECT_EQ(open->rank, 2);
  EXPECT_EQ(open->strides[0], kUnknown);
  EXPECT_EQ(open->strides[1], kUnknown);
}

TEST(InferShapes, KeepsTheUsersStrides) {
  const auto out = merged(tensor(0, f32, {3, 4}), tensor(1, f32, {3, 4}, {1, 8}));
  ASSERT_TRUE(out.ok());
  EXPECT_EQ(*out, tensor(1, f32, {3, 4}, {1, 8}));
}

TEST(InferShapes, KeepsAnOpaqueLayout) {
  const auto out =
      merged(tensor(0, f32, {3, 4}), with_layout(unknown_rank(1, f32), LayoutType::opaque));
  ASSERT_TRUE(out.ok());
  EXPECT_EQ(out->layout, LayoutType::opaque);
  EXPECT_EQ(out->dims[1], 4);
}

TEST(InferShapes, MergesWhatEachSideKnows) {
  LogicalTensor in = tensor(0, f32, {kUnknown, 4});
  LogicalTensor given = with_layout(tensor(1, f32, {3, kUnknown}), LayoutType::strided);
  given.strides.fill(kUnknown);
  const auto out = merged(in, given);
  ASSERT_TRUE(out.ok());
  EXPECT_EQ(*out, tensor(1, f32, {3, 4}));
}

TEST(InferShapes, LeavesUnknownWhatNobodyKnows) {
  const auto out = merged(unknown_rank(0, f32), unknown_rank(1, f32));
  ASSERT_TRUE(out.ok());
  EXPECT_EQ(out->rank, 2);  // an EyeLike's output is a matrix
  EXPECT_EQ(out->dims[0], kUnknown);
  EXPECT_EQ(out->layout, LayoutType::undef);
  const auto partial = merged(tensor(0, f32, {kUnknown, 4}), unknown_rank(1, f32));
  ASSERT_TRUE(partial.ok());
  EXPECT_EQ(partial->dims[0], kUnknown);
  EXPECT_EQ(partial->dims[1], 4);
}

TEST(InferShapes, RefusesDisagreement) {
  expect_refused(tensor(0, f32, {3, 4}), tensor(1, f32, {3, 5}), "given as 3x5 but must be 3x4");
  expect_refused(tensor(0, f32, {3, kUnknown}), tensor(1, f32, {2, 4}),
                 "given as 2x4 but must be 3x");
  expect_refused(tensor(0, f32, {3, 4}), tensor(1, f32, {3, 4, 1}), "3x4x1");
  expect_refused(tensor(0, f32, {3, 4}), tensor(1, f32, {}), "given as a scalar but must be 3x4");
  expect_refused(tensor(0, f32, {3, 4, 5}), unknown_rank(1, f32), "rank 3, allowed: 2");
}

TEST(InferShapes, RefusesNegativeExtents) {
  expect_refused(tensor(0, f32, {3, -4}), unknown_rank(1, f32), "input 0 (input) has extent -4");
  expect_refused(unknown_rank(0, f32), tensor(1, f32, {-3, 4}), "output 0 (output) has extent -3");
}

TEST(InferShapes, RefusesStridesThatOverlapOrRunBackwards) {
  expect_refused(tensor(0, f32, {3, 4}), tensor(1, f32, {3, 4}, {3, 1}), "strides 3x1");
  expect_refused(tensor(0, f32, {3, 4}), tensor(1, f32, {3, 4}, {0, 1}), "share an address");
  expect_refused(tensor(0, f32, {3, 4}), tensor(1, f32, {3, 4}, {4, -1}), "stride -1");
}

TEST(InferShapes, StridesOfExtentOneOrOfAnEmptyTensorAreFree) {
  EXPECT_TRUE(merged(tensor(0, f32, {1, 4}), tensor(1, f32, {1, 4}, {0, 1})).ok());
  EXPECT_TRUE(merged(tensor(0, f32, {0, 4}), tensor(1, f32, {0, 4}, {0, 0})).ok());
}

TEST(InferShapes, StridesThatAreKnownInPartMustBeDense) {
  LogicalTensor given = tensor(1, f32, {3, 4}, {kUnknown, 1});
  const auto dense = merged(tensor(0, f32, {3, 4}), given);
  ASSERT_TRUE(dense.ok());
  EXPECT_EQ(dense->strides[0], 4);
  given.strides[1] = 2;
  expect_refused(tensor(0, f32, {3, 4}), given, "give all of them, or none");
}

TEST(InferShapes, RefusesSizesThatMemoryCannotHave) {
  const int64_t big = int64_t{1} << 31;
  expect_refused(tensor(0, f32, {big, 2 * big}), unknown_rank(1, f32), "2147483648x4294967296");
  expect_refused(tensor(0, f32, {big, big / 2}), unknown_rank(1, f32), "larger than memory can be");
  expect_refused(tensor(0, f32, {2, 2}), tensor(1, f32, {2, 2}, {int64_t{1} << 62, 1}), "overflow");
  EXPECT_TRUE(merged(tensor(0, f32, {0, int64_t{1} << 62}), unknown_rank(1, f32)).ok());
}

TEST(InferShapes, HostOpsHaveNoRule) {
  const Op op = make_op("Wildcard", 0, {tensor(0, f32, {2})}, {unknown_rank(1, f32)});
  ShapeContext ctx{&op, {{&op.inputs[0], nullptr}}, op.outputs};
  EXPECT_EQ(infer_shapes(ctx).code(), StatusCode::unimplemented);
}

}  // namespace
}  // namespace iotadnn::impl
