// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <limits>
#include <string>

#include <gtest/gtest.h>

#include "attention_graph.h"
#include "support/isa_param.h"

namespace iotadnn::test {

inline constexpr double kInfinity = std::numeric_limits<double>::infinity();

inline AttentionSpec spec_of(Mask mask, int64_t queries, int64_t keys) {
  AttentionSpec spec;
  spec.mask = mask;
  spec.queries = queries;
  spec.keys = keys;
  return spec;
}

// Runs attentions under the parameter's cap, against a computation in double.
class AttentionCheck : public testing::TestWithParam<NamedIsa> {
 protected:
  using type = AttentionSpec::type;

  // Rounding of the result, of the probabilities and of each score that is 8 at most.
  static double tolerance(const AttentionSpec& s) {
    const auto unit = [](type t) { return t == type::f32 ? 6e-8 : t == type::f16 ? 5e-4 : 4e-3; };
    return 3 * unit(s.value_type()) + 8 * 4 * unit(s.score) + 2e-6;
  }

  // Whether the code is that which multiplies bf16.
  bool multiplies_bf16(const AttentionSpec& s) const {
    return GetParam().isa == iotadnn_cpu_isa_avx512_core_bf16 && !s.strict &&
           (s.dtype == type::bf16 || s.value_type() == type::bf16);
  }

  void check(const AttentionSpec& spec, const AttentionGraph& graph) const {
    check(spec, graph, graph.expected());
  }

  void check(const AttentionSpec& spec, const AttentionGraph& graph,
             const AttentionGraph::Results& expected) const {
    const AttentionGraph::Results got = graph.run();
    ASSERT_EQ(got.partitions, 1u) << text_of(spec);
    const std::string impl = multiplies_bf16(spec) ? "jit:avx512_core_bf16" : GetParam().impl;
    ASSERT_EQ(got.impl, impl) << text_of(spec);
    ASSERT_EQ(got.out.size(), expected.out.size());
    for (size_t i = 0; i < got.out.size(); ++i)
      ASSERT_TRUE(near(got.out[i], expected.out[i], tolerance(spec)))
          << text_of(spec) << ", element " << i << ": " << got.out[i] << ", expected "
          << expected.out[i];
    for (size_t i = 0; i < got.stats.size(); ++i)
      ASSERT_TRUE(near(got.stats[i], expected.stats[i], 10 * tolerance(spec)))
          << text_of(spec) << ", stats " << i << ": " << got.stats[i] << ", expected "
          << expected.stats[i];
    if (spec.handed_out == HandedOut::none) return;
    ASSERT_EQ(got.handed_out.size(), expected.handed_out.size()) << text_of(spec);
    for (size_t i = 0; i < got.handed_out.size(); ++i)
      ASSERT_TRUE(near(got.handed_out[i], expected.handed_out[i],
                       tolerance(spec) * (1 + std::fabs(expected.handed_out[i]))))
          << text_of(spec) << ", score " << i << ": " << got.handed_out[i] << ", expected "
          << expected.handed_out[i];
  }

  void check(const AttentionSpec& spec) { check(spec, AttentionGraph(spec, random_)); }

  static bool near(double a, double b, double tolerance) {
    if (std::isnan(a) || std::isnan(b)) return std::isnan(a) && std::isnan(b);
    return a == b || std::fabs(a - b) <= tolerance;
  }

  // The reference is slow; it works element by element, so that few shapes tell all.
  bool is_reference() const { return GetParam().isa == iotadnn_cpu_isa_reference; }

  Random random_;
  ScopedMaxCpuIsa cap_{GetParam().isa};
};

}  // namespace iotadnn::test
