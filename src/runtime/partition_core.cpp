// SPDX-License-Identifier: Apache-2.0
#include "runtime/partition_core.h"

#include <algorithm>
#include <cstring>

#include "interp/interpreter.h"
#include "ops/op_table.h"
#include "runtime/kernel_cache.h"
#include "runtime/tensor_check.h"

namespace iotadnn::impl {
namespace {

std::string port_text(const Op& op, const char* direction, size_t port) {
  return std::string(direction) + " " + std::to_string(port) + " of op " + op.name;
}

bool is_constant(const ScalarSource& source) {
  return source.kind == ScalarSource::Kind::attribute;
}

int64_t read_integer(const Tensor& tensor) {
  const void* address = tensor.address();
  if (tensor.lt.type == DataType::s64) {
    int64_t value = 0;
    std::memcpy(&value, address, sizeof value);
    return value;
  }
  int32_t value = 0;
  std::memcpy(&value, address, sizeof value);
  return value;
}

TensorView view_of(const Tensor& tensor) {
  return {&tensor.lt, const_cast<void*>(tensor.address())};
}

}  // namespace

Result<std::shared_ptr<const PartitionCore>> PartitionCore::create(Op op,
                                                                   std::vector<int> input_of_port,
                                                                   const Partition& partition,
                                                                   Isa isa,
                                                                   const ForcedStrategy& forced) {
  std::shared_ptr<PartitionCore> core(new PartitionCore);
  core->op_ = std::move(op);
  core->def_ = find_op(core->op_.kind);
  core->input_of_port_ = std::move(input_of_port);
  core->isa_ = isa;
  core->forced_ = forced;

  ShapeContext shapes;
  shapes.op = &core->op_;
  for (const LogicalTensor& lt : core->op_.inputs)
    shapes.inputs.push_back({&lt, nullptr});
  shapes.outputs = core->op_.outputs;
  IOTADNN_TRY(infer_shapes(shapes));
  core->op_.outputs = shapes.outputs;

  const LogicalTensor& output = core->op_.outputs.front();
  const bool known = is_fully_known(output);
  core->fixed_shape_ = known && (core->def_->data_inputs == 0 || core->op_.inputs.empty()) &&
                       std::all_of(core->op_.inputs.begin(), core->op_.inputs.end(),
                                   [](const LogicalTensor& lt) { return is_fully_known(lt); });
  if (isa == Isa::reference) {
    core->impl_ = name_of(isa);
    return std::shared_ptr<const PartitionCore>(std::move(core));
  }

  Partition bound = partition;
  bound.ops.assign(1, core->op_);
  auto lowered = lower(bound);
  if (!lowered.ok()) return lowered.status();
  core->lowered_ = std::move(*lowered);
  const auto& scalars = core->lowered_.scalars;
  core->scalars_are_constant_ = std::all_of(scalars.begin(), scalars.end(), is_constant);
  if (core->scalars_are_constant_) core->gather_scalars({}, core->constants_.data());

  // The first kernel is compiled now, so that execute() rarely has to: for the known shape, or for
  // a dense one of the same rank.
  LogicalTensor sample = output;
  if (!known || is_empty(output)) {
    sample.dims.fill(2);
    sample.strides = *dense_strides(sample.dims, sample.rank);
  }
  auto plan = core->plan_for(sample);
  if (!plan.ok()) return plan.status();
  core->impl_ = impl_name(plan->kernel.get(), isa);
  if (!core->fixed_shape_) {
    core->recent_plans_ = std::make_unique<RecentPlans<Plan>>();
  } else if (!is_empty(output)) {
    core->fixed_plan_ = std::move(*plan);
    if (core->scalars_are_constant_) core->bound_ = core->fixed_plan_->bound.get();
  }
  return std::shared_ptr<const PartitionCore>(std::move(core));
}

Result<Plan> PartitionCore::plan_for(const LogicalTensor& output) const {
  return make_plan(lowered_.program, output.dims, output.strides, isa_, forced_,
                   scalars_are_constant_ ? constants_.data() : nullptr);
}

Status PartitionCore::no_output_data() const {
  return invalid_arguments(port_text(op_, "output", 0) + " has no data handle");
}

Status PartitionCore::check_ports(Span<const Tensor* const> inputs, const Tensor& output) const {
  for (size_t p = 0; p < op_.inputs.size(); ++p)
    IOTADNN_TRY(check_tensor(port_text(op_, "input", p), op_.inputs[p], port(inputs, p).lt));
  return check_tensor(port_text(op_, "output", 0), op_.outputs.front(), output.lt);
}

void PartitionCore::gather_scalars(Span<const Tensor* const> inputs, int64_t* scalars) const {
  for (const ScalarSource& source : lowered_.scalars)
    *scalars++ = is_constant(source) ? source.value
                                     : read_integer(port(inputs, static_cast<size_t>(source.port)));
}

void PartitionCore::run(const Plan& plan, Span<const Tensor* const> inputs, void* dst) const {
  int64_t scalars[kMaxScalars];
  gather_scalars(inputs, scalars);
  run_plan(plan, dst, scalars);
}

Result<LogicalTensor> PartitionCore::infer_output(Span<const Tensor* const> inputs,
                                                  const LogicalTensor& given) const {
  ShapeContext shapes;
  shapes.op = &op_;
  for (size_t p = 0; p < op_.inputs.size(); ++p)
    shapes.inputs.push_back(view_of(port(inputs, p)));
  shapes.outputs.assign(1, given);
  IOTADNN_TRY(infer_shapes(shapes));
  return shapes.outputs.front();
}

Status PartitionCore::run_reference(Span<const Tensor* const> inputs, const LogicalTensor& lt,
                                    void* dst) const {
  std::vector<TensorView> views;
  Op bound = op_;
  for (size_t p = 0; p < op_.inputs.size(); ++p) {
    views.push_back(view_of(port(inputs, p)));
    const size_t id = bound.inputs[p].id;
    bound.inputs[p] = port(inputs, p).lt;
    bound.inputs[p].id = id;
  }
  // Views are found by id: those of the tensors are the caller's, ours are the op's.
  std::vector<LogicalTensor> named = bound.inputs;
  for (size_t p = 0; p < views.size(); ++p)
    views[p].lt = &named[p];
  bound.outputs.front() = lt;
  bound.outputs.front().id = op_.outputs.front().id;
  const LogicalTensor out_lt = bound.outputs.front();
  const TensorView out{&out_lt, dst};
  return interpret(Span<const Op>(&bound, 1), Span<const TensorView>(views.data(), views.size()),
                   Span<const TensorView>(&out, 1));
}

// `key` of the execution, under which its plan is kept; or null.
Status PartitionCore::execute_any_shape(Span<const Tensor* const> inputs, const Tensor& output,
                                        const PlanKey* key) const {
  for (size_t p = 0; p < op_.inputs.size(); ++p)
    if ((def_->data_inputs >> p & 1u) != 0 && port(inputs, p).address() == nullptr &&
        !is_empty(port(inputs, p).lt))
      return invalid_arguments(port_text(op_, "input", p) + " has no data, which the op reads");
  // The tensor's own metadata agrees with what was known at compile; where it names no strides,
  // those of the compile count.
  LogicalTensor given = output.lt;
  const LogicalTensor& compiled = op_.outputs.front();
  if (given.layout != LayoutType::strided && is_fully_known(compiled)) given = compiled;
  const auto resolved = infer_output(inputs, given);
  if (!resolved.ok()) return resolved.status();
  const LogicalTensor& lt = *resolved;
  if (!is_fully_known(lt))
    return invalid_shape(port_text(op_, "output", 0) + " has shape " +
                         shape_text(lt.dims, lt.rank) + " still unknown at execute");
  if (is_empty(lt)) return {};
  if (output.data == nullptr) return no_output_data();
  if (isa_ == Isa::reference) return run_reference(inputs, lt, output.data);
  auto plan = plan_for(lt);
  if (!plan.ok()) return plan.status();
  run(*plan, inputs, output.data);
  if (key != nullptr) recent_plans_->keep(*key, std::move(*plan));
  return {};
}

Status PartitionCore::execute_recent(Span<const Tensor* const> inputs, const Tensor& output) const {
  PlanKey key;
  const bool has_key = make_key(op_, *def_, input_of_port_, inputs, output, key);
  if (has_key && output.data != nullptr) {
    if (const auto known = recent_plans_->find(key)) {
      run(*known, inputs, output.data);
      return {};
    }
  }
  IOTADNN_TRY(check_ports(inputs, output));
  return execute_any_shape(inputs, output, has_key ? &key : nullptr);
}

Status PartitionCore::execute_checked(Span<const Tensor* const> inputs,
                                      const Tensor& output) const {
  if (recent_plans_) return execute_recent(inputs, output);
  if (!as_compiled(inputs, output)) IOTADNN_TRY(check_ports(inputs, output));
  if (isa_ == Isa::reference) return execute_any_shape(inputs, output, nullptr);
  if (!fixed_plan_) return {};
  if (output.data == nullptr) return no_output_data();
  run(*fixed_plan_, inputs, output.data);
  return {};
}

}  // namespace iotadnn::impl
