// SPDX-License-Identifier: Apache-2.0
// One compiled partition, many threads.
#include <atomic>
#include <thread>

#include <gtest/gtest.h>

#include "kernels/op_runner.h"
#include "support/strided.h"

namespace iotadnn::test {
namespace {

constexpr int kThreads = 8;

void run_on_all(const std::function<bool(int thread)>& work) {
  std::atomic<int> failures{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t)
    threads.emplace_back([&, t] {
      if (!work(t)) ++failures;
    });
  for (std::thread& thread : threads)
    thread.join();
  EXPECT_EQ(failures.load(), 0);
}

bool execute_and_check(const CompiledCase& compiled, const OpCase& c) {
  const GuardedBuffer buffer(static_cast<size_t>(c.out.span_bytes()), Placement::end_flush);
  compiled.execute(c.out, c.k, buffer.data());
  return static_cast<bool>(holds(buffer.data(), c.out, c.expected()));
}

class Concurrency : public testing::TestWithParam<NamedIsa> {
 protected:
  ScopedMaxCpuIsa cap_{GetParam().isa};
};

TEST_P(Concurrency, OneCompiledPartitionExecutesOnEightThreads) {
  OpCase c;
  c.kind = OpCase::Kind::eye;
  c.form = EyeForm::host_scalars;
  c.out = dense_spec(iotadnn_f32, {60, 70});
  const CompiledCase compiled(c);
  EXPECT_EQ(compiled.impl(), GetParam().impl);
  run_on_all([&](int thread) {
    OpCase mine = c;
    for (mine.k = -20 + thread; mine.k < 20; ++mine.k)
      if (!execute_and_check(compiled, mine)) return false;
    return true;
  });
}

TEST_P(Concurrency, UnknownShapesExecuteOnEightThreads) {
  OpCase c;
  c.kind = OpCase::Kind::gen_index;
  c.out = dense_spec(iotadnn_s32, {1, 1});
  c.unknown_dims = true;
  const CompiledCase compiled(c);
  run_on_all([&](int thread) {
    OpCase mine = c;
    for (int64_t n = 1; n < 40; ++n) {
      mine.out = dense_spec(iotadnn_s32, {thread + 1, n});
      if (!execute_and_check(compiled, mine)) return false;
    }
    return true;
  });
}

// All threads meet the same shapes, which are more than the plans that are kept.
TEST_P(Concurrency, ThreadsShareThePlansOfUnknownShapes) {
  OpCase c;
  c.kind = OpCase::Kind::eye;
  c.form = EyeForm::tensors;
  c.out = dense_spec(iotadnn_s16, {1, 1});
  c.unknown_dims = true;
  const CompiledCase compiled(c);
  run_on_all([&](int thread) {
    OpCase mine = c;
    for (int64_t i = 0; i < 120; ++i) {
      mine.k = thread - 4;
      mine.out = dense_spec(iotadnn_s16, {3 + (i / 3 + thread) % 10, 17});
      if (!execute_and_check(compiled, mine)) return false;
    }
    return true;
  });
}

// The same structures on all threads at once: caches and code memory are shared.
TEST_P(Concurrency, EightThreadsCompileAtOnce) {
  run_on_all([&](int) {
    for (int64_t rank = 2; rank < 8; ++rank) {
      OpCase c;
      c.kind = OpCase::Kind::gen_index;
      c.out = dense_spec(iotadnn_s64, std::vector<int64_t>(static_cast<size_t>(rank), 3));
      c.out.strides = permuted_strides(c.out.dims, [&] {
        std::vector<int> order;
        for (int d = static_cast<int>(rank) - 1; d >= 0; --d)
          order.push_back(d);
        return order;
      }());
      const CompiledCase compiled(c);
      if (!execute_and_check(compiled, c)) return false;
    }
    return true;
  });
}

INSTANTIATE_TEST_SUITE_P(Isas, Concurrency, testing::ValuesIn(host_named_isas()),
                         named_isa_test_name);

}  // namespace
}  // namespace iotadnn::test
