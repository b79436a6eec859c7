// SPDX-License-Identifier: Apache-2.0
#include "runtime/parallel.h"

#include <atomic>
#include <limits>

#include <gtest/gtest.h>

namespace iotadnn::impl {
namespace {

TEST(ShareOf, CoversAllUnitsWithoutOverlap) {
  for (const int64_t units : {0, 1, 2, 15, 16, 17, 1000})
    for (const int64_t grain : {1, 16, 64})
      for (const int64_t origin : {0, -3, -15})
        for (const int parts : {1, 2, 3, 8}) {
          int64_t next = 0;
          for (int part = 0; part < parts; ++part) {
            const UnitRange range = share_of(units, grain, origin, part, parts);
            EXPECT_EQ(range.begin, next);
            EXPECT_GE(range.end, range.begin);
            next = range.end;
          }
          EXPECT_EQ(next, units);
        }
}

TEST(ShareOf, CutsAtTheGrain) {
  for (int part = 1; part < 4; ++part) {
    const UnitRange range = share_of(1003, 16, -5, part, 4);
    EXPECT_EQ((range.begin + 5) % 16, 0) << part;
  }
}

TEST(ShareOf, DoesNotOverflow) {
  const int64_t most = std::numeric_limits<int64_t>::max();
  const UnitRange last = share_of(most, 64, 0, 6, 7);
  EXPECT_EQ(last.end, most);
  EXPECT_GT(last.begin, most / 7 * 5);
}

TEST(RunParts, RunsEachPartOnce) {
  std::atomic<int> seen[16] = {};
  run_parts(
      16, [](void* context, int part) { ++static_cast<std::atomic<int>*>(context)[part]; }, seen);
  for (const auto& count : seen)
    EXPECT_EQ(count.load(), 1);
}

}  // namespace
}  // namespace iotadnn::impl
