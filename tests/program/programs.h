// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "program/program.h"
#include "support/random.h"

namespace iotadnn::test {

using impl::Body;
using impl::Bound;
using impl::Inst;
using impl::Opcode;
using impl::Predicate;
using impl::RowProgram;
using impl::Term;

inline Term coord(int index, bool negated = false) {
  return {Term::Kind::coord, static_cast<uint8_t>(index), negated};
}

inline Term scalar(int index, bool negated = false) {
  return {Term::Kind::scalar, static_cast<uint8_t>(index), negated};
}

inline Body constant_body(uint64_t bits) {
  return {{Inst{Opcode::constant, bits}}};
}

inline Body coord_body(uint64_t axis) {
  return {{Inst{Opcode::coord, axis}}};
}

// The example of program.h: ones where column == row + s0, zeros elsewhere.
inline RowProgram eye_program(int elem_bytes = 4, uint64_t one = 0x3f800000) {
  RowProgram program;
  program.rank = 2;
  program.elem_bytes = elem_bytes;
  program.num_scalars = 1;
  program.predicates = {{1, {{coord(0), scalar(0)}, 0}, {{coord(0), scalar(0)}, 1}}};
  program.bodies = {constant_body(0), constant_body(one)};
  return program;
}

// An immediate that is small, or near a limit of int64.
inline int64_t random_imm(Random& random) {
  constexpr int64_t kMin = std::numeric_limits<int64_t>::min();
  constexpr int64_t kMax = std::numeric_limits<int64_t>::max();
  const int64_t small = random.between(0, 6);
  const int64_t choice = random.between(0, 9);
  if (choice == 0) return kMin + small;
  if (choice == 1) return kMax - small;
  return small - 3;
}

inline Bound random_bound(Random& random, const RowProgram& program, int axis) {
  Bound bound;
  bound.imm = random_imm(random);
  const int64_t num_terms = random.between(0, 3);
  for (int64_t t = 0; t < num_terms; ++t) {
    const bool negated = random.between(0, 3) == 0;
    const bool from_coord = program.num_scalars == 0 || random.coin();
    const auto index = static_cast<int>(
        random.between(0, (from_coord ? program.rank - 1 : program.num_scalars) - 1));
    if (from_coord && (program.rank == 1 || index == axis)) continue;
    bound.terms.push_back(from_coord ? coord(index, negated) : scalar(index, negated));
  }
  return bound;
}

// Well formed by construction; every part that a program can have occurs.
inline RowProgram random_program(Random& random, int max_rank = impl::kMaxRank) {
  RowProgram program;
  program.rank = static_cast<int>(random.between(1, max_rank));
  program.elem_bytes = 1 << random.between(0, 3);
  program.num_scalars = static_cast<int>(random.between(0, impl::kMaxScalars));
  const int64_t num_predicates = random.between(0, impl::kMaxPredicates);
  for (int64_t p = 0; p < num_predicates; ++p) {
    const bool splits_rows = random.between(0, 2) != 0;
    const int64_t axis = splits_rows ? program.rank - 1 : random.between(0, program.rank - 1);
    Predicate predicate;
    predicate.axis = static_cast<uint8_t>(axis);
    predicate.lo = random_bound(random, program, static_cast<int>(axis));
    predicate.hi = random_bound(random, program, static_cast<int>(axis));
    program.predicates.push_back(predicate);
  }
  for (size_t b = 0; b < size_t{1} << num_predicates; ++b) {
    Body body;
    for (int64_t i = random.between(0, 3) == 0 ? 0 : random.between(1, 2); i >= 0; --i) {
      if (random.coin()) {
        body.insts.push_back({Opcode::constant, random.engine()() >> random.between(0, 63)});
      } else {
        body.insts.push_back(
            {Opcode::coord, static_cast<uint64_t>(random.between(0, program.rank - 1))});
      }
    }
    program.bodies.push_back(body);
  }
  return program;
}

}  // namespace iotadnn::test
