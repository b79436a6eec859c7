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
};

// The plan for an output of `dims` (all >= 1) and non-overlapping `strides`. Falls back to the
// portable interpreter where executable memory is refused, and says so in the verbose log.
Result<Plan> make_plan(const RowProgram& logical, const Dims& dims, const Dims& strides, Isa isa,
                       const ForcedStrategy& forced);

// Writes the output at `dst`. Takes no lock and allocates nothing of its own.
void run_plan(const Plan& plan, void* dst, const int64_t* scalars);

// "jit:avx2", "portable", ...: what run_plan executes.
std::string impl_name(const Plan& plan, Isa isa);

}  // namespace iotadnn::impl
