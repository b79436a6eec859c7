// SPDX-License-Identifier: Apache-2.0
// How an attention is computed: a tile of queries at a time, the keys in blocks, with an online
// softmax (Dao et al., "FlashAttention", 2022). Tiles are transposed, keys by queries: what is read
// of keys and values is broadcast, so that they need no packing, and the softmax goes down columns.
#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include "runtime/attention_worker.h"

namespace iotadnn::impl {
namespace {

class Worker : public AttentionWorker {
 public:
  explicit Worker(const Run& run) : AttentionWorker(run) {}

  int64_t units() const { return plan_.heads * plan_.tiles_of_queries(); }

  bool allocate(TileScratch& scratch) {
    const bool widens_k = plan_.k.type != DataType::f32;
    const bool widens_v = plan_.v.type != DataType::f32;
    const TileScratch::Part parts[] = {
        {&q_, plan_.depth * kTileQueries},
        {&scores_, kTileKeys * kTileStride},
        {&out_, plan_.value_depth * kTileQueries},
        {&k_, widens_k ? kTileKeys * plan_.depth : 0},
        {&v_, widens_v ? kTileKeys * plan_.value_depth : 0},
        {&rows_, std::max(plan_.depth, plan_.value_depth) * kTileQueries},
        {&largest_, kTileQueries},
        {&sums_, kTileQueries},
        {&factors_, kTileQueries},
        {&score_factors_, kTileQueries},
        {&others_, plan_.hands_out_others ? kTileKeys * kTileStride : 0},
        {&turned_scores_, plan_.handed_out ? kTileKeys * kTileQueries : 0},
        {&turned_, run_.mask == nullptr ? 0 : run_.mask->scratch_bytes(kTileKeys) / 4}};
    if (!scratch.divide({parts, std::size(parts)})) return false;
    // Columns that no query has are weighed with the others.
    std::fill(scores_, scores_ + kTileKeys * kTileStride, 0.0F);
    std::fill(score_factors_, score_factors_ + kTileQueries, score_factor());
    return true;
  }

  // A tile of queries of a head.
  void compute(int64_t unit) {
    // Later queries first: under a causal mask they take longest.
    const int64_t tiles = plan_.tiles_of_queries();
    go_to_queries((tiles - 1 - unit % tiles) * kTileQueries);
    go_to_head(unit / tiles);
    pack_queries();
    std::fill(largest_, largest_ + kTileQueries, kMinusInfinity);
    std::fill(sums_, sums_ + kTileQueries, 0.0F);
    std::fill(out_, out_ + plan_.value_depth * kTileQueries, 0.0F);
    cut_keys(ranges_);
    for (const KeyRange& range : ranges_)
      if (!is_removed(range, largest_query_,
                      [this](const KeyRange& r) { return largest_key(r, k_); }))
        for (int64_t key = range.begin; key < range.end; key += kTileKeys)
          add_keys(key, std::min(kTileKeys, range.end - key), range.effect != MaskEffect::keeps);
    finish_sums(largest_, sums_, factors_);
    unpack_panels(tiles_, out_, factors_, out_part(plan_.out, first_, count_, plan_.value_depth),
                  rows_);
  }

 private:
  void pack_queries() {
    const MatrixPart queries = part(plan_.q, first_, count_, plan_.depth);
    if (run_.mask != nullptr || !plan_.scores_of_bf16) {
      const FloatMatrix q = to_floats(tiles_, queries, rows_);
      if (run_.mask != nullptr) largest_query_ = largest_magnitude(q);
      if (!plan_.scores_of_bf16) return pack_panels(q, panel_, q_);
    }
    pack_panels(to_pairs(tiles_, queries, rows_), panel_, q_);
  }

  void add_keys(int64_t key, int64_t keys, bool computes) {
    score(part(plan_.k, key, keys, plan_.depth));
    if (computes) compute_mask(key, keys);
    if (plan_.handed_out) hand_out(key, keys);
    const MatrixPart values = part(plan_.v, key, keys, plan_.value_depth);
    if (computes) {
      const FloatMatrix v = to_floats(tiles_, values, v_);
      if (!std::isfinite(largest_magnitude(v))) return add_values_of_kept(v);
    }
    plan_.values_of_bf16 ? add_pairs_of_values(values) : add_values(values);
  }

  // Runs the mask's program on the tile of scores in place.
  void compute_mask(int64_t key, int64_t keys) const {
    MaskTile tile{key, keys, first_, count_};
    tile.score = scores_;
    tile.outs[0] = scores_;
    tile.outs[1] = others_;
    tile.scratch = turned_;
    run_.mask->compute(outer_, tile);
  }

