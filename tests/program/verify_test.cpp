// SPDX-License-Identifier: Apache-2.0
#include "program/verify.h"

#include <functional>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "program/programs.h"

namespace iotadnn::test {
namespace {

using testing::HasSubstr;

TEST(Verify, AcceptsTheExampleAndTheLargestProgram) {
  EXPECT_TRUE(impl::verify(eye_program()).ok());
  RowProgram program;
  program.rank = impl::kMaxRank;
  program.elem_bytes = 8;
  program.num_scalars = impl::kMaxScalars;
  for (int p = 0; p < impl::kMaxPredicates; ++p) {
    program.predicates.push_back({11, {{coord(10), scalar(7)}, 0}, {{}, 1}});
  }
  program.bodies.assign(16, coord_body(11));
  EXPECT_TRUE(impl::verify(program).ok());
}

TEST(Verify, AcceptsRandomPrograms) {
  Random random;
  for (int i = 0; i < 500; ++i) {
    const impl::Status status = impl::verify(random_program(random));
    ASSERT_TRUE(status.ok()) << status.message();
  }
}

struct Refusal {
  const char* name;
  std::function<void(RowProgram&)> change;  // applied to the example of program.h
  const char* message;
};

class VerifyRefusal : public testing::TestWithParam<Refusal> {};

TEST_P(VerifyRefusal, NamesThePart) {
  RowProgram program = eye_program();
  GetParam().change(program);
  const impl::Status status = impl::verify(program);
  EXPECT_EQ(status.code(), impl::StatusCode::invalid_arguments);
  EXPECT_THAT(status.message(), HasSubstr(GetParam().message));
}

const Refusal kRefusals[] = {
    {"RankZero", [](RowProgram& p) { p.rank = 0; }, "rank is 0, allowed are 1..12"},
    {"RankNegative", [](RowProgram& p) { p.rank = -1; }, "rank is -1"},
    {"RankTooLarge", [](RowProgram& p) { p.rank = 13; }, "rank is 13"},
    {"Width", [](RowProgram& p) { p.elem_bytes = 3; }, "element width is 3 bytes"},
    {"WidthZero", [](RowProgram& p) { p.elem_bytes = 0; }, "element width is 0 bytes"},
    {"ScalarsTooMany", [](RowProgram& p) { p.num_scalars = 33; }, "number of scalars is 33"},
    {"ScalarsNegative", [](RowProgram& p) { p.num_scalars = -1; }, "number of scalars is -1"},
    {"PredicatesTooMany", [](RowProgram& p) { p.predicates.resize(5, p.predicates[0]); },
     "number of predicates is 5, allowed are 0..4"},
    {"BodyMissing", [](RowProgram& p) { p.bodies.pop_back(); },
     "number of bodies is 1, 1 predicates need 2"},
    {"BodyTooMany", [](RowProgram& p) { p.bodies.push_back(p.bodies[0]); },
     "number of bodies is 3"},
    {"BodyNone", [](RowProgram& p) { p.bodies.clear(); }, "number of bodies is 0"},
    {"BodyEmpty", [](RowProgram& p) { p.bodies[1].insts.clear(); }, "body 1 has no instruction"},
    {"AxisOutside", [](RowProgram& p) { p.predicates[0].axis = 2; },
     "predicate p0 tests coordinate c2, the last one is c1"},
    {"LowUsesColumn", [](RowProgram& p) { p.predicates[0].lo.terms[0].index = 1; },
     "predicate p0 low end uses coordinate c1, only outer coordinates below c1"},
    {"HighUsesOutside", [](RowProgram& p) { p.predicates[0].hi.terms[0].index = 200; },
     "predicate p0 high end uses coordinate c200"},
    {"UsesItsOwnAxis", [](RowProgram& p) { p.predicates[0].axis = 0; },
     "predicate p0 low end uses c0, the coordinate that the predicate tests"},
    {"ScalarOutside", [](RowProgram& p) { p.predicates[0].hi.terms[1].index = 1; },
     "predicate p0 high end uses scalar s1, the program has 1 scalars"},
    {"ElementOutside",
     [](RowProgram& p) { p.predicates[0].lo.terms[0] = {Term::Kind::element, 0, false}; },
     "predicate p0 low end uses an element of input i0, the program has 0 inputs"},
    {"TermKind",
     [](RowProgram& p) { p.predicates[0].lo.terms[0].kind = static_cast<Term::Kind>(7); },
     "predicate p0 low end has a term of unknown kind 7"},
    {"CoordOutside", [](RowProgram& p) { p.bodies[0] = coord_body(2); },
     "body 0 value v0 reads coordinate c2, the last one is c1"},
    {"CoordFarOutside",
     [](RowProgram& p) {
       p.bodies[1].insts.push_back({Opcode::coord, ~uint64_t{0}});
     },
     "body 1 value v1 reads coordinate c18446744073709551615"},
    {"Opcode", [](RowProgram& p) { p.bodies[0].insts[0].op = static_cast<Opcode>(99); },
     "body 0 value v0 has an unknown opcode 99"},
};

INSTANTIATE_TEST_SUITE_P(All, VerifyRefusal, testing::ValuesIn(kRefusals),
                         [](const auto& param) { return std::string(param.param.name); });

}  // namespace
}  // namespace iotadnn::test
