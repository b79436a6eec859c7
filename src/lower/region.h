// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <optional>
#include <vector>

#include "base/status.h"
#include "lower/affine.h"
#include "lower/expr.h"
#include "partition/partition.h"
#include "program/program.h"

namespace iotadnn::impl {

// A run-time scalar of a region's program.
struct RegionScalar {
  enum class Kind : uint8_t {
    parameter,  // known since compile: `bits`
    input,      // the only element of tensor `id`, its bit pattern (integers extended to 64 bits)
    diagonal,   // the same, an integer clipped to +-kFarDiagonal
    extent,     // the extent of dimension `bits` of tensor `id`, known when the region runs
  };
  Kind kind = Kind::parameter;
  DataType type = DataType::s64;
  uint64_t bits = 0;
  size_t id = 0;

  bool operator==(const RegionScalar& o) const {
    return kind == o.kind && type == o.type && bits == o.bits && id == o.id;
  }
};

// A tensor that the program reads: dimension d of it is indexed by coordinate axes[d] of the
// domain, or only by 0 (kFixed).
struct RegionInput {
  static constexpr int8_t kFixed = -1;
  // kCounts + i: not a tensor but how many elements of that of finite check i are not finite along
  // its summed axis (s32, that extent being 1).
  static constexpr size_t kCounts = size_t{1} << 62;

  size_t id = 0;
  int rank = 0;
  std::array<int8_t, kMaxRank> axes{};
  // By dimension, what is added to the index: scalars and a constant. Empty: nothing. Elements that
  // are outside the tensor then are not read by any body.
  std::vector<Affine> offsets;

  bool operator==(const RegionInput& o) const {
    return id == o.id && rank == o.rank && axes == o.axes && offsets == o.offsets;
  }
};

// Whether the tensor, of the domain's extents or 1, is read where the domain's coordinates are.
bool is_read_in_place(const RegionInput& input);

// A tensor whose elements were taken for finite, and the axis (a bit) along which they are summed:
// times the zeros of an identity, which are not computed.
struct FiniteCheck {
  size_t id = 0;
  uint32_t summed = 0;

  bool operator==(const FiniteCheck& o) const { return id == o.id && summed == o.summed; }
};

// Dimension `dim` of tensor `id`, by which a coordinate of no output is bounded.
struct SummedExtent {
  size_t id = 0;
  int dim = 0;
};

// Two extents that were unknown when the region was lowered and were taken for equal (an extent of
// 1 would be broadcast).
struct ExtentGuard {
  size_t id = 0;
  int dim = 0;
  size_t other_id = 0;
  int other_dim = 0;
};

// What a region computes at one point of its domain, which is the shape of each of its outputs.
struct RegionExpr {
  explicit RegionExpr(ExprRules rules) : expr(rules) {}

  Expr expr;
  std::vector<Value> roots;  // one per output
  std::vector<RegionInput> inputs;
  std::vector<std::vector<Value>> ranges;  // by input: conditions under which it may be read
  std::vector<RegionScalar> scalars;
  std::vector<ExtentGuard> extent_guards;
  // Of the sums in it: what else must hold.
  int picked = 0;     // sums that are one term of theirs
  int remaining = 0;  // sums that are not: of the roots, over the first of summed_extents
  std::vector<SummedExtent> summed_extents;  // of the coordinates behind those of the domain

  bool has_sums() const { return !summed_extents.empty(); }

  std::vector<RangeGuard> guards;
  ScalarAssumptions assumed;
  std::vector<FiniteCheck> finite_checks;
};

// A program and the tensors that it reads, in the program's order.
struct RegionProgram {
  RowProgram program;
  std::vector<RegionInput> inputs;
  // The last dimensions of the program's domain, which the output lacks: its values are added up
  // along them, row-major, as ops/accumulator.h does.
  int summed = 0;
};

enum class SumForm {
  optimistic,  // the picked term
  repaired,    // NaN where another term is, by the counts of what is not finite
};

// A region as programs over its domain, in logical order.
struct LoweredRegion {
  // Comparisons of coordinates are predicates here; right where the guards hold.
  RegionProgram split;
  std::vector<RangeGuard> range_guards;
  std::vector<SummedExtent> summed_extents;  // coordinates of guards behind those of the domain
  ScalarAssumptions assumed;
  // No assumption but extent_guards. Equal to `split` where that has no guard; absent in a region
  // with sums, which has no other form than the ops themselves.
  std::optional<RegionProgram> pointwise;
  std::vector<ExtentGuard> extent_guards;
  // Tensors to look at: where one is not finite, `split` is wrong and `repair` right. Absent where
  // the ops themselves have to run.
  std::vector<FiniteCheck> finite_checks;
  std::optional<RegionProgram> repair;

  // Whether `split` may be wrong, so that another form has to be at hand.
  bool is_conditional() const { return !range_guards.empty() || assumed.any(); }

  std::vector<RegionScalar> scalars;  // of all programs
};

// The expression of a region whose logical tensors are as far known as they can be (ranks at
// least). unimplemented, with the sentence, for what has no such form.
Result<RegionExpr> expand_region(const Partition& partition, ExprRules rules,
                                 SumForm form = SumForm::optimistic);

// Lowers the region; the programs are verified.
Result<LoweredRegion> lower_region(const Partition& partition);

}  // namespace iotadnn::impl
