// SPDX-License-Identifier: Apache-2.0
// How an attention is computed: a tile of queries at a time, the keys in blocks, with an online
// softmax (Dao et al., "FlashAttention", 2022). Tiles are transposed, keys by queries: what is read
// of keys and values is broadcast, so that they need no packing, and the softmax goes down columns.
#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <vector>

#include "runtime/tile_worker.h"

namespace iotadnn::impl {
namespace {

constexpr float kMinusInfinity = -std::numeric_limits<float>::infinity();

constexpr int64_t kFewQueries = 4;

class Worker : public TileWorker<AttentionPlan> {
 public:
  explicit Worker(const Run& run) : TileWorker(run) {}

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
        {&query_rows_, plan_.depth * kFewQueries},
        {&few_out_, plan_.value_depth * kFewQueries},
        {&few_sums_, panel_ * kFewQueries},
        {&row_, kTileKeys + panel_},
        {&row_largest_, panel_},
        {&largest_, kTileQueries},
        {&sums_, kTileQueries},
        {&factors_, kTileQueries},
        {&score_factors_, kTileQueries},
        {&turned_, run_.mask == nullptr ? 0 : run_.mask->scratch_bytes(kTileKeys) / 4}};
    if (!scratch.divide({parts, std::size(parts)})) return false;
    // Columns that no query has are weighed with the others.
    std::fill(scores_, scores_ + kTileKeys * kTileStride, 0.0F);
    std::fill(score_factors_, score_factors_ + kTileQueries,
              run_.mask == nullptr ? 1.0F : run_.mask->factor());
    return true;
  }

  // A tile of queries of a head.
  void compute(int64_t unit) {
    // Later queries first: under a causal mask they take longest.
    const int64_t tiles = plan_.tiles_of_queries();
    go_to_queries((tiles - 1 - unit % tiles) * kTileQueries);
    go_to_head(unit / tiles);
    const FloatMatrix q = to_floats(tiles_, part(plan_.q, first_, count_, plan_.depth), rows_);
    if (is_vector(plan_.k, plan_.depth))
      copy_rows(q, plan_.depth, query_rows_);
    else
      pack_panels(q, panel_, q_);
    largest_query_ = run_.mask == nullptr ? 0 : largest_magnitude(q);
    std::fill(largest_, largest_ + kTileQueries, kMinusInfinity);
    std::fill(sums_, sums_ + kTileQueries, 0.0F);
    std::fill(out_, out_ + plan_.value_depth * kTileQueries, 0.0F);
    std::fill(few_sums_, few_sums_ + panel_ * kFewQueries, 0.0F);
    std::fill(few_out_, few_out_ + plan_.value_depth * kFewQueries, 0.0F);
    if (run_.mask == nullptr)
      ranges_.assign(1, {0, plan_.keys, MaskEffect::keeps});
    else
      run_.mask->cut(outer_, plan_.keys, first_, first_ + count_, ranges_);
    for (const KeyRange& range : ranges_)
      if (!is_removed(range))
        for (int64_t key = range.begin; key < range.end; key += kTileKeys)
          add_keys(key, std::min(kTileKeys, range.end - key), range.effect != MaskEffect::keeps);
    finish();
  }

 private:
  // Where -inf is added, scores have to be finite: no sum of products of such queries and keys
  // comes near the largest number.
  bool is_removed(const KeyRange& range) {
    if (range.effect != MaskEffect::removes_finite) return range.effect == MaskEffect::removes;
    const float factor = std::fabs(run_.mask->factor());
    const double bound = static_cast<double>(std::max(1.0F, factor)) *
                         static_cast<double>(plan_.depth) * static_cast<double>(largest_query_);
    constexpr double kLargest = static_cast<double>(std::numeric_limits<float>::max()) / 2;
    for (int64_t key = range.begin; key < range.end; key += kTileKeys) {
      const int64_t keys = std::min(kTileKeys, range.end - key);
      const float largest =
          largest_magnitude(to_floats(tiles_, part(plan_.k, key, keys, plan_.depth), k_));
      if (!(std::isfinite(factor) && bound * static_cast<double>(largest) < kLargest)) return false;
    }
    return true;
  }

