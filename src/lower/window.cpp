// SPDX-License-Identifier: Apache-2.0
#include "lower/window.h"

#include <string>
#include <utility>
#include <vector>

namespace iotadnn::impl {
namespace {

Term origin_of(int scalars, uint8_t axis, bool negated) {
  return {Term::Kind::scalar, static_cast<uint8_t>(scalars + axis), negated};
}

// The bound on coordinate `axis`, less where the window begins.
void move_bound(Bound& bound, int scalars, uint8_t axis) {
  std::vector<Term> terms;
  for (const Term& term : bound.terms) {
    terms.push_back(term);
    if (term.kind == Term::Kind::coord)
      terms.push_back(origin_of(scalars, term.index, term.negated));
  }
  terms.push_back(origin_of(scalars, axis, true));
  bound.terms = std::move(terms);
}

// Each coordinate becomes a sum of three instructions.
Body move_body(const Body& body, int scalars) {
  Body moved;
  std::vector<uint16_t> now;
  for (Inst inst : body.insts) {
    for (uint16_t& arg : inst.args)
      arg = inst.op < kFirstPointwise ? 0 : now[arg];
    moved.insts.push_back(inst);
    if (inst.op == Opcode::coord) {
      const auto coord = static_cast<uint16_t>(moved.insts.size() - 1);
      Inst origin = inst;
      origin.op = Opcode::scalar;
      origin.imm = static_cast<uint64_t>(scalars) + inst.imm;
      moved.insts.push_back(origin);
      moved.insts.push_back(
          {Opcode::add, 0, inst.type, {coord, static_cast<uint16_t>(coord + 1), 0}});
    }
    now.push_back(static_cast<uint16_t>(moved.insts.size() - 1));
  }
  for (const uint16_t result : body.results)
    moved.results.push_back(now[result]);
  return moved;
}

}  // namespace

Result<RowProgram> to_window(const RowProgram& program) {
  const int scalars = program.num_scalars;
  if (scalars + program.rank > kMaxScalars)
    return unimplemented("a window of a program with " + std::to_string(scalars) +
                         " scalars, allowed are " + std::to_string(kMaxScalars - program.rank));
  RowProgram window = program;
  window.num_scalars = scalars + program.rank;
  for (Predicate& predicate : window.predicates) {
    move_bound(predicate.lo, scalars, predicate.axis);
    move_bound(predicate.hi, scalars, predicate.axis);
  }
  for (Body& body : window.bodies) {
    body = move_body(body, scalars);
    if (body.insts.size() > size_t{kMaxInsts})
      return unimplemented("a window's program computes " + std::to_string(body.insts.size()) +
                           " values, allowed are " + std::to_string(kMaxInsts));
  }
  return window;
}

}  // namespace iotadnn::impl
