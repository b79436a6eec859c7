// SPDX-License-Identifier: Apache-2.0
// How a compiled region runs.
#include <algorithm>
#include <memory>
#include <new>
#include <string>
#include <utility>

#include "ops/expand_context.h"
#include "ops/op_table.h"
#include "program/evaluate.h"
#include "runtime/parallel.h"
#include "runtime/region_core.h"
#include "runtime/region_reference.h"

namespace iotadnn::impl {
namespace {

bool is_zero(DataType type, int64_t bits) {
  const bool has_sign = types::kFloating.has(type);
  const int unused = 64 - 8 * bytes_of(type) + (has_sign ? 1 : 0);
  return static_cast<uint64_t>(bits) << unused == 0;
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

bool RegionCore::as_compiled(Span<const Tensor* const> inputs,
                             Span<const Tensor* const> outputs) const {
  const Partition& partition = bound_.partition;
  for (size_t i = 0; i < partition.inputs.size(); ++i)
    if (!same_geometry(partition.inputs[i], input(inputs, i).lt)) return false;
  for (size_t o = 0; o < partition.outputs.size(); ++o)
    if (!same_geometry(partition.outputs[o], output(outputs, o).lt)) return false;
  return true;
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

bool RegionCore::split_is_right(const RegionShapes& shapes, const int64_t* scalars) const {
  const ScalarAssumptions& assumed = lowered_->assumed;
  const uint64_t any = assumed.finite_scalars | assumed.unit_scalars | assumed.zero_scalars;
  for (size_t s = 0; any >> s != 0; ++s) {
    const DataType type = lowered_->scalars[s].type;
    if ((assumed.finite_scalars >> s & 1u) != 0 &&
        !is_finite(type, static_cast<uint64_t>(scalars[s])))
      return false;
    if ((assumed.unit_scalars >> s & 1u) != 0 && scalars[s] != 1) return false;
    if ((assumed.zero_scalars >> s & 1u) != 0 && !is_zero(type, scalars[s])) return false;
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
                     Span<const Tensor* const> outputs, const int64_t* scalars,
                     const void* result) const {
  const void* srcs[kMaxInputs];
  void* dsts[kMaxOutputs];
  LookedAt looked_at[kMaxInputs];
  const size_t num_inputs = bound_.partition.inputs.size();
  for (size_t t = 0; t < program_inputs.size(); ++t)
    srcs[t] = program_inputs[t] < num_inputs ? input(inputs, program_inputs[t]).address() : result;
  for (size_t o = 0; o < bound_.partition.outputs.size(); ++o)
    dsts[o] = output(outputs, o).data;
  for (size_t l = 0; l < looks.size(); ++l)
    looked_at[l] = {&looks[l], input(inputs, looked_at_[l]).address()};
  return run_plan(plan, srcs, dsts, scalars, {looked_at, looks.size()});
}

Status RegionCore::run_plans(const Plans& plans, Span<const Tensor* const> inputs,
                             Span<const Tensor* const> outputs) const {
  int64_t scalars[kMaxScalars];
  gather_scalars(plans.shapes, inputs, scalars);
  if (plans.attention || plans.backward)
    return run_tiles(plans, split_is_right(plans.shapes, scalars), inputs, outputs, scalars);
  if (plans.primitive) return run_with_primitive(plans, inputs, outputs, scalars);
  if (plans.split && split_is_right(plans.shapes, scalars)) {
    if (run(*plans.split, split_inputs_, plans.looks, inputs, outputs, scalars)) return {};
    return run_repair(plans.shapes, inputs, outputs, scalars);
  }
  if (!plans.pointwise) return run_reference(plans.shapes, inputs, outputs);
  run(*plans.pointwise, pointwise_inputs_, {}, inputs, outputs, scalars);
  return {};
}

Status RegionCore::run_tiles(const Plans& plans, bool split, Span<const Tensor* const> inputs,
                             Span<const Tensor* const> outputs, const int64_t* scalars) const {
  const Partition& partition = bound_.partition;
  std::vector<const void*> srcs;
  for (size_t i = 0; i < partition.inputs.size(); ++i)
    srcs.push_back(input(inputs, i).address());
  void* dsts[kMaxOutputs];
  for (size_t o = 0; o < partition.outputs.size(); ++o)
    dsts[o] = output(outputs, o).data;
  if (plans.backward) return run_backward(*plans.backward, {srcs.data(), dsts, scalars, split});
  std::vector<std::unique_ptr<unsigned char[]>> made;
  for (const PreparedOp& prepared : plans.attention->prepared) {
    made.emplace_back(new (std::nothrow) unsigned char[prepared.bytes]);
    if (made.back() == nullptr)
      return out_of_memory("an operand of an attention needs " + std::to_string(prepared.bytes) +
                           " bytes, which cannot be allocated");
    std::vector<TensorView> ins;
    for (size_t p = 0; p < prepared.inputs.size(); ++p)
      ins.push_back({&prepared.op.inputs[p], const_cast<void*>(srcs[prepared.inputs[p]])});
    IOTADNN_TRY(interpret_region({prepared.op}, std::move(ins),
                                 {{&prepared.op.outputs[0], made.back().get()}}));
    srcs.push_back(made.back().get());
  }
  return run_attention(*plans.attention, {srcs.data(), dsts, scalars, split});
}

// The primitive and what follows, which reads its result from an output's memory or memory of its
// own.
Status RegionCore::run_with_primitive(const Plans& plans, Span<const Tensor* const> inputs,
                                      Span<const Tensor* const> outputs,
                                      const int64_t* scalars) const {
  const PrimitivePlan& plan = *plans.primitive;
  const bool has_epilogue = plans.split || plans.pointwise;
  const bool split = plans.split && split_is_right(plans.shapes, scalars);
  if (has_epilogue && !split && !plans.pointwise)
    return run_reference(plans.shapes, inputs, outputs);
  const void* operands[3] = {};
  for (size_t p = 0; p < plan.inputs.size(); ++p)
    operands[p] = input(inputs, plan.inputs[p]).address();
  std::unique_ptr<unsigned char[]> own;
  if (!plan.output) {
    own.reset(new (std::nothrow) unsigned char[plan.bytes]);
    if (own == nullptr)
      return out_of_memory("what " + op_text(plans.shapes.ops[primitive_->op]) + " gives needs " +
                           std::to_string(plan.bytes) + " bytes, which cannot be allocated");
  }
  void* const result = plan.output ? output(outputs, *plan.output).data : own.get();
  void* const stats = plan.stats ? output(outputs, *plan.stats).data : nullptr;
  const Status status = run_primitive(plan, operands, result, stats);
  if (status.code() == StatusCode::out_of_memory) return status;
  if (!status.ok()) return run_reference(plans.shapes, inputs, outputs);
  if (split)
    run(*plans.split, split_inputs_, plans.looks, inputs, outputs, scalars, result);
  else if (has_epilogue)
    run(*plans.pointwise, pointwise_inputs_, {}, inputs, outputs, scalars, result);
  return {};
}

// `key` of the execution, under which its plans are kept; or null.
Status RegionCore::run_any_shape(Span<const Tensor* const> inputs,
                                 Span<const Tensor* const> outputs, const PlanKey* key) const {
  std::vector<LogicalTensor> given = bound_.partition.outputs;
  for (size_t o = 0; o < given.size(); ++o) {
    const LogicalTensor& own = output(outputs, o).lt;
    if (own.layout != LayoutType::strided && is_fully_known(given[o])) continue;
    const size_t id = given[o].id;
    given[o] = own;
    given[o].id = id;
  }
  auto shapes = resolve(inputs, given);
  if (!shapes.ok()) return shapes.status();
  if (!std::all_of(shapes->outputs.begin(), shapes->outputs.end(), is_fully_known))
    return invalid_shape("an output of the partition has a shape that is still unknown at execute");
  if (!lowered_ || !extents_agree(*shapes)) return run_reference(*shapes, inputs, outputs);
  if (!has_tiles() && is_empty(shapes->outputs.front())) return {};
  auto plans = plans_for(std::move(*shapes));
  if (!plans.ok()) return plans.status();
  IOTADNN_TRY(run_plans(*plans, inputs, outputs));
  if (key != nullptr) recent_plans_->keep(*key, std::move(*plans));
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
    const FiniteCheck* check = in.id < RegionInput::kCounts
                                   ? nullptr
                                   : &lowered_->finite_checks[in.id - RegionInput::kCounts];
    const size_t i = position_of(bound_.partition.inputs, check == nullptr ? in.id : check->id);
    tensors.push_back(shapes.inputs[i]);
    srcs.push_back(input(inputs, i).address());
    if (check == nullptr) continue;
    auto counted = not_finite(tensors.back(), srcs.back(), check->summed);
    if (!counted.ok()) return counted.status();
    counts.push_back(std::move(*counted));
    srcs.back() = counts.back().get();
  }
  std::vector<const LogicalTensor*> ins;
  for (const LogicalTensor& tensor : tensors)
    ins.push_back(&tensor);
  const auto plan = plan_for(*lowered_->repair, ins, shapes, {});
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

// Whether nothing that is read or written is missing.
bool RegionCore::has_data(Span<const Tensor* const> inputs,
                          Span<const Tensor* const> outputs) const {
  for (size_t o = 0; o < bound_.partition.outputs.size(); ++o)
    if (output(outputs, o).data == nullptr) return false;
  return std::all_of(data_inputs_.begin(), data_inputs_.end(),
                     [&](size_t i) { return input(inputs, i).address() != nullptr; });
}

// All that decides which plans there are: equal keys pass or fail the same checks. False where
// there is no key and every check has to be made.
bool RegionCore::make_key(Span<const Tensor* const> inputs, Span<const Tensor* const> outputs,
                          PlanKey& key) const {
  const Partition& partition = bound_.partition;
  if (!has_data(inputs, outputs) || !key.add(available_threads())) return false;
  for (size_t o = 0; o < partition.outputs.size(); ++o)
    if (!add_metadata(output(outputs, o).lt, key)) return false;
  for (size_t i = 0; i < partition.inputs.size(); ++i)
    if (!add_metadata(input(inputs, i).lt, key)) return false;
  return std::all_of(shape_inputs_.begin(), shape_inputs_.end(), [&](size_t i) {
    const Tensor& shape = input(inputs, i);
    return shape.lt.type == partition.inputs[i].type && shape.address() != nullptr &&
           add_data(shape, key);
  });
}

Status RegionCore::execute(Span<const Tensor* const> inputs,
                           Span<const Tensor* const> outputs) const {
  // What most executions are, in few instructions: they are most of a small output's time.
  if (!fixed_ || !has_data(inputs, outputs) || !as_compiled(inputs, outputs))
    return execute_checked(inputs, outputs);
  return run_plans(*fixed_, inputs, outputs);
}

Status RegionCore::execute_checked(Span<const Tensor* const> inputs,
                                   Span<const Tensor* const> outputs) const {
  PlanKey key;
  const bool has_key = recent_plans_ && make_key(inputs, outputs, key);
  if (has_key)
    if (const auto known = recent_plans_->find(key)) return run_plans(*known, inputs, outputs);
  const bool same = as_compiled(inputs, outputs);
  if (!same) IOTADNN_TRY(check_tensors(inputs, outputs));
  for (size_t o = 0; o < bound_.partition.outputs.size(); ++o)
    if (output(outputs, o).data == nullptr && !is_empty(output(outputs, o).lt))
      return invalid_arguments("output " + std::to_string(o) +
                               " of the partition has no data handle");
  for (const size_t i : data_inputs_)
    if (input(inputs, i).address() == nullptr && !is_empty(input(inputs, i).lt))
      return no_input_data(i);
  if (empty_ && same) return {};
  return run_any_shape(inputs, outputs, has_key ? &key : nullptr);
}

}  // namespace iotadnn::impl
