// SPDX-License-Identifier: Apache-2.0
// An attention of few queries: as fast as keys and values are read. A row of K gives a score by a
// dot product, a row of V is added with its weight, and each block of keys is used for all heads of
// a group (grouped-query attention) that see the same keys while the caches hold it.
#include <xmmintrin.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include "runtime/attention_worker.h"

namespace iotadnn::impl {
namespace {

// Heads of a group that one thread takes.
constexpr int64_t kMostShared = 16;

int64_t round_up(int64_t n, int64_t unit) {
  return (n + unit - 1) / unit * unit;
}

// The largest of `least` and so many numbers, a multiple of 4; a NaN is passed over.
float largest_of(const float* numbers, int64_t count, float least) {
  __m128 largest = _mm_set1_ps(least);
  for (int64_t i = 0; i < count; i += 4)
    largest = _mm_max_ps(_mm_loadu_ps(numbers + i), largest);  // the second where one is a NaN
  float lanes[4];
  _mm_storeu_ps(lanes, largest);
  return *std::max_element(lanes, lanes + 4);
}

// Adjacent heads with the same keys and values.
int64_t heads_of_group(const AttentionPlan& plan) {
  int64_t heads = 1;
  for (int d = plan.outer_rank; d-- > 0;) {
    const auto axis = static_cast<size_t>(d);
    const bool shared = plan.k.outer[axis] == 0 && plan.v.outer[axis] == 0;
    if (!shared && plan.outer[axis] != 1) break;
    heads *= plan.outer[axis];
  }
  return heads;
}

// How many of a group's heads a unit has: as many as leave each thread something to do.
int64_t heads_of_unit(const AttentionPlan& plan) {
  const int64_t group = heads_of_group(plan);
  const int64_t groups = plan.heads / group;
  const int64_t units = (plan.threads + groups - 1) / groups;
  return std::min(kMostShared, (group + units - 1) / units);
}

struct FewRun : AttentionRun {
  const MaskRun* mask_by_queries = nullptr;  // what computes it
};

class FewWorker : public AttentionWorker {
 public:
  using Run = FewRun;

  explicit FewWorker(const Run& run)
      : AttentionWorker(run),
        mask_(run.mask_by_queries),
        group_(heads_of_group(plan_)),
        shared_(heads_of_unit(plan_)) {}

  int64_t units() const { return plan_.heads / group_ * units_of_group(); }

  bool allocate(TileScratch& scratch) {
    const int64_t queries = shared_ * plan_.queries;
    const TileScratch::Part parts[] = {{&q_, queries * plan_.depth},
                                       {&out_, queries * plan_.value_depth},
                                       {&largest_, queries},
                                       {&sums_, queries * panel_},
                                       {&weights_, queries * kRowStride},
                                       {&row_largest_, panel_},
                                       {&row_factors_, panel_},
                                       {&rows_, plan_.queries * plan_.depth},
                                       {&totals_, plan_.queries},
                                       {&factors_, plan_.queries},
                                       {&scores_, has_mask() ? queries * kRowStride : 0},
                                       {&k_, has_mask() ? kTileKeys * plan_.depth : 0},
                                       {&by_place_, has_mask() ? plan_.queries * kRowStride : 0},
                                       {&before_, has_mask() ? queries * plan_.value_depth : 0},
                                       {&value_, plan_.value_depth}};
    if (!scratch.divide({parts, std::size(parts)})) return false;
    head_ranges_.resize(static_cast<size_t>(shared_));
    return true;
  }

  // Some heads of a group.
  void compute(int64_t unit) {
    const int64_t first = unit % units_of_group() * shared_;
    const int64_t head = unit / units_of_group() * group_ + first;
    const int64_t heads = std::min(shared_, group_ - first);
    go_to_queries(0);
    largest_keys_.clear();
    for (int64_t h = 0; h < heads; ++h)
      begin(head + h, h);
    for (int64_t h = 0, next = 0; h < heads; h = next) {
      next = end_of_alike(h, heads);
      go_to_head(head + h);
      for (const KeyRange& range : head_ranges_[static_cast<size_t>(h)]) {
        for_blocks(range, [&](const Keys& keys) {
          if (range.effect == MaskEffect::keeps)
            add_keys(h * count_, (next - h) * count_, keys);
          else
            compute_keys(head, h, next, keys);
        });
      }
    }
    for (int64_t h = 0; h < heads; ++h)
      finish(head + h, h);
  }

