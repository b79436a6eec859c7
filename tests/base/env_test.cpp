// SPDX-License-Identifier: Apache-2.0
#include "base/env.h"

#include <cstdlib>
#include <set>

#include <gtest/gtest.h>

namespace iotadnn::impl {
namespace {

constexpr EnvVar kAll[] = {EnvVar::max_cpu_isa,
                           EnvVar::verbose,
                           EnvVar::verbose_timestamp,
                           EnvVar::jit_dump,
                           EnvVar::jit_profile,
                           EnvVar::graph_dump,
                           EnvVar::compiled_partition_cache_capacity,
                           EnvVar::default_fpmath_mode,
                           EnvVar::strategy};

// A variable that nothing in this program reads otherwise.
constexpr EnvVar kVar = EnvVar::strategy;

class Env : public testing::Test {
 protected:
  void TearDown() override { unsetenv(name().c_str()); }

  static std::string name() { return std::string(env_name(kVar)); }

  static void set(const char* value) { setenv(name().c_str(), value, 1); }
};

TEST_F(Env, NamesAreUniqueAndOurs) {
  std::set<std::string_view> names;
  for (const EnvVar var : kAll) {
    EXPECT_EQ(env_name(var).substr(0, 8), "IOTADNN_");
    names.insert(env_name(var));
  }
  EXPECT_EQ(names.size(), std::size(kAll));
}

TEST_F(Env, UnsetAndEmptyDiffer) {
  unsetenv(name().c_str());
  EXPECT_EQ(env_value(kVar), std::nullopt);
  EXPECT_EQ(env_integer(kVar), std::nullopt);
  set("");
  EXPECT_EQ(env_value(kVar), "");
  EXPECT_EQ(env_integer(kVar), std::nullopt);
}

TEST_F(Env, Integers) {
  const std::pair<const char*, long> good[] = {{"0", 0}, {"12", 12}, {"-1", -1}, {"007", 7}};
  for (const auto& [text, value] : good) {
    set(text);
    EXPECT_EQ(env_integer(kVar), value) << text;
  }
  for (const char* text : {"abc", "1a", "1 ", "1.5", "0x10", "99999999999999999999", "-"}) {
    set(text);
    EXPECT_EQ(env_integer(kVar), std::nullopt) << text;
  }
}

}  // namespace
}  // namespace iotadnn::impl
