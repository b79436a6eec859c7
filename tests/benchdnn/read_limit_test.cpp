// SPDX-License-Identifier: Apache-2.0
#include "benchdnn/read_limit.h"

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "benchdnn/limit_stores.h"
#include "support/guarded_buffer.h"

namespace iotadnn::benchdnn {
namespace {

// Whole lines up to the guard page behind them, any number of them.
TEST(ReadLimit, LoopsStayInTheirLines) {
  for (const iotadnn_cpu_isa_t isa :
       {iotadnn_cpu_isa_portable, iotadnn_cpu_isa_avx2, iotadnn_cpu_isa_default}) {
    for (const auto loop : {vector_stores(isa).consume, vector_stores(isa).consume_streams}) {
      for (const size_t lines : {0, 1, 3, 4, 5, 63, 64, 65}) {
        for (const auto placement : test::kPlacements) {
          const test::GuardedBuffer buffer(lines * kLineBytes, placement);
          Piece piece;
          piece.source = static_cast<const char*>(buffer.data());
          piece.bytes = lines * kLineBytes;
          loop(piece);
        }
      }
    }
  }
}

TEST(ReadLimit, ReadingMoreTakesLonger) {
  const auto seconds = [](const std::vector<size_t>& sizes) {
    LimitMeter meter = read_meter(sizes, iotadnn_cpu_isa_default, 1, true);
    for (int i = 0; i < 5; ++i)
      meter.sample();
    EXPECT_THAT(meter.best_name(), testing::MatchesRegex("loads.* x1"));
    return meter.best();
  };
  const double one = seconds({4 << 20});
  EXPECT_GT(one, 0);
  EXPECT_GT(seconds({4 << 20, 16 << 20, 12 << 20}), 2 * one);
}

// Less than a line, and nothing at all.
TEST(ReadLimit, SmallBuffers) {
  LimitMeter meter = read_meter({0, 1, 63}, iotadnn_cpu_isa_default, 2, false);
  meter.sample();
  EXPECT_GT(meter.best(), 0);
}

}  // namespace
}  // namespace iotadnn::benchdnn
