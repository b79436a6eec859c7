// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "lower/primitive_region.h"
#include "primitives/primitive.h"
#include "runtime/region_shapes.h"
#include "runtime/softmax_rows.h"
#include "runtime/strategy.h"

namespace iotadnn::impl {

// lower_primitive() where this build and this processor have primitives of its types.
Result<LoweredPrimitive> lower_for_primitive(const Partition& partition);

// The primitives of an op of known shapes, one for each number of threads that it has met: oneDNN's
// are made for a number. Thread safe.
class PrimitiveSet {
 public:
  explicit PrimitiveSet(ProductTensors product) : product_(std::move(product)) {}

  explicit PrimitiveSet(SoftMaxTensors softmax) : softmax_(softmax) {}

  // Makes it where there is none.
  Result<PrimitivePtr> get(int threads) const;

 private:
  static constexpr size_t kKept = 8;

  std::optional<ProductTensors> product_;
  SoftMaxTensors softmax_;
  mutable std::mutex mutex_;
  mutable std::vector<std::pair<int, PrimitivePtr>> made_;
};

// Everything decided for the MatMul or SoftMax of a region and its shapes. Immutable, but for the
// primitives that it has made.
struct PrimitivePlan {
  std::shared_ptr<const PrimitiveSet> primitives;
  std::vector<size_t> inputs;  // of the region's
  LogicalTensor result;        // as the primitive writes it
  // Of the region's outputs, whose memory holds the result: it is the result, or what follows
  // writes it in place. Absent: the result has memory of its own while an execution runs.
  std::optional<size_t> output;
  size_t bytes = 0;  // of the result
  std::optional<SoftMaxRows> rows;
  std::optional<size_t> stats;  // of the region's outputs
  int threads = 1;
};

// `epilogue` is without bodies where nothing follows. unimplemented where the ops themselves have
// to run: nothing to compute, or oneDNN refuses.
Result<PrimitivePlan> make_primitive_plan(const PrimitiveForm& form, const LoweredRegion& epilogue,
                                          const RegionShapes& shapes, const ForcedStrategy& forced);

// Writes the result, and the stats where the region hands them out. A status of code unimplemented
// or runtime_error: the ops have to run instead.
Status run_primitive(const PrimitivePlan& plan, const void* const* inputs, void* result,
                     void* stats);

}  // namespace iotadnn::impl
