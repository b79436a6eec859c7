// SPDX-License-Identifier: Apache-2.0
// SoftMax on a primitive of oneDNN, alone and with what follows it, on every ISA against loops in
// double: rows that oneDNN's kernels differ in, and the stats.
#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

#include "primitive_runner.h"
#include "support/isa_param.h"
#include "support/random.h"

namespace iotadnn::test {
namespace {

using graph::op;

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

class PrimitiveSoftMax : public testing::TestWithParam<NamedIsa> {
 protected:
  std::string impl(bool has_epilogue) const {
    if (GetParam().isa == iotadnn_cpu_isa_reference) return "reference";
    return has_epilogue ? std::string("onednn+") + GetParam().impl : "onednn";
  }

  Random random_;
  ScopedMaxCpuIsa cap_{GetParam().isa};
};

struct Expected {
  std::vector<double> out;
  std::vector<double> stats;
};

// Of [outer, count, inner] along the middle.
Expected softmax_of(const std::vector<double>& in, int64_t outer, int64_t count, int64_t inner,
                    bool inf_as_zero) {
  Expected e{std::vector<double>(in.size()), {}};
  for (int64_t o = 0; o < outer; ++o)
    for (int64_t i = 0; i < inner; ++i) {
      const auto at = [&](int64_t c) { return static_cast<size_t>((o * count + c) * inner + i); };
      double largest = -kInfinity;
      bool is_nan = false;
      for (int64_t c = 0; c < count; ++c) {
        largest = std::max(largest, in[at(c)]);
        is_nan = is_nan || std::isnan(in[at(c)]);
      }
      const bool is_zero = inf_as_zero && !is_nan && largest == -kInfinity;
      double sum = 0;
      for (int64_t c = 0; c < count; ++c)
        sum += std::exp(in[at(c)] - largest);
      if (is_nan) sum = kNaN;
      for (int64_t c = 0; c < count; ++c)
        e.out[at(c)] = is_zero ? 0 : std::exp(in[at(c)] - largest) / sum;
      e.stats.push_back(is_zero ? 0 : largest + std::log(sum));
    }
  return e;
}

// Rows of nothing but -inf, with one NaN, with +inf, with some -inf, with large scores.
void make_special(std::vector<double>& in, int64_t outer, int64_t count, int64_t inner) {
  for (int64_t row = 0; row < outer * inner; ++row)
    for (int64_t c = 0; c < count; ++c) {
      double& x = in[static_cast<size_t>((row / inner * count + c) * inner + row % inner)];
      if (row % 7 == 1) x = -kInfinity;
      if (row % 7 == 2 && c == count / 2) x = kNaN;
      if (row % 7 == 3 && c == count - 1) x = kInfinity;
      if (row % 7 == 4 && c > 0) x = -kInfinity;
      if (row % 7 == 5) x = c == 0 ? -6e4 : 6e4;
    }
}

TEST_P(PrimitiveSoftMax, EveryAxisModeAndSpecialRow) {
  for (const int64_t count : {1, 5, 16, 77})
    for (const int64_t inner : {1, 3})
      for (const bool inf_as_zero : {false, true})
        for (const bool has_stats : {false, true}) {
          std::vector<double> in = random_values(15 * count * inner, random_, 8);
          make_special(in, 15, count, inner);
          AttentionBuilder b(false);
          const dims d{15, count, inner};
          std::vector<graph::logical_tensor> outs{b.output(d, data_type::f32, false)};
          if (has_stats) outs.push_back(b.output({15, 1, inner}, data_type::f32, false));
          op& softmax = b.add(op::kind::SoftMax, {b.input(d, data_type::f32, in)}, outs);
          softmax.set_attr<int64_t>(op::attr::axis, -2);
          softmax.set_attr<std::string>(op::attr::mode, inf_as_zero ? "inf_as_zero" : "none");
          ASSERT_EQ(run_as_one(b), impl(false));
          const Expected want = softmax_of(in, 15, count, inner, inf_as_zero);
          const std::string what = std::to_string(count) + " by " + std::to_string(inner);
          expect_near(b.elements(0), want.out, 1e-6, what);
          if (has_stats) expect_near(b.elements(1), want.stats, 1e-2, what + ", stats");
          if (HasFatalFailure()) return;
        }
}

TEST_P(PrimitiveSoftMax, StatsAreClose) {
  const std::vector<double> in = random_values(40 * 300, random_, 8);
  AttentionBuilder b(false);
  op& softmax =
      b.add(op::kind::SoftMax, {b.input({40, 300}, data_type::f32, in)},
            {b.output({40, 300}, data_type::f32, false), b.output({40, 1}, data_type::f32, false)});
  softmax.set_attr<int64_t>(op::attr::axis, 1);
  EXPECT_EQ(run_as_one(b), impl(false));
  const Expected want = softmax_of(in, 40, 300, 1, false);
  expect_near(b.elements(0), want.out, 1e-6, "softmax");
  expect_near(b.elements(1), want.stats, 3e-6, "stats");
}

TEST_P(PrimitiveSoftMax, WhatFollowsJoins) {
  const std::vector<double> in = random_values(6 * 50, random_, 8);
  const std::vector<double> factor = random_values(50, random_);
  AttentionBuilder b(false);
  const auto p = b.value({6, 50}, data_type::f32);
  b.add(op::kind::SoftMax, {b.input({6, 50}, data_type::f32, in)}, {p})
      .set_attr<int64_t>(op::attr::axis, -1);
  b.add(op::kind::Multiply, {p, b.input({50}, data_type::f32, factor)},
        {b.output({6, 50}, data_type::f32, false)});
  EXPECT_EQ(run_as_one(b), impl(true));
  std::vector<double> want = softmax_of(in, 6, 50, 1, false).out;
  for (size_t i = 0; i < want.size(); ++i)
    want[i] *= factor[i % 50];
  expect_near(b.elements(0), want, 1e-6, "softmax and a factor");
}

// What is in front has no primitive to follow.
TEST_P(PrimitiveSoftMax, WhatIsInFrontStaysWithTheHost) {
  AttentionBuilder b(false);
  const auto x = b.apply(op::kind::Multiply,
                         {b.input({2, 5}, data_type::f32, std::vector<double>(10, 1)),
                          b.input({1}, data_type::f32, {0.5})},
                         {2, 5}, data_type::f32);
  b.add(op::kind::SoftMax, {x}, {b.output({2, 5}, data_type::f32, false)})
      .set_attr<int64_t>(op::attr::axis, -1);
  const auto partitions = graph_of(b).get_partitions();
  ASSERT_EQ(partitions.size(), 2u);
  EXPECT_FALSE(partitions[0].is_supported());
  EXPECT_TRUE(partitions[1].is_supported()) << partitions[1].get_reason();
}

INSTANTIATE_TEST_SUITE_P(Isas, PrimitiveSoftMax, testing::ValuesIn(host_named_isas()),
                         named_isa_test_name);

}  // namespace
}  // namespace iotadnn::test