  void hand_out(int64_t key, int64_t keys) {
    MatrixPart to = out_part(*plan_.handed_out, first_, count_, keys);
    to.data = static_cast<const unsigned char*>(to.data) + key * to.column * bytes_of(to.type);
    const FloatMatrix tile{plan_.hands_out_others ? others_ : scores_, keys, count_,
                           kTileStride * 4, 4};
    pack_panels(tile, keys, turned_scores_);  // one panel: [query][key]
    from_floats(tiles_, turned_scores_, keys, to);
  }

  void score(const MatrixPart& k) {
    if (plan_.scores_of_bf16)
      multiply(tiles_.product_bf16, to_pairs(tiles_, k, k_), q_, score_factors_, scores_);
    else
      multiply(tiles_.product, to_floats(tiles_, k, k_), q_, score_factors_, scores_);
  }

  void add_values(const MatrixPart& values) {
    const FloatMatrix v = to_floats(tiles_, values, v_);
    for (int64_t p = 0; p < panels_; ++p) {
      weigh(v.rows, p);
      add_weighed(tiles_.accumulate, v, scores_, factors_ + p * panel_, p, out_);
    }
  }

  // The same in bf16: the sum runs over keys, which are what makes pairs of weights and values.
  void add_pairs_of_values(const MatrixPart& values) {
    const FloatMatrix v = transposed(to_pairs(tiles_, transposed(values), v_));
    for (int64_t p = 0; p < panels_; ++p) {
      weigh(values.rows, p);
      float* const weights = scores_ + p * panel_;
      const TileRows in_place{weights,         kTileStride * 4, weights,
                              kTileStride * 4, values.rows,     panel_};
      tiles_.pair_f32(&in_place);
      add_weighed(tiles_.accumulate_bf16, v, scores_, factors_ + p * panel_, p, out_);
    }
  }

  void weigh(int64_t keys, int64_t panel) {
    TileSoftmax softmax;
    softmax.s = scores_ + panel * panel_;
    softmax.s_row = kTileStride * 4;
    softmax.rows = keys;
    softmax.largest = largest_ + panel * panel_;
    softmax.sum = sums_ + panel * panel_;
    softmax.factors = factors_ + panel * panel_;
    tiles_.softmax(&softmax);
  }

  // Where values are infinite or NaN, those of keys whose score is -inf count for nothing, which a
  // product with a weight of 0 would not do. Rare, so that it need not be fast.
  void add_values_of_kept(const FloatMatrix& v) {
    removed_.assign(static_cast<size_t>(v.rows * kTileQueries), false);
    for (int64_t r = 0; r < v.rows; ++r)
      for (int64_t i = 0; i < count_; ++i)
        removed_[static_cast<size_t>(r * kTileQueries + i)] =
            scores_[r * kTileStride + i] == kMinusInfinity;
    for (int64_t p = 0; p < panels_; ++p)
      weigh(v.rows, p);
    for (int64_t i = 0; i < count_; ++i) {
      float* const out = out_ + i / panel_ * panel_ * plan_.value_depth + i % panel_;
      for (int64_t c = 0; c < plan_.value_depth; ++c) {
        float sum = out[c * panel_] * factors_[i];
        for (int64_t r = 0; r < v.rows; ++r)
          if (!removed_[static_cast<size_t>(r * kTileQueries + i)])
            sum += scores_[r * kTileStride + i] * element(v, r, c);
        out[c * panel_] = sum;
      }
    }
  }

  float largest_query_ = 0;  // of a tile, where a mask may ask
  std::vector<bool> removed_;
  float* q_ = nullptr;       // [panel][depth][query]
  float* scores_ = nullptr;  // [key][query]
  float* out_ = nullptr;     // [panel][value depth][query]
  float* k_ = nullptr;
  float* v_ = nullptr;
  float* rows_ = nullptr;
  float* largest_ = nullptr;  // of each query
  float* sums_ = nullptr;
  float* factors_ = nullptr;
  float* score_factors_ = nullptr;
  float* others_ = nullptr;         // scores to be handed out, if the softmax takes others
  float* turned_scores_ = nullptr;  // [query][key], to be handed out
  float* turned_ = nullptr;         // what the mask reads
};

}  // namespace

Status run_attention(const AttentionPlan& plan, const AttentionData& data) {
  if (plan.has_few_queries) return run_few_queries(plan, data);
  AttentionRun run;
  run.plan = &plan;
  run.data = &data;
  std::optional<MaskRun> mask;
  if (plan.mask) {
    mask.emplace(plan.mask.form(data.split), data.scalars, data.inputs);
    run.mask = &*mask;
  }
  return run_tiles<Worker>(run, "tiles of an attention");
}

}  // namespace iotadnn::impl
