// SPDX-License-Identifier: Apache-2.0
// An attention's backward pass, a head at a time: for each tile of queries and block of keys the
// scores and the gradients of the probabilities are computed again, the region makes P and dS of
// them, and these go to the three gradients. Tiles are keys by queries, as in attention_run.cpp.
#include <algorithm>
#include <atomic>
#include <cstring>
#include <new>
#include <optional>
#include <vector>

#include "runtime/attention_tiles.h"
#include "runtime/backward_plan.h"
#include "runtime/parallel.h"
#include "runtime/tile_scratch.h"

namespace iotadnn::impl {
namespace {

struct Run {
  const BackwardPlan* plan = nullptr;
  const AttentionData* data = nullptr;
  const MaskRun* mask = nullptr;
  std::atomic<int64_t> next{0};
  std::atomic<bool> out_of_memory{false};
};

class Worker {
 public:
  explicit Worker(const Run& run)
      : run_(run),
        plan_(*run.plan),
        tiles_(*plan_.tiles),
        panel_(tiles_.columns),
        wide_depth_(padded(plan_.depth)),
        wide_value_depth_(padded(plan_.value_depth)) {}

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
    for (int d = plan_.outer_rank; d-- > 0;) {
      outer_[d] = head % plan_.outer[static_cast<size_t>(d)];
      head /= plan_.outer[static_cast<size_t>(d)];
    }
    std::fill(dk_, dk_ + plan_.keys * wide_depth_, 0.0F);
    std::fill(dv_, dv_ + plan_.keys * wide_value_depth_, 0.0F);
    for (first_ = 0; first_ < plan_.queries; first_ += kTileQueries)
      add_queries();
    store(dk_, wide_depth_, plan_.dk, plan_.keys, plan_.depth);
    store(dv_, wide_value_depth_, plan_.dv, plan_.keys, plan_.value_depth);
  }

 private:
  int64_t padded(int64_t columns) const { return (columns + panel_ - 1) / panel_ * panel_; }

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

  void add_queries() {
    count_ = std::min(kTileQueries, plan_.queries - first_);
    panels_ = (count_ + panel_ - 1) / panel_;
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
    const int64_t offset = plan_.dq.offset(outer_, plan_.outer_rank) + first_ * plan_.dq.row;
    auto* const data = static_cast<unsigned char*>(run_.data->outputs[plan_.dq.tensor]);
    unpack_panels(tiles_, dq_, ones_,
                  {data + offset * bytes_of(plan_.dq.type), plan_.dq.type, count_, plan_.depth,
                   plan_.dq.row, plan_.dq.column},
                  rows_);
  }

  // Rows of so many floats, zeros behind those of the matrix.
  static void copy_rows(const FloatMatrix& from, int64_t wide, float* to) {
    for (int64_t r = 0; r < from.rows; ++r, to += wide) {
      for (int64_t c = 0; c < from.columns; ++c)
        std::memcpy(
            to + c,
            reinterpret_cast<const unsigned char*>(from.data) + r * from.row + c * from.column,
            sizeof(float));
      std::fill(to + from.columns, to + wide, 0.0F);
    }
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

  static float element(const FloatMatrix& m, int64_t row, int64_t column) {
    float value = 0;
    std::memcpy(&value,
                reinterpret_cast<const unsigned char*>(m.data) + row * m.row + column * m.column,
                sizeof value);
    return value;
  }

  // Keys by queries: `by_keys` times the packed queries' matrix.
  void multiply(const FloatMatrix& by_keys, const float* packed, const float* factors,
                float* tile) {
    TileProduct product;
    product.a = by_keys.data;
    product.a_row = by_keys.row;
    product.a_step = by_keys.column;
    product.b_step = panel_ * 4;
    product.c_row = kTileStride * 4;
    product.rows = by_keys.rows;
    product.depth = by_keys.columns;
    product.factors = factors;
    for (int64_t p = 0; p < panels_; ++p) {
      product.b = packed + p * panel_ * by_keys.columns;
      product.c = tile + p * panel_;
      tiles_.product(&product);
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
    multiply(k, q_, factors_, p_);
    multiply(v, d_out_, ones_, ds_);
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
    TileProduct product;
    product.a = k.data;
    product.a_row = k.column;
    product.a_step = k.row;
    product.b_step = kTileStride * 4;
    product.c_row = panel_ * 4;
    product.rows = plan_.depth;
    product.depth = keys;
    product.factors = ones_;
    for (int64_t p = 0; p < panels_; ++p) {
      product.b = ds_ + p * panel_;
      product.c = dq_ + p * panel_ * plan_.depth;
      tiles_.accumulate(&product);
    }
  }

  void store(const float* from, int64_t wide, const MatrixLayout& layout, int64_t rows,
             int64_t columns) {
    const int64_t offset = layout.offset(outer_, plan_.outer_rank);
    auto* const data = static_cast<unsigned char*>(run_.data->outputs[layout.tensor]);
    from_floats(tiles_, from, wide,
                {data + offset * bytes_of(layout.type), layout.type, rows, columns, layout.row,
                 layout.column});
  }

  const Run& run_;
  const BackwardPlan& plan_;
  const TileFunctions& tiles_;
  const int64_t panel_;
  const int64_t wide_depth_;  // in whole panels
  const int64_t wide_value_depth_;
  int64_t outer_[kMaxRank] = {};
  int64_t first_ = 0;  // query
  int64_t count_ = 0;
  int64_t panels_ = 0;
  std::vector<KeyRange> ranges_;
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

void run_part(void* context, int) {
  Run& run = *static_cast<Run*>(context);
  thread_local TileScratch scratch;
  Worker worker(run);
  if (!worker.allocate(scratch)) {
    run.out_of_memory.store(true, std::memory_order_relaxed);
    return;
  }
  try {
    for (int64_t head = run.next.fetch_add(1, std::memory_order_relaxed); head < run.plan->heads;
         head = run.next.fetch_add(1, std::memory_order_relaxed))
      worker.compute(head);
  } catch (const std::bad_alloc&) {
    run.out_of_memory.store(true, std::memory_order_relaxed);
  }
  scratch.release_if_large();
}

}  // namespace

Status run_backward(const BackwardPlan& plan, const AttentionData& data) {
  const MaskRun mask(plan.mask.form(data.split), data.scalars, data.inputs);
  Run run;
  run.plan = &plan;
  run.data = &data;
  run.mask = &mask;
  run_parts(available_threads() == 1 ? 1 : plan.threads, run_part, &run);
  if (run.out_of_memory.load())
    return out_of_memory("no scratch memory for the gradients of a head");
  return {};
}

}  // namespace iotadnn::impl
