// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
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

  size_t id = 0;
  int rank = 0;
  std::array<int8_t, kMaxRank> axes{};

  bool operator==(const RegionInput& o) const {
    return id == o.id && rank == o.rank && axes == o.axes;
  }
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
  std::vector<RegionScalar> scalars;
  std::vector<ExtentGuard> extent_guards;
};

// A region as programs over its domain, in logical order.
struct LoweredRegion {
  // Comparisons of coordinates are predicates here; right where the guards hold.
  RowProgram split;
  std::vector<RangeGuard> range_guards;
  ScalarAssumptions assumed;
  // No assumption but extent_guards. Equal to `split` where that has no guard.
  RowProgram pointwise;
  std::vector<ExtentGuard> extent_guards;

  // Whether `split` may be wrong, so that `pointwise` has to be at hand.
  bool is_conditional() const {
    return !range_guards.empty() || assumed.finite_scalars != 0 || assumed.unit_scalars != 0;
  }

  std::vector<RegionInput> inputs;  // of both programs, in their order
  std::vector<RegionScalar> scalars;
};

// The expression of a region whose logical tensors are as far known as they can be (ranks at
// least). unimplemented, with the sentence, for what has no such form.
Result<RegionExpr> expand_region(const Partition& partition, ExprRules rules);

// Lowers the region; the programs are verified.
Result<LoweredRegion> lower_region(const Partition& partition);

}  // namespace iotadnn::impl