 private:
  // A block of keys: four at a time, which are `apart`, and `four` from one time to the next.
  struct Keys {
    int64_t first = 0;
    int64_t count = 0;
    int64_t apart = 1;
    int64_t four = 4;

    int64_t at(int64_t k) const { return first + k / 4 * four + k % 4 * apart; }
  };

  struct LargestKey {
    int64_t begin = 0;
    int64_t end = 0;
    float magnitude = 0;
  };

  bool has_mask() const { return run_.mask != nullptr; }

  int64_t units_of_group() const { return (group_ + shared_ - 1) / shared_; }

  // Behind the last of the unit's heads from `h` on that see the same keys.
  int64_t end_of_alike(int64_t h, int64_t heads) const {
    const auto& ranges = head_ranges_[static_cast<size_t>(h)];
    int64_t end = h + 1;
    while (end < heads && same(head_ranges_[static_cast<size_t>(end)], ranges))
      ++end;
    return end;
  }

  static bool same(const std::vector<KeyRange>& a, const std::vector<KeyRange>& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                      [](const KeyRange& x, const KeyRange& y) {
                        return x.begin == y.begin && x.end == y.end && x.effect == y.effect;
                      });
  }

  // The queries of the unit's head `h`, and which keys they see.
  void begin(int64_t head, int64_t h) {
    go_to_head(head);
    float* const q = q_ + h * count_ * plan_.depth;
    copy_rows(to_floats(tiles_, part(plan_.q, 0, count_, plan_.depth), rows_), plan_.depth, q);
    std::fill_n(largest_ + h * count_, count_, kMinusInfinity);
    std::fill_n(sums_ + h * count_ * panel_, count_ * panel_, 0.0F);
    std::fill_n(out_ + h * count_ * plan_.value_depth, count_ * plan_.value_depth, 0.0F);
    std::vector<KeyRange>& ranges = head_ranges_[static_cast<size_t>(h)];
    cut_keys(ranges);
    if (!has_mask()) return;
    const FloatMatrix rows{q, count_, plan_.depth, plan_.depth * 4, 4};
    const float largest = largest_magnitude(rows);
    ranges.erase(std::remove_if(ranges.begin(), ranges.end(),
                                [&](const KeyRange& range) {
                                  return is_removed(range, largest, [this](const KeyRange& r) {
                                    return largest_key_of(r);
                                  });
                                }),
                 ranges.end());
  }

  // The heads of a unit have the same keys, which are looked at once.
  float largest_key_of(const KeyRange& range) {
    for (const LargestKey& seen : largest_keys_)
      if (seen.begin == range.begin && seen.end == range.end) return seen.magnitude;
    largest_keys_.push_back({range.begin, range.end, largest_key(range, k_)});
    return largest_keys_.back().magnitude;
  }

  // Long ranges are read from four places at once, to which memory gives twice as much as to one.
  template <class Add>
  static void for_blocks(const KeyRange& range, Add&& add) {
    constexpr int64_t kFour = kTileKeys / 4;
    const int64_t quarter = (range.end - range.begin) / 4;
    int64_t key = range.begin;
    if (quarter >= kFour) {
      for (int64_t first = 0; first < quarter; first += kFour)
        add(Keys{key + first, 4 * std::min(kFour, quarter - first), quarter, 1});
      key += 4 * quarter;
    }
    for (; key < range.end; key += kTileKeys)
      add(Keys{key, std::min(kTileKeys, range.end - key), 1, 4});
  }

  // A block of keys that these queries of the unit see as they are.
  void add_keys(int64_t query, int64_t queries, const Keys& keys) {
    score(query, queries, keys);
    for (int64_t i = query; i < query + queries; ++i)
      weigh(i, keys.count);
    add_values(query, queries, keys);
  }

