// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>

#include "base/cpu.h"
#include "base/status.h"
#include "codegen/codegen.h"
#include "lower/layout.h"
#include "runtime/strategy.h"

namespace iotadnn::impl {

// Everything decided for one output shape: how it lies in memory, the program in that order, the
// kernel and the strategy. Immutable; run_plan is thread safe on distinct outputs.
struct Plan {
  PhysicalShape shape;
  std::shared_ptr<const RowProgram> program;
  std::shared_ptr<const Kernel> kernel;   // null: the portable interpreter runs
  ReplicateFunction replicate = nullptr;  // only with a template
  Strategy strategy;
  int64_t units = 0;  // rows or elements, as the walk counts
  // The kernel with this shape, when it does all of the output on the caller's thread.
  std::unique_ptr<const BoundKernel> bound;
};

// The plan for an output of `dims` (all >= 1) and non-overlapping `strides`. `scalars` are those of
// every run, or null when each run has its own. Falls back to the portable interpreter where
// executable memory is refused, and says so in the verbose log.
Result<Plan> make_plan(const RowProgram& logical, const Dims& dims, const Dims& strides, Isa isa,
                       const ForcedStrategy& forced, const int64_t* scalars = nullptr);

// Where a plan is more than a bound kernel.
void run_plan_by_parts(const Plan& plan, void* dst, const int64_t* scalars);

// Writes the output at `dst`. Takes no lock and allocates nothing of its own.
inline void run_plan(const Plan& plan, void* dst, const int64_t* scalars) {
  if (plan.bound)
    plan.bound->run(dst, scalars);
  else
    run_plan_by_parts(plan, dst, scalars);
}

}  // namespace iotadnn::impl
