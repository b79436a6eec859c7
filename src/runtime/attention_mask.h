// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <vector>

#include "base/cpu.h"
#include "codegen/codegen.h"
#include "lower/attention.h"
#include "lower/attention_backward.h"
#include "runtime/region_shapes.h"

namespace iotadnn::impl {

// Floats from one key of a tile of scores to the next, which holds up to kTileQueries of them: not
// a power of two, so that the keys of a column lie in different sets of the caches.
inline constexpr int64_t kTileQueries = 64;
inline constexpr int64_t kTileStride = kTileQueries + 16;
// Keys of a tile, at most: whole blocks of rows of the products.
inline constexpr int64_t kTileKeys = 132;

// What all scores are multiplied by, or divided, before anything else is done with them.
struct ScoreFactor {
  bool divides = false;
  Inst value;  // a constant or a scalar
};

// One program of an attention's mask, or of what its backward pass does point by point, for tiles
// of its scores. Immutable.
struct MaskForm {
  // Inputs that are tiles, and one element for each query.
  static constexpr size_t kScoreInput = static_cast<size_t>(-1);
  static constexpr size_t kGradientInput = static_cast<size_t>(-2);
  static constexpr size_t kRowSumInput = static_cast<size_t>(-3);

  RowProgram program;                    // over the outer dimensions, keys, queries
  RowProgram window;                     // the same for a window of the domain
  std::shared_ptr<const Kernel> kernel;  // of the window; null: the portable path runs
  std::vector<size_t> inputs;            // which of the region's each of the program's is
  std::vector<int64_t> strides;          // [tensor * rank + dim] in elements, the outputs' last
  // The same for a tile: inputs whose keys are adjacent, which queries are not, are turned first.
  std::vector<int64_t> tile_strides;
  uint32_t turned = 0;                // a bit for each of those
  std::optional<ScoreFactor> factor;  // taken out of both programs
  bool cuts = true;  // whether its predicates tell keys apart: they change along lines
  // Whether the first output is the probabilities exp(score - stats), not the scores of a softmax.
  bool gives_weights = false;
};

struct MaskOptions {
  Isa isa = Isa::reference;
  bool strict = false;  // a quotient is no product with a reciprocal
  bool gives_weights = false;
};

// The form of `program` (one of the lowered mask's) for these shapes. unimplemented when it has
// none.
Result<MaskForm> make_mask_form(const RegionProgram& program, const RegionShapes& shapes,
                                const LogicalTensor& domain, const MaskOptions& options);

// The split and the pointwise form of a region, the latter only where it may be needed.
struct MaskForms {
  std::optional<MaskForm> split;
  std::optional<MaskForm> pointwise;

  explicit operator bool() const { return split || pointwise; }

  const MaskForm& form(bool split_is_right) const {
    return split_is_right && split ? *split : *pointwise;
  }
};

Result<MaskForms> make_mask_forms(const LoweredRegion& region, const RegionShapes& shapes,
                                  const LogicalTensor& domain, const MaskOptions& options);

// Where a tile's data are: as many queries as it has, kTileStride apart from key to key. Outputs
// may be inputs.
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