  // Queries are read one by one where they would leave most of a panel empty.
  bool is_vector(const MatrixLayout& layout, int64_t columns) const {
    return count_ <= kFewQueries && layout.column == 1 && columns > 0 &&
           columns % tiles_.vector == 0;
  }

  static TileVector vector_of(const MatrixPart& rows, float* by_rows, int64_t step,
                              float* by_columns, float factor) {
    TileVector t;
    t.rows = rows.data;
    t.row = rows.row * bytes_of(rows.type);
    t.count = rows.rows;
    t.columns = rows.columns;
    t.by_rows = by_rows;
    t.by_rows_step = step * 4;
    t.by_columns = by_columns;
    t.factor = factor;
    return t;
  }

  // Scores of one query, `step` floats apart.
  void score_query(int64_t query, const MatrixPart& k, float* scores, int64_t step) {
    const TileVector t =
        vector_of(k, scores, step, query_rows_ + query * plan_.depth, score_factors_[0]);
    tiles_.dots[TileFunctions::index_of(k.type)](&t);
  }

  void add_values_to_query(int64_t query, const MatrixPart& v, float* weights, int64_t step,
                           float factor) {
    const TileVector t = vector_of(v, weights, step, few_out_ + query * plan_.value_depth, factor);
    tiles_.weigh[TileFunctions::index_of(v.type)](&t);
  }

  // Kept keys for few queries: scores and weights of a query lie in a row, which is a tile of one
  // panel. All its columns have the query's largest score, and a part of its sum each.
  void add_keys_to_few(int64_t key, int64_t keys) {
    const MatrixPart k = part(plan_.k, key, keys, plan_.depth);
    const MatrixPart v = part(plan_.v, key, keys, plan_.value_depth);
    for (int64_t i = 0; i < count_; ++i) {
      score_query(i, k, row_, 1);
      const int64_t rows = (keys + panel_ - 1) / panel_;
      std::fill(row_ + keys, row_ + rows * panel_, kMinusInfinity);
      float largest = largest_[i];
      for (int64_t c = 0; c < keys; ++c)
        largest = row_[c] > largest ? row_[c] : largest;  // a NaN is passed over
      const float shift = std::max(largest, -std::numeric_limits<float>::max());
      const float factor = std::exp(largest_[i] - shift);
      largest_[i] = largest;
      sums_[i] *= factor;
      float* const sums = few_sums_ + i * panel_;
      for (int64_t c = 0; c < panel_; ++c)
        sums[c] *= factor;
      std::fill(row_largest_, row_largest_ + panel_, largest);
      const TileSoftmax softmax{row_, panel_ * 4, rows, row_largest_, sums, factors_};
      tiles_.softmax(&softmax);
      add_values_to_query(i, v, row_, 1, factor);
    }
  }

  // The scores of a block of keys.
  void score_keys(int64_t key, int64_t keys) {
    if (!is_vector(plan_.k, plan_.depth))
      return multiply(to_floats(tiles_, part(plan_.k, key, keys, plan_.depth), k_), q_,
                      score_factors_, scores_);
    for (int64_t i = 0; i < count_; ++i)
      score_query(i, part(plan_.k, key, keys, plan_.depth), scores_ + i, kTileStride);
  }

