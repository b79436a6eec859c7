// SPDX-License-Identifier: Apache-2.0
#include "runtime/region_core.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <unordered_map>

#include "base/float16.h"
#include "ops/expand_context.h"
#include "ops/op_table.h"
#include "program/evaluate.h"
#include "runtime/kernel_cache.h"
#include "runtime/region_reference.h"
#include "runtime/tensor_check.h"

namespace iotadnn::impl {
namespace {

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

// The data of the region's inputs by id, for ops whose shape depends on them.
using InputData = std::unordered_map<size_t, const void*>;

// Runs shape inference through the ops in order; every tensor of the same id gets what is found.
Status infer_through(std::vector<Op>& ops, const InputData& data) {
  std::unordered_map<size_t, LogicalTensor> known;
  for (Op& op : ops) {
    ShapeContext shapes;
    shapes.op = &op;
    for (LogicalTensor& in : op.inputs)
      if (const auto found = known.find(in.id); found != known.end()) in = found->second;
    for (const LogicalTensor& in : op.inputs) {
      const auto found = data.find(in.id);
      shapes.inputs.push_back(
          {&in, found == data.end() ? nullptr : const_cast<void*>(found->second)});
    }
    shapes.outputs = op.outputs;
    IOTADNN_TRY(infer_shapes(shapes));
    op.outputs = shapes.outputs;
    for (const LogicalTensor& out : op.outputs)
      known[out.id] = out;
  }
  return {};
}

// The tensors of the ops by id.
void refresh(const std::vector<Op>& ops, std::vector<LogicalTensor>& tensors) {
  for (LogicalTensor& tensor : tensors)
    for (const Op& op : ops)
      for (const LogicalTensor& out : op.outputs)
        if (out.id == tensor.id) tensor = out;
}

const LogicalTensor* find(const std::vector<Op>& ops, const std::vector<LogicalTensor>& inputs,
                          size_t id) {
  for (const LogicalTensor& in : inputs)
    if (in.id == id) return &in;
  for (const Op& op : ops)
    for (const LogicalTensor& out : op.outputs)
      if (out.id == id) return &out;
  return nullptr;
}

size_t position_of(const std::vector<LogicalTensor>& tensors, size_t id) {
  const auto found = std::find_if(tensors.begin(), tensors.end(),
                                  [id](const LogicalTensor& t) { return t.id == id; });
  return static_cast<size_t>(found - tensors.begin());
}

}  // namespace

Result<std::shared_ptr<const RegionCore>> RegionCore::create(BoundRegion bound, Isa isa,
                                                             const ForcedStrategy& forced) {
  std::shared_ptr<RegionCore> core(new RegionCore);
  core->bound_ = std::move(bound);
  core->isa_ = isa;
  core->forced_ = forced;
  Partition& partition = core->bound_.partition;
  IOTADNN_TRY(infer_through(partition.ops, {}));
  refresh(partition.ops, partition.outputs);
  core->impl_ = name_of(Isa::reference);
  if (isa != Isa::reference) {
    auto lowered = lower_region(partition);
    if (lowered.ok())
      core->lowered_ = std::move(*lowered);
    else if (lowered.status().code() != StatusCode::unimplemented)
      return lowered.status();
  }
  if (!core->lowered_) return std::shared_ptr<const RegionCore>(std::move(core));

  for (const RegionInput& in : core->lowered_->inputs)
    core->program_inputs_.push_back(position_of(partition.inputs, in.id));
  for (const RegionScalar& scalar : core->lowered_->scalars)
    core->scalar_inputs_.push_back(scalar.kind == RegionScalar::Kind::parameter
                                       ? 0
                                       : position_of(partition.inputs, scalar.id));

  core->fixed_shape_ = all_known(partition.inputs) && all_known(partition.outputs) &&
                       !shape_depends_on_data(partition.ops);
  core->empty_ = core->fixed_shape_ && is_empty(partition.outputs.front());
  Shapes sample{partition.ops, partition.inputs, partition.outputs};
  if (!core->fixed_shape_ || core->empty_) {
    // The kernel is compiled now for a dense shape of the same ranks, so that execute() rarely has
    // to.
    for (auto* tensors : {&sample.inputs, &sample.outputs})
      for (LogicalTensor& tensor : *tensors) {
        if (tensor.rank == kUnknownRank)
          return invalid_shape("logical tensor " + std::to_string(tensor.id) +
                               " of a fused region has unknown rank at compile");
        tensor.dims.fill(2);
        tensor.strides = *dense_strides(tensor.dims, tensor.rank);
      }
  }
  auto split_plan = core->plan_for(core->lowered_->split, sample);
  if (split_plan.ok())
    core->split_plan_ = std::move(*split_plan);
  else if (split_plan.status().code() != StatusCode::unimplemented)
    return split_plan.status();
  if (!core->split_plan_ || core->lowered_->is_conditional()) {
    auto pointwise_plan = core->plan_for(core->lowered_->pointwise, sample);
    if (!pointwise_plan.ok()) return pointwise_plan.status();
    core->pointwise_plan_ = std::move(*pointwise_plan);
  }
  const RegionPlan& first = core->split_plan_ ? *core->split_plan_ : *core->pointwise_plan_;
  core->impl_ = impl_name(first.kernel.get(), isa);
  if (!core->fixed_shape_ || core->empty_) {  // of the sample; execute() makes its own
    core->split_plan_.reset();
    core->pointwise_plan_.reset();
  }
  return std::shared_ptr<const RegionCore>(std::move(core));
}

Result<RegionPlan> RegionCore::plan_for(const RowProgram& program, const Shapes& shapes) const {
  std::vector<const LogicalTensor*> ins;
  std::vector<const LogicalTensor*> outs;
  for (const size_t i : program_inputs_)
    ins.push_back(&shapes.inputs[i]);
  for (const LogicalTensor& out : shapes.outputs)
    outs.push_back(&out);
  return make_region_plan(program, lowered_->inputs, ins, outs, isa_, forced_);
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

Result<RegionCore::Shapes> RegionCore::resolve(Span<const Tensor* const> inputs,
                                               const std::vector<LogicalTensor>& outputs) const {
  const Partition& partition = bound_.partition;
  Shapes shapes{partition.ops, partition.inputs, outputs};
  for (size_t i = 0; i < shapes.inputs.size(); ++i) {
    const LogicalTensor& given = input(inputs, i).lt;
    const size_t id = shapes.inputs[i].id;
    const bool fill_strides = given.layout != LayoutType::strided;
    const LogicalTensor compiled = shapes.inputs[i];
    shapes.inputs[i] = given;
    shapes.inputs[i].id = id;
    if (given.property == Property::host_scalar) continue;
    if (fill_strides && is_fully_known(compiled)) {
      shapes.inputs[i] = compiled;
    } else if (!is_fully_known(shapes.inputs[i]) || fill_strides) {
      if (!is_known_shape(given.dims, given.rank))
        return invalid_shape("input " + std::to_string(i) + " of the partition has shape " +
                             shape_text(given.dims, given.rank) + " still unknown at execute");
      const auto dense = dense_strides(given.dims, given.rank);
      if (!dense.ok()) return dense.status();
      shapes.inputs[i].strides = *dense;
      shapes.inputs[i].layout = LayoutType::strided;
    }
  }
  for (Op& op : shapes.ops) {
    for (LogicalTensor& in : op.inputs)
      if (const size_t i = position_of(shapes.inputs, in.id); i < shapes.inputs.size())
        in = shapes.inputs[i];
    for (LogicalTensor& out : op.outputs)
      if (const size_t o = position_of(shapes.outputs, out.id); o < shapes.outputs.size())
        out = shapes.outputs[o];
  }
  InputData data;
  for (size_t i = 0; i < shapes.inputs.size(); ++i)
    data.emplace(shapes.inputs[i].id, input(inputs, i).address());
  IOTADNN_TRY(infer_through(shapes.ops, data));
  refresh(shapes.ops, shapes.outputs);
  return shapes;
}

Result<std::vector<LogicalTensor>> RegionCore::infer_outputs(
    Span<const Tensor* const> inputs, const std::vector<LogicalTensor>& given) const {
  auto shapes = resolve(inputs, given);
  if (!shapes.ok()) return shapes.status();
  return shapes->outputs;
}

void RegionCore::gather_scalars(Span<const Tensor* const> inputs, int64_t* scalars) const {
  for (size_t s = 0; s < lowered_->scalars.size(); ++s) {
    const RegionScalar& scalar = lowered_->scalars[s];
    if (scalar.kind == RegionScalar::Kind::parameter) {
      scalars[s] = static_cast<int64_t>(extended_bits(scalar.type, &scalar.bits));
      continue;
    }
    scalars[s] = static_cast<int64_t>(
        extended_bits(scalar.type, input(inputs, scalar_inputs_[s]).address()));
    if (scalar.kind == RegionScalar::Kind::diagonal)
      scalars[s] = std::clamp(scalars[s], -kFarDiagonal, kFarDiagonal);
  }
}

bool RegionCore::extents_agree(const Shapes& shapes) const {
  return std::all_of(
      lowered_->extent_guards.begin(), lowered_->extent_guards.end(), [&](const ExtentGuard& g) {
        const LogicalTensor* a = find(shapes.ops, shapes.inputs, g.id);
        const LogicalTensor* b = find(shapes.ops, shapes.inputs, g.other_id);
        return a->dims[static_cast<size_t>(g.dim)] == b->dims[static_cast<size_t>(g.other_dim)];
      });
}

bool RegionCore::split_is_right(const Dims& domain, int rank, const int64_t* scalars) const {
  for (size_t s = 0; s < lowered_->scalars.size(); ++s) {
    if ((lowered_->assumed.finite_scalars >> s & 1u) != 0 &&
        !is_finite(lowered_->scalars[s].type, scalars[s]))
      return false;
    if ((lowered_->assumed.unit_scalars >> s & 1u) != 0 && scalars[s] != 1) return false;
  }
  return std::all_of(
      lowered_->range_guards.begin(), lowered_->range_guards.end(),
      [&](const RangeGuard& guard) { return holds(guard, domain.data(), rank, scalars); });
}

void RegionCore::run(const RegionPlan& plan, Span<const Tensor* const> inputs,
                     Span<const Tensor* const> outputs, const int64_t* scalars) const {
  const void* srcs[kMaxInputs];
  void* dsts[kMaxOutputs];
  for (size_t t = 0; t < program_inputs_.size(); ++t)
    srcs[t] = input(inputs, program_inputs_[t]).address();
  for (size_t o = 0; o < bound_.partition.outputs.size(); ++o)
    dsts[o] = output(outputs, o).data;
  run_plan(plan, srcs, dsts, scalars);
}

void RegionCore::run_fixed(Span<const Tensor* const> inputs,
                           Span<const Tensor* const> outputs) const {
  const LogicalTensor& domain = bound_.partition.outputs.front();
  int64_t scalars[kMaxScalars];
  gather_scalars(inputs, scalars);
  const bool split = split_plan_ && split_is_right(domain.dims, domain.rank, scalars);
  run(split ? *split_plan_ : *pointwise_plan_, inputs, outputs, scalars);
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
  const LogicalTensor& domain = shapes->outputs.front();
  if (!lowered_ || !extents_agree(*shapes)) return run_reference(*shapes, inputs, outputs);
  if (is_empty(domain)) return {};
  int64_t scalars[kMaxScalars];
  gather_scalars(inputs, scalars);
  const bool split = split_is_right(domain.dims, domain.rank, scalars);
  auto plan = plan_for(split ? lowered_->split : lowered_->pointwise, *shapes);
  if (!plan.ok() && split && plan.status().code() == StatusCode::unimplemented)
    plan = plan_for(lowered_->pointwise, *shapes);
  if (!plan.ok()) return plan.status();
  run(*plan, inputs, outputs, scalars);
  return {};
}

Status RegionCore::run_reference(const Shapes& shapes, Span<const Tensor* const> inputs,
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
  for (const size_t i : program_inputs_)
    if (missing(i)) return no_input_data(i);
  if (lowered_)
    for (size_t s = 0; s < lowered_->scalars.size(); ++s)
      if (lowered_->scalars[s].kind != RegionScalar::Kind::parameter && missing(scalar_inputs_[s]))
        return no_input_data(scalar_inputs_[s]);
  if (!fixed_shape_ || !same || !lowered_) return run_any_shape(inputs, outputs);
  if (empty_) return {};
  run_fixed(inputs, outputs);
  return {};
}

bool RegionCore::may_alias(size_t in, size_t out) const {
  const LogicalTensor& from = bound_.partition.inputs[in];
  const LogicalTensor& to = bound_.partition.outputs[out];
  if (!lowered_ || !fixed_shape_ || !same_geometry(from, to) || is_empty(to) ||
      from.property == Property::host_scalar)
    return false;
  for (size_t s = 0; s < lowered_->scalars.size(); ++s)
    if (lowered_->scalars[s].kind != RegionScalar::Kind::parameter && scalar_inputs_[s] == in)
      return false;
  for (size_t t = 0; t < program_inputs_.size(); ++t) {
    if (program_inputs_[t] != in) continue;
    for (int d = 0; d < from.rank; ++d)
      if (from.dims[static_cast<size_t>(d)] != 1 &&
          lowered_->inputs[t].axes[static_cast<size_t>(d)] != d)
        return false;
  }
  return true;
}

}  // namespace iotadnn::impl
