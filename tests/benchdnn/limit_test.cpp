// SPDX-License-Identifier: Apache-2.0
#include "benchdnn/limit.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "benchdnn/limit_stores.h"
#include "support/guarded_buffer.h"

namespace iotadnn::benchdnn {
namespace {

using test::GuardedBuffer;

constexpr uint64_t kMixedValue = 0x0123456789abcdef;
constexpr iotadnn_cpu_isa_t kIsas[] = {iotadnn_cpu_isa_portable, iotadnn_cpu_isa_avx2,
                                       iotadnn_cpu_isa_default};

// The bytes that limit.h and limit_stores.h promise, one by one.
std::vector<char> expected_bytes(const LimitRequest& request, size_t period) {
  const auto size = static_cast<size_t>(request.bytes);
  std::vector<char> bytes(size);
  const auto address = reinterpret_cast<uintptr_t>(request.buffer);
  const size_t origin = (address + 63) / 64 * 64 - address;
  for (size_t i = 0; i < size; ++i) {
    char byte = 1;
    if (request.content == Content::constant) {
      std::memcpy(&byte, reinterpret_cast<const char*>(&request.value) + i % 8, 1);
    } else if (request.content == Content::copy) {
      byte = static_cast<const char*>(request.source)[i];
    } else if (i >= origin) {
      auto word = static_cast<uint32_t>((i - origin) / 4);
      if (period != 0) word %= static_cast<uint32_t>(period / 4);
      ++word;
      std::memcpy(&byte, reinterpret_cast<const char*>(&word) + (i - origin) % 4, 1);
    }
    bytes[i] = byte;
  }
  return bytes;
}

void check_all_stores(LimitRequest request, const std::string& what) {
  for (const iotadnn_cpu_isa_t isa : kIsas) {
    request.isa = isa;
    for (const Store& store : stores_for(request.content, request.value, isa)) {
      const int max_threads = request.bytes < 1000 ? 1 : 2;  // teams are slow on busy machines
      for (int threads = 1; threads <= max_threads; ++threads) {
        auto* const buffer = static_cast<char*>(request.buffer);
        const std::vector<char> expected = expected_bytes(request, store.period);
        for (size_t i = 0; i < expected.size(); ++i)
          buffer[i] = static_cast<char>(~expected[i]);
        fill_once(request, store, threads);
        ASSERT_TRUE(std::equal(expected.begin(), expected.end(), buffer))
            << what << " " << store.name << " on " << threads << " threads, ISA " << isa;
      }
    }
  }
}

class LimitStores : public testing::TestWithParam<Content> {};

// Small sizes at every place in a line, and ends against both guard pages.
TEST_P(LimitStores, WriteWhatTheyClaim) {
  std::vector<char> source(1 << 20);
  for (size_t i = 0; i < source.size(); ++i)
    source[i] = static_cast<char>(i * 7 + i / 251);
  for (const int64_t bytes : {1, 8, 63, 64, 65, 200, 511, 1000, 400000}) {
    for (const auto placement : test::kPlacements) {
      GuardedBuffer out(static_cast<size_t>(bytes), placement);
      LimitRequest request;
      request.content = GetParam();
      request.buffer = out.data();
      request.bytes = bytes;
      request.source = source.data() + 5;
      for (const uint64_t value : {uint64_t{0}, kMixedValue}) {
        request.value = value;
        check_all_stores(request, std::to_string(bytes) + " bytes");
      }
      ASSERT_TRUE(out.margins_intact()) << bytes;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, LimitStores,
                         testing::Values(Content::constant, Content::ramp, Content::copy));

TEST(LimitStoresList, MemsetOnlyForRepeatedBytes) {
  const auto names = [](uint64_t value) {
    std::vector<std::string> result;
    for (const Store& store : stores_for(Content::constant, value, iotadnn_cpu_isa_default)) {
      result.emplace_back(store.name);
    }
    return result;
  };
  const std::vector<std::string> any = {"nontemporal", "plain", "stosq"};
  const std::vector<std::string> repeated = {"nontemporal", "plain", "stosq", "memset", "stosb"};
  EXPECT_EQ(names(0), repeated);
  EXPECT_EQ(names(0x7f7f7f7f7f7f7f7f), repeated);
  EXPECT_EQ(names(0x3f8000003f800000), any);
}

TEST(LimitMeter, KnowsNothingBeforeASample) {
  std::vector<char> buffer(4096);
  LimitRequest request;
  request.buffer = buffer.data();
  request.bytes = 4096;
  const LimitMeter meter(request);
  EXPECT_EQ(meter.best(), std::numeric_limits<double>::infinity());
  EXPECT_EQ(meter.best_name(), "");
}

TEST(LimitMeter, BestNeverGrowsAndHasAName) {
  std::vector<char> buffer(65536);
  LimitRequest request;
  request.buffer = buffer.data();
  request.bytes = static_cast<int64_t>(buffer.size());
  request.content = Content::ramp;
  request.threads = 2;
  LimitMeter meter(request);
  double last = std::numeric_limits<double>::infinity();
  for (int i = 0; i < 5; ++i) {
    meter.sample();
    EXPECT_LE(meter.best(), last);
    last = meter.best();
  }
  EXPECT_GT(last, 0);
  EXPECT_LT(last, 65536 / 1e6);  // slower than 1 MB/s is not a store loop
  EXPECT_THAT(meter.best_name(),
              testing::MatchesRegex("(plain|nontemporal|movs 16K|movs 128K) x[12]"));
  const LimitMeter moved = std::move(meter);
  EXPECT_EQ(moved.best(), last);
}

// One fill has to be stored many times before a clock can tell how long it takes.
TEST(LimitMeter, TimeFollowsSize) {
  std::vector<char> buffer(size_t{8} << 20, 1);
  LimitRequest request;
  request.buffer = buffer.data();
  request.bytes = 4096;
  const double small = best_fill_seconds(request);
  request.bytes = static_cast<int64_t>(buffer.size());
  const double large = best_fill_seconds(request);
  EXPECT_GT(large, 100 * small);  // 2048 times the bytes
  EXPECT_LT(small, 5e-6);
}

TEST(LimitMeter, PreparesEveryPassOnce) {
  std::vector<char> buffer(4096);
  LimitRequest request;
  request.buffer = buffer.data();
  request.bytes = 4096;
  request.value = kMixedValue;
  int calls = 0;
  request.prepare = [&calls] { ++calls; };
  LimitMeter meter(request);
  meter.sample();
  EXPECT_EQ(calls, 3);  // nontemporal, plain, stosq
}

}  // namespace
}  // namespace iotadnn::benchdnn
