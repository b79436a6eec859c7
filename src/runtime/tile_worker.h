// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <atomic>
#include <new>
#include <string>
#include <vector>

#include "runtime/attention_plan.h"
#include "runtime/attention_tiles.h"
#include "runtime/parallel.h"
#include "runtime/tile_scratch.h"

namespace iotadnn::impl {

// One execution of an attention or its backward pass: what its threads share.
template <class Plan>
struct TileRun {
  const Plan* plan = nullptr;
  const AttentionData* data = nullptr;
  const MaskRun* mask = nullptr;  // null without one
  std::atomic<int64_t> next{0};
  std::atomic<bool> out_of_memory{false};
};

// What the threads of both do alike. Tiles are keys by queries.
template <class Plan>
class TileWorker {
 public:
  using Run = TileRun<Plan>;

 protected:
  explicit TileWorker(const Run& run)
      : run_(run), plan_(*run.plan), tiles_(*plan_.tiles), panel_(tiles_.columns) {}

  void go_to_head(int64_t head) {
    for (int d = plan_.outer_rank; d-- > 0;) {
      outer_[d] = head % plan_.outer[static_cast<size_t>(d)];
      head /= plan_.outer[static_cast<size_t>(d)];
    }
  }

  void go_to_queries(int64_t first) {
    first_ = first;
    count_ = std::min(kTileQueries, plan_.queries - first_);
    panels_ = (count_ + panel_ - 1) / panel_;
  }

  // Rows of an input's matrix of the head, and of an output's.
  MatrixPart part(const MatrixLayout& layout, int64_t row, int64_t rows, int64_t columns) const {
    return part_of(run_.data->inputs[layout.tensor], layout, row, rows, columns);
  }

  MatrixPart out_part(const MatrixLayout& layout, int64_t row, int64_t rows,
                      int64_t columns) const {
    return part_of(run_.data->outputs[layout.tensor], layout, row, rows, columns);
  }

  using Product = void (*)(const TileProduct*);

  // The tile of these keys by the queries that `packed` holds in panels; columns times `factors`.
  // Elements are what `product_of` multiplies.
  void multiply(Product product_of, const FloatMatrix& by_keys, const float* packed,
                const float* factors, float* tile) const {
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
      product_of(&product);
    }
  }

  // Adds the keys' rows, weighed by a tile, to panel `p` of [panel][column][query], whose columns
  // are multiplied by `factors` first.
  void add_weighed(Product accumulate, const FloatMatrix& by_keys, const float* tile,
                   const float* factors, int64_t p, float* to) const {
    TileProduct product;
    product.a = by_keys.data;
    product.a_row = by_keys.column;
    product.a_step = by_keys.row;
    product.b = tile + p * panel_;
    product.b_step = kTileStride * 4;
    product.c = to + p * panel_ * by_keys.columns;
    product.c_row = panel_ * 4;
    product.rows = by_keys.columns;
    product.depth = by_keys.rows;
    product.factors = factors;
    accumulate(&product);
  }

  const Run& run_;
  const Plan& plan_;
  const TileFunctions& tiles_;
  const int64_t panel_;
  int64_t outer_[kMaxRank] = {};
  int64_t first_ = 0;  // query
  int64_t count_ = 0;
  int64_t panels_ = 0;
  std::vector<KeyRange> ranges_;

 private:
  MatrixPart part_of(const void* data, const MatrixLayout& layout, int64_t row, int64_t rows,
                     int64_t columns) const {
    const int64_t offset = layout.offset(outer_, plan_.outer_rank) + row * layout.row;
    return {static_cast<const unsigned char*>(data) + offset * bytes_of(layout.type),
            layout.type,
            rows,
            columns,
            layout.row,
            layout.column};
  }
};

// A thread's part of a run: units from the counter, until Worker::units() are taken.
template <class Worker>
void run_tile_part(void* context, int) {
  auto& run = *static_cast<typename Worker::Run*>(context);
  thread_local TileScratch scratch;
  try {
    Worker worker(run);
    if (!worker.allocate(scratch)) throw std::bad_alloc();
    const int64_t units = worker.units();
    for (int64_t unit = run.next.fetch_add(1, std::memory_order_relaxed); unit < units;
         unit = run.next.fetch_add(1, std::memory_order_relaxed))
      worker.compute(unit);
  } catch (const std::bad_alloc&) {
    run.out_of_memory.store(true, std::memory_order_relaxed);
  }
  scratch.release_if_large();
}

// `what`: that no scratch memory was found for.
template <class Worker>
Status run_tiles(typename Worker::Run& run, const char* what) {
  run_parts(available_threads() == 1 ? 1 : run.plan->threads, run_tile_part<Worker>, &run);
  if (run.out_of_memory.load()) return out_of_memory(std::string("no scratch memory for ") + what);
  return {};
}

}  // namespace iotadnn::impl
