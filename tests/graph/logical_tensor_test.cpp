// SPDX-License-Identifier: Apache-2.0
#include "graph/logical_tensor.h"

#include <gtest/gtest.h>

#include "ops/op_builder.h"

namespace iotadnn::impl {
namespace {

using test::kUnknown;
using test::tensor;
using test::unknown_rank;

constexpr auto f32 = DataType::f32;

TEST(LogicalTensorEquality, IgnoresWhatLiesBeyondTheRank) {
  LogicalTensor a = tensor(1, f32, {2, 3});
  LogicalTensor b = a;
  b.dims[2] = 9;
  b.strides[2] = 9;
  b.layout_id = 9;
  EXPECT_TRUE(a == b);
  EXPECT_FALSE(a != b);
}

TEST(LogicalTensorEquality, SeesEveryField) {
  const LogicalTensor a = tensor(1, f32, {2, 3});
  for (int field = 0; field < 7; ++field) {
    LogicalTensor b = a;
    switch (field) {
      case 0:
        b.id = 2;
        break;
      case 1:
        b.rank = 1;
        break;
      case 2:
        b.dims[1] = 4;
        break;
      case 3:
        b.type = DataType::s32;
        break;
      case 4:
        b.property = Property::constant;
        break;
      case 5:
        b.layout = LayoutType::any;
        break;
      default:
        b.strides[0] = 4;
        break;
    }
    EXPECT_TRUE(a != b) << "field " << field;
  }
}

TEST(LogicalTensorEquality, StridesAndLayoutIdCountWhereTheyMean) {
  LogicalTensor a = tensor(1, f32, {2, 3});
  a.layout = LayoutType::any;
  LogicalTensor b = a;
  b.strides[0] = 77;
  EXPECT_TRUE(a == b);
  a.layout = b.layout = LayoutType::opaque;
  EXPECT_TRUE(a == b);
  b.layout_id = 1;
  EXPECT_FALSE(a == b);
}

TEST(FullyKnown, NeedsDimsAndTheStridesOfStridedLayouts) {
  EXPECT_TRUE(is_fully_known(tensor(1, f32, {2, 3})));
  EXPECT_TRUE(is_fully_known(tensor(1, f32, {})));
  EXPECT_FALSE(is_fully_known(unknown_rank(1, f32)));
  EXPECT_FALSE(is_fully_known(tensor(1, f32, {2, kUnknown})));
  LogicalTensor t = tensor(1, f32, {2, 3}, {kUnknown, 1});
  EXPECT_FALSE(is_fully_known(t));
  t.layout = LayoutType::any;
  EXPECT_TRUE(is_fully_known(t));
}

size_t bytes(const LogicalTensor& t) {
  const auto result = buffer_bytes(t);
  EXPECT_TRUE(result.ok()) << result.status().message();
  return result.ok() ? *result : 0;
}

TEST(BufferBytes, FollowsOneDnn) {
  EXPECT_EQ(bytes(tensor(1, f32, {})), 4u);
  EXPECT_EQ(bytes(tensor(1, f32, {2, 3})), 24u);
  EXPECT_EQ(bytes(tensor(1, DataType::f16, {2, 3}, {8, 1})), 32u);  // the last row's padding too
  EXPECT_EQ(bytes(tensor(1, DataType::s64, {2, 3}, {1, 2})), 48u);
  EXPECT_EQ(bytes(tensor(1, f32, {1, 3}, {1000, 1})), 12u);  // the stride of an extent of 1
  EXPECT_EQ(bytes(tensor(1, f32, {2, 0, 3})), 0u);
  EXPECT_EQ(bytes(tensor(1, f32, {0}, {kUnknown - kUnknown})), 0u);
  EXPECT_EQ(bytes(tensor(1, DataType::s4, {3})), 2u);
  EXPECT_EQ(bytes(tensor(1, DataType::u64, {5})), 40u);
}

TEST(BufferBytes, CoversWhatOverlappingStridesReach) {
  EXPECT_EQ(bytes(tensor(1, f32, {3, 4}, {0, 0})), 4u);
  EXPECT_EQ(bytes(tensor(1, f32, {4, 4}, {1, 1})), 28u);
}

TEST(BufferBytes, CannotTellLayoutsThatAreNotStrided) {
  for (const LayoutType layout : {LayoutType::any, LayoutType::undef, LayoutType::opaque}) {
    LogicalTensor t = tensor(1, f32, {2, 3});
    t.layout = layout;
    EXPECT_EQ(bytes(t), kUnknownBytes);
  }
}

TEST(BufferBytes, RefusesWhatHasNoSize) {
  const int64_t big = int64_t{1} << 32;
  LogicalTensor unknown = unknown_rank(1, f32);
  unknown.layout = LayoutType::strided;
  for (const LogicalTensor& t :
       {unknown, tensor(1, f32, {2, 3}, {kUnknown, 1}), tensor(1, f32, {2, -3}, {3, 1}),
        tensor(1, f32, {2, 3}, {-3, 1}), tensor(1, f32, {big, big}, {big, 1}),
        tensor(1, f32, {3, 1}, {int64_t{1} << 62, 1}), tensor(1, DataType::u8, {big, big / 8}),
        tensor(1, f32, {2, 3}, {int64_t{1} << 62, 1})}) {
    const auto result = buffer_bytes(t);
    ASSERT_FALSE(result.ok()) << verbose_text(t);
    EXPECT_EQ(result.status().code(), StatusCode::invalid_shape);
    EXPECT_FALSE(result.status().message().empty());
  }
}

TEST(VerboseText, FollowsOneDnnsGrammar) {
  LogicalTensor t = tensor(7, f32, {1, 16, 32, 32});
  EXPECT_EQ(verbose_text(t), "f32:7:strided:undef:1x16x32x32:16384s1024s32s1");
  t.layout = LayoutType::any;
  t.property = Property::variable;
  EXPECT_EQ(verbose_text(t), "f32:7:any:variable:1x16x32x32:any");
  t.layout = LayoutType::opaque;
  t.layout_id = 12;
  t.property = Property::constant;
  EXPECT_EQ(verbose_text(t), "f32:7:opaque:constant:1x16x32x32:12");
  LogicalTensor scalar = tensor(0, DataType::s64, {});
  scalar.property = Property::host_scalar;
  EXPECT_EQ(verbose_text(scalar), "s64:0:strided:host_scalar:0:0");
  EXPECT_EQ(verbose_text(tensor(1, DataType::boolean, {2, kUnknown})),
            "boolean:1:undef:undef:2x?:undef");
  EXPECT_EQ(verbose_text(unknown_rank(1, f32)), "f32:1:undef:undef::undef");
}

}  // namespace
}  // namespace iotadnn::impl
