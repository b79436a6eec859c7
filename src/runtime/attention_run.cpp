// SPDX-License-Identifier: Apache-2.0
// How an attention is computed: a tile of queries at a time, the keys in blocks, with an online
// softmax (Dao et al., "FlashAttention", 2022). Tiles are transposed, keys by queries: what is read
// of keys and values is broadcast, so that they need no packing, and the softmax goes down columns.
#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstring>
#include <limits>
#include <new>
#include <vector>

#include "base/float16.h"
#include "program/evaluate.h"
#include "runtime/attention_plan.h"
#include "runtime/attention_tiles.h"
#include "runtime/parallel.h"
#include "runtime/tile_scratch.h"

namespace iotadnn::impl {
namespace {

constexpr float kMinusInfinity = -std::numeric_limits<float>::infinity();

struct Run {
  const AttentionPlan* plan = nullptr;
  const AttentionData* data = nullptr;
  const MaskRun* mask = nullptr;
  std::atomic<int64_t> next{0};
  std::atomic<bool> out_of_memory{false};
};

class Worker {
 public:
  explicit Worker(const Run& run)
      : run_(run), plan_(*run.plan), tiles_(*plan_.tiles), panel_(tiles_.columns) {}

  bool allocate(TileScratch& scratch) {
    const bool widens_k = plan_.k.type != DataType::f32;
    const bool widens_v = plan_.v.type != DataType::f32;
    const int64_t rows = std::max(plan_.depth, plan_.value_depth) * kTileQueries;
    const int64_t sizes[] = {plan_.depth * kTileQueries,
                             kTileKeys * kTileStride,
                             plan_.value_depth * kTileQueries,
                             widens_k ? kTileKeys * plan_.depth : 0,
                             widens_v ? kTileKeys * plan_.value_depth : 0,
                             rows,
                             kTileQueries,
                             kTileQueries,
                             kTileQueries,
                             kTileQueries,
                             run_.mask == nullptr ? 0 : run_.mask->scratch_bytes(kTileKeys) / 4};
    float** const places[] = {&q_,    &scores_,  &out_,           &k_,     &v_, &rows_, &largest_,
                              &sums_, &factors_, &score_factors_, &turned_};
    static_assert(std::size(sizes) == std::size(places));
    if (!scratch.divide(sizes, places, std::size(sizes))) return false;
    std::fill(score_factors_, score_factors_ + kTileQueries,
              run_.mask == nullptr ? 1.0F : run_.mask->factor());
    return true;
  }

  // A tile of queries of a head.
  void compute(int64_t unit) {
    // Later queries first: under a causal mask they take longest.
    const int64_t tiles = plan_.tiles_of_queries();
    first_ = (tiles - 1 - unit % tiles) * kTileQueries;
    count_ = std::min(kTileQueries, plan_.queries - first_);
    panels_ = (count_ + panel_ - 1) / panel_;
    int64_t head = unit / tiles;
    for (int d = plan_.outer_rank; d-- > 0;) {
      outer_[d] = head % plan_.outer[static_cast<size_t>(d)];
      head /= plan_.outer[static_cast<size_t>(d)];
    }
    const FloatMatrix q = to_floats(tiles_, part(plan_.q, first_, count_, plan_.depth), rows_);
    pack_panels(q, panel_, q_);
    largest_query_ = run_.mask == nullptr ? 0 : largest_magnitude(q);
    std::fill(largest_, largest_ + kTileQueries, kMinusInfinity);
    std::fill(sums_, sums_ + kTileQueries, 0.0F);
    std::fill(out_, out_ + plan_.value_depth * kTileQueries, 0.0F);
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
  MatrixPart part(const MatrixLayout& layout, int64_t row, int64_t rows, int64_t columns) const {
    const int64_t offset = layout.offset(outer_, plan_.outer_rank) + row * layout.row;
    const auto* const data = static_cast<const unsigned char*>(run_.data->inputs[layout.tensor]);
    return {data + offset * bytes_of(layout.type),
            layout.type,
            rows,
            columns,
            layout.row,
            layout.column};
  }

  MatrixPart out_part(const MatrixLayout& layout, int64_t columns) const {
    const int64_t offset = layout.offset(outer_, plan_.outer_rank) + first_ * layout.row;
    auto* const data = static_cast<unsigned char*>(run_.data->outputs[layout.tensor]);
    return {data + offset * bytes_of(layout.type),
            layout.type,
            count_,
            columns,
            layout.row,
            layout.column};
  }

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
      if (!(bound * static_cast<double>(largest) < kLargest)) return false;
    }
    return true;
  }

