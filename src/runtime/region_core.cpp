// SPDX-License-Identifier: Apache-2.0
#include "runtime/region_core.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <new>

#include "base/float16.h"
#include "ops/expand_context.h"
#include "ops/op_table.h"
#include "program/evaluate.h"
#include "runtime/kernel_cache.h"
#include "runtime/region_reference.h"
#include "runtime/tensor_check.h"

namespace iotadnn::impl {
namespace {

bool is_zero(DataType type, int64_t bits) {
  const bool has_sign = types::kFloating.has(type);
  const int unused = 64 - 8 * bytes_of(type) + (has_sign ? 1 : 0);
  return static_cast<uint64_t>(bits) << unused == 0;
}

bool all_known(const std::vector<LogicalTensor>& tensors) {
  return std::all_of(tensors.begin(), tensors.end(),
                     [](const LogicalTensor& t) { return is_fully_known(t); });
}

bool shape_depends_on_data(const std::vector<Op>& ops) {
  return std::any_of(ops.begin(), ops.end(), [](const Op& op) {
    return find_op(op.kind)->shape_inputs != 0 && !op.inputs.empty();
  });
}

bool is_finite(DataType type, int64_t bits) {
  switch (type) {
    case DataType::f32:
      return std::isfinite(bit_cast<float>(static_cast<uint32_t>(bits)));
    case DataType::f64:
      return std::isfinite(bit_cast<double>(bits));
    case DataType::f16:
      return std::isfinite(f16_to_f32(static_cast<uint16_t>(bits)));
    case DataType::bf16:
      return std::isfinite(bf16_to_f32(static_cast<uint16_t>(bits)));
    default:
      return true;
  }
}

// Whether the scalar is the element of a tensor.
bool is_read(const RegionScalar& scalar) {
  return scalar.kind == RegionScalar::Kind::input || scalar.kind == RegionScalar::Kind::diagonal;
}

// Whether the program reads the region's input `in`, a tensor of the domain's shape, elsewhere than
// where it writes.
bool moves(const RegionProgram& program, const std::vector<size_t>& positions, size_t in,
           const LogicalTensor& tensor) {
  for (size_t t = 0; t < positions.size(); ++t) {
    if (positions[t] != in) continue;
    const RegionInput& read = program.inputs[t];
    if (!read.offsets.empty()) return true;
    for (int d = 0; d < read.rank; ++d)
      if (tensor.dims[d] != 1 && read.axes[static_cast<size_t>(d)] != d) return true;
  }
  return false;
}

// Counts for a tensor that is given, which becomes that of the counts.
Result<std::unique_ptr<int32_t[]>> not_finite(LogicalTensor& tensor, const void* data,
                                              uint32_t summed) {
  LogicalTensor counts = tensor;
  counts.type = DataType::s32;
  counts.layout = LayoutType::strided;
  for (int d = 0; d < tensor.rank; ++d)
    if ((summed >> d & 1u) != 0) counts.dims[d] = 1;
  const auto size = num_elements(counts.dims, counts.rank);
  const auto strides = dense_strides(counts.dims, counts.rank);
  if (!size.ok()) return size.status();
  if (!strides.ok()) return strides.status();
  counts.strides = *strides;
  std::unique_ptr<int32_t[]> elements(new (std::nothrow) int32_t[static_cast<size_t>(*size)]);
  if (elements == nullptr)
    return out_of_memory(std::to_string(*size) +
                         " counts of what is not finite cannot be allocated");
  count_not_finite(tensor, data, summed, elements.get());
  tensor = counts;
  return elements;
}

}  // namespace

Result<std::shared_ptr<const RegionCore>> RegionCore::create(BoundRegion bound, Isa isa,
                                                             const ForcedStrategy& forced) {
  std::shared_ptr<RegionCore> core(new RegionCore);
  core->bound_ = std::move(bound);
  core->isa_ = isa;
  core->forced_ = forced;
  Partition& partition = core->bound_.partition;
  RegionShapes known{std::move(partition.ops), partition.inputs, std::move(partition.outputs)};
  IOTADNN_TRY(infer_region(known, {}));
  partition.ops = std::move(known.ops);
  partition.outputs = std::move(known.outputs);
  core->impl_ = name_of(Isa::reference);
  if (isa != Isa::reference) {
    auto lowered = lower_region(partition);
    if (lowered.ok())
      core->lowered_ = std::move(*lowered);
    else if (lowered.status().code() != StatusCode::unimplemented)
      return lowered.status();
  }
  if (!core->lowered_) return std::shared_ptr<const RegionCore>(std::move(core));

  core->split_.inputs = core->positions_of(core->lowered_->split);
  if (core->lowered_->pointwise)
    core->pointwise_.inputs = core->positions_of(*core->lowered_->pointwise);
  for (const RegionScalar& scalar : core->lowered_->scalars) {
    if (scalar.kind == RegionScalar::Kind::parameter)
      core->parameters_[core->scalar_inputs_.size()] =
          static_cast<int64_t>(extended_bits(scalar.type, &scalar.bits));
    core->scalar_inputs_.push_back(is_read(scalar) ? position_of(partition.inputs, scalar.id) : 0);
  }
  for (const FiniteCheck& check : core->lowered_->finite_checks)
    core->looked_at_.push_back(position_of(partition.inputs, check.id));

  core->fixed_shape_ = all_known(partition.inputs) && all_known(partition.outputs) &&
                       !shape_depends_on_data(partition.ops);
  core->empty_ = core->fixed_shape_ && is_empty(partition.outputs.front());
  core->guards_ = core->lowered_->range_guards;
  IOTADNN_TRY(core->make_plans());
  return std::shared_ptr<const RegionCore>(std::move(core));
}

std::vector<size_t> RegionCore::positions_of(const RegionProgram& program) const {
  std::vector<size_t> positions;
  for (const RegionInput& in : program.inputs)
    positions.push_back(position_of(bound_.partition.inputs, in.id));
  return positions;
}

// The plans of a region whose shapes are known. Of another, the kernels are compiled now for a
// dense shape of the same ranks, so that execute() rarely has to.
Status RegionCore::make_plans() {
  RegionShapes sample{bound_.partition.ops, bound_.partition.inputs, bound_.partition.outputs};
  const bool keeps_plans = fixed_shape_ && !empty_;
  if (!keeps_plans)
    for (auto* tensors : {&sample.inputs, &sample.outputs})
      for (LogicalTensor& tensor : *tensors) {
        if (tensor.rank == kUnknownRank)
          return invalid_shape("logical tensor " + std::to_string(tensor.id) +
                               " of a fused region has unknown rank at compile");
        tensor.dims.fill(2);
        tensor.strides = *dense_strides(tensor.dims, tensor.rank);
      }
  auto split_plan = plan_for(lowered_->split, sample);
  if (split_plan.ok())
    split_.plan = std::move(*split_plan);
  else if (split_plan.status().code() != StatusCode::unimplemented)
    return split_plan.status();
  if (lowered_->pointwise && (!split_.plan || lowered_->is_conditional())) {
    auto pointwise_plan = plan_for(*lowered_->pointwise, sample);
    if (!pointwise_plan.ok()) return pointwise_plan.status();
    pointwise_.plan = std::move(*pointwise_plan);
  }
  const std::optional<RegionPlan>& first = split_.plan ? split_.plan : pointwise_.plan;
  if (first) impl_ = impl_name(first->kernel.get(), isa_);
  if (!keeps_plans) {  // of the sample; execute() makes its own
    split_.plan.reset();
    pointwise_.plan.reset();
  } else {
    looks_ = looks_of(sample);
    fixed_ = std::move(sample);
    settle_guards(fixed_);
  }
  return {};
}

Result<RegionPlan> RegionCore::plan_for(const RegionProgram& program,
                                        const RegionShapes& shapes) const {
  std::vector<const LogicalTensor*> ins;
  std::vector<const LogicalTensor*> outs;
  for (const size_t i : positions_of(program))
    ins.push_back(&shapes.inputs[i]);
  for (const LogicalTensor& out : shapes.outputs)
    outs.push_back(&out);
  std::vector<int64_t> summed;
  for (int s = 0; s < program.summed; ++s) {
    const SummedExtent& of = lowered_->summed_extents[static_cast<size_t>(s)];
    summed.push_back(shapes.find(of.id)->dims[of.dim]);
  }
  return make_region_plan(program, ins, outs, summed, looks_of(shapes), isa_, forced_);
}

std::vector<FiniteLook> RegionCore::looks_of(const RegionShapes& shapes) const {
  std::vector<FiniteLook> looks;
  for (const size_t i : looked_at_)
    looks.emplace_back(shapes.inputs[i]);
  return looks;
}

bool RegionCore::as_compiled(Span<const Tensor* const> inputs,
                             Span<const Tensor* const> outputs) const {
  const Partition& partition = bound_.partition;
  for (size_t i = 0; i < partition.inputs.size(); ++i)
    if (!same_geometry(partition.inputs[i], input(inputs, i).lt)) return false;
  for (size_t o = 0; o < partition.outputs.size(); ++o)
    if (!same_geometry(partition.outputs[o], output(outputs, o).lt)) return false;
  return true;
}

Status RegionCore::check_tensors(Span<const Tensor* const> inputs,
                                 Span<const Tensor* const> outputs) const {
  const Partition& partition = bound_.partition;
  for (size_t i = 0; i < partition.inputs.size(); ++i)
    IOTADNN_TRY(check_tensor("input " + std::to_string(i) + " of the partition",
                             partition.inputs[i], input(inputs, i).lt));
  for (size_t o = 0; o < partition.outputs.size(); ++o)
    IOTADNN_TRY(check_tensor("output " + std::to_string(o) + " of the partition",
                             partition.outputs[o], output(outputs, o).lt));
  return {};
}

Result<RegionShapes> RegionCore::resolve(Span<const Tensor* const> inputs,
                                         const std::vector<LogicalTensor>& outputs) const {
  RegionShapes shapes{bound_.partition.ops, bound_.partition.inputs, outputs};
  std::vector<LogicalTensor> given;
  InputData data;
  for (size_t i = 0; i < shapes.inputs.size(); ++i) {
    given.push_back(input(inputs, i).lt);
    data.emplace(shapes.inputs[i].id, input(inputs, i).address());
  }
  IOTADNN_TRY(resolve_region(shapes, given, data));
  return shapes;
}

Result<std::vector<LogicalTensor>> RegionCore::infer_outputs(
    Span<const Tensor* const> inputs, const std::vector<LogicalTensor>& given) const {
  auto shapes = resolve(inputs, given);
  if (!shapes.ok()) return shapes.status();
  return shapes->outputs;
}

void RegionCore::gather_scalars(const RegionShapes& shapes, Span<const Tensor* const> inputs,
                                int64_t* scalars) const {
  for (size_t s = 0; s < lowered_->scalars.size(); ++s) {
    const RegionScalar& scalar = lowered_->scalars[s];
    if (scalar.kind == RegionScalar::Kind::parameter) {
      scalars[s] = parameters_[s];
      continue;
    }
    if (scalar.kind == RegionScalar::Kind::extent) {
      scalars[s] = shapes.find(scalar.id)->dims[static_cast<int>(scalar.bits)];
      continue;
    }
    scalars[s] = static_cast<int64_t>(
        extended_bits(scalar.type, input(inputs, scalar_inputs_[s]).address()));
    if (scalar.kind == RegionScalar::Kind::diagonal)
      scalars[s] = std::clamp(scalars[s], -kFarDiagonal, kFarDiagonal);
  }
}

// What is decided by a shape that is known and by parameters is not asked again.
void RegionCore::settle_guards(const RegionShapes& shapes) {
  const auto has_input = [&](const RangeGuard& guard) {
    for (size_t s = 0; s < lowered_->scalars.size(); ++s)
      if (guard.value.scalars[s] != 0 && lowered_->scalars[s].kind != RegionScalar::Kind::parameter)
        return true;
    return false;
  };
  int rank = 0;
  const Dims extents = guarded_extents(shapes, rank);
  const auto settled = [&](const RangeGuard& guard) {
    return !has_input(guard) && holds(guard, extents.data(), rank, parameters_.data());
  };
  guards_.erase(std::remove_if(guards_.begin(), guards_.end(), settled), guards_.end());
}

// Of the domain and of the coordinates that are summed over.
Dims RegionCore::guarded_extents(const RegionShapes& shapes, int& rank) const {
  const LogicalTensor& domain = shapes.outputs.front();
  Dims extents = domain.dims;
  rank = std::max(1, domain.rank);
  if (domain.rank == 0) extents[0] = 1;
  for (const SummedExtent& summed : lowered_->summed_extents)
    extents[rank++] = shapes.find(summed.id)->dims[summed.dim];
  return extents;
}

bool RegionCore::extents_agree(const RegionShapes& shapes) const {
  return std::all_of(
      lowered_->extent_guards.begin(), lowered_->extent_guards.end(), [&](const ExtentGuard& g) {
        const LogicalTensor* a = shapes.find(g.id);
        const LogicalTensor* b = shapes.find(g.other_id);
        return a->dims[static_cast<size_t>(g.dim)] == b->dims[static_cast<size_t>(g.other_dim)];
      });
}

bool RegionCore::split_is_right(const RegionShapes& shapes, const int64_t* scalars) const {
  for (size_t s = 0; s < lowered_->scalars.size(); ++s) {
    if ((lowered_->assumed.finite_scalars >> s & 1u) != 0 &&
        !is_finite(lowered_->scalars[s].type, scalars[s]))
      return false;
    if ((lowered_->assumed.unit_scalars >> s & 1u) != 0 && scalars[s] != 1) return false;
    if ((lowered_->assumed.zero_scalars >> s & 1u) != 0 &&
        !is_zero(lowered_->scalars[s].type, scalars[s]))
      return false;
  }
  if (guards_.empty()) return true;
  int rank = 0;
  const Dims extents = guarded_extents(shapes, rank);
  return std::all_of(guards_.begin(), guards_.end(), [&](const RangeGuard& guard) {
    return holds(guard, extents.data(), rank, scalars);
  });
}

// Whether everything that is looked at meanwhile is finite.
bool RegionCore::run(const RegionPlan& plan, const std::vector<size_t>& program_inputs,
                     const std::vector<FiniteLook>& looks, Span<const Tensor* const> inputs,
                     Span<const Tensor* const> outputs, const int64_t* scalars) const {
  const void* srcs[kMaxInputs];
  void* dsts[kMaxOutputs];
  LookedAt looked_at[kMaxInputs];
  for (size_t t = 0; t < program_inputs.size(); ++t)
    srcs[t] = input(inputs, program_inputs[t]).address();
  for (size_t o = 0; o < bound_.partition.outputs.size(); ++o)
    dsts[o] = output(outputs, o).data;
  for (size_t l = 0; l < looks.size(); ++l)
    looked_at[l] = {&looks[l], input(inputs, looked_at_[l]).address()};
  return run_plan(plan, srcs, dsts, scalars, {looked_at, looks.size()});
}

Status RegionCore::run_fixed(Span<const Tensor* const> inputs,
                             Span<const Tensor* const> outputs) const {
  int64_t scalars[kMaxScalars];
  gather_scalars(fixed_, inputs, scalars);
  if (split_.plan && split_is_right(fixed_, scalars)) {
    if (run(*split_.plan, split_.inputs, looks_, inputs, outputs, scalars)) return {};
    return run_repair(fixed_, inputs, outputs, scalars);
  }
  if (!pointwise_.plan) return run_reference(fixed_, inputs, outputs);
  run(*pointwise_.plan, pointwise_.inputs, {}, inputs, outputs, scalars);
  return {};
}

Status RegionCore::run_any_shape(Span<const Tensor* const> inputs,
                                 Span<const Tensor* const> outputs) const {
  std::vector<LogicalTensor> given = bound_.partition.outputs;
  for (size_t o = 0; o < given.size(); ++o) {
    const LogicalTensor& own = output(outputs, o).lt;
    if (own.layout != LayoutType::strided && is_fully_known(given[o])) continue;
    const size_t id = given[o].id;
    given[o] = own;
    given[o].id = id;
  }
  const auto shapes = resolve(inputs, given);
  if (!shapes.ok()) return shapes.status();
  if (!all_known(shapes->outputs))
    return invalid_shape("an output of the partition has a shape that is still unknown at execute");
  if (!lowered_ || !extents_agree(*shapes)) return run_reference(*shapes, inputs, outputs);
  if (is_empty(shapes->outputs.front())) return {};
  int64_t scalars[kMaxScalars];
  gather_scalars(*shapes, inputs, scalars);
  if (split_is_right(*shapes, scalars)) {
    const auto plan = plan_for(lowered_->split, *shapes);
    if (plan.ok()) {
      if (run(*plan, split_.inputs, looks_of(*shapes), inputs, outputs, scalars)) return {};
      return run_repair(*shapes, inputs, outputs, scalars);
    }
    if (plan.status().code() != StatusCode::unimplemented) return plan.status();
  }
  if (!lowered_->pointwise) return run_reference(*shapes, inputs, outputs);
  const auto plan = plan_for(*lowered_->pointwise, *shapes);
  if (!plan.ok()) return plan.status();
  run(*plan, pointwise_.inputs, {}, inputs, outputs, scalars);
  return {};
}

// Something is not finite that an identity's zeros were multiplied by. Rare, so that plans are made
// when they are needed.
Status RegionCore::run_repair(const RegionShapes& shapes, Span<const Tensor* const> inputs,
                              Span<const Tensor* const> outputs, const int64_t* scalars) const {
  if (!lowered_->repair) return run_reference(shapes, inputs, outputs);
  std::vector<LogicalTensor> tensors;  // of the program's inputs
  std::vector<const void*> srcs;
  std::vector<std::unique_ptr<int32_t[]>> counts;
  for (const RegionInput& in : lowered_->repair->inputs) {
    const bool is_counts = in.id >= RegionInput::kCounts;
    const size_t id = is_counts ? in.id - RegionInput::kCounts : in.id;
    const size_t i = position_of(bound_.partition.inputs, id);
    tensors.push_back(shapes.inputs[i]);
    srcs.push_back(input(inputs, i).address());
    if (!is_counts) continue;
    const auto check = std::find_if(lowered_->finite_checks.begin(), lowered_->finite_checks.end(),
                                    [id](const FiniteCheck& c) { return c.id == id; });
    auto counted = not_finite(tensors.back(), srcs.back(), check->summed);
    if (!counted.ok()) return counted.status();
    counts.push_back(std::move(*counted));
    srcs.back() = counts.back().get();
  }
  std::vector<const LogicalTensor*> ins;
  std::vector<const LogicalTensor*> outs;
  for (const LogicalTensor& tensor : tensors)
    ins.push_back(&tensor);
  for (const LogicalTensor& out : shapes.outputs)
    outs.push_back(&out);
  const auto plan = make_region_plan(*lowered_->repair, ins, outs, {}, {}, isa_, forced_);
  if (!plan.ok()) return run_reference(shapes, inputs, outputs);
  void* dsts[kMaxOutputs];
  for (size_t o = 0; o < bound_.partition.outputs.size(); ++o)
    dsts[o] = output(outputs, o).data;
  run_plan(*plan, srcs.data(), dsts, scalars, {});
  return {};
}

Status RegionCore::run_reference(const RegionShapes& shapes, Span<const Tensor* const> inputs,
                                 Span<const Tensor* const> outputs) const {
  std::vector<TensorView> ins;
  std::vector<TensorView> outs;
  for (size_t i = 0; i < shapes.inputs.size(); ++i)
    ins.push_back({&shapes.inputs[i], const_cast<void*>(input(inputs, i).address())});
  for (size_t o = 0; o < shapes.outputs.size(); ++o)
    outs.push_back({&shapes.outputs[o], output(outputs, o).data});
  return interpret_region(shapes.ops, std::move(ins), outs);
}

Status RegionCore::no_input_data(size_t i) {
  return invalid_arguments("input " + std::to_string(i) +
                           " of the partition has no data, which the region reads");
}

Status RegionCore::execute(Span<const Tensor* const> inputs,
                           Span<const Tensor* const> outputs) const {
  const bool same = as_compiled(inputs, outputs);
  if (!same) IOTADNN_TRY(check_tensors(inputs, outputs));
  for (size_t o = 0; o < bound_.partition.outputs.size(); ++o)
    if (output(outputs, o).data == nullptr && !is_empty(output(outputs, o).lt))
      return invalid_arguments("output " + std::to_string(o) +
                               " of the partition has no data handle");
  const auto missing = [&](size_t i) {
    return input(inputs, i).address() == nullptr && !is_empty(input(inputs, i).lt);
  };
  for (const auto* read : {&split_.inputs, &pointwise_.inputs, &looked_at_})
    for (const size_t i : *read)
      if (missing(i)) return no_input_data(i);
  if (lowered_)
    for (size_t s = 0; s < lowered_->scalars.size(); ++s)
      if (is_read(lowered_->scalars[s]) && missing(scalar_inputs_[s]))
        return no_input_data(scalar_inputs_[s]);
  if (!fixed_shape_ || !same || !lowered_) return run_any_shape(inputs, outputs);
  if (empty_) return {};
  return run_fixed(inputs, outputs);
}

bool RegionCore::may_alias(size_t in, size_t out) const {
  const LogicalTensor& from = bound_.partition.inputs[in];
  const LogicalTensor& to = bound_.partition.outputs[out];
  if (!lowered_ || !fixed_shape_ || !same_geometry(from, to) || is_empty(to) ||
      from.property == Property::host_scalar)
    return false;
  if (!lowered_->finite_checks.empty()) return false;  // a repair reads the inputs again
  for (size_t s = 0; s < lowered_->scalars.size(); ++s)
    if (is_read(lowered_->scalars[s]) && scalar_inputs_[s] == in) return false;
  return !moves(lowered_->split, split_.inputs, in, from) &&
         !(lowered_->pointwise && moves(*lowered_->pointwise, pointwise_.inputs, in, from));
}

}  // namespace iotadnn::impl
