// SPDX-License-Identifier: Apache-2.0
#include "program/verify.h"

#include <string>

namespace iotadnn::impl {

namespace {

Status refuse(const std::string& what) {
  return invalid_arguments("row program: " + what + ".");
}

std::string range_text(int64_t lo, int64_t hi) {
  return std::to_string(lo) + ".." + std::to_string(hi);
}

Status verify_term(const RowProgram& program, const Predicate& predicate, const Term& term,
                   const std::string& where) {
  switch (term.kind) {
    case Term::Kind::coord:
      if (term.index >= program.rank - 1) {
        return refuse(where + " uses coordinate c" + std::to_string(term.index) +
                      ", only outer coordinates below c" + std::to_string(program.rank - 1) +
                      " are allowed");
      }
      if (term.index == predicate.axis) {
        return refuse(where + " uses c" + std::to_string(term.index) +
                      ", the coordinate that the predicate tests");
      }
      return {};
    case Term::Kind::scalar:
      if (term.index >= program.num_scalars) {
        return refuse(where + " uses scalar s" + std::to_string(term.index) + ", the program has " +
                      std::to_string(program.num_scalars) + " scalars");
      }
      return {};
  }
  return refuse(where + " has a term of unknown kind " +
                std::to_string(static_cast<int>(term.kind)));
}

Status verify_predicate(const RowProgram& program, size_t index) {
  const Predicate& predicate = program.predicates[index];
  const std::string name = "predicate p" + std::to_string(index);
  if (predicate.axis >= program.rank) {
    return refuse(name + " tests coordinate c" + std::to_string(predicate.axis) +
                  ", the last one is c" + std::to_string(program.rank - 1));
  }
  for (const Term& term : predicate.lo.terms) {
    IOTADNN_TRY(verify_term(program, predicate, term, name + " low end"));
  }
  for (const Term& term : predicate.hi.terms) {
    IOTADNN_TRY(verify_term(program, predicate, term, name + " high end"));
  }
  return {};
}

Status verify_inst(const RowProgram& program, const Inst& inst, const std::string& where) {
  switch (inst.op) {
    case Opcode::constant:
      return {};
    case Opcode::coord:
      if (inst.imm >= static_cast<uint64_t>(program.rank)) {
        return refuse(where + " reads coordinate c" + std::to_string(inst.imm) +
                      ", the last one is c" + std::to_string(program.rank - 1));
      }
      return {};
  }
  return refuse(where + " has an unknown opcode " + std::to_string(static_cast<int>(inst.op)));
}

Status verify_counts(const RowProgram& program) {
  if (program.rank < 1 || program.rank > kMaxRank) {
    return refuse("rank is " + std::to_string(program.rank) + ", allowed are " +
                  range_text(1, kMaxRank));
  }
  const int width = program.elem_bytes;
  if (width != 1 && width != 2 && width != 4 && width != 8) {
    return refuse("element width is " + std::to_string(width) + " bytes, allowed are 1, 2, 4, 8");
  }
  if (program.num_scalars < 0 || program.num_scalars > kMaxScalars) {
    return refuse("number of scalars is " + std::to_string(program.num_scalars) + ", allowed are " +
                  range_text(0, kMaxScalars));
  }
  if (program.predicates.size() > static_cast<size_t>(kMaxPredicates)) {
    return refuse("number of predicates is " + std::to_string(program.predicates.size()) +
                  ", allowed are " + range_text(0, kMaxPredicates));
  }
  const size_t expected = size_t{1} << program.predicates.size();
  if (program.bodies.size() != expected) {
    return refuse("number of bodies is " + std::to_string(program.bodies.size()) + ", " +
                  std::to_string(program.predicates.size()) + " predicates need " +
                  std::to_string(expected));
  }
  return {};
}

}  // namespace

Status verify(const RowProgram& program) {
  IOTADNN_TRY(verify_counts(program));
  for (size_t p = 0; p < program.predicates.size(); ++p) {
    IOTADNN_TRY(verify_predicate(program, p));
  }
  for (size_t b = 0; b < program.bodies.size(); ++b) {
    const std::string name = "body " + std::to_string(b);
    const Body& body = program.bodies[b];
    if (body.insts.empty()) return refuse(name + " has no instruction");
    for (size_t i = 0; i < body.insts.size(); ++i) {
      IOTADNN_TRY(verify_inst(program, body.insts[i], name + " value v" + std::to_string(i)));
    }
  }
  return {};
}

}  // namespace iotadnn::impl
