// SPDX-License-Identifier: Apache-2.0
// Attentions of bf16 on every ISA: with avx512_core_bf16 they run on another code.
#include <cmath>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

#include "attention_check.h"

namespace iotadnn::test {
namespace {

class AttentionOfBf16 : public AttentionCheck {
 protected:
  static AttentionSpec bf16_spec(Mask mask, int64_t queries, int64_t keys) {
    AttentionSpec spec = spec_of(mask, queries, keys);
    spec.dtype = type::bf16;
    spec.heads = 1;
    return spec;
  }
};

// Odd and even numbers of keys and depths, over more than a tile of both.
TEST_P(AttentionOfBf16, EveryExtent) {
  for (int64_t n = 1; n <= (is_reference() ? 9 : 70); n += 3)
    for (const type values : {type::bf16, type::f32}) {
      AttentionSpec spec = bf16_spec(n % 2 == 0 ? Mask::causal : Mask::bottom_right, n, 140 - n);
      if (is_reference()) spec.keys = 12 - n;
      spec.values = values;
      spec.depth = 1 + n % 11;
      spec.value_depth = 1 + n % 37;
      check(spec);
      if (HasFatalFailure()) return;
    }
}

// Operands as they lie, interleaved, and put together element by element.
TEST_P(AttentionOfBf16, EveryLayout) {
  for (const Layout layout : {Layout::rows, Layout::padded, Layout::columns, Layout::heads_last})
    for (const bool heads_inside : {false, true})
      for (const int64_t depth : {7, 16})
        for (const int64_t keys : {133, 134}) {
          AttentionSpec spec =
              bf16_spec(Mask::alibi, is_reference() ? 3 : 66, is_reference() ? keys / 20 : keys);
          spec.heads = 2;
          spec.batch = 2;
          spec.layout = layout;
          spec.heads_inside = heads_inside;
          spec.depth = depth;
          spec.value_depth = 23 - depth;
          spec.stats = true;
          check(spec);
          if (HasFatalFailure()) return;
        }
}

// What gives the probabilities that the values are multiplied by: a SoftMax or a TypeCast.
TEST_P(AttentionOfBf16, EveryMaskAndProbabilities) {
  for (const Mask mask : kMasks)
    for (const type values : {type::bf16, type::f32})
      for (const bool casts : {false, true}) {
        if (casts && values == type::f32) continue;
        AttentionSpec spec = bf16_spec(mask, is_reference() ? 5 : 67, is_reference() ? 7 : 135);
        spec.values = values;
        spec.casts = casts;
        spec.depth = 20;
        spec.value_depth = 17;
        check(spec);
        if (HasFatalFailure()) return;
      }
}

// A few queries read rows of 16 keys or values without panels; rows of other lengths they do not.
TEST_P(AttentionOfBf16, FewQueries) {
  for (int64_t queries = 1; queries <= 5; ++queries)
    for (const int64_t depth : {32, 6})
      for (const int64_t value_depth : {16, 6})
        for (const Mask mask : {Mask::none, Mask::bottom_right}) {
          AttentionSpec spec = bf16_spec(mask, queries, is_reference() ? 7 : 135);
          spec.depth = depth;
          spec.value_depth = value_depth;
          spec.stats = true;
          check(spec);
          if (HasFatalFailure()) return;
        }
}

TEST_P(AttentionOfBf16, ValuesOfRemovedKeysThatAreNoNumbers) {
  if (is_reference()) return;
  for (const double value : {kInfinity, std::nan("")})
    for (const Mask mask : {Mask::causal, Mask::window, Mask::explicit_add, Mask::padding}) {
      AttentionSpec spec = bf16_spec(mask, 70, 141);
      AttentionGraph graph(spec, random_);
      for (int64_t key = 0; key < spec.keys; ++key)
        if (key % 3 == 1 || key >= 139)
          graph.v[static_cast<size_t>(key * spec.value_depth + 2)] = value;
      check(spec, graph);
      if (HasFatalFailure()) return;
    }
}

// Scores of 0.5 or 0 from sums that are denormal before they are multiplied by the scale: products
// of bf16 give 0, and f32 does not.
TEST_P(AttentionOfBf16, ScoresOfDenormalSums) {
  for (const bool strict : {false, true}) {
    AttentionSpec spec = bf16_spec(Mask::none, 6, 3);
    spec.strict = strict;
    AttentionGraph graph(spec, random_);
    graph.scale = std::ldexp(1, 127);
    for (double& q : graph.q)
      q = std::ldexp(1, -65);
    for (size_t i = 0; i < graph.k.size(); ++i)
      graph.k[i] = i < 8 ? std::ldexp(1, -66) : 0;
    for (size_t i = 0; i < graph.v.size(); ++i)
      graph.v[i] = i < 8 ? 1 : 0;
    AttentionGraph::Results expected = graph.expected();
    for (double& x : expected.out)
      ASSERT_NEAR(x, std::exp(0.5) / (2 + std::exp(0.5)), 1e-9);
    if (multiplies_bf16(spec)) expected.out.assign(expected.out.size(), 1.0 / 3);
    check(spec, graph, expected);
    if (HasFatalFailure()) return;
  }
}

// The same of values; those of f32 are not multiplied as bf16.
TEST_P(AttentionOfBf16, ValuesThatAreDenormal) {
  for (const type values : {type::bf16, type::f32})
    for (const bool strict : {false, true}) {
      AttentionSpec spec = bf16_spec(Mask::none, 6, 7);
      spec.values = values;
      spec.strict = strict;
      AttentionGraph graph(spec, random_);
      for (double& v : graph.v)
        v = std::ldexp(1, -129);
      const bool vanish = multiplies_bf16(spec) && values == type::bf16;
      const AttentionGraph::Results got = graph.run();
      for (const double x : got.out)
        ASSERT_NEAR(x, vanish ? 0 : std::ldexp(1, -129), std::ldexp(1, -133));
    }
}

INSTANTIATE_TEST_SUITE_P(Isa, AttentionOfBf16, testing::ValuesIn(host_named_isas()),
                         named_isa_test_name);

}  // namespace
}  // namespace iotadnn::test
