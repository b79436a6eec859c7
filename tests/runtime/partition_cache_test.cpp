// SPDX-License-Identifier: Apache-2.0
#include "runtime/partition_cache.h"

#include <gtest/gtest.h>

namespace iotadnn::impl {
namespace {

// Only identity matters to the cache.
std::shared_ptr<const Core> some_core() {
  return std::make_shared<const Core>();
}

TEST(PartitionCache, KeepsTheMostRecentlyUsed) {
  PartitionCache cache(2);
  const auto a = cache.store("a", some_core());
  cache.store("b", some_core());
  EXPECT_EQ(cache.find("a"), a);
  cache.store("c", some_core());
  EXPECT_EQ(cache.find("a"), a);
  EXPECT_EQ(cache.find("b"), nullptr);
  EXPECT_NE(cache.find("c"), nullptr);
}

TEST(PartitionCache, TheFirstStoredWins) {
  PartitionCache cache(2);
  const auto first = cache.store("a", some_core());
  EXPECT_EQ(cache.store("a", some_core()), first);
}

TEST(PartitionCache, CapacityZeroKeepsNothing) {
  PartitionCache cache(3);
  cache.store("a", some_core());
  cache.set_capacity(0);
  EXPECT_EQ(cache.find("a"), nullptr);
  const auto core = some_core();
  EXPECT_EQ(cache.store("b", core), core);
  EXPECT_EQ(cache.find("b"), nullptr);
  EXPECT_EQ(cache.capacity(), 0);
}

}  // namespace
}  // namespace iotadnn::impl
