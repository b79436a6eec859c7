// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/cpu.h"
#include "base/status.h"
#include "codegen/codegen.h"
#include "lower/domain.h"
#include "lower/region.h"
#include "runtime/strategy.h"

namespace iotadnn::impl {

// Everything decided for one program of a region and the shapes of its tensors. Immutable; run_plan
// is thread safe on distinct outputs.
struct RegionPlan {
  PhysicalDomain domain;
  std::shared_ptr<const RowProgram> program;
  std::shared_ptr<const Kernel> kernel;  // null: the portable path runs
  int threads = 1;
  int64_t units = 0;
};

// The plan of `logical` (one of the region's programs) over a domain without a zero extent;
// `inputs` and `outputs` are the fully known tensors in the program's order. Falls back to the
// portable path where executable memory is refused or the program has no machine code, and says so
// in the verbose log. unimplemented when the layout leaves a predicate that rows cannot be cut by.
Result<RegionPlan> make_region_plan(const RowProgram& logical,
                                    const std::vector<RegionInput>& region_inputs,
                                    const std::vector<const LogicalTensor*>& inputs,
                                    const std::vector<const LogicalTensor*>& outputs, Isa isa,
                                    const ForcedStrategy& forced);

void run_plan(const RegionPlan& plan, const void* const* srcs, void* const* dsts,
              const int64_t* scalars);

}  // namespace iotadnn::impl
