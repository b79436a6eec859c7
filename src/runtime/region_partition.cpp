// SPDX-License-Identifier: Apache-2.0
#include "runtime/region_partition.h"

#include <utility>

#include "base/log.h"
#include "runtime/forced_strategy.h"
#include "runtime/partition_cache.h"
#include "runtime/region_core.h"
#include "runtime/region_key.h"
#include "runtime/verbose_text.h"

namespace iotadnn::impl {
namespace {

// A shared region with the ids, names and port order of one compile.
class BoundRegionPartition final : public CompiledPartition {
 public:
  BoundRegionPartition(std::shared_ptr<const RegionCore> core, const Partition& partition,
                       Span<const LogicalTensor> inputs, Span<const LogicalTensor> outputs)
      : CompiledPartition(partition, inputs, outputs), core_(std::move(core)) {
    const Partition& compiled = core_->partition();
    for (size_t o = 0; o < compiled.outputs.size(); ++o) {
      LogicalTensor& own = outputs_[core_->output_at()[o]];
      const size_t id = own.id;
      own = compiled.outputs[o];
      own.id = id;
    }
    find_inplace_pairs();
  }

  Status execute(Span<const Tensor* const> inputs,
                 Span<const Tensor* const> outputs) const override {
    if (!counts_agree(inputs.size(), outputs.size()))
      return wrong_counts(inputs.size(), outputs.size());
    if (!verbose_on(Verbose::profile_exec)) return core_->execute(inputs, outputs);
    const double start = now_ms();
    IOTADNN_TRY(core_->execute(inputs, outputs));
    verbose_line(
        exec_line(header_, tensors_of(inputs), tensors_of(outputs), impl(), now_ms() - start));
    return {};
  }

  Status infer_shapes(Span<const Tensor* const> inputs,
                      Span<LogicalTensor> outputs) const override {
    if (!counts_agree(inputs.size(), outputs.size()))
      return wrong_counts(inputs.size(), outputs.size());
    auto inferred = core_->infer_outputs(inputs, core_->partition().outputs);
    if (!inferred.ok()) return inferred.status();
    for (size_t i = 0; i < outputs_.size(); ++i)
      outputs[i] = outputs_[i];
    for (size_t o = 0; o < inferred->size(); ++o) {
      LogicalTensor& out = outputs[core_->output_at()[o]];
      const size_t id = out.id;
      out = (*inferred)[o];
      out.id = id;
    }
    return {};
  }

  const std::string& impl() const override { return core_->impl(); }

  std::string program_text() const override { return core_->program_text(); }

  std::vector<KernelCode> kernels() const override { return core_->kernels(); }

 private:
  // At most one input for each output, and one output for each input.
  void find_inplace_pairs() {
    const Partition& compiled = core_->partition();
    std::vector<bool> taken(compiled.inputs.size(), false);
    for (size_t o = 0; o < compiled.outputs.size(); ++o)
      for (size_t i = 0; i < compiled.inputs.size(); ++i) {
        if (taken[i] || !core_->may_alias(i, o)) continue;
        taken[i] = true;
        pairs_.push_back({inputs_[core_->input_at()[i]].id, outputs_[core_->output_at()[o]].id});
        break;
      }
  }

  std::shared_ptr<const RegionCore> core_;
};

Result<std::shared_ptr<const RegionCore>> core_for(BoundRegion bound, bool& cache_hit) {
  const auto isa = effective_isa();
  if (!isa.ok()) return isa.status();
  const auto forced = forced_strategy();
  if (!forced.ok()) return forced.status();
  const std::string key = region_key(bound, *isa, forced->text);
  if (auto core = partition_cache().find(key)) {
    cache_hit = true;
    return std::static_pointer_cast<const RegionCore>(core);  // keys of regions are their own
  }
  auto core = RegionCore::create(std::move(bound), *isa, forced->strategy);
  if (!core.ok()) return core.status();
  return std::static_pointer_cast<const RegionCore>(partition_cache().store(key, *core));
}

}  // namespace

Status can_lower_region(const Partition& partition) {
  if (partition.kind == partition_kind::kMatMul || partition.kind == partition_kind::kSoftMax)
    return lower_for_primitive(partition).status();
  if (looks_like_attention(partition)) return lower_attention(partition).status();
  if (looks_like_backward(partition)) return lower_backward(partition).status();
  const auto lowered = lower_region(partition);
  return lowered.ok() ? Status() : lowered.status();
}

Result<CompileOutcome> compile_region(const Partition& partition, Span<const LogicalTensor> inputs,
                                      Span<const LogicalTensor> outputs) {
  const double start = now_ms();
  auto bound = bind_region(partition, inputs, outputs);
  if (!bound.ok()) return bound.status();
  CompileOutcome outcome;
  auto core = core_for(std::move(*bound), outcome.cache_hit);
  if (!core.ok()) return core.status();
  const auto compiled =
      std::make_shared<const BoundRegionPartition>(*core, partition, inputs, outputs);
  outcome.compiled = compiled;
  if (verbose_on(Verbose::profile_create))
    verbose_line(compile_line(compiled->header(), compiled->inputs(), compiled->outputs(),
                              compiled->impl(), outcome.cache_hit, now_ms() - start));
  return outcome;
}

}  // namespace iotadnn::impl
