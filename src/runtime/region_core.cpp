// SPDX-License-Identifier: Apache-2.0
#include "runtime/region_core.h"

#include <algorithm>
#include <memory>

#include "base/log.h"
#include "ops/op_table.h"
#include "program/evaluate.h"
#include "runtime/kernel_cache.h"
#include "runtime/tensor_check.h"

namespace iotadnn::impl {
namespace {

constexpr const char* kPrimitiveImpl = "onednn";

// Of the shape for which the kernels of a region are compiled whose own is not known yet.
constexpr int64_t kSampleExtent = 2;

bool all_known(const std::vector<LogicalTensor>& tensors) {
  return std::all_of(tensors.begin(), tensors.end(),
                     [](const LogicalTensor& t) { return is_fully_known(t); });
}

bool shape_depends_on_data(const std::vector<Op>& ops) {
  return std::any_of(ops.begin(), ops.end(), [](const Op& op) {
    return find_op(op.kind)->shape_inputs != 0 && !op.inputs.empty();
  });
}

// Whether a program reads it as a tile, not as a tensor of the caller's.
bool is_tile(size_t id) {
  return id == LoweredBackward::kScore || id == LoweredBackward::kGradient ||
         id == LoweredBackward::kRowSum;
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
  if (isa != Isa::reference) IOTADNN_TRY(core->lower());
  if (!core->lowered_) return std::shared_ptr<const RegionCore>(std::move(core));
  core->bind_lowered();
  IOTADNN_TRY(core->make_plans());
  return std::shared_ptr<const RegionCore>(std::move(core));
}

// What cannot be lowered runs op by op.
Status RegionCore::lower() {
  const Partition& partition = bound_.partition;
  Status status;
  if (looks_like_attention(partition)) {
    auto attention = lower_attention(partition);
    if (attention.ok()) {
      attention_ = attention->form;
      lowered_ = attention->mask ? std::move(*attention->mask) : LoweredRegion{};
    }
    status = attention.status();
  } else if (looks_like_backward(partition)) {
    auto backward = lower_backward(partition);
    if (backward.ok()) {
      backward_ = backward->form;
      lowered_ = std::move(backward->region);
    }
    status = backward.status();
  } else {
    auto region = lower_region(partition);
    if (region.ok()) lowered_ = std::move(*region);
    status = region.status();
    // One program is less work than a primitive with another behind it: sums may have one term.
    if (status.code() == StatusCode::unimplemented && looks_like_primitive(partition))
      status = lower_primitive_region();
  }
  return status.code() == StatusCode::unimplemented ? Status() : status;
}

Status RegionCore::lower_primitive_region() {
  auto primitive = lower_for_primitive(bound_.partition);
  if (!primitive.ok()) return primitive.status();
  primitive_ = primitive->form;
  lowered_ = primitive->epilogue ? std::move(*primitive->epilogue) : LoweredRegion{};
  return {};
}

// What of the partition's tensors the lowered region and its scalars are.
void RegionCore::bind_lowered() {
  const Partition& partition = bound_.partition;
  split_inputs_ = positions_of(lowered_->split);
  if (lowered_->pointwise) pointwise_inputs_ = positions_of(*lowered_->pointwise);
  for (const RegionScalar& scalar : lowered_->scalars) {
    if (scalar.kind == RegionScalar::Kind::parameter)
      parameters_[scalar_inputs_.size()] =
          static_cast<int64_t>(extended_bits(scalar.type, &scalar.bits));
    scalar_inputs_.push_back(is_read(scalar) ? position_of(partition.inputs, scalar.id) : 0);
  }
  for (const FiniteCheck& check : lowered_->finite_checks)
    looked_at_.push_back(position_of(partition.inputs, check.id));
  fixed_shape_ = all_known(partition.inputs) && all_known(partition.outputs) &&
                 !shape_depends_on_data(partition.ops);
  empty_ = fixed_shape_ && !has_tiles() && is_empty(partition.outputs.front());
  guards_ = lowered_->range_guards;
  find_data_inputs();
}

// The tensor whose coordinates the lowered programs have.
const LogicalTensor& RegionCore::domain_of(const RegionShapes& shapes) const {
  if (attention_) return *shapes.find(attention_->domain);
  if (backward_) return *shapes.find(backward_->domain);
  return shapes.outputs.front();
}

std::vector<size_t> RegionCore::positions_of(const RegionProgram& program) const {
  std::vector<size_t> positions;
  for (const RegionInput& in : program.inputs)
    if (!is_tile(in.id)) positions.push_back(position_of(bound_.partition.inputs, in.id));
  return positions;
}

// The tensors at such positions, of plans that say what the primitive's result is.
std::vector<const LogicalTensor*> RegionCore::tensors_of(const std::vector<size_t>& positions,
                                                         const Plans& plans) const {
  std::vector<const LogicalTensor*> tensors;
  for (const size_t i : positions)
    tensors.push_back(i < plans.shapes.inputs.size() ? &plans.shapes.inputs[i]
                                                     : &plans.primitive->result);
  return tensors;
}

// That tile functions are made for.
Isa RegionCore::isa_of_tiles() const {
  return attention_ ? tiles_isa(*attention_, isa_) : kernel_isa(isa_);
}

// The plans of a region whose shapes are known. Of another, the kernels are compiled now for a
// dense shape of the same ranks, so that execute() rarely has to (those of an
// attention are compiled with the first plan).
Status RegionCore::make_plans() {
  RegionShapes sample{bound_.partition.ops, bound_.partition.inputs, bound_.partition.outputs};
  const bool keeps_plans = fixed_shape_ && !empty_;
  if (has_tiles() && !keeps_plans) {
    const Isa isa = isa_of_tiles();
    impl_ = impl_name(isa >= Isa::avx2 && tile_functions(isa).ok() ? isa : Isa::portable);
    return {};
  }
  if (primitive_ && !keeps_plans) {
    impl_ = kPrimitiveImpl;
    return {};
  }
  if (!keeps_plans)
    for (auto* tensors : {&sample.inputs, &sample.outputs})
      for (LogicalTensor& tensor : *tensors) {
        if (tensor.rank == kUnknownRank)
          return invalid_shape("logical tensor " + std::to_string(tensor.id) +
                               " of a fused region has unknown rank at compile");
        tensor.dims.fill(kSampleExtent);
        tensor.strides = *dense_strides(tensor.dims, tensor.rank);
      }
  auto plans = plans_for(std::move(sample));
  if (!plans.ok()) return plans.status();
  impl_ = name_of_impl(*plans);
  if (!keeps_plans) return {};
  fixed_ = std::move(*plans);
  settle_guards(fixed_->shapes);
  return {};
}

// Which of the plans runs; the reference where there is none.
std::string RegionCore::name_of_impl(const Plans& plans) const {
  if (plans.attention) return impl_name(plans.attention->tiles_isa);
  if (plans.backward) return impl_name(plans.backward->tiles_isa);
  const std::optional<RegionPlan>& first = plans.split ? plans.split : plans.pointwise;
  const std::string program = first ? impl_name(first->kernel.get(), isa_) : "";
  if (!plans.primitive) return first ? program : impl_;
  return first ? kPrimitiveImpl + ("+" + program) : kPrimitiveImpl;
}

Result<RegionCore::Plans> RegionCore::tile_plans_for(RegionShapes shapes) const {
  const PlanOptions options{bound_.partition.math_mode, isa_, forced_};
  Plans plans;
  Status status;
  if (attention_) {
    auto plan = make_attention_plan(*attention_, *lowered_, shapes, options);
    if (plan.ok()) plans.attention = std::move(*plan);
    status = plan.status();
  } else {
    auto plan = make_backward_plan(*backward_, *lowered_, shapes, options);
    if (plan.ok()) plans.backward = std::move(*plan);
    status = plan.status();
  }
  if (!status.ok() && status.code() != StatusCode::unimplemented) return status;
  if (!status.ok()) log_fallback(status);  // and the ops themselves run
  plans.shapes = std::move(shapes);
  return plans;
}

Result<RegionCore::Plans> RegionCore::plans_for(RegionShapes shapes) const {
  if (has_tiles()) return tile_plans_for(std::move(shapes));
  Plans plans;
  plans.shapes = std::move(shapes);
  if (primitive_) {
    auto primitive = make_primitive_plan(*primitive_, *lowered_, plans.shapes, forced_);
    if (!primitive.ok()) {
      if (primitive.status().code() != StatusCode::unimplemented) return primitive.status();
      if (verbose_on(Verbose::dispatch) || verbose_on(Verbose::warn))
        verbose_line("graph,create:dispatch,compile,reference: " + primitive.status().message());
      return plans;
    }
    plans.primitive = std::move(*primitive);
    if (lowered_->split.program.bodies.empty()) return plans;
  }
  if (Status status = add_program_plans(plans); !status.ok()) return status;
  return plans;
}

// The plans of `lowered_`'s programs.
Status RegionCore::add_program_plans(Plans& plans) const {
  const RegionShapes& shapes = plans.shapes;
  for (const size_t i : looked_at_)
    plans.looks.emplace_back(shapes.inputs[i]);
  auto split = plan_for(lowered_->split, tensors_of(split_inputs_, plans), shapes, plans.looks);
  if (split.ok())
    plans.split = std::move(*split);
  else if (split.status().code() != StatusCode::unimplemented)
    return split.status();
  if (lowered_->pointwise && (!plans.split || lowered_->is_conditional())) {
    auto pointwise =
        plan_for(*lowered_->pointwise, tensors_of(pointwise_inputs_, plans), shapes, {});
    if (!pointwise.ok()) return pointwise.status();
    plans.pointwise = std::move(*pointwise);
  }
  return {};
}

// `tensors`: the program's inputs.
Result<RegionPlan> RegionCore::plan_for(const RegionProgram& program,
                                        const std::vector<const LogicalTensor*>& tensors,
                                        const RegionShapes& shapes,
                                        const std::vector<FiniteLook>& looks) const {
  std::vector<const LogicalTensor*> outs;
  for (const LogicalTensor& out : shapes.outputs)
    outs.push_back(&out);
  std::vector<int64_t> summed;
  for (int s = 0; s < program.summed; ++s) {
    const SummedExtent& of = lowered_->summed_extents[static_cast<size_t>(s)];
    const int64_t extent = shapes.find(of.id)->dims[of.dim];
    summed.push_back(extent == kUnknownDim ? kSampleExtent : extent);
  }
  return make_region_plan(program, tensors, outs, summed, looks, isa_, forced_);
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

// What an attention reads beside its mask: the operands, or what they are made from.
void RegionCore::add_tile_data() {
  const Partition& partition = bound_.partition;
  const auto add = [&](size_t id) {
    const size_t at = position_of(partition.inputs, id);
    if (at < partition.inputs.size()) data_inputs_.push_back(at);
  };
  if (backward_) {
    const BackwardForm& form = *backward_;
    for (const size_t id : {form.q, form.k, form.v, form.d_out, form.sum_a, form.sum_b})
      add(id);
    return;
  }
  for (const size_t id : {attention_->q, attention_->k, attention_->v})
    add(id);
  for (const size_t i : attention_->prepared)
    for (const LogicalTensor& in : partition.ops[i].inputs)
      add(in.id);
}

// Plans are kept where shapes come with the tensors, unless one depends on data that the region
// makes.
void RegionCore::find_data_inputs() {
  const Partition& partition = bound_.partition;
  for (const auto* read : {&split_inputs_, &pointwise_inputs_, &looked_at_})
    for (const size_t i : *read)
      if (i < partition.inputs.size()) data_inputs_.push_back(i);
  if (has_tiles()) add_tile_data();
  if (primitive_)
    for (const LogicalTensor& in : partition.ops[primitive_->op].inputs)
      data_inputs_.push_back(position_of(partition.inputs, in.id));
  for (size_t s = 0; s < lowered_->scalars.size(); ++s)
    if (is_read(lowered_->scalars[s])) data_inputs_.push_back(scalar_inputs_[s]);
  if (fixed_shape_) return;
  for (const Op& op : partition.ops)
    for (size_t p = 0; p < op.inputs.size(); ++p) {
      if ((find_op(op.kind)->shape_inputs >> p & 1u) == 0) continue;
      const size_t at = position_of(partition.inputs, op.inputs[p].id);
      if (at == partition.inputs.size()) return;
      shape_inputs_.push_back(at);
    }
  recent_plans_ = std::make_unique<RecentPlans<Plans>>();
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
  const LogicalTensor& domain = domain_of(shapes);
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

bool RegionCore::may_alias(size_t in, size_t out) const {
  const LogicalTensor& from = bound_.partition.inputs[in];
  const LogicalTensor& to = bound_.partition.outputs[out];
  if (!lowered_ || has_tiles() || primitive_ || !fixed_shape_ || !same_geometry(from, to) ||
      is_empty(to) || from.property == Property::host_scalar)
    return false;
  if (!lowered_->finite_checks.empty()) return false;  // a repair reads the inputs again
  for (size_t s = 0; s < lowered_->scalars.size(); ++s)
    if (is_read(lowered_->scalars[s]) && scalar_inputs_[s] == in) return false;
  return !moves(lowered_->split, split_inputs_, in, from) &&
         !(lowered_->pointwise && moves(*lowered_->pointwise, pointwise_inputs_, in, from));
}

}  // namespace iotadnn::impl
