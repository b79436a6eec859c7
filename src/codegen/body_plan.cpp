// SPDX-License-Identifier: Apache-2.0
#include "codegen/body_plan.h"

#include <algorithm>

#include "codegen/lane_regs.h"
#include "codegen/lane_types.h"
#include "program/opcodes.h"

namespace iotadnn::impl {
namespace {

size_t operands_of(const Inst& inst) {
  return static_cast<size_t>(info_of(inst.op).operands);
}

}  // namespace

BodyPlan::BodyPlan(const RowProgram& program, const Body& body, uint32_t row_constant_inputs)
    : body_(&body),
      row_constant_inputs_(row_constant_inputs),
      needed_(body.insts.size()),
      invariant_(body.insts.size()) {
  for (const uint16_t result : body.results)
    needed_[result] = true;
  for (size_t i = body.insts.size(); i-- > 0;) {
    if (!needed_[i]) continue;
    widest_ = std::max(widest_, lane_bytes(inst(i).type));
    for (size_t a = 0; a < operands_of(inst(i)); ++a)
      needed_[inst(i).args[a]] = true;
  }
  for (size_t i = 0; i < body.insts.size(); ++i) {
    bool same = true;
    if (inst(i).op == Opcode::coord)
      same = static_cast<int>(inst(i).imm) != program.rank - 1;
    else if (inst(i).op == Opcode::load)
      same = row_constant(inst(i));
    for (size_t a = 0; a < operands_of(inst(i)); ++a)
      same = same && invariant_[inst(i).args[a]];
    invariant_[i] = same;
  }
}

std::vector<uint8_t> BodyPlan::inputs() const {
  uint32_t read = 0;
  for (size_t i = 0; i < values(); ++i)
    if (needed(i) && inst(i).op == Opcode::load) read |= 1u << inst(i).imm;
  std::vector<uint8_t> all;
  for (uint8_t i = 0; i < kMaxInputs; ++i)
    if ((read >> i & 1u) != 0) all.push_back(i);
  return all;
}

bool BodyPlan::reads_coord(int axis) const {
  for (size_t i = 0; i < values(); ++i)
    if (needed(i) && inst(i).op == Opcode::coord && static_cast<int>(inst(i).imm) == axis)
      return true;
  return false;
}

std::vector<Inst> BodyPlan::spans() const {
  std::vector<Inst> moved;
  for (const uint16_t result : body_->results) {
    const Inst& inst = body_->insts[result];
    const bool is_load = inst.op == Opcode::load && inst.type != DataType::boolean;
    if (!is_load && (inst.op >= Opcode::load || !invariant(result))) return {};
    moved.push_back(inst);
  }
  return moved;
}

DataType BodyPlan::operand_type(const Inst& inst) const {
  return body_->insts[inst.args[inst.op == Opcode::select ? 1 : 0]].type;
}

std::vector<std::vector<size_t>> BodyPlan::uses_before_loop() const {
  std::vector<std::vector<size_t>> uses(values());
  for (size_t i = 0; i < values(); ++i)
    for (size_t a = 0; needed(i) && invariant(i) && a < operands_of(inst(i)); ++a)
      uses[inst(i).args[a]].push_back(i);
  for (const size_t i : invariants_by_use())
    uses[i].push_back(LaneRegs::kForever);
  return uses;
}

std::vector<std::vector<size_t>> BodyPlan::uses_in_loop() const {
  std::vector<std::vector<size_t>> uses(values());
  for (size_t i = 0; i < values(); ++i)
    for (size_t a = 0; needed(i) && !invariant(i) && a < operands_of(inst(i)); ++a)
      uses[inst(i).args[a]].push_back(i);
  for (size_t o = 0; o < body_->results.size(); ++o)
    uses[body_->results[o]].push_back(values() + o);
  return uses;
}

int BodyPlan::pressure() const {
  const auto uses = uses_in_loop();
  int most = 0;
  for (size_t at = 0; at < values(); ++at) {
    int live = 0;
    for (size_t i = 0; i <= at; ++i)
      if (!invariant(i) && !uses[i].empty() && uses[i].back() >= at) ++live;
    most = std::max(most, live);
  }
  return most;
}

std::vector<size_t> BodyPlan::invariants_by_use() const {
  const auto uses = uses_in_loop();
  std::vector<size_t> values_used;
  for (size_t i = 0; i < values(); ++i)
    if (invariant(i) && !uses[i].empty()) values_used.push_back(i);
  std::stable_sort(values_used.begin(), values_used.end(),
                   [&](size_t a, size_t b) { return uses[a].size() > uses[b].size(); });
  return values_used;
}

}  // namespace iotadnn::impl
