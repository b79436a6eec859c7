// SPDX-License-Identifier: Apache-2.0
#include "support/guarded_buffer.h"

#include <cstring>

#include <gtest/gtest.h>

namespace iotadnn::test {
namespace {

class GuardedBufferTest : public testing::TestWithParam<Placement> {};

INSTANTIATE_TEST_SUITE_P(Both, GuardedBufferTest, testing::ValuesIn(kPlacements),
                         placement_test_name);

TEST_P(GuardedBufferTest, IsIntactUntilWrittenTo) {
  GuardedBuffer buffer(100, GetParam());
  EXPECT_TRUE(buffer.untouched());
  buffer.as<char>()[99] = 0;
  EXPECT_FALSE(buffer.untouched());
  EXPECT_TRUE(buffer.margins_intact());
  buffer.refill();
  EXPECT_TRUE(buffer.untouched());
}

TEST_P(GuardedBufferTest, FindsAWriteIntoAStrideGap) {
  GuardedBuffer buffer(4 * 8, GetParam());
  const std::vector<int64_t> dims = {2, 3}, strides = {4, 1};
  for (const int element : {0, 1, 2, 4, 5, 6})
    buffer.as<int>()[element] = 1;
  EXPECT_TRUE(buffer.gaps_intact(dims, strides, 4));
  buffer.as<int>()[3] = 0;
  EXPECT_FALSE(buffer.gaps_intact(dims, strides, 4));
}

TEST_P(GuardedBufferTest, RefusesATensorThatDoesNotFit) {
  GuardedBuffer buffer(4 * 5, GetParam());
  EXPECT_FALSE(buffer.gaps_intact({2, 3}, {3, 1}, 4));
}

TEST_P(GuardedBufferTest, MayBeEmpty) {
  GuardedBuffer buffer(0, GetParam());
  EXPECT_NE(buffer.data(), nullptr);
  EXPECT_TRUE(buffer.untouched());
  EXPECT_TRUE(buffer.gaps_intact({0, 3}, {3, 1}, 4));
}

TEST(GuardedBufferMargins, AreChecked) {
  GuardedBuffer at_end(10, Placement::end_flush);
  at_end.as<char>()[-1] = 0;
  EXPECT_FALSE(at_end.margins_intact());
  GuardedBuffer at_start(10, Placement::start_flush);
  at_start.as<char>()[10] = 0;
  EXPECT_FALSE(at_start.margins_intact());
}

TEST(GuardedBufferDeathTest, FaultsAtTheGuardedSide) {
  GuardedBuffer at_end(10, Placement::end_flush);
  EXPECT_DEATH(at_end.as<volatile char>()[10] = 0, "");
  GuardedBuffer at_start(10, Placement::start_flush);
  EXPECT_DEATH(at_start.as<volatile char>()[-1] = 0, "");
  at_start.make_read_only();
  EXPECT_DEATH(at_start.as<volatile char>()[0] = 0, "");
}

}  // namespace
}  // namespace iotadnn::test
