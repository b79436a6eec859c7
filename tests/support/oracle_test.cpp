// SPDX-License-Identifier: Apache-2.0
#include "support/oracle.h"

#include <cstdint>
#include <limits>

#include <gtest/gtest.h>

#include "support/strided.h"

namespace iotadnn::test {
namespace {

constexpr int kF16 = 1, kF32 = 3, kS32 = 4, kU8 = 6, kS64 = 16;

TEST(Oracle, KnowsThirteenTypes) {
  EXPECT_EQ(oracle_types().size(), 13u);
  for (const int type : oracle_types())
    EXPECT_GT(type_bytes(type), 0) << type_name(type);
  EXPECT_EQ(type_bytes(9), 0);  // f8_e5m2
  EXPECT_EQ(type_name(9), "type 9");
}

// numpy.eye(3, 4, k=1, dtype=uint8)
TEST(Oracle, AgreesWithNumpyEye) {
  const uint8_t eye[] = {0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
  const TensorSpec spec = dense_spec(kU8, {3, 4});
  EXPECT_TRUE(holds(eye, spec, expect_eye(kU8, 1)));
  EXPECT_FALSE(holds(eye, spec, expect_eye(kU8, 0)));
}

TEST(Oracle, OnesAreOnesOfTheType) {
  const float f32 = 1.0f;
  EXPECT_TRUE(holds(&f32, dense_spec(kF32, {1, 1}), expect_eye(kF32, 0)));
  EXPECT_EQ(eye_element(kF16, 2, 2, 0), 0x3c00u);
}

TEST(Oracle, ExtremeDiagonalsLeaveZeros) {
  for (const int64_t k : {std::numeric_limits<int64_t>::min(), std::numeric_limits<int64_t>::max(),
                          int64_t{4}, int64_t{-3}}) {
    const int64_t zeros[12] = {};
    EXPECT_TRUE(holds(zeros, dense_spec(kS64, {3, 4}), expect_eye(kS64, k))) << k;
  }
}

TEST(Oracle, GenIndexCountsAlongTheAxis) {
  const int32_t rows[] = {0, 0, 0, 1, 1, 1}, columns[] = {0, 1, 2, 0, 1, 2};
  const TensorSpec spec = dense_spec(kS32, {2, 3});
  EXPECT_TRUE(holds(rows, spec, expect_gen_index(kS32, 0)));
  EXPECT_TRUE(holds(rows, spec, expect_gen_index(kS32, -2)));
  EXPECT_TRUE(holds(columns, spec, expect_gen_index(kS32, 1)));
  EXPECT_FALSE(holds(columns, spec, expect_gen_index(kS32, 0)));
}

TEST(Oracle, FollowsStrides) {
  // Columns outermost, rows padded to three: memory holds column 0, a gap, column 1, a gap.
  const int32_t memory[] = {1, 0, -1, 0, 1, -1};
  const TensorSpec spec = {kS32, {2, 2}, permuted_strides({2, 2}, {1, 0}, 1)};
  EXPECT_EQ(spec.strides, (std::vector<int64_t>{1, 3}));
  EXPECT_EQ(spec.span_bytes(), 5 * 4);
  EXPECT_TRUE(holds(memory, spec, expect_eye(kS32, 0)));
}

TEST(Oracle, NamesTheFirstWrongElement) {
  const int32_t memory[] = {1, 0, 7, 1};
  const auto result = holds(memory, dense_spec(kS32, {2, 2}), expect_eye(kS32, 0));
  ASSERT_FALSE(result);
  EXPECT_STREQ(result.message(),
               "1 wrong elements in s32 2x2 strides 2:1; first: element (1, 0): expected bits 0x0, "
               "found 0x7");
}

TEST(Oracle, ComparesTensorsOfDifferentLayout) {
  const int32_t rows[] = {1, 2, 3, 4, 5, 6}, columns[] = {1, 4, 2, 5, 3, 6};
  const TensorSpec row_major = dense_spec(kS32, {2, 3});
  const TensorSpec column_major = {kS32, {2, 3}, {1, 2}};
  EXPECT_TRUE(same_bits(rows, row_major, columns, column_major));
  EXPECT_FALSE(same_bits(rows, row_major, rows, column_major));
  EXPECT_FALSE(same_bits(rows, row_major, rows, dense_spec(kS32, {3, 2})));
}

TEST(Oracle, VisitsEachElementOnce) {
  int visits = 0;
  const auto count = [&](const std::vector<int64_t>&, int64_t offset) {
    EXPECT_EQ(offset, visits);
    ++visits;
    return true;
  };
  for_each_element({2, 3, 4}, dense_strides({2, 3, 4}), count);
  EXPECT_EQ(visits, 24);
  visits = 0;
  for_each_element({}, {}, count);
  EXPECT_EQ(visits, 1);
  visits = 0;
  for_each_element({2, 0}, dense_strides({2, 0}), count);
  EXPECT_EQ(visits, 0);
}

}  // namespace
}  // namespace iotadnn::test
