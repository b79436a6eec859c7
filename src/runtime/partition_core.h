// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/span.h"
#include "lower/lower.h"
#include "runtime/core.h"
#include "runtime/plan.h"
#include "runtime/recent_plans.h"
#include "runtime/tensor.h"

namespace iotadnn::impl {

// A compiled generator. Ports are positions in the lists given at compile. Immutable,
// but for the plans it remembers of shapes it met; thread safe.
class PartitionCore final : public Core {
 public:
  // `op` with the caller's logical tensors at its ports; `input_of_port[p]` is the position of the
  // tensor of input port p in the caller's list.
  static Result<std::shared_ptr<const PartitionCore>> create(Op op, std::vector<int> input_of_port,
                                                             const Partition& partition, Isa isa,
                                                             const ForcedStrategy& forced);

  Status execute(Span<const Tensor* const> inputs, const Tensor& output) const {
    // What most executions are, in few instructions: they are most of a small output's time.
    if (!bound_ || output.data == nullptr || !as_compiled(inputs, output))
      return execute_checked(inputs, output);
    bound_->run(output.data, constants_.data());
    return {};
  }

  // The output's logical tensor for these inputs, on top of what `given` knows.
  Result<LogicalTensor> infer_output(Span<const Tensor* const> inputs,
                                     const LogicalTensor& given) const;

  const LogicalTensor& output() const { return op_.outputs.front(); }

  const Op& op() const { return op_; }

  const std::string& impl() const { return impl_; }

  // As in CompiledPartition (core_text.cpp).
  std::string program_text() const;
  std::vector<KernelCode> kernels() const;

 private:
  PartitionCore() = default;

  const Tensor& port(Span<const Tensor* const> inputs, size_t p) const {
    return *inputs[static_cast<size_t>(input_of_port_[p])];
  }

  // Whether all metadata are those of the compile: then nothing needs a closer look.
  bool as_compiled(Span<const Tensor* const> inputs, const Tensor& output) const {
    if (!same_geometry(op_.outputs.front(), output.lt)) return false;
    for (size_t p = 0; p < op_.inputs.size(); ++p)
      if (!same_geometry(op_.inputs[p], port(inputs, p).lt)) return false;
    return true;
  }

  Status execute_checked(Span<const Tensor* const> inputs, const Tensor& output) const;
  Status check_ports(Span<const Tensor* const> inputs, const Tensor& output) const;
  Status execute_recent(Span<const Tensor* const> inputs, const Tensor& output) const;
  Status execute_any_shape(Span<const Tensor* const> inputs, const Tensor& output,
                           const PlanKey* key) const;
  void gather_scalars(Span<const Tensor* const> inputs, int64_t* scalars) const;
  void run(const Plan& plan, Span<const Tensor* const> inputs, void* dst) const;
  Status run_reference(Span<const Tensor* const> inputs, const LogicalTensor& lt, void* dst) const;
  Result<Plan> plan_for(const LogicalTensor& output) const;
  Status no_output_data() const;

  Op op_;
  const OpDef* def_ = nullptr;
  std::vector<int> input_of_port_;
  Isa isa_ = Isa::reference;
  ForcedStrategy forced_;
  LoweredPartition lowered_;           // unused on Isa::reference
  bool scalars_are_constant_ = false;  // all are attributes: their values are in constants_
  std::array<int64_t, kMaxScalars> constants_{};
  std::string impl_;
  // All shapes known and none decided by data: the plan of every execute.
  bool fixed_shape_ = false;
  std::optional<Plan> fixed_plan_;      // absent when the output is empty, or on Isa::reference
  const BoundKernel* bound_ = nullptr;  // all of fixed_plan_, when the scalars are constant
  std::unique_ptr<RecentPlans<Plan>>
      recent_plans_;  // absent with a fixed shape, or on Isa::reference
};

}  // namespace iotadnn::impl
