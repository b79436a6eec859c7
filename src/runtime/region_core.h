// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/span.h"
#include "lower/region.h"
#include "runtime/core.h"
#include "runtime/region_plan.h"
#include "runtime/region_shapes.h"
#include "runtime/tensor.h"

namespace iotadnn::impl {

// A region's ops with the caller's logical tensors at its ports. Ids are renumbered by first
// appearance and ops are named by their kinds, so that structure-equal regions look the same.
struct BoundRegion {
  Partition partition;            // inputs and outputs without repeats
  std::vector<size_t> input_at;   // position in the caller's list of each of its inputs
  std::vector<size_t> output_at;  // and of each of its outputs
};

// A compiled region. Immutable; thread safe.
class RegionCore final : public Core {
 public:
  static Result<std::shared_ptr<const RegionCore>> create(BoundRegion bound, Isa isa,
                                                          const ForcedStrategy& forced);

  // The tensors in the order of the caller's lists.
  Status execute(Span<const Tensor* const> inputs, Span<const Tensor* const> outputs) const;

  // The outputs' logical tensors for these inputs, on top of what `given` (in the order of the
  // region's outputs) knows.
  Result<std::vector<LogicalTensor>> infer_outputs(Span<const Tensor* const> inputs,
                                                   const std::vector<LogicalTensor>& given) const;

  // As compiled; outputs with what could be inferred.
  const Partition& partition() const { return bound_.partition; }

  const std::vector<size_t>& input_at() const { return bound_.input_at; }

  const std::vector<size_t>& output_at() const { return bound_.output_at; }

  const std::string& impl() const { return impl_; }

  // Whether output `output` may be the memory of input `input` (positions in partition()).
  bool may_alias(size_t input, size_t output) const;

 private:
  RegionCore() = default;

  const Tensor& input(Span<const Tensor* const> inputs, size_t i) const {
    return *inputs[bound_.input_at[i]];
  }

  const Tensor& output(Span<const Tensor* const> outputs, size_t o) const {
    return *outputs[bound_.output_at[o]];
  }

  // One of the region's programs: which of the region's inputs it reads, and for shapes that are
  // known since compile its plan.
  struct Form {
    std::vector<size_t> inputs;
    std::optional<RegionPlan> plan;
  };

  Status make_plans();
  std::vector<size_t> positions_of(const RegionProgram& program) const;
  Status check_tensors(Span<const Tensor* const> inputs, Span<const Tensor* const> outputs) const;
  Result<RegionShapes> resolve(Span<const Tensor* const> inputs,
                               const std::vector<LogicalTensor>& outputs) const;
  static Status no_input_data(size_t i);
  bool as_compiled(Span<const Tensor* const> inputs, Span<const Tensor* const> outputs) const;
  void gather_scalars(const RegionShapes& shapes, Span<const Tensor* const> inputs,
                      int64_t* scalars) const;
  bool extents_agree(const RegionShapes& shapes) const;
  void settle_guards(const RegionShapes& shapes);
  Dims guarded_extents(const RegionShapes& shapes, int& rank) const;
  bool split_is_right(const RegionShapes& shapes, const int64_t* scalars) const;
  Result<RegionPlan> plan_for(const RegionProgram& program, const RegionShapes& shapes) const;
  std::vector<FiniteLook> looks_of(const RegionShapes& shapes) const;
  bool run(const RegionPlan& plan, const std::vector<size_t>& program_inputs,
           const std::vector<FiniteLook>& looks, Span<const Tensor* const> inputs,
           Span<const Tensor* const> outputs, const int64_t* scalars) const;
  Status run_fixed(Span<const Tensor* const> inputs, Span<const Tensor* const> outputs) const;
  Status run_any_shape(Span<const Tensor* const> inputs, Span<const Tensor* const> outputs) const;
  Status run_repair(const RegionShapes& shapes, Span<const Tensor* const> inputs,
                    Span<const Tensor* const> outputs, const int64_t* scalars) const;
  Status run_reference(const RegionShapes& shapes, Span<const Tensor* const> inputs,
                       Span<const Tensor* const> outputs) const;

  BoundRegion bound_;
  Isa isa_ = Isa::reference;
  ForcedStrategy forced_;
  std::optional<LoweredRegion> lowered_;  // absent: the region runs op by op
  std::vector<size_t> scalar_inputs_;     // of each scalar that is an input: which of the region's
  std::array<int64_t, kMaxScalars> parameters_{};  // the scalars that are not
  std::vector<RangeGuard> guards_;                 // those that are not known to hold since compile
  std::vector<size_t> looked_at_;                  // of each finite check: the same
  bool fixed_shape_ = false;                       // all shapes known: the plans of every execute
  bool empty_ = false;                             // and nothing to write
  RegionShapes fixed_;                             // those shapes
  std::vector<FiniteLook> looks_;                  // for them
  Form split_;
  Form pointwise_;  // without a plan where the other is right for every scalar
  std::string impl_;
};

}  // namespace iotadnn::impl
