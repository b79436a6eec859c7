// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <vector>

#include "runtime/mask_form.h"

namespace iotadnn::impl {

// Where a tile's data are: as many queries as it has, kTileStride apart from key to key (by
// queries: as many keys, kRowStride apart from query to query). Outputs may be inputs.
struct MaskTile {
  int64_t key = 0;
  int64_t keys = 0;
  int64_t query = 0;
  int64_t queries = 0;
  const float* score = nullptr;
  const float* gradient = nullptr;
  const float* row_sum = nullptr;
  float* outs[2] = {};
  void* scratch = nullptr;  // scratch_bytes()
};

// What the mask does to scores: to all of a range of keys for the queries of a tile.
enum class MaskEffect : uint8_t {
  removes,         // all are -inf
  removes_finite,  // all become -inf that are finite: -inf is added
  keeps,           // none is changed
  computes,        // its program has to run
};

struct KeyRange {
  int64_t begin = 0;
  int64_t end = 0;
  MaskEffect effect = MaskEffect::keeps;
};

// A form of the mask with the data of one execution. Immutable; thread safe.
class MaskRun {
 public:
  // `inputs`: the data of the region's inputs.
  MaskRun(const MaskForm& form, const int64_t* scalars, const void* const* inputs);

  float factor() const;

  // Cuts all keys into ranges for queries [first, last) at these outer coordinates. What is
  // computed anyway may be said to be so although it is kept or removed.
  void cut(const int64_t* outer, int64_t keys, int64_t first, int64_t last,
           std::vector<KeyRange>& ranges) const;

  // Bytes that compute() needs for a tile of so many keys.
  int64_t scratch_bytes(int64_t keys) const;

  void compute(const int64_t* outer, const MaskTile& tile) const;

  // Whether what is subtracted in weights is finite for these queries, so that those of keys that
  // the mask removes are 0.
  bool removes_by_stats(const int64_t* outer, int64_t first, int64_t last) const;

 private:
  struct Tile;

  MaskEffect effect_of(size_t body);
  bool is_minus_infinity(const Body& body, size_t value) const;
  MaskEffect effect(const Tile& tile, int64_t begin, int64_t end, bool& is_settled) const;
  void cut(const Tile& tile, int64_t begin, int64_t end, std::vector<KeyRange>& ranges) const;

  const MaskForm& form_;
  std::array<const void*, kMaxInputs> srcs_{};  // of the program's inputs that are no tiles
  size_t stats_ = kMaxInputs;                   // of weights: which of them are the stats
  std::array<int64_t, kMaxScalars> scalars_{};
  std::array<MaskEffect, size_t{1} << kMaxPredicates> effects_{};
};

}  // namespace iotadnn::impl
