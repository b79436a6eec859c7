// SPDX-License-Identifier: Apache-2.0
// oneDNN's primitives are made for a number of threads: executions with other numbers than that of
// the compile, and from within the caller's own threads.
#include <omp.h>

#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "primitive_runner.h"
#include "support/isa_param.h"
#include "support/random.h"

namespace iotadnn::test {
namespace {

using graph::op;

constexpr int64_t kRows = 200;
constexpr int64_t kInner = 150;
constexpr int64_t kColumns = 300;

class PrimitiveThreads : public testing::TestWithParam<NamedIsa> {
 protected:
  PrimitiveThreads() {
    a_ = random_values(kRows * kInner, random_);
    b_ = random_values(kInner * kColumns, random_);
    for (int64_t i = 0; i < kRows * kColumns; ++i) {
      double sum = 0;
      for (int64_t j = 0; j < kInner; ++j)
        sum += a_[static_cast<size_t>(i / kColumns * kInner + j)] *
               b_[static_cast<size_t>(j * kColumns + i % kColumns)];
      want_.push_back(std::max(0.0, sum));
    }
  }

  ~PrimitiveThreads() override { omp_set_num_threads(before_); }

  // The same graph with tensors of its own.
  void build(AttentionBuilder& b) const {
    const auto product = b.apply(op::kind::MatMul,
                                 {b.input({kRows, kInner}, data_type::f32, a_),
                                  b.input({kInner, kColumns}, data_type::f32, b_)},
                                 {kRows, kColumns}, data_type::f32);
    b.add(op::kind::ReLU, {product}, {b.output({kRows, kColumns}, data_type::f32, false)});
  }

  static void execute(const graph::compiled_partition& compiled, const AttentionBuilder& b,
                      const graph::engine& eng) {
    graph::stream st(eng);
    compiled.execute(st, b.in_tensors, b.out_tensors);
  }

  bool is_right(const AttentionBuilder& b) const {
    const std::vector<double> got = b.elements(0);
    for (size_t i = 0; i < got.size(); ++i)
      if (!is_near(got[i], want_[i], 2e-5)) return false;
    return true;
  }

  Random random_;
  ScopedMaxCpuIsa cap_{GetParam().isa};
  int before_ = omp_get_max_threads();
  std::vector<double> a_, b_, want_;
};

TEST_P(PrimitiveThreads, NumbersThatChange) {
  AttentionBuilder b(false);
  build(b);
  omp_set_num_threads(3);
  const auto compiled = compile_only(b, 0);
  for (const int threads : {3, 1, 2, 4, 1, 3}) {
    omp_set_num_threads(threads);
    execute(compiled, b, b.eng);
    EXPECT_TRUE(is_right(b)) << threads << " threads";
    EXPECT_EQ(omp_get_max_threads(), threads) << "the caller's number";
  }
}

TEST_P(PrimitiveThreads, WithinTheThreadsOfTheCaller) {
  AttentionBuilder graphs[] = {AttentionBuilder(false), AttentionBuilder(false),
                               AttentionBuilder(false), AttentionBuilder(false)};
  for (AttentionBuilder& b : graphs)
    build(b);
  const auto compiled = compile_only(graphs[0], 0);
#pragma omp parallel for num_threads(4)
  for (int i = 0; i < 4; ++i)
    execute(compiled, graphs[i], graphs[0].eng);
  for (const AttentionBuilder& b : graphs)
    EXPECT_TRUE(is_right(b));
}

INSTANTIATE_TEST_SUITE_P(Isas, PrimitiveThreads, testing::ValuesIn(host_named_isas()),
                         named_isa_test_name);

}  // namespace
}  // namespace iotadnn::test
