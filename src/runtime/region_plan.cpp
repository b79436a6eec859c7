// SPDX-License-Identifier: Apache-2.0
#include "runtime/region_plan.h"

#include <algorithm>
#include <atomic>

#include "base/log.h"
#include "ops/accumulator.h"
#include "program/portable.h"
#include "program/row_walk.h"
#include "program/verify.h"
#include "runtime/kernel_cache.h"
#include "runtime/parallel.h"
#include "runtime/region_shapes.h"

namespace iotadnn::impl {
namespace {

void add_shifts(const RegionInput& input, const LogicalTensor& tensor, size_t t, const Dims& domain,
                RegionPlan& plan) {
  for (size_t d = 0; d < input.offsets.size(); ++d) {
    if (input.offsets[d] == Affine{}) continue;
    const int8_t axis = input.axes[d];
    const int64_t extent = axis == RegionInput::kFixed ? 1 : domain[static_cast<size_t>(axis)];
    plan.shifts.push_back({t, input.offsets[d], -extent, tensor.dims[static_cast<int>(d)],
                           stride_of(tensor, static_cast<int>(d)) * bytes_of(tensor.type)});
  }
}

int64_t steps_of(const AddressShift& shift, const int64_t* scalars) {
  __extension__ using Wide = __int128;
  Wide steps = shift.steps.imm;
  for (size_t s = 0; s < shift.steps.scalars.size(); ++s)
    if (shift.steps.scalars[s] != 0) steps += Wide{shift.steps.scalars[s]} * scalars[s];
  return static_cast<int64_t>(std::clamp<Wide>(steps, shift.least, shift.most));
}

// Elements of tensor `first` and those behind it that are moved, where they are not repeated.
int64_t bytes_moved(const RowProgram& program, const PhysicalDomain& domain, size_t first = 0) {
  int64_t bytes = 0;
  const auto rank = static_cast<size_t>(domain.order.rank);
  const size_t num_inputs = program.inputs.size();
  for (size_t t = first; t < num_inputs + program.outputs.size(); ++t) {
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
  const Kernel* kernel;  // null: the portable path
  const void* const* srcs;
  void* const* dsts;
  const int64_t* scalars;
  Span<const LookedAt> looked_at;
  std::atomic<bool> finite{true};
};

RunArgs args_of(const Run& run) {
  const RegionPlan& plan = *run.plan;
  RunArgs args;
  args.extents = plan.domain.extents.data();
  args.scalars = run.scalars;
  args.srcs = run.srcs;
  args.src_strides = plan.domain.strides.data();
  args.dsts = run.dsts;
  args.dst_strides = plan.domain.strides.data() +
                     plan.program->inputs.size() * static_cast<size_t>(plan.program->rank);
  return args;
}

void run_program(const Run& run, const RunArgs& args) {
  if (run.kernel != nullptr)
    run.kernel->run(args);
  else
    run_portable(*run.plan->program, args);
}

bool is_in_place(const RegionPlan& plan, const void* const* srcs, void* const* dsts) {
  for (size_t i = 0; i < plan.program->inputs.size(); ++i)
    for (size_t o = 0; o < plan.program->outputs.size(); ++o)
      if (srcs[i] == dsts[o]) return true;
  return false;
}

// Elements of the output, each the sum of some units of the program.
void run_sums(const Run& run, UnitRange elements) {
  const RegionPlan& plan = *run.plan;
  const auto rank = static_cast<size_t>(plan.program->rank);
  const size_t outer = rank - static_cast<size_t>(plan.domain.summed);
  const DataType type = plan.program->outputs.front();
  const int64_t bytes = bytes_of(type);
  const int64_t columns = plan.domain.extents[rank - 1];
  const int64_t per_row = (columns + kColumnsPerUnit - 1) / kColumnsPerUnit;
  int64_t rows = 1;  // of a sum
  for (size_t d = outer; d + 1 < rank; ++d)
    rows *= plan.domain.extents[d];
  alignas(64) unsigned char values[kColumnsPerUnit * 8];
  RunArgs args = args_of(run);
  for (int64_t element = elements.begin; element < elements.end; ++element) {
    Accumulator sum(type);
    for (int64_t unit = 0; unit < rows * per_row; ++unit) {
      const int64_t first = unit % per_row * kColumnsPerUnit;
      void* const dst = reinterpret_cast<void*>(reinterpret_cast<uintptr_t>(values) -
                                                static_cast<uintptr_t>(first * bytes));
      args.dsts = &dst;
      args.begin = element * rows * per_row + unit;
      args.end = args.begin + 1;
      run_program(run, args);
      const int64_t count = std::min(kColumnsPerUnit, columns - first);
      for (int64_t i = 0; i < count; ++i)
        sum.add(values, i);
    }
    int64_t offset = 0;
    int64_t rest = element;
    for (size_t d = outer; d-- > 0;) {
      offset += rest % plan.domain.extents[d] * plan.sum_strides[d];
      rest /= plan.domain.extents[d];
    }
    sum.store(type, run.dsts[0], offset);
  }
}

void run_units(const Run& run, UnitRange units) {
  if (units.begin == units.end) return;
  if (run.plan->domain.summed > 0) return run_sums(run, units);
  RunArgs args = args_of(run);
  args.begin = units.begin;
  args.end = units.end;
  run_program(run, args);
}

// The part of `all` that comes in step `step` of `steps`.
UnitRange slice_of(UnitRange all, int64_t step, int64_t steps) {
  const int64_t units = all.end - all.begin;
  return {all.begin + units * step / steps, all.begin + units * (step + 1) / steps};
}

// A thread's share, and looks at about what it has just brought into the caches. Stops at what is
// not finite.
void run_share(Run& run, int part, int parts) {
  const UnitRange own = share_of(run.plan->units, 1, 0, part, parts);
  constexpr int64_t kLooksPerStep = 8;
  int64_t steps = 1;
  for (const LookedAt& tensor : run.looked_at)
    steps = std::max(steps, tensor.look->units() / parts / kLooksPerStep);
  for (int64_t step = 0; step < steps && run.finite.load(std::memory_order_relaxed); ++step) {
    for (const LookedAt& tensor : run.looked_at) {
      const UnitRange looked =
          slice_of(share_of(tensor.look->units(), 1, 0, part, parts), step, steps);
      if (!tensor.look->all_finite(tensor.data, looked.begin, looked.end))
        run.finite.store(false, std::memory_order_relaxed);
    }
    run_units(run, slice_of(own, step, steps));
  }
}

void run_part(void* context, int part) {
  Run& run = *static_cast<Run*>(context);
  run_share(run, part, run.plan->threads);
}

// Makes one element of the output a unit. The values of a sum go to a row of scratch memory.
void sum_up(RegionPlan& plan) {
  const auto rank = static_cast<size_t>(plan.program->rank);
  const size_t outer = rank - static_cast<size_t>(plan.domain.summed);
  const auto own =
      plan.domain.strides.begin() + static_cast<ptrdiff_t>(plan.program->inputs.size() * rank);
  plan.sum_strides.assign(own, own + static_cast<ptrdiff_t>(outer));
  plan.domain.strides.resize(static_cast<size_t>(own - plan.domain.strides.begin()) + rank);
  std::fill(plan.domain.strides.end() - static_cast<ptrdiff_t>(rank), plan.domain.strides.end(), 0);
  plan.domain.strides.back() = 1;
  plan.units = 1;
  for (size_t d = 0; d < outer; ++d)
    plan.units *= plan.domain.extents[d];
}

// Those for all that the program moves, and for what is left of it in place.
Status attach_kernels(RegionPlan& plan, int64_t bytes, const ForcedStrategy& forced, Isa isa) {
  const Store store = choose_store(bytes, plan.threads, forced);
  const int64_t* const strides = plan.domain.strides.data();
  IOTADNN_TRY(pointwise_kernel(*plan.program, strides, store, isa, plan.kernel));
  if (!plan.kernel || store == Store::normal) return {};
  const int64_t written = bytes_moved(*plan.program, plan.domain, plan.program->inputs.size());
  const Store in_place = choose_store(written, plan.threads, forced);
  return in_place == store
             ? Status()
             : pointwise_kernel(*plan.program, strides, in_place, isa, plan.in_place_kernel);
}

}  // namespace

Dims input_strides(const RegionInput& input, const LogicalTensor& tensor) {
  Dims strides{};
  for (int d = 0; d < input.rank; ++d) {
    const int8_t axis = input.axes[static_cast<size_t>(d)];
    if (axis != RegionInput::kFixed) strides[static_cast<size_t>(axis)] += stride_of(tensor, d);
  }
  return strides;
}

Result<RegionPlan> make_region_plan(const RegionProgram& logical,
                                    const std::vector<const LogicalTensor*>& inputs,
                                    const std::vector<const LogicalTensor*>& outputs,
                                    const std::vector<int64_t>& summed_extents,
                                    const std::vector<FiniteLook>& looks, Isa isa,
                                    const ForcedStrategy& forced) {
  std::vector<Dims> strides;
  for (size_t t = 0; t < inputs.size(); ++t)
    strides.push_back(input_strides(logical.inputs[t], *inputs[t]));
  for (const LogicalTensor* output : outputs) {
    Dims own{};
    for (int d = 0; d < output->rank; ++d)
      own[static_cast<size_t>(d)] = stride_of(*output, d);
    strides.push_back(own);
  }
  Dims dims = outputs.front()->dims;
  if (outputs.front()->rank == 0) dims[0] = 1;
  const int summed = logical.summed;
  for (int s = 0; s < summed; ++s)
    dims[logical.program.rank - summed + s] = summed_extents[static_cast<size_t>(s)];
  if (summed > 0) strides.push_back(*dense_strides(dims, logical.program.rank));

  RegionPlan plan;
  for (size_t t = 0; t < inputs.size(); ++t)
    add_shifts(logical.inputs[t], *inputs[t], t, dims, plan);
  // Of a sum, the values go to a row of scratch memory, and a dense tensor leads the order.
  plan.domain =
      physical_domain(logical.program, dims, strides, inputs.size() + (summed > 0 ? 1 : 0), summed);
  RowProgram physical = to_physical(logical.program, plan.domain.order);
  if (!verify(physical).ok() || reads_moving_elements(physical, plan.domain))
    return unimplemented("a predicate cannot be solved for the innermost dimension in memory");
  plan.program = std::make_shared<const RowProgram>(std::move(physical));
  plan.units = pointwise_units(plan.domain.extents.data(), plan.program->rank);
  if (summed > 0) sum_up(plan);
  int64_t bytes = bytes_moved(*plan.program, plan.domain);
  int64_t most_units = plan.units;
  int64_t looked_bytes = 0;
  for (const FiniteLook& look : looks) {
    looked_bytes += look.units() * FiniteLook::kUnitBytes;
    most_units = std::max(most_units, look.units());
  }
  plan.threads = static_cast<int>(std::min<int64_t>(
      most_units, choose_threads(bytes + looked_bytes, available_threads(), forced)));
  if (isa < Isa::avx2) return plan;
  if (summed > 0)
    IOTADNN_TRY(pointwise_kernel(*plan.program, plan.domain.strides.data(), Store::normal, isa,
                                 plan.kernel));
  else
    IOTADNN_TRY(attach_kernels(plan, bytes, forced, isa));
  return plan;
}

bool run_plan(const RegionPlan& plan, const void** srcs, void* const* dsts, const int64_t* scalars,
              Span<const LookedAt> looked_at) {
  for (const AddressShift& shift : plan.shifts)
    srcs[shift.input] = reinterpret_cast<const void*>(
        reinterpret_cast<uintptr_t>(srcs[shift.input]) +
        static_cast<uintptr_t>(steps_of(shift, scalars) * shift.bytes));
  const bool in_place = plan.in_place_kernel && is_in_place(plan, srcs, dsts);
  const Kernel* const kernel = in_place ? plan.in_place_kernel.get() : plan.kernel.get();
  Run run{&plan, kernel, srcs, dsts, scalars, looked_at};
  if (plan.threads == 1 || available_threads() == 1)
    run_share(run, 0, 1);
  else
    run_parts(plan.threads, run_part, &run);
  return run.finite.load(std::memory_order_relaxed);
}

}  // namespace iotadnn::impl
