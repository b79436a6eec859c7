// SPDX-License-Identifier: Apache-2.0
#include "runtime/plan.h"

#include <algorithm>
#include <cstdint>

#include "base/cpu.h"
#include "base/log.h"
#include "program/portable.h"
#include "runtime/kernel_cache.h"
#include "runtime/parallel.h"

namespace iotadnn::impl {
namespace {

int64_t product(const PhysicalShape& shape, int dims) {
  int64_t count = 1;
  for (int d = 0; d < dims; ++d)
    count *= shape.extents[d];
  return count;
}

int64_t units_of(const PhysicalShape& shape, Walk walk) {
  return product(shape, walk == Walk::rows ? shape.order.rank - 1 : shape.order.rank);
}

// One run in flight: what the threads share.
struct Run {
  const Plan* plan;
  char* dst;
  const int64_t* scalars;
};

void run_units(const Run& run, UnitRange units) {
  const Plan& plan = *run.plan;
  RunArgs args;
  args.dst = run.dst;
  args.extents = plan.shape.extents.data();
  args.strides = plan.shape.strides.data();
  args.scalars = run.scalars;
  args.begin = units.begin;
  args.end = units.end;
  if (plan.kernel)
    plan.kernel->run(args);
  else
    run_portable(*plan.program, args);
}

// The walk writes the first template of the range (a whole number of rows or elements), which is
// then copied on.
void run_template(const Run& run, UnitRange units) {
  const Plan& plan = *run.plan;
  const int64_t unit_bytes =
      plan.strategy.walk == Walk::rows
          ? plan.shape.extents[plan.shape.order.rank - 1] * plan.program->elem_bytes
          : plan.program->elem_bytes;
  const int64_t bytes = (units.end - units.begin) * unit_bytes;
  const int64_t head = std::min(bytes, plan.strategy.template_bytes);
  run_units(run, {units.begin, units.begin + head / unit_bytes});
  if (bytes > head) plan.replicate(run.dst + units.begin * unit_bytes, head, bytes);
}

void run_range(const Run& run, UnitRange units) {
  if (units.begin == units.end) return;
  if (run.plan->strategy.template_bytes > 0)
    run_template(run, units);
  else
    run_units(run, units);
}

void run_part(void* context, int part) {
  const Run& run = *static_cast<const Run*>(context);
  const Plan& plan = *run.plan;
  const bool rows = plan.strategy.walk == Walk::rows;
  const int64_t elem = plan.program->elem_bytes;
  // Shares of element walks start on cache lines of the output.
  const int64_t grain = rows ? 1 : kLineBytes / elem;
  const auto address = reinterpret_cast<uintptr_t>(run.dst);
  const int64_t origin = rows ? 0 : -static_cast<int64_t>(address % kLineBytes) / elem;
  run_range(run, share_of(plan.units, grain, origin, part, plan.strategy.threads));
}

// Walks that units of a template must divide: rows of a template are whole.
bool template_divides(const Plan& plan) {
  if (plan.strategy.walk != Walk::rows) return true;
  const int64_t row = plan.shape.extents[plan.shape.order.rank - 1] * plan.program->elem_bytes;
  return plan.strategy.template_bytes % row == 0;
}

Status attach_kernels(Plan& plan, Isa isa) {
  KernelConfig config;
  config.isa = kernel_isa(isa);
  config.walk = plan.strategy.walk;
  // A template stays in the cache: its source must not go past it.
  config.store = plan.strategy.template_bytes > 0 ? Store::normal : plan.strategy.store;
  auto kernel = cached_kernel(*plan.program, config);
  if (!kernel.ok()) return kernel.status();
  plan.kernel = *kernel;
  if (plan.strategy.template_bytes == 0) return {};
  const auto replicate = replicate_function(kernel_isa(isa), plan.strategy.store);
  if (!replicate.ok()) return replicate.status();
  plan.replicate = *replicate;
  return {};
}

void bind_kernel(Plan& plan, const int64_t* scalars) {
  if (!plan.kernel || plan.strategy.threads > 1 || plan.strategy.template_bytes > 0) return;
  RunArgs args;
  args.extents = plan.shape.extents.data();
  args.strides = plan.shape.strides.data();
  args.scalars = scalars;
  plan.bound = plan.kernel->bind(args);
}

void fall_back_to_portable(Plan& plan, int threads) {
  plan.kernel = nullptr;
  plan.replicate = nullptr;
  plan.strategy = Strategy{};
  plan.strategy.threads = threads;
}

}  // namespace

Result<Plan> make_plan(const RowProgram& logical, const Dims& dims, const Dims& strides, Isa isa,
                       const ForcedStrategy& forced, const int64_t* scalars) {
  Plan plan;
  plan.shape = physical_shape(logical, dims, strides);
  plan.program = std::make_shared<const RowProgram>(to_physical(logical, plan.shape.order));
  plan.strategy = choose_strategy(*plan.program, plan.shape, available_threads(), forced);
  if (!template_divides(plan)) plan.strategy.template_bytes = 0;
  if (isa < Isa::avx2) {
    fall_back_to_portable(plan, plan.strategy.threads);
  } else if (const Status status = attach_kernels(plan, isa); !status.ok()) {
    if (status.code() != StatusCode::runtime_error) return status;
    log_fallback(status);
    fall_back_to_portable(plan, plan.strategy.threads);
  }
  plan.units = units_of(plan.shape, plan.strategy.walk);
  bind_kernel(plan, scalars);
  return plan;
}

void run_plan_by_parts(const Plan& plan, void* dst, const int64_t* scalars) {
  Run run{&plan, static_cast<char*>(dst), scalars};
  const int threads = plan.strategy.threads;
  if (threads == 1 || available_threads() == 1)
    run_range(run, {0, plan.units});
  else
    run_parts(threads, run_part, &run);
}

}  // namespace iotadnn::impl
