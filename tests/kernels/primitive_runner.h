// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "attention_builder.h"
#include "support/random.h"

namespace iotadnn::test {

inline graph::graph graph_of(const AttentionBuilder& b) {
  graph::graph g(graph::engine::kind::cpu);
  for (const graph::op& o : b.ops)
    g.add_op(o);
  g.finalize();
  return g;
}

// The graph's only partition but for `ends` Ends.
inline graph::compiled_partition compile_only(const AttentionBuilder& b, size_t ends) {
  std::vector<graph::partition> partitions;
  for (const graph::partition& partition : graph_of(b).get_partitions())
    if (partition.get_ops().size() > 1 || partition.is_supported()) partitions.push_back(partition);
  EXPECT_EQ(partitions.size(), 1u);
  EXPECT_EQ(partitions.front().get_ops().size() + ends, b.ops.size());
  return partitions.front().compile(b.ins, b.outs, b.eng);
}

// Runs the graph, which is to be one partition, and says what ran it.
inline std::string run_as_one(AttentionBuilder& b, size_t ends = 0) {
  const auto compiled = compile_only(b, ends);
  graph::stream st(b.eng);
  compiled.execute(st, b.in_tensors, b.out_tensors);
  st.wait();
  return compiled.get_impl();
}

inline std::vector<double> random_values(int64_t count, Random& random, double limit = 1) {
  std::vector<double> values;
  for (int64_t i = 0; i < count; ++i)
    values.push_back(
        rounded(data_type::f32, limit * static_cast<double>(random.between(-999, 999)) / 999));
  return values;
}

inline bool is_near(double a, double b, double tolerance) {
  if (std::isnan(a) || std::isnan(b)) return std::isnan(a) && std::isnan(b);
  return a == b || std::fabs(a - b) <= tolerance;
}

inline void expect_near(const std::vector<double>& got, const std::vector<double>& want,
                        double tolerance, const std::string& what) {
  ASSERT_EQ(got.size(), want.size()) << what;
  for (size_t i = 0; i < got.size(); ++i)
    ASSERT_TRUE(is_near(got[i], want[i], tolerance))
        << what << ", element " << i << ": " << got[i] << ", expected " << want[i];
}

}  // namespace iotadnn::test
