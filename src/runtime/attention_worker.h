// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <limits>

#include "runtime/tile_worker.h"

namespace iotadnn::impl {

using AttentionRun = TileRun<AttentionPlan>;

// What both ways to compute an attention do alike.
class AttentionWorker : public TileWorker<AttentionPlan> {
 protected:
  static constexpr float kMinusInfinity = -std::numeric_limits<float>::infinity();

  explicit AttentionWorker(const Run& run) : TileWorker(run) {}

  float score_factor() const { return run_.mask == nullptr ? 1.0F : run_.mask->factor(); }

  // The keys of the head that the mask leaves to the queries; none is skipped whose score is handed
  // out.
  void cut_keys(std::vector<KeyRange>& ranges) const {
    if (run_.mask == nullptr)
      ranges.assign(1, {0, plan_.keys, MaskEffect::keeps});
    else if (plan_.handed_out)
      ranges.assign(1, {0, plan_.keys, MaskEffect::computes});
    else
      run_.mask->cut(outer_, plan_.keys, first_, first_ + count_, ranges);
  }

  // `largest_query`: of these queries; largest_key_of(range): what largest_key() tells.
  template <class LargestKeyOf>
  bool is_removed(const KeyRange& range, float largest_query, LargestKeyOf&& largest_key_of) const {
    if (range.effect != MaskEffect::removes_finite) return range.effect == MaskEffect::removes;
    return has_finite_scores(largest_query, largest_key_of(range));
  }

  // Where -inf is added, scores have to be finite: no sum of products of such queries and keys
  // comes near the largest number.
  bool has_finite_scores(float largest_query, float largest_key) const {
    const float factor = std::fabs(score_factor());
    const double bound = static_cast<double>(std::max(1.0F, factor)) *
                         static_cast<double>(plan_.depth) * static_cast<double>(largest_query);
    constexpr double kLargest = static_cast<double>(std::numeric_limits<float>::max()) / 2;
    return std::isfinite(factor) && bound * static_cast<double>(largest_key) < kLargest;
  }

  // The largest magnitude of keys; NaN or infinite where one is. `k`: scratch for kTileKeys of
  // them.
  float largest_key(const KeyRange& range, float* k) const {
    float largest = 0;
    for (int64_t key = range.begin; key < range.end; key += kTileKeys) {
      const int64_t keys = std::min(kTileKeys, range.end - key);
      const float of_block =
          largest_magnitude(to_floats(tiles_, part(plan_.k, key, keys, plan_.depth), k));
      if (!std::isfinite(of_block)) return of_block;
      largest = std::max(largest, of_block);
    }
    return largest;
  }

  // Stores the stats of the queries, and gives what their sums of values are to be multiplied by.
  // Without any weight a query has zeros, or NaN in mode none.
  void finish_sums(const float* largest, const float* sums, float* factors) const {
    if (plan_.stats) {
      for (int64_t i = 0; i < count_; ++i) {
        const bool nothing = sums[i] == 0 && largest[i] == kMinusInfinity;
        factors[i] = nothing && plan_.inf_as_zero ? 0
                     : nothing                    ? std::numeric_limits<float>::quiet_NaN()
                                                  : largest[i] + std::log(sums[i]);
      }
      from_floats(tiles_, factors, 1, out_part(*plan_.stats, first_, count_, 1));
    }
    for (int64_t i = 0; i < count_; ++i)
      factors[i] = sums[i] == 0 && plan_.inf_as_zero ? 1 : 1 / sums[i];
  }
};

// What run_attention() does where the plan has few queries.
Status run_few_queries(const AttentionPlan& plan, const AttentionData& data);

}  // namespace iotadnn::impl
