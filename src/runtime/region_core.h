// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/span.h"
#include "lower/attention.h"
#include "runtime/backward_plan.h"
#include "runtime/core.h"
#include "runtime/primitive_plan.h"
#include "runtime/recent_plans.h"
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

// A compiled region. Immutable, but for the plans it remembers of shapes it met; thread safe.
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

  // As in CompiledPartition (core_text.cpp).
  std::string program_text() const;
  std::vector<KernelCode> kernels() const;

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

  // All that is worked out for shapes that are known.
  struct Plans {
    RegionShapes shapes;
    std::vector<FiniteLook> looks;
    std::optional<RegionPlan> split;
    std::optional<RegionPlan> pointwise;  // absent where the other is right for every scalar
    // Instead of both:
    std::optional<AttentionPlan> attention;
    std::optional<BackwardPlan> backward;
    // In front of both, which are then the epilogue.
    std::optional<PrimitivePlan> primitive;
  };

  Status lower();
  Status lower_primitive_region();
  void bind_lowered();
  const LogicalTensor& domain_of(const RegionShapes& shapes) const;
  Status make_plans();
  Result<Plans> plans_for(RegionShapes shapes) const;
  std::vector<size_t> positions_of(const RegionProgram& program) const;
  std::vector<const LogicalTensor*> tensors_of(const std::vector<size_t>& positions,
                                               const Plans& plans) const;
  Status check_tensors(Span<const Tensor* const> inputs, Span<const Tensor* const> outputs) const;
  Result<RegionShapes> resolve(Span<const Tensor* const> inputs,
                               const std::vector<LogicalTensor>& outputs) const;
  static Status no_input_data(size_t i);
  bool as_compiled(Span<const Tensor* const> inputs, Span<const Tensor* const> outputs) const;
  void gather_scalars(const RegionShapes& shapes, Span<const Tensor* const> inputs,
                      int64_t* scalars) const;
  void find_data_inputs();
  void add_tile_data();
  std::string scalars_text() const;
  std::string split_condition() const;
  bool may_leave_split() const;
  std::string inputs_text(const RegionProgram& program) const;
  std::string form_text(const std::string& when, const RegionProgram& program,
                        const RegionPlan* plan) const;
  bool has_data(Span<const Tensor* const> inputs, Span<const Tensor* const> outputs) const;
  bool make_key(Span<const Tensor* const> inputs, Span<const Tensor* const> outputs,
                PlanKey& key) const;
  bool extents_agree(const RegionShapes& shapes) const;
  void settle_guards(const RegionShapes& shapes);
  Dims guarded_extents(const RegionShapes& shapes, int& rank) const;
  bool split_is_right(const RegionShapes& shapes, const int64_t* scalars) const;
  Result<RegionPlan> plan_for(const RegionProgram& program,
                              const std::vector<const LogicalTensor*>& tensors,
                              const RegionShapes& shapes,
                              const std::vector<FiniteLook>& looks) const;
  bool run(const RegionPlan& plan, const std::vector<size_t>& program_inputs,
           const std::vector<FiniteLook>& looks, Span<const Tensor* const> inputs,
           Span<const Tensor* const> outputs, const int64_t* scalars,
           const void* result = nullptr) const;

  bool has_tiles() const { return attention_ || backward_; }

  Isa isa_of_tiles() const;

  Result<Plans> tile_plans_for(RegionShapes shapes) const;
  Status add_program_plans(Plans& plans) const;
  Status run_with_primitive(const Plans& plans, Span<const Tensor* const> inputs,
                            Span<const Tensor* const> outputs, const int64_t* scalars) const;
  std::string name_of_impl(const Plans& plans) const;
  Status run_tiles(const Plans& plans, bool split, Span<const Tensor* const> inputs,
                   Span<const Tensor* const> outputs, const int64_t* scalars) const;
  const MaskForms* tile_forms() const;
  std::string primitive_text() const;
  std::string attention_text() const;
  Status run_plans(const Plans& plans, Span<const Tensor* const> inputs,
                   Span<const Tensor* const> outputs) const;
  Status execute_checked(Span<const Tensor* const> inputs, Span<const Tensor* const> outputs) const;
  Status run_any_shape(Span<const Tensor* const> inputs, Span<const Tensor* const> outputs,
                       const PlanKey* key) const;
  Status run_repair(const RegionShapes& shapes, Span<const Tensor* const> inputs,
                    Span<const Tensor* const> outputs, const int64_t* scalars) const;
  Status run_reference(const RegionShapes& shapes, Span<const Tensor* const> inputs,
                       Span<const Tensor* const> outputs) const;

  BoundRegion bound_;
  Isa isa_ = Isa::reference;
  ForcedStrategy forced_;
  std::optional<LoweredRegion> lowered_;  // absent: the region runs op by op
  // Set for an attention: `lowered_` is then its mask, without any program if it has none; or for
  // its backward pass, of which it is all that works point by point.
  std::optional<AttentionForm> attention_;
  std::optional<BackwardForm> backward_;
  // Set for a MatMul or SoftMax: `lowered_` is then what follows it, without any program if nothing
  // does. Among the positions of programs' inputs, that behind the last input is its result.
  std::optional<PrimitiveForm> primitive_;
  std::vector<size_t> scalar_inputs_;  // of each scalar that is an input: which of the region's
  std::array<int64_t, kMaxScalars> parameters_{};  // the scalars that are not
  std::vector<RangeGuard> guards_;                 // those that are not known to hold since compile
  std::vector<size_t> looked_at_;                  // of each finite check: the same
  // Of the region's inputs: those that programs read, all whose data are read, and such as shapes
  // depend on.
  std::vector<size_t> split_inputs_;
  std::vector<size_t> pointwise_inputs_;
  std::vector<size_t> data_inputs_;
  std::vector<size_t> shape_inputs_;
  bool fixed_shape_ = false;    // all shapes known: there is one plan for every execute
  bool empty_ = false;          // and nothing to write
  std::optional<Plans> fixed_;  // absent when that is so
  std::unique_ptr<RecentPlans<Plans>> recent_plans_;  // absent with a fixed shape
  std::string impl_;
};

}  // namespace iotadnn::impl
