// SPDX-License-Identifier: Apache-2.0
#include <chrono>
#include <random>
#include <string>

#include <gtest/gtest.h>

#include "program/programs.h"
#include "program/text.h"
#include "program/verify.h"

namespace iotadnn::test {
namespace {

using impl::parse_program;
using impl::to_text;

// Changes a text as an editor or a broken disk would: bytes flipped, removed, doubled, and pieces
// of the grammar put in.
class Mutator {
 public:
  void mutate(std::string& text) {
    for (size_t n = below(4) + 1; n > 0; --n)
      mutate_once(text);
  }

 private:
  // Not std::uniform_int_distribution, whose results differ between standard libraries.
  size_t below(size_t n) { return static_cast<size_t>(engine_() % n); }

  void mutate_once(std::string& text) {
    static const std::string tokens[] = {"program",
                                         "rank=",
                                         "width=",
                                         "scalars=",
                                         "predicate",
                                         "p0",
                                         "p1",
                                         "body",
                                         "0",
                                         "1",
                                         "c0",
                                         "s0",
                                         "c255",
                                         " + ",
                                         " - ",
                                         "[",
                                         ")",
                                         ", ",
                                         "; v1 = ",
                                         "coord",
                                         "0x",
                                         "constant",
                                         "\n",
                                         "#",
                                         "\xff",
                                         "-9223372036854775808",
                                         "9223372036854775808",
                                         std::string(1, '\0')};
    const size_t at = below(text.size() + 1);
    const size_t length = below(12);
    switch (below(6)) {
      case 0:
        text.insert(at, tokens[below(std::size(tokens))]);
        break;
      case 1:
        text.erase(at, length);
        break;
      case 2:
        text.insert(at, text.substr(below(text.size() + 1), length));
        break;
      case 3:
        text.resize(at);
        break;
      case 4:
        text.insert(at, 1, static_cast<char>(below(256)));
        break;
      default:
        if (at < text.size()) text[at] = static_cast<char>(text[at] ^ (1 << below(7)));
    }
  }

  std::mt19937_64 engine_{20240229};
};

constexpr char kLargeText[] =
    "program rank=4 width=8 scalars=3\n"
    "predicate p0: c3 in [c0 + s0 - 9223372036854775808, -c1 + s2)\n"
    "predicate p1: c1 in [-5, c2 - s1 + 9223372036854775807)\n"
    "body 0: v0 = constant 0xffffffffffffffff\n"
    "body 1: v0 = coord c3; v1 = constant 0x1\n"
    "body 2: v0 = coord c0\n"
    "body 3: v0 = coord c2\n";

constexpr char kSmallText[] =
    "program rank=1 width=1 scalars=0  # an index\n\n"
    "body 0: v0 = coord c0\n";

// Whatever the parser accepts is verified and survives a round trip; all else has words and a line.
TEST(ProgramTextFuzz, MutatedTextsParseOrAreRefused) {
  const std::string seeds[] = {to_text(eye_program()), kLargeText, kSmallText};
  Mutator mutator;  // the same texts in every run
  int accepted = 0;
  for (int i = 0; i < 20000; ++i) {
    std::string text = seeds[static_cast<size_t>(i) % std::size(seeds)];
    mutator.mutate(text);
    const auto parsed = parse_program(text);
    if (!parsed.ok()) {
      ASSERT_EQ(parsed.status().code(), impl::StatusCode::invalid_arguments) << text;
      ASSERT_FALSE(parsed.status().message().empty()) << text;
      continue;
    }
    ++accepted;
    ASSERT_TRUE(impl::verify(*parsed).ok()) << text;
    const auto again = parse_program(to_text(*parsed));
    ASSERT_TRUE(again.ok()) << text;
    ASSERT_TRUE(*again == *parsed) << text;
  }
  EXPECT_GT(accepted, 100);  // else the mutations are too wild to reach the deeper rules
  EXPECT_LT(accepted, 15000);
}

// Texts of a megabyte end in time that a quadratic parser would not meet.
TEST(ProgramTextFuzz, WorkIsLinear) {
  constexpr size_t kBytes = size_t{1} << 20;
  std::string bound = "program rank=2 width=4 scalars=1\npredicate p0: c1 in [";
  while (bound.size() < kBytes)
    bound += "c0 + ";
  const std::string texts[] = {std::string(kBytes, '\n'), std::string(kBytes, ' '),
                               std::string(kBytes, '#'), std::string(kBytes, '0'), bound};
  const auto start = std::chrono::steady_clock::now();
  for (const std::string& text : texts)
    EXPECT_FALSE(parse_program(text).ok());
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(2));
}

}  // namespace
}  // namespace iotadnn::test
