// SPDX-License-Identifier: Apache-2.0
#include "lower/region.h"

#include <algorithm>
#include <string>
#include <utility>

#include "lower/split.h"
#include "program/verify.h"

namespace iotadnn::impl {
namespace {

Status fill_in(const Partition& partition, const RegionExpr& region, RowProgram& program) {
  program.rank = std::max(1, partition.outputs.front().rank);
  program.elem_bytes = bytes_of(partition.outputs.front().type);
  program.num_scalars = static_cast<int>(region.scalars.size());
  for (const RegionInput& input : region.inputs)
    for (const LogicalTensor& tensor : partition.inputs)
      if (tensor.id == input.id) {
        program.inputs.push_back(tensor.type);
        break;
      }
  for (const LogicalTensor& output : partition.outputs)
    program.outputs.push_back(output.type);
  return verify(program);
}

std::vector<AxisMask> axes_of(const std::vector<RegionInput>& inputs) {
  std::vector<AxisMask> masks;
  for (const RegionInput& input : inputs) {
    AxisMask mask = 0;
    for (int d = 0; d < input.rank; ++d)
      if (const int8_t axis = input.axes[static_cast<size_t>(d)]; axis != RegionInput::kFixed)
        mask |= 1u << axis;
    masks.push_back(mask);
  }
  return masks;
}

// The two expansions of a region differ in what was folded, not in what is read; should one read
// less, the other's lists serve both.
bool same_tensors(const RegionExpr& a, const RegionExpr& b) {
  return a.inputs == b.inputs && a.scalars == b.scalars;
}

}  // namespace

Result<LoweredRegion> lower_region(const Partition& partition) {
  if (partition.outputs.empty() || partition.outputs.size() > size_t{kMaxOutputs})
    return unimplemented("a region of " + std::to_string(partition.outputs.size()) +
                         " outputs, allowed are 1 to " + std::to_string(kMaxOutputs));
  LoweredRegion lowered;
  const ExprRules plain{partition.math_mode, false};
  auto expanded = expand_region(partition, plain);
  if (!expanded.ok()) return expanded.status();
  lowered.pointwise.bodies.push_back(to_body(expanded->expr, expanded->roots));
  lowered.inputs = expanded->inputs;
  lowered.scalars = expanded->scalars;
  lowered.extent_guards = expanded->extent_guards;
  IOTADNN_TRY(fill_in(partition, *expanded, lowered.pointwise));

  const ExprRules assuming{partition.math_mode, true};
  auto assumed = expand_region(partition, assuming);
  if (!assumed.ok()) return assumed.status();
  if (!same_tensors(*expanded, *assumed))
    return unimplemented("the region's programs read different tensors");
  const std::vector<AxisMask> axes = axes_of(assumed->inputs);
  SplitProgram parts = split(assumed->expr, assuming, assumed->roots, axes);
  lowered.split.predicates = std::move(parts.predicates);
  lowered.split.bodies = std::move(parts.bodies);
  lowered.range_guards = std::move(parts.guards);
  lowered.assumed = parts.assumed;
  IOTADNN_TRY(fill_in(partition, *assumed, lowered.split));
  return lowered;
}

}  // namespace iotadnn::impl
