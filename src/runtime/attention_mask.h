// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <vector>

#include "base/cpu.h"
#include "codegen/codegen.h"
#include "lower/attention.h"
#include "runtime/region_shapes.h"

namespace iotadnn::impl {

// Floats from one key of a tile of scores to the next, which holds up to kTileQueries of them: not
// a power of two, so that the keys of a column lie in different sets of the caches.
inline constexpr int64_t kTileQueries = 64;
inline constexpr int64_t kTileStride = kTileQueries + 16;

// What all scores are multiplied by, or divided, before anything else is done with them.
struct ScoreFactor {
  bool divides = false;
  Inst value;  // a constant or a scalar
};

// One program of an attention's mask, for tiles of its scores. Immutable.
struct MaskForm {
  static constexpr size_t kScoreInput = static_cast<size_t>(-1);

  RowProgram program;                    // over the outer dimensions, keys, queries
  RowProgram window;                     // the same for a window of the domain
  std::shared_ptr<const Kernel> kernel;  // of the window; null: the portable path runs
  std::vector<size_t> inputs;            // which of the region's each of the program's is
  std::vector<int64_t> strides;          // [tensor * rank + dim] in elements, the output's last
  // The same for a tile: inputs whose keys are adjacent, which queries are not, are turned first.
  std::vector<int64_t> tile_strides;
  uint32_t turned = 0;                // a bit for each of those
  std::optional<ScoreFactor> factor;  // taken out of both programs
  bool cuts = true;  // whether its predicates tell keys apart: they change along lines
};

// The form of `program` (one of the lowered mask's) for these shapes. `strict`: a quotient is no
// product with a reciprocal. unimplemented when it has none.
Result<MaskForm> make_mask_form(const RegionProgram& program, const RegionShapes& shapes,
                                const LogicalTensor& domain, Isa isa, bool strict);

// What the mask does to scores: to all of a range of keys for the queries of a tile.
enum class MaskEffect : uint8_t {
  removes,   // all are -inf
  keeps,     // none is changed
  computes,  // its program has to run
};

struct KeyRange {
  int64_t begin = 0;
  int64_t end = 0;
  MaskEffect effect = MaskEffect::keeps;
};

// A form of the mask with the data of one execution. Immutable; thread safe.
class MaskRun {
 public:
  MaskRun(const MaskForm& form, const int64_t* scalars);

  // Where the data of the program's inputs are; the score's is not read.
  std::array<const void*, kMaxInputs> srcs{};

  float factor() const;

  // Cuts all keys into ranges for queries [first, last) at these outer coordinates. What is
  // computed anyway may be said to be so although it is kept or removed.
  void cut(const int64_t* outer, int64_t keys, int64_t first, int64_t last,
           std::vector<KeyRange>& ranges) const;

  // Bytes that compute() needs for a tile of so many keys.
  int64_t scratch_bytes(int64_t keys) const;

  // Computes what the mask makes of a tile's scores, in place: `keys` keys from `key` on, `queries`
  // queries from `query` on.
  void compute(float* scores, const int64_t* outer, int64_t key, int64_t keys, int64_t query,
               int64_t queries, void* scratch) const;

 private:
  struct Tile;

  MaskEffect effect_of(size_t body) const;
  MaskEffect effect(const Tile& tile, int64_t begin, int64_t end, bool& is_settled) const;
  void cut(const Tile& tile, int64_t begin, int64_t end, std::vector<KeyRange>& ranges) const;

  const MaskForm& form_;
  std::array<int64_t, kMaxScalars> scalars_{};
  std::array<MaskEffect, size_t{1} << kMaxPredicates> effects_{};
};

}  // namespace iotadnn::impl
