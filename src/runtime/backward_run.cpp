// SPDX-License-Identifier: Apache-2.0
// An attention's backward pass, a head at a time: for each tile of queries and block of keys the
// scores and the gradients of the probabilities are computed again, the region makes P and dS of
// them, and these go to the three gradients. Tiles are keys by queries, as in attention_run.cpp.
#include <algorithm>

#include "runtime/backward_plan.h"
#include "runtime/tile_worker.h"

namespace iotadnn::impl {
namespace {

class Worker : public TileWorker<BackwardPlan> {
 public:
  explicit Worker(const Run& run)
      : TileWorker(run),
        wide_depth_(padded(plan_.depth)),
        wide_value_depth_(padded(plan_.value_depth)) {}

  int64_t units() const { return plan_.heads; }

  bool allocate(TileScratch& scratch) {
    const int64_t depth = std::max(wide_depth_, wide_value_depth_);
    const TileScratch::Part parts[] = {{&q_, plan_.depth * kTileQueries},
                                       {&d_out_, plan_.value_depth * kTileQueries},
                                       {&q_rows_, wide_depth_ * kTileQueries},
                                       {&d_out_rows_, wide_value_depth_ * kTileQueries},
                                       {&p_, kTileKeys * kTileStride},
                                       {&ds_, kTileKeys * kTileStride},
                                       {&dq_, plan_.depth * kTileQueries},
                                       {&dk_, plan_.keys * wide_depth_},
                                       {&dv_, plan_.keys * wide_value_depth_},
                                       {&k_, kTileKeys * plan_.depth},
                                       {&v_, kTileKeys * plan_.value_depth},
                                       {&rows_, depth * kTileQueries},
                                       {&more_rows_, depth * kTileQueries},
                                       {&row_sums_, kTileQueries},
                                       {&ones_, depth + kTileQueries},
                                       {&factors_, depth + kTileQueries},
                                       {&turned_, run_.mask->scratch_bytes(kTileKeys) / 4}};
    if (!scratch.divide({parts, std::size(parts)})) return false;
    std::fill(ones_, ones_ + depth + kTileQueries, 1.0F);
    std::fill(factors_, factors_ + depth + kTileQueries, run_.mask->factor());
    return true;
  }

  void compute(int64_t head) {
    go_to_head(head);
    std::fill(dk_, dk_ + plan_.keys * wide_depth_, 0.0F);
    std::fill(dv_, dv_ + plan_.keys * wide_value_depth_, 0.0F);
    for (int64_t first = 0; first < plan_.queries; first += kTileQueries)
      add_queries(first);
    store(dk_, wide_depth_, plan_.dk, plan_.keys, plan_.depth);
    store(dv_, wide_value_depth_, plan_.dv, plan_.keys, plan_.value_depth);
  }

 private:
  int64_t padded(int64_t columns) const { return (columns + panel_ - 1) / panel_ * panel_; }

  void add_queries(int64_t first) {
    go_to_queries(first);
    const FloatMatrix q = to_floats(tiles_, part(plan_.q, first_, count_, plan_.depth), rows_);
    pack_panels(q, panel_, q_);
    copy_rows(q, wide_depth_, q_rows_);
    const FloatMatrix d_out =
        to_floats(tiles_, part(plan_.d_out, first_, count_, plan_.value_depth), rows_);
    pack_panels(d_out, panel_, d_out_);
    copy_rows(d_out, wide_value_depth_, d_out_rows_);
    sum_rows();
    std::fill(dq_, dq_ + plan_.depth * kTileQueries, 0.0F);
    run_.mask->cut(outer_, plan_.keys, first_, first_ + count_, ranges_);
    const bool removes = run_.mask->removes_by_stats(outer_, first_, first_ + count_);
    for (const KeyRange& range : ranges_) {
      if (range.effect == MaskEffect::removes && removes) continue;
      for (int64_t key = range.begin; key < range.end; key += kTileKeys)
        add_keys(key, std::min(kTileKeys, range.end - key));
    }
    unpack_panels(tiles_, dq_, ones_, out_part(plan_.dq, first_, count_, plan_.depth), rows_);
  }

