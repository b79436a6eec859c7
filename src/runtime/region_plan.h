// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/cpu.h"
#include "base/span.h"
#include "base/status.h"
#include "codegen/codegen.h"
#include "lower/domain.h"
#include "lower/region.h"
#include "runtime/finite_look.h"
#include "runtime/strategy.h"

namespace iotadnn::impl {

// By how much an input's address is moved when a program runs: a sum of scalars and a constant,
// times a stride.
struct AddressShift {
  size_t input = 0;
  Affine steps;
  // Steps beyond these leave nothing of the input within the domain, as these do.
  int64_t least = 0;
  int64_t most = 0;
  int64_t bytes = 0;  // of a step
};

// The strides of a fully known tensor over the coordinates of a program that reads it.
Dims input_strides(const RegionInput& input, const LogicalTensor& tensor);

// Everything decided for one program of a region and the shapes of its tensors. Immutable; run_plan
// is thread safe on distinct outputs.
struct RegionPlan {
  PhysicalDomain domain;
  std::shared_ptr<const RowProgram> program;
  std::shared_ptr<const Kernel> kernel;  // null: the portable path runs
  // Where an output is the memory of an input, and that is little enough for the caches; or null.
  std::shared_ptr<const Kernel> in_place_kernel;
  std::vector<AddressShift> shifts;
  int threads = 1;
  int64_t units = 0;
  // Of a program whose values are summed: the output's strides along the domain without what is
  // summed; a unit is then one of its elements.
  std::vector<int64_t> sum_strides;
};

// The plan of `logical` (one of the region's programs) over a domain without a zero extent;
// `inputs` and `outputs` are the fully known tensors in the program's order, `summed_extents`
// those of the dimensions that are summed, `looks` what is looked at meanwhile. Falls back to the
// portable path where executable memory is refused or the program has no machine code, and says so
// in the verbose log. unimplemented when the layout leaves a predicate that rows cannot be cut by.
Result<RegionPlan> make_region_plan(const RegionProgram& logical,
                                    const std::vector<const LogicalTensor*>& inputs,
                                    const std::vector<const LogicalTensor*>& outputs,
                                    const std::vector<int64_t>& summed_extents,
                                    const std::vector<FiniteLook>& looks, Isa isa,
                                    const ForcedStrategy& forced);

// A tensor to look at while a plan runs.
struct LookedAt {
  const FiniteLook* look = nullptr;
  const void* data = nullptr;
};

// Whether everything that is looked at is finite; if not, outputs may be unwritten. `srcs` is
// changed.
bool run_plan(const RegionPlan& plan, const void** srcs, void* const* dsts, const int64_t* scalars,
              Span<const LookedAt> looked_at);

}  // namespace iotadnn::impl
