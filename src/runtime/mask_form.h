// SPDX-License-Identifier: Apache-2.0
#pragma once

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

// Floats from a query's scores to the next where those of a query are adjacent: room for kTileKeys
// of them in whole vectors.
inline constexpr int64_t kRowStride = 160;

// What all scores are multiplied by, or divided, before anything else is done with them.
struct ScoreFactor {
  bool divides = false;
  Inst value;  // a constant or a scalar
};

// One program of an attention's mask, or of what its backward pass does point by point, for tiles
// of its scores, keys by queries; or of a few queries by keys. Immutable.
struct MaskForm {
  // Inputs that are tiles, and one element for each query.
  static constexpr size_t kScoreInput = static_cast<size_t>(-1);
  static constexpr size_t kGradientInput = static_cast<size_t>(-2);
  static constexpr size_t kRowSumInput = static_cast<size_t>(-3);

  static bool is_tile(size_t input) { return input >= kRowSumInput; }

  bool is_score(const Inst& inst) const {
    return inst.op == Opcode::load && inputs[inst.imm] == kScoreInput;
  }

  bool by_queries = false;               // the last dimensions are queries, keys
  RowProgram program;                    // over the outer dimensions, keys, queries
  RowProgram window;                     // the same for a window of the domain
  std::shared_ptr<const Kernel> kernel;  // of the window; null: the portable path runs
  std::vector<size_t> inputs;            // which of the region's each of the program's is
  std::vector<int64_t> strides;          // [tensor * rank + dim] in elements, the outputs' last
  // The same for a tile: inputs whose keys are adjacent, which queries are not, are turned first.
  std::vector<int64_t> tile_strides;
  uint32_t turned = 0;                // a bit for each of those
  std::optional<ScoreFactor> factor;  // taken out of both programs
  // Whether a tile is one long row to the program: it tells neither keys nor queries apart, and all
  // that it reads lies as the scores do.
  bool is_flat = false;
  bool cuts = true;  // whether its predicates tell keys apart: they change along lines
  // Whether the first output is the probabilities exp(score - stats), not the scores of a softmax.
  bool gives_weights = false;
};

struct MaskOptions {
  Isa isa = Isa::reference;
  bool strict = false;  // a quotient is no product with a reciprocal
  bool gives_weights = false;
  bool by_queries = false;  // for MaskRun::compute() only
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

}  // namespace iotadnn::impl
