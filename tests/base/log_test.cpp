// SPDX-License-Identifier: Apache-2.0
#include "base/log.h"

#include <cstdlib>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace iotadnn::impl {
namespace {

constexpr Verbose kAll[] = {Verbose::error,    Verbose::warn,           Verbose::check,
                            Verbose::dispatch, Verbose::profile_create, Verbose::profile_exec};

// One letter for each kind that is on: e w c d C E.
std::string kinds_on() {
  constexpr char kLetters[] = "ewcdCE";
  std::string text;
  for (size_t i = 0; i < std::size(kAll); ++i)
    if (verbose_on(kAll[i])) text += kLetters[i];
  return text;
}

// What a fresh process with this value has on, on its standard error.
[[noreturn]] void print_kinds_with(const char* value) {
  if (value == nullptr)
    unsetenv("IOTADNN_VERBOSE");
  else
    setenv("IOTADNN_VERBOSE", value, 1);
  std::fprintf(stderr, "on:%s.", kinds_on().c_str());
  std::exit(0);
}

class VerboseFromEnvironment : public testing::TestWithParam<std::pair<const char*, const char*>> {
 protected:
  void SetUp() override { GTEST_FLAG_SET(death_test_style, "threadsafe"); }
};

TEST_P(VerboseFromEnvironment, SwitchesOn) {
  const auto& [value, on] = GetParam();
  EXPECT_EXIT(print_kinds_with(value), testing::ExitedWithCode(0), std::string("on:") + on + "\\.");
}

INSTANTIATE_TEST_SUITE_P(
    Values, VerboseFromEnvironment,
    testing::Values(std::pair(static_cast<const char*>(nullptr), "e"), std::pair("", "e"),
                    std::pair("0", ""), std::pair("none", ""), std::pair("1", "eE"),
                    std::pair("profile_exec", "eE"), std::pair("PROFILE_create", "eC"),
                    std::pair("2", "eCE"), std::pair("profile", "eCE"),
                    std::pair("warn,dispatch", "ewd"), std::pair("check", "ec"),
                    std::pair("all", "ewcdCE"), std::pair("-1", "ewcdCE"),
                    std::pair("nonsense,warn", "ew")));

TEST(Verbose, ACallSetsTheLevel) {
  ASSERT_TRUE(set_verbose(0).ok());
  EXPECT_EQ(kinds_on(), "");
  ASSERT_TRUE(set_verbose(1).ok());
  EXPECT_EQ(kinds_on(), "eE");
  ASSERT_TRUE(set_verbose(2).ok());
  EXPECT_EQ(kinds_on(), "eCE");
  for (const int level : {-1, 3, 1000}) {
    const Status status = set_verbose(level);
    EXPECT_EQ(status.code(), StatusCode::invalid_arguments);
    EXPECT_NE(status.message().find(std::to_string(level)), std::string::npos);
  }
  EXPECT_EQ(kinds_on(), "eCE");
  ASSERT_TRUE(set_verbose(0).ok());
}

std::vector<std::string> printed(void (*body)()) {
  testing::internal::CaptureStdout();
  body();
  std::istringstream text(testing::internal::GetCapturedStdout());
  std::vector<std::string> lines;
  for (std::string line; std::getline(text, line);)
    lines.push_back(line);
  return lines;
}

[[noreturn]] void check_lines() {
  const auto lines = printed([] {
    verbose_line("graph,exec,cpu");
    verbose_line("second");
  });
  size_t headers = 0;
  size_t ours = 0;
  for (const std::string& line : lines) {
    if (line.rfind("iotadnn_verbose,v1,", 0) != 0) std::exit(1);
    const std::string rest = line.substr(19);
    if (rest.rfind("info,", 0) == 0 || rest.rfind("graph,info,template:", 0) == 0) ++headers;
    if (rest == "graph,exec,cpu" || rest == "second") ++ours;
  }
  const bool header_first = !lines.empty() && lines[0].find(",info,iotadnn v") != std::string::npos;
  std::exit(header_first && ours == 2 && headers + ours == lines.size() ? 0 : 2);
}

TEST(VerboseLine, HasThePrefixAndOneHeaderBefore) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(check_lines(), testing::ExitedWithCode(0), "");
}

[[noreturn]] void check_timestamp() {
  setenv("IOTADNN_VERBOSE_TIMESTAMP", "1", 1);
  const auto lines = printed([] { verbose_line("graph,exec"); });
  std::fprintf(stderr, "%s\n", lines.back().c_str());
  std::exit(0);
}

TEST(VerboseLine, TimestampOnRequest) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(check_timestamp(), testing::ExitedWithCode(0),
              "iotadnn_verbose,v1,[0-9]+\\.[0-9]+,graph,exec");
}

TEST(Clock, IsMonotonic) {
  const double before = now_ms();
  EXPECT_LE(before, now_ms());
}

}  // namespace
}  // namespace iotadnn::impl
