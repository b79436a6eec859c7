// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/span.h"
#include "lower/lower.h"
#include "runtime/plan.h"
#include "runtime/tensor.h"

namespace iotadnn::impl {

// The part of a compiled partition that does not depend on ids: what the partition cache shares
// between structure-equal partitions. Ports are positions in the lists given at compile. Immutable,
// but for the plans it remembers of shapes it met (behind a lock); thread safe.
class PartitionCore {
 public:
  // `op` with the caller's logical tensors at its ports; `input_of_port[p]` is the position of the
  // tensor of input port p in the caller's list.
  static Result<std::shared_ptr<const PartitionCore>> create(Op op, std::vector<int> input_of_port,
                                                             const Partition& partition, Isa isa,
                                                             const ForcedStrategy& forced);

  Status execute(Span<const Tensor* const> inputs, Span<const Tensor* const> outputs) const;

  // The output's logical tensor for these inputs, on top of what `given` knows.
  Result<LogicalTensor> infer_output(Span<const Tensor* const> inputs,
                                     const LogicalTensor& given) const;

  const LogicalTensor& output() const { return op_.outputs.front(); }

  const Op& op() const { return op_; }

  const std::string& impl() const { return impl_; }

 private:
  PartitionCore() = default;

  const Tensor& port(Span<const Tensor* const> inputs, size_t p) const {
    return *inputs[static_cast<size_t>(input_of_port_[p])];
  }

  // Whether all metadata are those of the compile: then nothing needs a closer look.
  bool as_compiled(Span<const Tensor* const> inputs, const Tensor& output) const;
  Status check_ports(Span<const Tensor* const> inputs, const Tensor& output) const;
  void gather_scalars(Span<const Tensor* const> inputs, int64_t* scalars) const;
  Status execute_any_shape(Span<const Tensor* const> inputs, const Tensor& output) const;
  Status run_reference(Span<const Tensor* const> inputs, const LogicalTensor& lt, void* dst) const;
  Result<Plan> plan_for(const LogicalTensor& output) const;

  Op op_;
  std::vector<int> input_of_port_;
  Isa isa_ = Isa::reference;
  ForcedStrategy forced_;
  LoweredPartition lowered_;  // unused on Isa::reference
  std::string impl_;
  // All shapes known and none decided by data: the plan of every execute.
  bool fixed_shape_ = false;
  std::optional<Plan> fixed_plan_;  // absent when the output is empty, or on Isa::reference
};

}  // namespace iotadnn::impl