  void add_keys(int64_t key, int64_t keys, bool computes) {
    const bool few = is_vector(plan_.v, plan_.value_depth);
    if (few && !computes && is_vector(plan_.k, plan_.depth)) return add_keys_to_few(key, keys);
    score_keys(key, keys);
    if (computes) {
      MaskTile tile{key, keys, first_, count_};
      tile.score = scores_;
      tile.outs[0] = scores_;
      tile.scratch = turned_;
      run_.mask->compute(outer_, tile);
      const FloatMatrix v = to_floats(tiles_, part(plan_.v, key, keys, plan_.value_depth), v_);
      if (!std::isfinite(largest_magnitude(v))) return add_values_of_kept(v);
    }
    if (!few) return add_values(to_floats(tiles_, part(plan_.v, key, keys, plan_.value_depth), v_));
    weigh(keys, 0);
    for (int64_t i = 0; i < count_; ++i)
      add_values_to_query(i, part(plan_.v, key, keys, plan_.value_depth), scores_ + i, kTileStride,
                          factors_[i]);
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
    if (panel == 0)
      for (int64_t i = 0; i < std::min(count_, kFewQueries); ++i)
        for (int64_t c = 0; c < panel_; ++c)
          few_sums_[i * panel_ + c] *= factors_[i];
  }

  void add_values(const FloatMatrix& v) {
    for (int64_t p = 0; p < panels_; ++p) {
      weigh(v.rows, p);
      add_weighed(v, scores_, factors_ + p * panel_, p, out_);
    }
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
      const bool few = is_vector(plan_.v, plan_.value_depth);
      float* const out = few ? few_out_ + i * plan_.value_depth
                             : out_ + i / panel_ * panel_ * plan_.value_depth + i % panel_;
      const int64_t step = few ? 1 : panel_;
      for (int64_t c = 0; c < plan_.value_depth; ++c) {
        float sum = out[c * step] * factors_[i];
        for (int64_t r = 0; r < v.rows; ++r)
          if (!removed_[static_cast<size_t>(r * kTileQueries + i)])
            sum += scores_[r * kTileStride + i] * element(v, r, c);
        out[c * step] = sum;
      }
    }
  }

  // Without any weight a query has zeros, or NaN in mode none.
  void finish() {
    for (int64_t i = 0; i < std::min(count_, kFewQueries); ++i)
      for (int64_t c = 0; c < panel_; ++c)
        sums_[i] += few_sums_[i * panel_ + c];
    if (plan_.stats) store_stats();
    for (int64_t i = 0; i < count_; ++i)
      factors_[i] = sums_[i] == 0 && plan_.inf_as_zero ? 1 : 1 / sums_[i];
    if (is_vector(plan_.v, plan_.value_depth))
      for (int64_t i = 0; i < count_; ++i)
        for (int64_t c = 0; c < plan_.value_depth; ++c)
          out_[c * panel_ + i] = few_out_[i * plan_.value_depth + c];
    unpack_panels(tiles_, out_, factors_, out_part(plan_.out, first_, count_, plan_.value_depth),
                  rows_);
  }

  void store_stats() {
    for (int64_t i = 0; i < count_; ++i) {
      const bool nothing = sums_[i] == 0 && largest_[i] == kMinusInfinity;
      factors_[i] = nothing && plan_.inf_as_zero ? 0
                    : nothing                    ? std::numeric_limits<float>::quiet_NaN()
                                                 : largest_[i] + std::log(sums_[i]);
    }
    from_floats(tiles_, factors_, 1, out_part(*plan_.stats, first_, count_, 1));
  }

  float largest_query_ = 0;
  std::vector<bool> removed_;
  float* q_ = nullptr;       // [panel][depth][query]
  float* scores_ = nullptr;  // [key][query]
  float* out_ = nullptr;     // [panel][value depth][query]
  float* k_ = nullptr;
  float* v_ = nullptr;
  float* rows_ = nullptr;
  float* query_rows_ = nullptr;  // of few queries: [query][depth]
  float* few_out_ = nullptr;     // [query][value depth]
  float* few_sums_ = nullptr;    // [query][column of a panel]
  float* row_ = nullptr;         // scores of one of them
  float* row_largest_ = nullptr;
  float* largest_ = nullptr;  // of each query
  float* sums_ = nullptr;
  float* factors_ = nullptr;
  float* score_factors_ = nullptr;
  float* turned_ = nullptr;  // what the mask reads
};

}  // namespace

Status run_attention(const AttentionPlan& plan, const AttentionData& data) {
  TileRun<AttentionPlan> run;
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
