// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include "codegen/tiles.h"
#include "runtime/attention_mask.h"
#include "runtime/strategy.h"

namespace iotadnn::impl {

// A matrix for each index of the outer dimensions; strides in elements.
struct MatrixLayout {
  size_t tensor = 0;  // of the region's inputs and, behind them, what is prepared; or its outputs
  DataType type = DataType::f32;
  Dims outer{};
  int64_t row = 0;
  int64_t column = 0;

  int64_t offset(const int64_t* coords, int rank) const {
    int64_t sum = 0;
    for (int d = 0; d < rank; ++d)
      sum += coords[d] * outer[static_cast<size_t>(d)];
    return sum;
  }
};

// An op that makes an operand, with its shapes known and its output dense.
struct PreparedOp {
  Op op;
  std::vector<size_t> inputs;  // of the region's
  size_t bytes = 0;            // of its output
};

// What attentions and their backward passes have in common. Immutable.
struct HeadsPlan {
  const TileFunctions* tiles = nullptr;
  Isa tiles_isa = Isa::portable;  // that they are made for
  int outer_rank = 0;
  Dims outer{};
  int64_t heads = 1;  // the product of the outer extents
  int64_t queries = 0;
  int64_t keys = 0;
  int64_t depth = 0;        // of a query and a key
  int64_t value_depth = 0;  // of a value
  MatrixLayout q;
  MatrixLayout k;
  MatrixLayout v;
  MaskForms mask;
  int threads = 1;

  // Whether a tile's rows are longer than scratch memory should hold.
  bool is_too_deep() const {
    constexpr int64_t kMostDepth = int64_t{1} << 18;
    return depth > kMostDepth || value_depth > kMostDepth;
  }

  int64_t tiles_of_queries() const { return (queries + kTileQueries - 1) / kTileQueries; }
};

// Everything decided for an attention and the shapes of its tensors. Immutable.
struct AttentionPlan : HeadsPlan {
  MatrixLayout out;
  std::optional<MatrixLayout> stats;
  std::optional<MatrixLayout> handed_out;  // scores
  bool hands_out_others = false;           // not those that the softmax takes
  // Whether keys and values are read row by row for a few queries of each head, which would leave
  // most of a tile empty (attention_few.cpp); then what computes the mask is by queries.
  bool has_few_queries = false;
  MaskForms mask_by_queries;
  bool inf_as_zero = false;
  bool scores_of_bf16 = false;  // products of pairs of bf16
  bool values_of_bf16 = false;
  std::vector<PreparedOp> prepared;
};

// How a plan is made; see there for what is unimplemented.
struct PlanOptions {
  MathMode mode = MathMode::standard;
  Isa isa = Isa::reference;
  ForcedStrategy forced;
};

// The ISA that an attention's tile functions are made for under a cap: beyond kernel_isa() only
// where there is bf16 to multiply.
Isa tiles_isa(const AttentionForm& form, Isa cap);

// `mask` is without bodies where there is none. unimplemented where the ops themselves have to run:
// nothing to sum, or something is broadcast that a tile cannot tell.
Result<AttentionPlan> make_attention_plan(const AttentionForm& form, const LoweredRegion& mask,
                                          const RegionShapes& shapes, const PlanOptions& options);

// Parts of it that a backward pass shares. The outer extents are those of `domain`; false where a
// tensor has extents that are neither these nor 1.
void set_domain(const LogicalTensor& domain, HeadsPlan& plan);
bool set_layout(const LogicalTensor& tensor, int row, int column, const HeadsPlan& plan,
                MatrixLayout& layout);
// `isa`: a cap that kernel_isa() or tiles_isa() gave.
Status set_tiles(Isa isa, HeadsPlan& plan);
// For work of so many products.
void set_threads(double products, int64_t units, const ForcedStrategy& forced, HeadsPlan& plan);

// Where the data of an execution are: of the region's inputs and outputs, and the mask's scalars.
struct AttentionData {
  const void* const* inputs = nullptr;
  void* const* outputs = nullptr;
  const int64_t* scalars = nullptr;
  bool split = true;  // whether the mask's split form is right for them
};

// out_of_memory when a thread finds no scratch memory; outputs may be partly written then. Scratch
// is a tile of each operand per thread, kept by the thread for the next execution.
Status run_attention(const AttentionPlan& plan, const AttentionData& data);

}  // namespace iotadnn::impl
