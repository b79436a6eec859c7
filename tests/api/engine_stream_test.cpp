// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "api/api_test_util.h"

namespace iotadnn::test {
namespace {

TEST(Engine, OnlyTheCpu) {
  EXPECT_EQ(engine::get_count(engine::kind::cpu), 1u);
  EXPECT_EQ(engine::get_count(engine::kind::gpu), 0u);
  EXPECT_EQ(engine::get_count(engine::kind::any), 0u);
  EXPECT_EQ(cpu_engine().get_kind(), engine::kind::cpu);
  expect_error(iotadnn_invalid_arguments, [] { engine(engine::kind::cpu, 1); });
  expect_error(iotadnn_invalid_arguments, [] { engine(engine::kind::gpu, 0); });
  expect_error(iotadnn_invalid_arguments, [] { engine(engine::kind::any, 0); });
}

TEST(Stream, FlagsAndEngine) {
  const engine eng = cpu_engine();
  stream str(eng);
  EXPECT_EQ(str.get_engine(), eng);
  EXPECT_NO_THROW(str.wait());
  EXPECT_NO_THROW(stream(eng, stream::flags::out_of_order));
  expect_error(iotadnn_unimplemented,
               [&] { stream(eng, stream::flags::in_order | stream::flags::profiling); });
  expect_error(iotadnn_invalid_arguments,
               [&] { stream(eng, stream::flags::in_order | stream::flags::out_of_order); });
  expect_error(iotadnn_invalid_arguments, [&] { stream(eng, static_cast<stream::flags>(0)); });
  expect_error(iotadnn_invalid_arguments, [&] { stream(eng, static_cast<stream::flags>(8)); });
}

TEST(Stream, OutlivesItsEngineHandle) {
  engine eng = cpu_engine();
  const stream str(eng);
  eng = engine();
  EXPECT_EQ(str.get_engine().get_kind(), engine::kind::cpu);
}

TEST(Stream, FlagOperators) {
  using flags = stream::flags;
  flags f = flags::in_order;
  f |= flags::profiling;
  EXPECT_EQ(f & flags::profiling, flags::profiling);
  f ^= flags::profiling;
  EXPECT_EQ(f, flags::in_order);
  f &= ~flags::in_order;
  EXPECT_EQ(f, static_cast<flags>(0));
}

}  // namespace
}  // namespace iotadnn::test
