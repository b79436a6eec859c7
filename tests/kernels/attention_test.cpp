// SPDX-License-Identifier: Apache-2.0
// Attentions of every mask, type and shape on every ISA against a computation in double.
#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

#include "attention_check.h"

namespace iotadnn::test {
namespace {

using type = AttentionSpec::type;

// Under sanitizers, where each takes its time, some of the sizes.
#if defined(IOTADNN_QUICK_TESTS)
constexpr int64_t kSizeStep = 9;
#else
constexpr int64_t kSizeStep = 1;
#endif

class Attention : public AttentionCheck {};

TEST_P(Attention, EveryMaskAcrossTheEdgesOfTiles) {
  for (const Mask mask : kMasks)
    for (const int64_t queries : {1, 5, 63, 64, 65, 130})
      for (const int64_t keys : {1, 7, 64, 129, 150}) {
        if (is_reference() && queries * keys > 500) continue;
        if (kSizeStep > 1 && queries * keys > 5000) continue;
        check(spec_of(mask, queries, keys));
        if (HasFatalFailure()) return;
      }
}

// Pairs of 1 to 130, others in each run; IOTADNN_TEST_CASES=16900 runs all.
TEST_P(Attention, EveryExtent) {
  constexpr int64_t kMost = 130;
  const int64_t step = std::max<int64_t>(1, kMost * kMost / number_of_cases(600 / kSizeStep));
  for (int64_t pair = random_.between(0, step - 1); pair < kMost * kMost; pair += step) {
    const Mask mask = pair % 2 == 0 ? Mask::causal : Mask::bottom_right;
    AttentionSpec spec = spec_of(mask, 1 + pair / kMost, 1 + pair % kMost);
    if (is_reference() && spec.queries * spec.keys > 200) continue;
    spec.heads = 1;
    spec.depth = 1 + pair % 9;
    spec.value_depth = 1 + pair % 13;
    check(spec);
    if (HasFatalFailure()) return;
  }
}

TEST_P(Attention, EveryType) {
  for (const type dtype : {type::f32, type::bf16, type::f16})
    for (const bool wide_scores : {true, false})
      for (const Mask mask : kMasks) {
        AttentionSpec spec = spec_of(mask, is_reference() ? 9 : 70, is_reference() ? 11 : 140);
        spec.dtype = dtype;
        spec.score = wide_scores ? type::f32 : dtype;
        spec.depth = 19;
        spec.value_depth = 35;
        spec.stats = wide_scores;
        spec.divides = mask == Mask::causal;
        check(spec);
        if (HasFatalFailure()) return;
      }
}

TEST_P(Attention, GroupsAndStrides) {
  for (const type dtype : {type::f32, type::bf16})
    for (const int64_t groups : {0, 1, 3})
      for (const bool heads_inside : {false, true})
        for (const Mask mask : {Mask::none, Mask::bottom_right, Mask::padding, Mask::alibi}) {
          AttentionSpec spec = spec_of(mask, is_reference() ? 4 : 67, is_reference() ? 6 : 131);
          spec.batch = 2;
          spec.groups = groups;
          spec.heads_inside = heads_inside;
          spec.dtype = dtype;
          spec.value_depth = 5;
          spec.stats = true;
          check(spec);
          if (HasFatalFailure()) return;
        }
}

// Depths of whole vectors, which few queries need for kernels of their own.
TEST_P(Attention, FewQueries) {
  for (const type dtype : {type::f32, type::bf16, type::f16})
    for (int64_t queries = 1; queries <= 5; ++queries)
      for (const Mask mask : {Mask::none, Mask::bottom_right, Mask::alibi, Mask::padding}) {
        AttentionSpec spec = spec_of(mask, queries, is_reference() ? 9 : 200);
        spec.dtype = dtype;
        spec.groups = queries % 3 == 1 ? 0 : queries;
        spec.depth = 32;
        spec.value_depth = 80;
        spec.stats = true;
        spec.heads_inside = queries % 2 == 0;
        check(spec);
        if (HasFatalFailure()) return;
      }
}

// Keys and values that many heads of few queries share, more than one thread takes at once.
TEST_P(Attention, FewQueriesOfGroups) {
  for (const int64_t groups : {2, 35})
    for (const int64_t queries : {1, 2})
      for (const Mask mask : kMasks) {
        AttentionSpec spec = spec_of(mask, queries, is_reference() ? 9 : 140);
        spec.batch = 2;
        spec.groups = groups;
        spec.depth = 16;
        spec.value_depth = 32;
        spec.stats = true;
        check(spec);
        if (HasFatalFailure()) return;
      }
}

// A mask whose elements lie as those of a tile do, but end where memory ends.
TEST_P(Attention, MasksColumnByColumn) {
  for (const int64_t queries : {7, 64, 80}) {
    AttentionSpec spec = spec_of(Mask::explicit_add, queries, is_reference() ? 9 : 140);
    spec.mask_by_keys = true;
    check(spec);
    if (HasFatalFailure()) return;
  }
}

// All scores are computed then, removed ones as well.
TEST_P(Attention, ScoresThatLeaveIt) {
  for (const HandedOut handed_out : {HandedOut::products, HandedOut::scaled, HandedOut::masked})
    for (const type dtype : {type::f32, type::bf16})
      for (const Mask mask : kMasks)
        for (const int64_t queries : {2, 70}) {
          if (is_reference() && queries > 2) continue;
          AttentionSpec spec = spec_of(mask, queries, is_reference() ? 9 : 140);
          spec.handed_out = handed_out;
          spec.dtype = dtype;
          spec.score = mask == Mask::window ? dtype : type::f32;
          spec.stats = true;
          check(spec);
          if (HasFatalFailure()) return;
        }
}

// Nothing may be skipped where the masked value is no -inf.
TEST_P(Attention, MaskedValuesThatAreFinite) {
  for (const float masked : {0.0F, -1e4F, -1.0F})
    for (const Mask mask : {Mask::causal, Mask::window, Mask::swapped}) {
      AttentionSpec spec = spec_of(mask, is_reference() ? 9 : 130, is_reference() ? 11 : 200);
      spec.masked = masked;
      check(spec);
      if (HasFatalFailure()) return;
    }
}

// Negative offsets of bottom-right masks leave queries without keys.
TEST_P(Attention, RowsWithoutKeys) {
  for (const bool inf_as_zero : {true, false})
    for (const int64_t queries : {4, 150})
      for (const Mask mask : {Mask::bottom_right, Mask::padding, Mask::swapped}) {
        if (is_reference() && queries > 4) continue;
        AttentionSpec spec = spec_of(mask, queries, queries > 4 ? 40 : 2);
        spec.inf_as_zero = inf_as_zero;
        spec.stats = true;
        spec.depth = 16;
        spec.value_depth = 16;
        AttentionGraph graph(spec, random_);
        graph.lengths[0] = 0;
        check(spec, graph);
        if (HasFatalFailure()) return;
      }
}

// A removed key's value counts for nothing, whatever it is; the reference multiplies by 0.
TEST_P(Attention, ValuesOfRemovedKeysThatAreNoNumbers) {
  if (is_reference()) return;
  for (const double value : {kInfinity, std::nan("")})
    for (const Mask mask : {Mask::causal, Mask::window, Mask::explicit_add, Mask::padding})
      for (const int64_t queries : {2, 70}) {
        AttentionSpec spec = spec_of(mask, queries, 140);
        spec.heads = 1;
        spec.groups = 2;
        spec.depth = 16;
        spec.value_depth = 16;
        AttentionGraph graph(spec, random_);
        for (int64_t key = 0; key < spec.keys; ++key)
          if (key % 3 == 1 || key == 139)
            graph.v[static_cast<size_t>(key * spec.value_depth + 2)] = value;
        check(spec, graph);
        if (HasFatalFailure()) return;
      }
}

// Depths of whole vectors, so that 2 queries are few.
AttentionSpec spec_of_extremes(Mask mask, int64_t queries, int64_t keys) {
  AttentionSpec spec = spec_of(mask, queries, keys);
  spec.heads = 1;
  spec.depth = 16;
  spec.value_depth = 16;
  return spec;
}

TEST_P(Attention, ScoresThatAreExtreme) {
  for (const int64_t queries : {2, 66})
    for (const Mask mask : {Mask::none, Mask::causal, Mask::added_causal, Mask::alibi})
      for (const double all : {6e4, -6e4, 3e38, -3e38}) {
        if (is_reference() && queries > 2) continue;
        const AttentionSpec spec = spec_of_extremes(mask, queries, is_reference() ? 7 : 135);
        AttentionGraph graph(spec, random_);
        graph.scale = 1;
        for (size_t i = 0; i < graph.q.size(); ++i)
          graph.q[i] = i % 16 == 0 ? 1 : 0;
        for (size_t i = 0; i < graph.k.size(); ++i)
          graph.k[i] = i % 16 == 0 ? static_cast<double>(static_cast<float>(all)) : 0;
        check(spec, graph);
        if (HasFatalFailure()) return;
      }
}

// A NaN or +inf among the scores makes the row NaN; -inf removes the key. What -inf is added to has
// to be looked at: it may be a NaN, or become one.
TEST_P(Attention, OneScoreThatIsNoNumber) {
  for (const int64_t queries : {2, 66})
    for (const Mask mask : {Mask::none, Mask::causal, Mask::added_causal})
      for (const double one : {kInfinity, -kInfinity, std::nan("")}) {
        if (is_reference() && queries > 2) continue;
        const AttentionSpec spec = spec_of_extremes(mask, queries, is_reference() ? 7 : 135);
        AttentionGraph graph(spec, random_);
        for (size_t i = 0; i < graph.q.size(); ++i)
          graph.q[i] = 1;
        const int64_t key = 1;
        graph.k[static_cast<size_t>(key * spec.depth)] = one;
        const AttentionGraph::Results got = graph.run();
        ASSERT_EQ(got.partitions, 1u);
        for (int64_t i = 0; i < queries; ++i) {
          const bool sees = mask != Mask::causal || i >= key;
          const double first = got.out[static_cast<size_t>(i * spec.value_depth)];
          ASSERT_EQ(std::isnan(first), sees && one != -kInfinity) << i << " " << one;
        }
      }
}

TEST_P(Attention, LongRows) {
  if (is_reference()) return;
  for (const int64_t queries : {3, 70})
    for (const Mask mask : {Mask::bottom_right, Mask::none}) {
      AttentionSpec spec = spec_of(mask, queries, 16384);
      spec.heads = 1;
      check(spec);
      if (HasFatalFailure()) return;
    }
}

INSTANTIATE_TEST_SUITE_P(Isa, Attention, testing::ValuesIn(host_named_isas()), named_isa_test_name);

}  // namespace
}  // namespace iotadnn::test
