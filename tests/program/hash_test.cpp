// SPDX-License-Identifier: Apache-2.0
#include <functional>
#include <unordered_set>

#include <gtest/gtest.h>

#include "program/programs.h"

namespace iotadnn::test {
namespace {

TEST(ProgramHash, EqualProgramsHashEqually) {
  EXPECT_EQ(hash_of(eye_program()), hash_of(eye_program()));
  EXPECT_TRUE(eye_program() == eye_program());
}

// Each change makes a program of its own: unequal, and in practice of another hash.
TEST(ProgramHash, EveryFieldCounts) {
  using Change = std::function<void(RowProgram&)>;
  const Change changes[] = {
      [](RowProgram& p) { p.rank = 3; },
      [](RowProgram& p) { p.elem_bytes = 8; },
      [](RowProgram& p) { p.num_scalars = 2; },
      [](RowProgram& p) { p.predicates[0].axis = 0; },
      [](RowProgram& p) { p.predicates[0].lo.imm = 1; },
      [](RowProgram& p) { p.predicates[0].hi.imm = 2; },
      [](RowProgram& p) { p.predicates[0].lo.terms[0].index = 1; },
      [](RowProgram& p) { p.predicates[0].lo.terms[0].negated = true; },
      [](RowProgram& p) { p.predicates[0].lo.terms[0].kind = Term::Kind::scalar; },
      [](RowProgram& p) { p.predicates[0].lo.terms.pop_back(); },
      [](RowProgram& p) { std::swap(p.predicates[0].lo, p.predicates[0].hi); },
      [](RowProgram& p) { std::swap(p.bodies[0], p.bodies[1]); },
      [](RowProgram& p) { p.bodies[1].insts[0].imm = 1; },
      [](RowProgram& p) { p.bodies[1].insts[0].op = Opcode::coord; },
      [](RowProgram& p) { p.bodies[1].insts.push_back({}); },
  };
  std::unordered_set<size_t> hashes = {hash_of(eye_program())};
  size_t count = 1;
  for (const Change& change : changes) {
    RowProgram program = eye_program();
    change(program);
    EXPECT_FALSE(program == eye_program()) << "change " << count;
    hashes.insert(hash_of(program));
    EXPECT_EQ(hashes.size(), ++count) << "change " << count - 1;
  }
}

TEST(ProgramHash, SmallNumbersSpreadOverLowBits) {
  std::unordered_set<size_t> buckets;
  for (int64_t imm = 0; imm < 64; ++imm) {
    RowProgram program = eye_program();
    program.predicates[0].lo.imm = imm;
    buckets.insert(hash_of(program) % 1024);
  }
  EXPECT_GE(buckets.size(), 50u);
}

}  // namespace
}  // namespace iotadnn::test