  // A block of keys for heads whose scores the mask's program changes. Values may be infinite or
  // NaN where it removes a key, which shows in what they add up to.
  void compute_keys(int64_t unit, int64_t begin, int64_t end, const Keys& keys) {
    const int64_t query = begin * count_;
    const int64_t queries = (end - begin) * count_;
    score(query, queries, keys);
    for (int64_t h = begin; h < end; ++h) {
      go_to_head(unit + h);
      compute_mask(h * count_, keys);
    }
    std::copy_n(row_of(query), queries * kRowStride, scores_);
    for (int64_t i = query; i < query + queries; ++i)
      weigh(i, keys.count);
    float* const out = out_ + query * plan_.value_depth;
    std::copy_n(out, queries * plan_.value_depth, before_);
    add_values(query, queries, keys);
    if (std::isfinite(
            largest_magnitude({out, queries, plan_.value_depth, plan_.value_depth * 4, 4})))
      return;
    std::copy_n(before_, queries * plan_.value_depth, out);
    for (int64_t i = 0; i < queries; ++i)
      add_values_of_kept(query + i, scores_ + i * kRowStride, keys);
  }

  // Runs the mask's program on the rows of a head's queries, whose first is `query`.
  void compute_mask(int64_t query, const Keys& keys) {
    const int64_t places = keys.apart == 1 ? 1 : 4;
    const int64_t each = keys.count / places;
    float* const rows = places == 1 ? row_of(query) : by_place_;
    if (places > 1) turn_rows(each, places, row_of(query), rows);
    for (int64_t p = 0; p < places; ++p) {
      MaskTile tile{keys.first + p * keys.apart, each, first_, count_};
      tile.score = rows + p * each;
      tile.outs[0] = rows + p * each;
      mask_->compute(outer_, tile);
    }
    if (places > 1) turn_rows(places, each, rows, row_of(query));
  }

  // The row of each query from [rows][columns] to [columns][rows].
  void turn_rows(int64_t rows, int64_t columns, const float* from, float* to) const {
    for (int64_t i = 0; i < count_; ++i, from += kRowStride, to += kRowStride)
      for (int64_t r = 0; r < rows; ++r)
        for (int64_t c = 0; c < columns; ++c)
          to[c * rows + r] = from[r * columns + c];
  }

  float* row_of(int64_t query) const { return weights_ + query * kRowStride; }

  // What both products of such keys take, for these queries of the unit.
  TileVectors vectors_of(const MatrixLayout& layout, int64_t columns, const Keys& keys,
                         int64_t query, int64_t queries, float* by_columns) const {
    // Rows are prefetched so far ahead that memory can be waited for.
    constexpr int64_t kAhead = 1024;
    const int64_t row = layout.row * bytes_of(layout.type);
    const int64_t four = keys.four * columns * bytes_of(layout.type);
    TileVectors t;
    t.rows = part(layout, keys.first, keys.count, columns).data;
    t.row = row * keys.apart;
    t.four = row * keys.four;
    t.count = keys.count;
    t.columns = columns;
    t.ahead = t.four * ((kAhead + four - 1) / four);
    t.vectors = queries;
    t.by_rows = row_of(query);
    t.by_rows_vector = kRowStride * 4;
    t.by_columns = by_columns + query * columns;
    t.by_columns_vector = columns * 4;
    t.factor = score_factor();
    return t;
  }

  void score(int64_t query, int64_t queries, const Keys& keys) const {
    const TileVectors t = vectors_of(plan_.k, plan_.depth, keys, query, queries, q_);
    tiles_.dots[TileFunctions::index_of(plan_.k.type)](&t);
  }

  void add_values(int64_t query, int64_t queries, const Keys& keys) const {
    const TileVectors t = vectors_of(plan_.v, plan_.value_depth, keys, query, queries, out_);
    tiles_.weigh[TileFunctions::index_of(plan_.v.type)](&t);
  }

