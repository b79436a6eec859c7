// SPDX-License-Identifier: Apache-2.0
#include "lower/region.h"

#include <algorithm>
#include <string>
#include <utility>

#include "lower/split.h"
#include "program/verify.h"

namespace iotadnn::impl {
namespace {

std::vector<AxisSet> axes_of(const std::vector<RegionInput>& inputs) {
  std::vector<AxisSet> masks;
  for (const RegionInput& input : inputs) {
    AxisSet mask = 0;
    for (int d = 0; d < input.rank; ++d)
      if (const int8_t axis = input.axes[static_cast<size_t>(d)]; axis != RegionInput::kFixed)
        mask |= 1u << axis;
    masks.push_back(mask);
  }
  return masks;
}

DataType type_of(const Partition& partition, const RegionInput& input) {
  if (input.id >= RegionInput::kCounts) return DataType::s32;
  for (const LogicalTensor& tensor : partition.inputs)
    if (tensor.id == input.id) return tensor.type;
  return DataType::undef;
}

// Leaves out the inputs that no body and no predicate reads. A sum's terms were expanded, too, but
// only the picked one is computed.
void drop_unused_inputs(RegionProgram& region) {
  uint32_t used = bound_inputs(region.program);
  for (const Body& body : region.program.bodies)
    for (const Inst& inst : body.insts)
      if (inst.op == Opcode::load) used |= 1u << inst.imm;
  std::array<uint8_t, kMaxInputs> now{};
  std::vector<RegionInput> kept;
  for (size_t i = 0; i < region.inputs.size(); ++i) {
    if ((used >> i & 1u) == 0) continue;
    now[i] = static_cast<uint8_t>(kept.size());
    kept.push_back(std::move(region.inputs[i]));
  }
  region.inputs = std::move(kept);
  for (Body& body : region.program.bodies)
    for (Inst& inst : body.insts)
      if (inst.op == Opcode::load) inst.imm = now[inst.imm];
  for (Predicate& predicate : region.program.predicates)
    for (Bound* bound : {&predicate.lo, &predicate.hi})
      for (Term& term : bound->terms)
        if (term.kind == Term::Kind::element) term.index = now[term.index];
}

// The parts of the program that follow from the region's tensors.
Status complete(const Partition& partition, const RegionExpr& region, RegionProgram& lowered) {
  lowered.inputs = region.inputs;
  drop_unused_inputs(lowered);
  RowProgram& program = lowered.program;
  lowered.summed = region.remaining;
  program.rank = std::max(1, partition.outputs.front().rank) + region.remaining;
  program.elem_bytes = bytes_of(partition.outputs.front().type);
  program.num_scalars = static_cast<int>(region.scalars.size());
  for (const RegionInput& input : lowered.inputs)
    program.inputs.push_back(type_of(partition, input));
  for (const LogicalTensor& output : partition.outputs)
    program.outputs.push_back(output.type);
  for (const Body& body : program.bodies)
    if (body.insts.size() > size_t{kMaxInsts})
      return unimplemented("the region computes " + std::to_string(body.insts.size()) +
                           " values, allowed are " + std::to_string(kMaxInsts));
  return verify(program);
}

// A region with sums has no other program should its predicates not suit a layout, as those may not
// that have an element as a term: it moves along some axis.
Result<SplitProgram> split_region(const RegionExpr& region, ExprRules rules) {
  const AxisSet all_axes = ~AxisSet{0};
  const std::vector<AxisSet> axes = region.has_sums()
                                        ? std::vector<AxisSet>(region.inputs.size(), all_axes)
                                        : axes_of(region.inputs);
  SplitProgram parts = split(region.expr, rules, region.roots, axes, region.ranges);
  if (parts.is_safe) return parts;
  return unimplemented("the region reads a tensor outside of it, unless more than " +
                       std::to_string(kMaxPredicates) + " conditions cut its rows");
}

Status lower_split(const Partition& partition, const RegionExpr& region, ExprRules rules,
                   LoweredRegion& lowered) {
  auto parts = split_region(region, rules);
  if (!parts.ok()) return parts.status();
  lowered.split.program.predicates = std::move(parts->predicates);
  lowered.split.program.bodies = std::move(parts->bodies);
  lowered.range_guards = region.guards;
  for (const RangeGuard& guard : parts->guards)
    if (std::find(lowered.range_guards.begin(), lowered.range_guards.end(), guard) ==
        lowered.range_guards.end())
      lowered.range_guards.push_back(guard);
  lowered.summed_extents = region.summed_extents;
  lowered.assumed = parts->assumed;
  lowered.assumed |= region.assumed;
  lowered.extent_guards = region.extent_guards;
  lowered.finite_checks = region.finite_checks;
  lowered.scalars = region.scalars;
  return complete(partition, region, lowered.split);
}

Status lower_repair(const Partition& partition, ExprRules rules, LoweredRegion& lowered) {
  auto region = expand_region(partition, rules, SumForm::repaired);
  if (!region.ok()) return region.status();
  if (!(region->scalars == lowered.scalars))
    return unimplemented("the region's programs read different scalars");
  auto parts = split_region(*region, rules);
  if (!parts.ok()) return parts.status();
  lowered.repair.emplace();
  lowered.repair->program.predicates = std::move(parts->predicates);
  lowered.repair->program.bodies = std::move(parts->bodies);
  return complete(partition, *region, *lowered.repair);
}

Status lower_pointwise(const Partition& partition, ExprRules rules, LoweredRegion& lowered) {
  auto region = expand_region(partition, rules);
  if (!region.ok()) return region.status();
  if (!(region->scalars == lowered.scalars))
    return unimplemented("the region's programs read different scalars");
  lowered.pointwise.emplace();
  lowered.pointwise->program.bodies.push_back(to_body(region->expr, region->roots));
  return complete(partition, *region, *lowered.pointwise);
}

// The sign of a zero that the region hands out may differ, but nothing that is computed from one:
// where it matters, the rules keep it.
Result<RegionExpr> expand_choosing_zeros(const Partition& partition, ExprRules& rules) {
  auto region = expand_region(partition, rules);
  if (!region.ok() || !region->expr.divides() || rules.exact_zeros) return region;
  ExprRules exact = rules;
  exact.exact_zeros = true;
  auto kept = expand_region(partition, exact);
  if (kept.ok() && !divides_by_arithmetic(kept->expr)) return region;
  rules = exact;
  return kept;
}

}  // namespace

bool is_read_in_place(const RegionInput& input) {
  for (int d = 0; d < input.rank; ++d) {
    const int8_t axis = input.axes[static_cast<size_t>(d)];
    if (axis != d && axis != RegionInput::kFixed) return false;
  }
  return input.offsets.empty();
}

Result<LoweredRegion> lower_region(const Partition& partition) {
  if (partition.outputs.empty() || partition.outputs.size() > size_t{kMaxOutputs})
    return unimplemented("a region of " + std::to_string(partition.outputs.size()) +
                         " outputs, allowed are 1 to " + std::to_string(kMaxOutputs));
  LoweredRegion lowered;
  ExprRules rules{partition.math_mode, true};
  auto region = expand_choosing_zeros(partition, rules);
  if (!region.ok()) return region.status();
  IOTADNN_TRY(lower_split(partition, *region, rules, lowered));
  if (!region->has_sums()) {
    rules.assume_scalars = false;
    IOTADNN_TRY(lower_pointwise(partition, rules, lowered));
    return lowered;
  }
  // The ops themselves repair what has no program for that.
  if (!lowered.finite_checks.empty() && lowered.split.summed == 0 &&
      !lower_repair(partition, rules, lowered).ok())
    lowered.repair.reset();
  return lowered;
}

}  // namespace iotadnn::impl
