// SPDX-License-Identifier: Apache-2.0
#include "runtime/compiled_partition.h"

#include <algorithm>

#include "base/log.h"
#include "ops/op_table.h"
#include "runtime/forced_strategy.h"
#include "runtime/partition_cache.h"
#include "runtime/partition_core.h"
#include "runtime/partition_key.h"
#include "runtime/region_partition.h"
#include "runtime/verbose_text.h"

namespace iotadnn::impl {
namespace {

// A shared core with the ids, names and port order of one compile.
class BoundPartition final : public CompiledPartition {
 public:
  BoundPartition(std::shared_ptr<const PartitionCore> core, const Partition& partition,
                 Span<const LogicalTensor> inputs, Span<const LogicalTensor> outputs,
                 int output_position)
      : CompiledPartition(partition, inputs, outputs),
        core_(std::move(core)),
        output_position_(static_cast<size_t>(output_position)) {
    const size_t id = outputs_[output_position_].id;
    outputs_[output_position_] = core_->output();
    outputs_[output_position_].id = id;
    find_inplace_pairs(partition.ops.front());
  }

  Status execute(Span<const Tensor* const> inputs,
                 Span<const Tensor* const> outputs) const override {
    if (!counts_agree(inputs.size(), outputs.size()))
      return wrong_counts(inputs.size(), outputs.size());
    if (verbose_on(Verbose::profile_exec)) return execute_and_log(inputs, outputs);
    return core_->execute(inputs, *outputs[output_position_]);
  }

  Status infer_shapes(Span<const Tensor* const> inputs,
                      Span<LogicalTensor> outputs) const override {
    if (!counts_agree(inputs.size(), outputs.size()))
      return wrong_counts(inputs.size(), outputs.size());
    auto inferred = core_->infer_output(inputs, outputs_[output_position_]);
    if (!inferred.ok()) return inferred.status();
    std::copy(outputs_.begin(), outputs_.end(), outputs.begin());
    outputs[output_position_] = *inferred;
    return {};
  }

  const std::string& impl() const override { return core_->impl(); }

  std::string program_text() const override { return core_->program_text(); }

  std::vector<KernelCode> kernels() const override { return core_->kernels(); }

 private:
  // Not inlined: what it keeps in registers would be saved by every execute.
  [[gnu::noinline]] Status execute_and_log(Span<const Tensor* const> inputs,
                                           Span<const Tensor* const> outputs) const {
    const double start = now_ms();
    IOTADNN_TRY(core_->execute(inputs, *outputs[output_position_]));
    verbose_line(
        exec_line(header_, tensors_of(inputs), tensors_of(outputs), impl(), now_ms() - start));
    return {};
  }

  // The data of a shape-giving input is never read: any one of equal size may lend its buffer.
  void find_inplace_pairs(const Op& op) {
    const LogicalTensor& out = outputs_[output_position_];
    const OpDef* def = find_op(op.kind);
    if (def == nullptr || def->data_inputs != 0) return;
    const auto out_bytes = is_fully_known(out) ? buffer_bytes(out) : Result<size_t>(size_t{0});
    for (const LogicalTensor& in : inputs_) {
      if (!is_fully_known(in) || !out_bytes.ok() || *out_bytes == 0) continue;
      const auto in_bytes = buffer_bytes(in);
      if (in_bytes.ok() && *in_bytes == *out_bytes) {
        pairs_.push_back({in.id, out.id});
        return;
      }
    }
  }

  std::shared_ptr<const PartitionCore> core_;
  size_t output_position_;
};

Result<std::shared_ptr<const PartitionCore>> core_for(const Partition& partition,
                                                      const BoundPorts& ports, bool& cache_hit) {
  const auto isa = effective_isa();
  if (!isa.ok()) return isa.status();
  const auto forced = forced_strategy();
  if (!forced.ok()) return forced.status();
  const std::string key = partition_key(partition, ports, *isa, forced->text);
  if (auto core = partition_cache().find(key)) {
    cache_hit = true;
    return std::static_pointer_cast<const PartitionCore>(core);  // keys of regions are their own
  }
  auto core =
      PartitionCore::create(ports.op, ports.input_of_port, partition, *isa, forced->strategy);
  if (!core.ok()) return core.status();
  return std::static_pointer_cast<const PartitionCore>(partition_cache().store(key, *core));
}

// Generators alone have walks of their own, which know no data.
bool is_single_generator(const Partition& partition) {
  if (partition.ops.size() != 1) return false;
  const OpDef* def = find_op(partition.ops.front().kind);
  return def != nullptr && def->lower != nullptr;
}

}  // namespace

Status CompiledPartition::wrong_counts(size_t num_inputs, size_t num_outputs) const {
  return invalid_arguments(std::to_string(num_inputs) + " input and " +
                           std::to_string(num_outputs) + " output tensors given, compiled for " +
                           std::to_string(inputs_.size()) + " and " +
                           std::to_string(outputs_.size()));
}

Result<CompileOutcome> compile_partition(const Partition& partition,
                                         Span<const LogicalTensor> inputs,
                                         Span<const LogicalTensor> outputs) {
  const double start = now_ms();
  if (!partition.supported)
    return invalid_arguments("partition " + std::to_string(partition.id) +
                             " is not supported: " + partition.reason);
  if (!is_single_generator(partition)) return compile_region(partition, inputs, outputs);
  auto ports = bind_ports(partition, inputs, outputs);
  if (!ports.ok()) return ports.status();
  CompileOutcome outcome;
  auto core = core_for(partition, *ports, outcome.cache_hit);
  if (!core.ok()) return core.status();
  const auto bound = std::make_shared<const BoundPartition>(*core, partition, inputs, outputs,
                                                            ports->output_position);
  outcome.compiled = bound;
  if (verbose_on(Verbose::profile_create))
    verbose_line(compile_line(bound->header(), bound->inputs(), bound->outputs(), bound->impl(),
                              outcome.cache_hit, now_ms() - start));
  return outcome;
}

}  // namespace iotadnn::impl