  void sum_rows() {
    const FloatMatrix a =
        to_floats(tiles_, part(plan_.sum_a, first_, count_, plan_.value_depth), rows_);
    const FloatMatrix b =
        to_floats(tiles_, part(plan_.sum_b, first_, count_, plan_.value_depth), more_rows_);
    for (int64_t r = 0; r < count_; ++r) {
      double sum = 0;
      for (int64_t c = 0; c < plan_.value_depth; ++c)
        sum += static_cast<double>(element(a, r, c)) * static_cast<double>(element(b, r, c));
      row_sums_[r] = static_cast<float>(sum);
    }
  }

  // Adds the tile times the queries' rows to rows of keys.
  void add_to_keys(const float* tile, int64_t keys, const float* rows, int64_t wide, float* to) {
    TileProduct product;
    product.a = tile;
    product.a_row = kTileStride * 4;
    product.a_step = 4;
    product.b_step = wide * 4;
    product.c_row = wide * 4;
    product.rows = keys;
    product.depth = count_;
    product.factors = ones_;
    for (int64_t c = 0; c < wide; c += panel_) {
      product.b = rows + c;
      product.c = to + c;
      tiles_.accumulate(&product);
    }
  }

  void add_keys(int64_t key, int64_t keys) {
    const FloatMatrix k = to_floats(tiles_, part(plan_.k, key, keys, plan_.depth), k_);
    const FloatMatrix v = to_floats(tiles_, part(plan_.v, key, keys, plan_.value_depth), v_);
    multiply(tiles_.product, k, q_, factors_, p_);
    multiply(tiles_.product, v, d_out_, ones_, ds_);
    MaskTile tile{key, keys, first_, count_};
    tile.score = p_;
    tile.gradient = ds_;
    tile.row_sum = row_sums_;
    tile.outs[0] = p_;
    tile.outs[1] = ds_;
    tile.scratch = turned_;
    run_.mask->compute(outer_, tile);
    add_to_keys(p_, keys, d_out_rows_, wide_value_depth_, dv_ + key * wide_value_depth_);
    add_to_keys(ds_, keys, q_rows_, wide_depth_, dk_ + key * wide_depth_);
    for (int64_t p = 0; p < panels_; ++p)
      add_weighed(tiles_.accumulate, k, ds_, ones_, p, dq_);
  }

  void store(const float* from, int64_t wide, const MatrixLayout& layout, int64_t rows,
             int64_t columns) {
    from_floats(tiles_, from, wide, out_part(layout, 0, rows, columns));
  }

  const int64_t wide_depth_;  // in whole panels
  const int64_t wide_value_depth_;
  float* q_ = nullptr;           // [panel][depth][query]
  float* d_out_ = nullptr;       // [panel][value depth][query]
  float* q_rows_ = nullptr;      // [query][depth]
  float* d_out_rows_ = nullptr;  // [query][value depth]
  float* p_ = nullptr;           // [key][query]: scores, then probabilities
  float* ds_ = nullptr;          // [key][query]: gradients of probabilities, then of scores
  float* dq_ = nullptr;          // [panel][depth][query]
  float* dk_ = nullptr;          // [key][depth], of the head
  float* dv_ = nullptr;          // [key][value depth], of the head
  float* k_ = nullptr;
  float* v_ = nullptr;
  float* rows_ = nullptr;
  float* more_rows_ = nullptr;
  float* row_sums_ = nullptr;  // of each query
  float* ones_ = nullptr;
  float* factors_ = nullptr;
  float* turned_ = nullptr;
};

}  // namespace

Status run_backward(const BackwardPlan& plan, const AttentionData& data) {
  const MaskRun mask(plan.mask.form(data.split), data.scalars, data.inputs);
  TileRun<BackwardPlan> run;
  run.plan = &plan;
  run.data = &data;
  run.mask = &mask;
  return run_tiles<Worker>(run, "the gradients of a head");
}

}  // namespace iotadnn::impl
