// SPDX-License-Identifier: Apache-2.0
#include "runtime/region_plan.h"

#include <algorithm>

#include "base/log.h"
#include "program/portable.h"
#include "program/row_walk.h"
#include "program/verify.h"
#include "runtime/kernel_cache.h"
#include "runtime/parallel.h"

namespace iotadnn::impl {
namespace {

// The strides of a fully known tensor over its own dimensions, 0 where it has one element.
int64_t stride_of(const LogicalTensor& tensor, int d) {
  return tensor.dims[d] == 1 ? 0 : tensor.strides[d];
}

Dims input_strides(const RegionInput& input, const LogicalTensor& tensor) {
  Dims strides{};
  for (int d = 0; d < input.rank; ++d) {
    const int8_t axis = input.axes[static_cast<size_t>(d)];
    if (axis != RegionInput::kFixed) strides[static_cast<size_t>(axis)] += stride_of(tensor, d);
  }
  return strides;
}

// Elements that are moved, each tensor's where it is not repeated.
int64_t bytes_moved(const RowProgram& program, const PhysicalDomain& domain) {
  int64_t bytes = 0;
  const auto rank = static_cast<size_t>(domain.order.rank);
  const size_t num_inputs = program.inputs.size();
  for (size_t t = 0; t < num_inputs + program.outputs.size(); ++t) {
    int64_t elements = 1;
    for (size_t d = 0; d < rank; ++d)
      if (domain.strides[t * rank + d] != 0) elements *= domain.extents[d];
    bytes +=
        elements * bytes_of(t < num_inputs ? program.inputs[t] : program.outputs[t - num_inputs]);
  }
  return bytes;
}

// Whether predicates read an input that changes along the row, or along what they test.
bool reads_moving_elements(const RowProgram& program, const PhysicalDomain& domain) {
  const auto rank = static_cast<size_t>(program.rank);
  for (const Predicate& predicate : program.predicates)
    for (const Bound* bound : {&predicate.lo, &predicate.hi})
      for (const Term& term : bound->terms) {
        if (term.kind != Term::Kind::element) continue;
        const int64_t* strides = domain.strides.data() + term.index * rank;
        if (strides[rank - 1] != 0 || strides[predicate.axis] != 0) return true;
      }
  return false;
}

// One run in flight: what the threads share.
struct Run {
  const RegionPlan* plan;
  const void* const* srcs;
  void* const* dsts;
  const int64_t* scalars;
};

void run_units(const Run& run, UnitRange units) {
  if (units.begin == units.end) return;
  const RegionPlan& plan = *run.plan;
  RunArgs args;
  args.extents = plan.domain.extents.data();
  args.scalars = run.scalars;
  args.begin = units.begin;
  args.end = units.end;
  args.srcs = run.srcs;
  args.src_strides = plan.domain.strides.data();
  args.dsts = run.dsts;
  args.dst_strides = plan.domain.strides.data() +
                     plan.program->inputs.size() * static_cast<size_t>(plan.program->rank);
  if (plan.kernel)
    plan.kernel->run(args);
  else
    run_portable(*plan.program, args);
}

void run_part(void* context, int part) {
  const Run& run = *static_cast<const Run*>(context);
  run_units(run, share_of(run.plan->units, 1, 0, part, run.plan->threads));
}

// The kernel, or none where the portable path has to do.
Status attach_kernel(RegionPlan& plan, Store store, Isa isa) {
  KernelConfig config;
  config.isa = kernel_isa(isa);
  config.walk = Walk::pointwise;
  config.store = store;
  const auto rank = static_cast<size_t>(plan.program->rank);
  for (size_t t = 0; t < plan.program->inputs.size(); ++t)
    if (plan.domain.strides[t * rank + rank - 1] == 0) config.row_constant_inputs |= 1u << t;
  auto kernel = cached_kernel(*plan.program, config);
  if (kernel.ok()) {
    plan.kernel = *kernel;
    return {};
  }
  const StatusCode code = kernel.status().code();
  if (code != StatusCode::runtime_error && code != StatusCode::unimplemented)
    return kernel.status();
  log_fallback(kernel.status());
  return {};
}

}  // namespace

Result<RegionPlan> make_region_plan(const RowProgram& logical,
                                    const std::vector<RegionInput>& region_inputs,
                                    const std::vector<const LogicalTensor*>& inputs,
                                    const std::vector<const LogicalTensor*>& outputs, Isa isa,
                                    const ForcedStrategy& forced) {
  std::vector<Dims> strides;
  for (size_t t = 0; t < inputs.size(); ++t)
    strides.push_back(input_strides(region_inputs[t], *inputs[t]));
  for (const LogicalTensor* output : outputs) {
    Dims own{};
    for (int d = 0; d < output->rank; ++d)
      own[static_cast<size_t>(d)] = stride_of(*output, d);
    strides.push_back(own);
  }
  Dims dims = outputs.front()->dims;
  if (outputs.front()->rank == 0) dims[0] = 1;

  RegionPlan plan;
  plan.domain = physical_domain(logical, dims, strides, inputs.size());
  RowProgram physical = to_physical(logical, plan.domain.order);
  if (!verify(physical).ok() || reads_moving_elements(physical, plan.domain))
    return unimplemented("a predicate cannot be solved for the innermost dimension in memory");
  plan.program = std::make_shared<const RowProgram>(std::move(physical));
  plan.units = pointwise_units(plan.domain.extents.data(), plan.program->rank);
  const int64_t bytes = bytes_moved(*plan.program, plan.domain);
  plan.threads = static_cast<int>(
      std::min<int64_t>(plan.units, choose_threads(bytes, available_threads(), forced)));
  if (isa >= Isa::avx2)
    IOTADNN_TRY(attach_kernel(plan, choose_store(bytes, plan.threads, forced), isa));
  return plan;
}

void run_plan(const RegionPlan& plan, const void* const* srcs, void* const* dsts,
              const int64_t* scalars) {
  Run run{&plan, srcs, dsts, scalars};
  if (plan.threads == 1 || available_threads() == 1)
    run_units(run, {0, plan.units});
  else
    run_parts(plan.threads, run_part, &run);
}

}  // namespace iotadnn::impl
