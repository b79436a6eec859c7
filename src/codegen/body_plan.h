// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "program/program.h"

namespace iotadnn::impl {

// What an emitter knows of a body of a pointwise program before it emits.
class BodyPlan {
 public:
  // Bit i of `row_constant_inputs`: input i has the same element all along the row.
  BodyPlan(const RowProgram& program, const Body& body, uint32_t row_constant_inputs);

  const Body& body() const { return *body_; }

  const Inst& inst(size_t value) const { return body_->insts[value]; }

  size_t values() const { return body_->insts.size(); }

  // Bytes of the widest lanes that the body computes: 4 or 8.
  int widest() const { return widest_; }

  // Whether a result depends on the value.
  bool needed(size_t value) const { return needed_[value]; }

  // Whether the value is the same for all columns of a row.
  bool invariant(size_t value) const { return invariant_[value]; }

  // Whether a load reads the same element all along the row.
  bool row_constant(const Inst& load) const { return (row_constant_inputs_ >> load.imm & 1u) != 0; }

  // The inputs that a result depends on.
  std::vector<uint8_t> inputs() const;

  // Whether a result depends on the coordinate.
  bool reads_coord(int axis) const;

  // Where every result is an element that is moved as it is (a load, or what is the same all along
  // the row without being computed): those instructions, one per output; else empty. A boolean that
  // is loaded is computed: any byte that is not 0 becomes 1.
  std::vector<Inst> spans() const;

  // The type of operand 0, of select the results': what an opcode is of.
  DataType operand_type(const Inst& inst) const;

  // Which instructions before the loop over the columns use each value; LaneRegs::kForever where
  // the loop does.
  std::vector<std::vector<size_t>> uses_before_loop() const;

  // Which instructions of the loop use each value; result o is stored at position values() + o.
  std::vector<std::vector<size_t>> uses_in_loop() const;

  // Values of the loop that live at the same time, at most.
  int pressure() const;

  // Invariant values that the loop uses, those with the most uses first.
  std::vector<size_t> invariants_by_use() const;

 private:
  const Body* body_;
  uint32_t row_constant_inputs_;
  int widest_ = 4;
  std::vector<bool> needed_;
  std::vector<bool> invariant_;
};

}  // namespace iotadnn::impl
