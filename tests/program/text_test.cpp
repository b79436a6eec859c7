// SPDX-License-Identifier: Apache-2.0
#include "program/text.h"

#include <limits>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "program/programs.h"

namespace iotadnn::test {
namespace {

using impl::parse_program;
using impl::to_text;
using testing::HasSubstr;

constexpr char kEyeText[] =
    "program rank=2 width=4 scalars=1\n"
    "predicate p0: c1 in [c0 + s0, c0 + s0 + 1)\n"
    "body 0: v0 = constant 0x0\n"
    "body 1: v0 = constant 0x3f800000\n";

TEST(ProgramText, PrintsTheExample) {
  EXPECT_EQ(to_text(eye_program()), kEyeText);
}

TEST(ProgramText, ParsesTheExample) {
  const auto parsed = parse_program(kEyeText);
  ASSERT_TRUE(parsed.ok()) << parsed.status().message();
  EXPECT_TRUE(*parsed == eye_program());
}

TEST(ProgramText, PrintsNegatedTermsLimitsAndSeveralValues) {
  RowProgram program;
  program.rank = 3;
  program.elem_bytes = 8;
  program.num_scalars = 2;
  program.predicates = {
      {2, {{coord(0, true), scalar(1), coord(1, true)}, std::numeric_limits<int64_t>::min()}, {}},
      {0, {{}, -7}, {{scalar(0, true)}, std::numeric_limits<int64_t>::max()}}};
  program.bodies = {constant_body(~uint64_t{0}), coord_body(2), coord_body(0), coord_body(1)};
  program.bodies[3].insts.push_back({Opcode::constant, 10});
  const std::string text =
      "program rank=3 width=8 scalars=2\n"
      "predicate p0: c2 in [-c0 + s1 - c1 - 9223372036854775808, 0)\n"
      "predicate p1: c0 in [-7, -s0 + 9223372036854775807)\n"
      "body 0: v0 = constant 0xffffffffffffffff\n"
      "body 1: v0 = coord c2\n"
      "body 2: v0 = coord c0\n"
      "body 3: v0 = coord c1; v1 = constant 0xa\n";
  EXPECT_EQ(to_text(program), text);
  const auto parsed = parse_program(text);
  ASSERT_TRUE(parsed.ok()) << parsed.status().message();
  EXPECT_TRUE(*parsed == program);
}

TEST(ProgramText, RandomProgramsRoundTrip) {
  Random random;
  for (int i = 0; i < 1000; ++i) {
    const RowProgram program = random_program(random);
    const std::string text = to_text(program);
    const auto parsed = parse_program(text);
    ASSERT_TRUE(parsed.ok()) << parsed.status().message() << "\n" << text;
    ASSERT_TRUE(*parsed == program) << text;
    ASSERT_EQ(hash_of(*parsed), hash_of(program)) << text;
  }
}

TEST(ProgramText, BlanksCommentsAndLineEndsDoNotMatter) {
  const auto parsed = parse_program(
      "# an identity\r\n"
      "\n"
      "  program  rank = 2\twidth=4 scalars=1 # header\r\n"
      "predicate p0 : c1 in [ c0+s0 ,c0+s0+1)\r\n"
      "body 0:v0=constant 0x0\n"
      "body 1: v0 = constant 0x3F800000");
  ASSERT_TRUE(parsed.ok()) << parsed.status().message();
  EXPECT_TRUE(*parsed == eye_program());
}

struct BadText {
  const char* text;
  const char* message;
};

class ProgramTextRefusal : public testing::TestWithParam<BadText> {};

TEST_P(ProgramTextRefusal, SaysWhereAndWhat) {
  const auto parsed = parse_program(GetParam().text);
  ASSERT_FALSE(parsed.ok());
  EXPECT_EQ(parsed.status().code(), impl::StatusCode::invalid_arguments);
  EXPECT_THAT(parsed.status().message(), HasSubstr(GetParam().message));
}

#define HEADER "program rank=2 width=4 scalars=1\n"

const BadText kBadTexts[] = {
    {"", "line 1: expected 'program', found the end of the line"},
    {"# nothing\n\n", "line 3: expected 'program'"},
    {"body 0: v0 = constant 0x0", "line 1: expected 'program', found 'body 0: v0 = constan'"},
    {"program width=4", "line 1: expected 'rank', found 'width=4'"},
    {"program rank 2", "line 1: expected '=', found '2'"},
    {"program rank=x", "line 1: expected a number, found 'x'"},
    {"program rank=-1", "line 1: expected a number, found '-1'"},
    {"program rank=256", "line 1: expected a number of at most 255, found '256'"},
    {"program rank=99999999999999999999999", "expected a number of at most 255"},
    {"program rank=2 width=4 scalars=1 more", "line 1: expected the end of the line, found 'more'"},
    {HEADER "program rank=2", "line 2: expected 'predicate' or 'body', found 'program rank=2'"},
    {HEADER "\npredicate p1: c1", "line 3: expected 'p0', found 'p1: c1'"},
    {HEADER "predicate p0 c1", "line 2: expected ':', found 'c1'"},
    {HEADER "predicate p0: s1", "line 2: expected 'c', found 's1'"},
    {HEADER "predicate p0: c1 of", "line 2: expected 'in', found 'of'"},
    {HEADER "predicate p0: c1 in (", "line 2: expected '[', found '('"},
    {HEADER "predicate p0: c1 in [", "line 2: expected a number, found the end of the line"},
    {HEADER "predicate p0: c1 in [c0 s0, 1)", "line 2: expected '+', '-' or ',', found 's0, 1)'"},
    {HEADER "predicate p0: c1 in [c0, s0]", "line 2: expected '+', '-' or ')', found ']'"},
    {HEADER "predicate p0: c1 in [1 + c0, 2)", "line 2: expected ',', found '+ c0, 2)'"},
    {HEADER "predicate p0: c1 in [c, 2)", "line 2: expected an index, found ', 2)'"},
    {HEADER "predicate p0: c1 in [c256, 2)", "line 2: expected an index of at most 255"},
    {HEADER "predicate p0: c1 in [9223372036854775808, 2)",
     "line 2: expected a number of at most 9223372036854775807"},
    {HEADER "predicate p0: c1 in [-9223372036854775809, 2)",
     "line 2: expected a number of at most 9223372036854775808"},
    {HEADER "predicate p0: c1 in [0, 2) x", "line 2: expected the end of the line, found 'x'"},
    {HEADER "body 1: v0", "line 2: expected '0', found '1: v0'"},
    {HEADER "body 0 v0", "line 2: expected ':', found 'v0'"},
    {HEADER "body 0: v1 =", "line 2: expected 'v0', found 'v1 ='"},
    {HEADER "body 0: v0 constant", "line 2: expected '=', found 'constant'"},
    {HEADER "body 0: v0 = iota v0",
     "line 2: expected an opcode (constant, coord, load, add, ...), found 'iota v0'"},
    {HEADER "body 0: v0 = constant 12", "line 2: expected '0x', found '12'"},
    {HEADER "body 0: v0 = constant 0xg", "line 2: expected hexadecimal digits, found 'g'"},
    {HEADER "body 0: v0 = constant 0x10000000000000000", "line 2: expected hexadecimal digits of"},
    {HEADER "body 0: v0 = coord 0", "line 2: expected 'c', found '0'"},
    {HEADER "body 0: v0 = coord c0;", "line 2: expected 'v1', found the end of the line"},
    {HEADER "body 0: v0 = coord c0\nbody 1: v0 = coord c0", "line 3: expected at most 1 bodies"},
    {HEADER "body 0: v0 = coord c0\npredicate p0: c1 in [0, 1)",
     "line 3: expected predicates before bodies"},
    {HEADER "predicate p0: c1 in [0, 1)\npredicate p1: c1 in [0, 1)\npredicate p2: c1 in [0, 1)\n"
            "predicate p3: c1 in [0, 1)\npredicate p4: c1 in [0, 1)\n",
     "line 6: expected at most 4 predicates"},
    {HEADER "body 0: v0 = coord c2", "body 0 value v0 reads coordinate c2, the last one is c1"},
    {HEADER, "number of bodies is 0"},
};

INSTANTIATE_TEST_SUITE_P(All, ProgramTextRefusal, testing::ValuesIn(kBadTexts));

}  // namespace
}  // namespace iotadnn::test