  void add_keys(int64_t key, int64_t keys, bool computes) {
    const FloatMatrix k = to_floats(tiles_, part(plan_.k, key, keys, plan_.depth), k_);
    TileProduct product;
    product.a = k.data;
    product.a_row = k.row;
    product.a_step = k.column;
    product.b_step = panel_ * 4;
    product.c_row = kTileStride * 4;
    product.rows = keys;
    product.depth = plan_.depth;
    product.factors = score_factors_;
    for (int64_t p = 0; p < panels_; ++p) {
      product.b = q_ + p * panel_ * plan_.depth;
      product.c = scores_ + p * panel_;
      tiles_.product(&product);
    }
    const FloatMatrix v = to_floats(tiles_, part(plan_.v, key, keys, plan_.value_depth), v_);
    if (!computes) return add_values(v);
    MaskTile tile{key, keys, first_, count_};
    tile.score = scores_;
    tile.outs[0] = scores_;
    tile.scratch = turned_;
    run_.mask->compute(outer_, tile);
    if (std::isfinite(largest_magnitude(v))) return add_values(v);
    add_values_of_kept(v);
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

  void add_values(const FloatMatrix& v) {
    TileProduct product;
    product.a = v.data;
    product.a_row = v.column;
    product.a_step = v.row;
    product.b_step = kTileStride * 4;
    product.c_row = panel_ * 4;
    product.rows = plan_.value_depth;
    product.depth = v.rows;
    for (int64_t p = 0; p < panels_; ++p) {
      weigh(v.rows, p);
      product.b = scores_ + p * panel_;
      product.c = out_ + p * panel_ * plan_.value_depth;
      product.factors = factors_ + p * panel_;
      tiles_.accumulate(&product);
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
      float* const out = out_ + i / panel_ * panel_ * plan_.value_depth + i % panel_;
      for (int64_t c = 0; c < plan_.value_depth; ++c) {
        float sum = out[c * panel_] * factors_[i];
        for (int64_t r = 0; r < v.rows; ++r)
          if (!removed_[static_cast<size_t>(r * kTileQueries + i)])
            sum +=
                scores_[r * kTileStride + i] *
                *reinterpret_cast<const float*>(reinterpret_cast<uintptr_t>(v.data) +
                                                static_cast<uintptr_t>(r * v.row + c * v.column));
        out[c * panel_] = sum;
      }
    }
  }

  // Without any weight a query has zeros, or NaN in mode none.
  void finish() {
    if (plan_.stats) store_stats();
    for (int64_t i = 0; i < count_; ++i)
      factors_[i] = sums_[i] == 0 && plan_.inf_as_zero ? 1 : 1 / sums_[i];
    unpack_panels(tiles_, out_, factors_, out_part(plan_.out, plan_.value_depth), rows_);
  }

  void store_stats() {
    const MatrixPart to = out_part(*plan_.stats, 1);
    for (int64_t i = 0; i < count_; ++i) {
      const bool nothing = sums_[i] == 0 && largest_[i] == kMinusInfinity;
      const float value = nothing && plan_.inf_as_zero ? 0
                          : nothing                    ? std::numeric_limits<float>::quiet_NaN()
                                                       : largest_[i] + std::log(sums_[i]);
      const uint64_t bits = convert_bits(to.type, DataType::f32, bit_cast<uint32_t>(value));
      std::memcpy(
          static_cast<unsigned char*>(const_cast<void*>(to.data)) + i * to.row * bytes_of(to.type),
          &bits, static_cast<size_t>(bytes_of(to.type)));
    }
  }

  const Run& run_;
  const AttentionPlan& plan_;
  const TileFunctions& tiles_;
  const int64_t panel_;
  int64_t outer_[kMaxRank] = {};
  int64_t first_ = 0;  // query
  int64_t count_ = 0;
  int64_t panels_ = 0;
  float largest_query_ = 0;
  std::vector<KeyRange> ranges_;
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
  float* turned_ = nullptr;  // what the mask reads
};

void run_part(void* context, int) {
  Run& run = *static_cast<Run*>(context);
  thread_local TileScratch scratch;
  Worker worker(run);
  if (!worker.allocate(scratch)) {
    run.out_of_memory.store(true, std::memory_order_relaxed);
    return;
  }
  const int64_t units = run.plan->heads * run.plan->tiles_of_queries();
  try {
    for (int64_t unit = run.next.fetch_add(1, std::memory_order_relaxed); unit < units;
         unit = run.next.fetch_add(1, std::memory_order_relaxed))
      worker.compute(unit);
  } catch (const std::bad_alloc&) {
    run.out_of_memory.store(true, std::memory_order_relaxed);
  }
}

}  // namespace

Status run_attention(const AttentionPlan& plan, const AttentionData& data) {
  Run run;
  run.plan = &plan;
  run.data = &data;
  std::optional<MaskRun> mask;
  if (plan.mask) {
    mask.emplace(plan.mask.form(data.split), data.scalars, data.inputs);
    run.mask = &*mask;
  }
  const int threads = available_threads() == 1 ? 1 : plan.threads;
  run_parts(threads, run_part, &run);
  if (run.out_of_memory.load()) return out_of_memory("no scratch memory for tiles of an attention");
  return {};
}

}  // namespace iotadnn::impl
