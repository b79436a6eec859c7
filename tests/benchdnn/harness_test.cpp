// SPDX-License-Identifier: Apache-2.0
// The committed harness files and oneDNN's GenIndex lines, on every ISA that --isa can ask for.
#include <gmock/gmock.h>

#include "benchdnn/driver_run.h"
#include "benchdnn/onednn_rival.h"
#include "support/isa_param.h"

namespace iotadnn::benchdnn {
namespace {

using testing::EndsWith;
using testing::HasSubstr;
using testing::StartsWith;

class Harness : public testing::TestWithParam<test::NamedIsa> {
 protected:
  static bool host_lacks(const test::NamedIsa& isa) {
    iotadnn_set_max_cpu_isa(isa.isa);
    const bool lacks = iotadnn_get_effective_cpu_isa() != isa.isa;
    iotadnn_set_max_cpu_isa(iotadnn_cpu_isa_default);
    return lacks;
  }

  // Runs a batch; every case passed, and all of them ran as the ISA says.
  static DriverRun run_batch(const std::string& batch) {
    const DriverRun run = run_driver({"--isa=" + std::string(GetParam().name), "--summary=impl-csv",
                                      "--graph", "--batch=" + batch});
    EXPECT_EQ(run.exit_code, 0);
    EXPECT_GE(run.lines.size(), 3u) << run.text;
    int64_t passed = 0;
    for (const std::string& line : run.lines)
      passed += line.find(":PASSED (T ms) __REPRO: ") != std::string::npos ? 1 : 0;
    const std::string count = std::to_string(passed);
    EXPECT_EQ(run.lines.back(),
              "tests:" + count + " passed:" + count +
                  " skipped:0 mistrusted:0 unimplemented:0 invalid_arguments:0 failed:0 listed:0");
    EXPECT_EQ(run.lines[run.lines.size() - 2],
              "benchdnn_summary,impl_names," + std::string(GetParam().impl) + ":" + count);
    return run;
  }
};

TEST_P(Harness, OurGraphs) {
  if (host_lacks(GetParam())) GTEST_SKIP() << "this processor lacks " << GetParam().name;
  const DriverRun run = run_batch("test_graph_all");
  EXPECT_GT(run.lines.size(), 2000u);
}

// Twelve lines as oneDNN's harness has them, the two of the summary.
TEST_P(Harness, OneDnnsGenIndexLines) {
  if (host_lacks(GetParam())) GTEST_SKIP() << "this processor lacks " << GetParam().name;
  EXPECT_EQ(run_batch("op/harness_genindex_ci").lines.size(), 12u + 2u);
}

// One partition each, with scores that are nearly one-hot and with small ones.
TEST_P(Harness, Attentions) {
  if (host_lacks(GetParam())) GTEST_SKIP() << "this processor lacks " << GetParam().name;
  for (const char* fill : {"onednn", "small"}) {
    const DriverRun run =
        run_driver({std::string("--isa=") + GetParam().name, "--graph",
                    std::string("--attention-fill=") + fill, "--expected-n-partitions=1",
                    "--batch=attention/harness_attention_ci"});
    EXPECT_EQ(run.exit_code, 0) << run.text;
    EXPECT_GT(run.lines.size(), 100u);
    EXPECT_THAT(run.lines.back(), HasSubstr(" failed:0 "));
  }
}

#ifdef IOTADNN_HAS_PRIMITIVES
// oneDNN's primitives and what follows them; the names of what ran differ.
TEST_P(Harness, Primitives) {
  if (host_lacks(GetParam())) GTEST_SKIP() << "this processor lacks " << GetParam().name;
  const DriverRun run = run_driver(
      {"--isa=" + std::string(GetParam().name), "--graph", "--batch=primitive/harness_ci"});
  EXPECT_EQ(run.exit_code, 0) << run.text;
  EXPECT_THAT(run.lines.back(), HasSubstr(" failed:0 ")) << run.text;
}
#endif

INSTANTIATE_TEST_SUITE_P(Isa, Harness,
                         testing::Values(test::kNamedIsas[0], test::kNamedIsas[1],
                                         test::kNamedIsas[2], test::kNamedIsas[3]),
                         test::named_isa_test_name);

TEST(HarnessIsa, OneThatTheHostLacksIsSkippedWithTheReason) {
  iotadnn_set_max_cpu_isa(iotadnn_cpu_isa_avx512_core_bf16);
  const bool host_has = iotadnn_get_effective_cpu_isa() == iotadnn_cpu_isa_avx512_core_bf16;
  if (host_has) GTEST_SKIP() << "this processor has everything";
  const DriverRun run = run_driver({"--isa=AVX512_CORE_BF16", "--graph", "--case=op/f32/eye.json"});
  EXPECT_EQ(run.exit_code, 0);
  EXPECT_EQ(run.lines[0],
            "0:SKIPPED (ISA AVX512_CORE_BF16 not available) (T ms) __REPRO: "
            "--isa=AVX512_CORE_BF16 --graph --case=op/f32/eye.json");
  EXPECT_THAT(run.lines[1], HasSubstr("passed:0 skipped:1 "));
}

// Every pattern an op at a time gives what the reference gives.
TEST(HarnessPolicies, EveryPatternUnfused) {
  const DriverRun run = run_driver({"--policy=debug", "--graph", "--batch=fusion/harness_ci"});
  EXPECT_EQ(run.exit_code, 0) << run.text;
  EXPECT_THAT(run.lines.back(), HasSubstr(" failed:0 "));
}

// Modes other than C take the same files.
TEST(HarnessModes, EveryModeTakesTheFiles) {
  const std::vector<std::pair<std::string, std::string>> states = {
      {"L", "LISTED"}, {"I", "INITIALIZED"}, {"R", "EXECUTED"}, {"B", "PASSED"}};
  for (const auto& [mode, state] : states) {
    const DriverRun run = run_driver({"--mode=" + mode, "--graph", "--batch=op/harness_f32_ci"});
    SCOPED_TRACE(mode);
    EXPECT_EQ(run.exit_code, 0);
    ASSERT_EQ(run.lines.size(), 8u);
    for (size_t i = 0; i < 7; ++i)
      EXPECT_THAT(run.lines[i], StartsWith(std::to_string(i) + ":" + state + " (T ms)"));
  }
}

TEST(HarnessModes, PerformanceSetsAreWellFormed) {
  std::vector<std::string> batches = {"perf_ci", "perf_all", "fusion/perf_ci", "fusion/perf_all"};
  for (const char* name : {"perf_ci", "perf_all", "perf_decode", "perf_memory"})
    batches.push_back("attention/" + std::string(name));
  if (has_onednn()) batches.emplace_back("attention/perf_onednn");
  for (const std::string& batch : batches) {
    const DriverRun run = run_driver({"--mode=L", "--graph", "--batch=" + batch});
    EXPECT_EQ(run.exit_code, 0) << run.text;
    EXPECT_GT(run.lines.size(), 2u);
    EXPECT_THAT(run.lines.back(), EndsWith("listed:" + std::to_string(run.lines.size() - 1)));
  }
}

// Shapes, attributes and scalars of the sets fit the patterns, each of which is one partition.
TEST(HarnessModes, FusedPatternsOfThePerformanceSetsCompile) {
  const DriverRun run = run_driver({"--mode=I", "--graph", "--batch=fusion/perf_all"});
  EXPECT_EQ(run.exit_code, 0) << run.text;
  EXPECT_GT(run.lines.size(), 100u);
  EXPECT_THAT(run.lines.back(), HasSubstr(" failed:0 "));
}

}  // namespace
}  // namespace iotadnn::benchdnn