  // Makes weights of a query's scores in place. The row is a tile of one panel to the softmax: all
  // its columns have the query's largest score, and a part of its sum each.
  void weigh(int64_t query, int64_t keys) const {
    float* const row = row_of(query);
    const int64_t rows = round_up(keys, panel_) / panel_;
    std::fill(row + keys, row + rows * panel_, kMinusInfinity);
    const float largest = largest_of(row, rows * panel_, largest_[query]);
    float* const sums = sums_ + query * panel_;
    if (largest != largest_[query]) {
      const float shift = std::max(largest, -std::numeric_limits<float>::max());
      const float factor = std::exp(largest_[query] - shift);
      largest_[query] = largest;
      for (int64_t c = 0; c < panel_; ++c)
        sums[c] *= factor;
      float* const out = out_ + query * plan_.value_depth;
      for (int64_t c = 0; c < plan_.value_depth; ++c)
        out[c] *= factor;
    }
    std::fill(row_largest_, row_largest_ + panel_, largest);
    const TileSoftmax softmax{row, panel_ * 4, rows, row_largest_, sums, row_factors_};
    tiles_.softmax(&softmax);
  }

  // As the tiles' function of this name: keys whose score is -inf count for nothing.
  void add_values_of_kept(int64_t query, const float* scores, const Keys& keys) const {
    float* const out = out_ + query * plan_.value_depth;
    for (int64_t k = 0; k < keys.count; ++k) {
      if (scores[k] == kMinusInfinity) continue;
      const FloatMatrix v =
          to_floats(tiles_, part(plan_.v, keys.at(k), 1, plan_.value_depth), value_);
      for (int64_t c = 0; c < plan_.value_depth; ++c)
        out[c] += row_of(query)[k] * element(v, 0, c);
    }
  }

  void finish(int64_t head, int64_t h) {
    go_to_head(head);
    for (int64_t i = 0; i < count_; ++i) {
      const float* const sums = sums_ + (h * count_ + i) * panel_;
      totals_[i] = 0;
      for (int64_t c = 0; c < panel_; ++c)
        totals_[i] += sums[c];
    }
    finish_sums(largest_ + h * count_, totals_, factors_);
    float* const out = out_ + h * count_ * plan_.value_depth;
    for (int64_t i = 0; i < count_; ++i)
      for (int64_t c = 0; c < plan_.value_depth; ++c)
        out[i * plan_.value_depth + c] *= factors_[i];
    from_floats(tiles_, out, plan_.value_depth, out_part(plan_.out, 0, count_, plan_.value_depth));
  }

  const MaskRun* const mask_;                       // that computes
  std::vector<LargestKey> largest_keys_;            // of ranges of the unit
  const int64_t group_;                             // heads
  const int64_t shared_;                            // of a unit
  std::vector<std::vector<KeyRange>> head_ranges_;  // of each head of a unit
  float* q_ = nullptr;                              // [head of the unit][query][depth]
  float* out_ = nullptr;                            // [head of the unit][query][value depth]
  float* largest_ = nullptr;                        // [head of the unit][query]
  float* sums_ = nullptr;                           // [head of the unit][query][column of a panel]
  float* weights_ = nullptr;  // [head of the unit][query][key], kRowStride each
  float* row_largest_ = nullptr;
  float* row_factors_ = nullptr;
  float* rows_ = nullptr;
  float* totals_ = nullptr;  // of each query of a head
  float* factors_ = nullptr;
  float* scores_ = nullptr;    // as weights_: scores by which the mask removes keys
  float* by_place_ = nullptr;  // the same of a head's queries: [query][place][key]
  float* before_ = nullptr;    // as out_
  float* value_ = nullptr;     // of one key
  float* k_ = nullptr;
};

}  // namespace

Status run_few_queries(const AttentionPlan& plan, const AttentionData& data) {
  FewRun run;
  run.plan = &plan;
  run.data = &data;
  std::optional<MaskRun> mask;
  std::optional<MaskRun> mask_by_queries;
  if (plan.mask) {
    mask.emplace(plan.mask.form(data.split), data.scalars, data.inputs);
    mask_by_queries.emplace(plan.mask_by_queries.form(data.split), data.scalars, data.inputs);
    run.mask = &*mask;
    run.mask_by_queries = &*mask_by_queries;
  }
  return run_tiles<FewWorker>(run, "few queries of an attention");
}

}  // namespace iotadnn::impl
