// SPDX-License-Identifier: Apache-2.0
// What the driver prints and returns, line by line, against what oneDNN v3.14's graph driver prints
// (times masked). Where ours says more, the test says so.
#include <filesystem>
#include <fstream>

#include <gmock/gmock.h>

#include "benchdnn/driver_run.h"

namespace iotadnn::benchdnn {
namespace {

using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;
using testing::StartsWith;

constexpr char kCase[] = "--case=op/f32/genindex.json";

std::string summary(const char* passed_to_listed) {
  return "tests:1 " + std::string(passed_to_listed);
}

constexpr char kPassed[] =
    "passed:1 skipped:0 mistrusted:0 unimplemented:0 invalid_arguments:0 failed:0 listed:0";

TEST(Transcript, ACaseThatPasses) {
  const DriverRun run = run_driver({"--graph", kCase});
  EXPECT_EQ(run.exit_code, 0);
  EXPECT_THAT(run.lines, ElementsAre("0:PASSED (T ms) __REPRO: --graph --case=op/f32/genindex.json",
                                     summary(kPassed)));
  EXPECT_THAT(run.text, HasSubstr("total: "));
  EXPECT_THAT(run.text, HasSubstr("s; create_pd: "));
  EXPECT_THAT(run.text, EndsWith("%);\n"));
  for (const char* phase :
       {" create_prim: ", " fill: ", " execute: ", " compute_ref: ", " compare: "})
    EXPECT_THAT(run.text, HasSubstr(phase));
}

// oneDNN's reason and state, here with the names of what this library compiles to.
TEST(Transcript, FiltersOfImplementations) {
  const auto run_with = [](std::vector<std::string> knobs) {
    knobs.insert(knobs.begin(), "--isa=portable");
    knobs.emplace_back(kCase);
    return run_driver(knobs);
  };
  const std::string isa = "--isa=portable ";
  const std::string repro = " (T ms) __REPRO: ";
  for (const char* filter : {"--impl=jit", "--skip-impl=ref,portable"}) {
    const DriverRun run = run_with({"--graph", filter});
    EXPECT_EQ(run.exit_code, 0);
    EXPECT_EQ(run.lines.at(0),
              "0:SKIPPED (Skip-impl option hit)" + repro + isa + "--graph " + filter + " " + kCase);
  }
  for (const char* filter : {"--impl=jit,port", "--skip-impl=jit"})
    EXPECT_THAT(run_with({"--graph", filter}).lines.at(0), StartsWith("0:PASSED"));
  const DriverRun global = run_with({"-v6", "--global-impl=jit", "--graph", "--impl=portable"});
  EXPECT_THAT(global.text, HasSubstr("[IMPL_FILTER] Implementation skipped: portable\n"));
  EXPECT_THAT(global.text, HasSubstr("0:SKIPPED (Skip-impl option hit)"));
  EXPECT_THAT(run_with({"--graph", "--impl=jit", "--reset"}).lines.at(0), StartsWith("0:PASSED"));
  EXPECT_THAT(run_with({"--mode=I", "--graph", "--impl=jit"}).lines.at(0), StartsWith("0:SKIPPED"));
}

TEST(Transcript, ReferenceOnOneKindOfEngine) {
  const auto state = [](const char* knob) {
    return run_driver({"--isa=reference", knob, "--graph", kCase}).exit_code;
  };
  EXPECT_EQ(state("--check-ref-impl=cpu"), 1);
  EXPECT_EQ(state("--check-ref-impl=true"), 1);
  EXPECT_EQ(state("--check-ref-impl=gpu"), 0);
  EXPECT_EQ(state("--check-ref-impl=false"), 0);
}

TEST(Transcript, VerboseSix) {
  const DriverRun run =
      run_driver({"-v6", "--graph", "--op-attrs=0:axis:0", "--in-shapes=0:1x16x32x32", kCase});
  const std::string knobs =
      "--in-shapes=0:1x16x32x32 --op-attrs=0:axis:0 --case=op/f32/genindex.json";
  EXPECT_THAT(
      run.lines,
      ElementsAre("run: " + knobs, "[INFO]: n_partitions:1; ops_in_partitions: {1}",
                  "[INFO]: Start execution of partition #0.",
                  "[COMPARE][DST]: zero_trust%=100.00% extra=allow_norm:true;",
                  "[COMPARE_STATS][DST]: trh=0 err_max_diff:       0 err_max_rdiff:       0 "
                  "all_max_diff:       0 all_max_rdiff:       0",
                  "[COMPARE_TRUST][DST]: z:100% (>100%) (z: 16384, total: 16384)",
                  "0:PASSED (T ms) __REPRO: --graph " + knobs, summary(kPassed)));
}

TEST(Transcript, VerboseOneAndThree) {
  const DriverRun one = run_driver({"-v1", "--graph", kCase});
  EXPECT_EQ(one.lines[0], "run: --case=op/f32/genindex.json");
  EXPECT_EQ(one.lines.size(), 3u);
  const DriverRun three = run_driver({"--verbose=3", "--graph", kCase});
  EXPECT_EQ(three.lines.size(), 5u);
}

TEST(Transcript, VerboseSevenDumpsTheGraph) {
  const DriverRun run = run_driver({"-v7", "--mode=L", "--graph", kCase});
  EXPECT_THAT(run.lines,
              ElementsAre("[INFO] Graph dump:", "{(0) GenIndex}",
                          "    In: { 0:f32:2x3x17x19:969x323x19x1 }",
                          "    Out: { 1:s32:2x3x17x19:969x323x19x1 }", "    Attrs: { axis: 2 }", "",
                          "run: " + std::string(kCase),
                          "0:LISTED (T ms) __REPRO: --mode=L --graph " + std::string(kCase),
                          StartsWith("tests:1 passed:0")));
}

TEST(Transcript, PerformanceLines) {
  const DriverRun run = run_driver({"--mode=P", "--max-ms-per-prb=10", "--graph", kCase});
  EXPECT_EQ(run.exit_code, 0);
  ASSERT_EQ(run.lines.size(), 5u);
  EXPECT_EQ(run.lines[0], "Template entries: perf,%engine%,%prb%,%-time%,%0time%");
  EXPECT_EQ(run.lines[1], "perf,engine,prb,min_time,avg_time");
  EXPECT_THAT(
      run.lines[2],
      StartsWith("perf,cpu,--mode=P --max-ms-per-prb=10 --graph --case=op/f32/genindex.json,"));
  EXPECT_EQ(run.lines[3], summary(kPassed));
  EXPECT_THAT(run.lines[4], StartsWith("total perf: min(ms):"));
  EXPECT_THAT(run.lines[4], HasSubstr(" avg(ms):"));
}

TEST(Transcript, ASkippedCaseHasAPerfLineOfZeros) {
  const DriverRun run = run_driver({"--mode=P", "--memory-kind=buffer", "--graph", kCase});
  const std::string repro = "--mode=P --memory-kind=buffer --graph " + std::string(kCase);
  EXPECT_EQ(run.lines[0], "0:SKIPPED (Case not supported) (T ms) __REPRO: " + repro);
  EXPECT_EQ(run.lines[3], "perf,cpu," + repro + ",0,0");
}

TEST(Transcript, OtherModes) {
  const DriverRun listed = run_driver({"--mode=L", "--graph", kCase});
  EXPECT_EQ(listed.lines[0], "0:LISTED (T ms) __REPRO: --mode=L --graph " + std::string(kCase));
  EXPECT_THAT(listed.text, testing::MatchesRegex("(.|\n)*\ntotal: [0-9]+\\.[0-9][0-9]s;\n"));
  const DriverRun init = run_driver({"--mode=I", "--graph", kCase});
  EXPECT_EQ(init.lines[0], "0:INITIALIZED (T ms) __REPRO: --mode=I --graph " + std::string(kCase));
  const DriverRun run = run_driver({"--mode=R", "--graph", kCase});
  EXPECT_EQ(run.lines[0],
            "0:EXECUTED (T ms) __REPRO: --mode=R --mode-modifier=M --graph " + std::string(kCase));
  const DriverRun fast = run_driver({"--mode=F", "--graph", kCase});
  EXPECT_THAT(fast.lines[2], StartsWith("perf,cpu,--mode=F --graph --case="));
  const DriverRun simulated = run_driver({"--mode=S", "--graph", kCase});
  EXPECT_THAT(simulated.lines[2], StartsWith("perf,cpu,--mode=S --graph --case="));
}

TEST(Transcript, UnknownOption) {
  const DriverRun run = run_driver({"--graph", "--foo=1"});
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_EQ(run.text, "Error: unknown option for 'graph' driver: '--foo=1'.\n");
  const DriverRun near = run_driver({"--graph", "--in-shape=0:1"});
  EXPECT_EQ(near.exit_code, 2);
  EXPECT_THAT(near.text, StartsWith("Error: unknown option for 'graph' driver: '--in-shape=0:1'.\n"
                                    "The most similar options are:\n"
                                    "        in-shapes\n        inplace\n"));
  EXPECT_EQ(run_driver({"--graph", "--cses=x"}).text,
            "Error: unknown option for 'graph' driver: '--cses=x'.\n"
            "The most similar options are:\n        case\n        isa\n        reset\n");
}

TEST(Transcript, MissingFile) {
  const DriverRun run = run_driver({"--graph", "--case=nothere.json"});
  EXPECT_EQ(run.exit_code, 1);
  EXPECT_EQ(run.text, "cannot open file nothere.json\nError: Graph nothere.json is empty.\n");
  EXPECT_EQ(run_driver({"--graph", "--batch=nothere"}).exit_code, 1);
}

TEST(Transcript, FailedCases) {
  const DriverRun run = run_driver({"--graph", "--op-attrs=0:axis:7", kCase});
  const std::string line =
      "0:INVALID_ARGUMENTS (T ms) __REPRO: --graph --op-attrs=0:axis:7 --case=op/f32/genindex.json";
  EXPECT_EQ(run.exit_code, 1);
  EXPECT_THAT(run.lines,
              ElementsAre(testing::AllOf(StartsWith("Error: "), HasSubstr("axis"), HasSubstr("7")),
                          line, "===========================================================",
                          "= Failed cases summary (--summary=no-failures to disable) =",
                          "===========================================================", line,
                          "============================",
                          "tests:1 passed:0 skipped:0 mistrusted:0 unimplemented:0 "
                          "invalid_arguments:1 failed:1 listed:0"));
  const DriverRun quiet =
      run_driver({"--summary=no-failures", "--graph", "--op-attrs=0:axis:7", kCase});
  EXPECT_EQ(quiet.lines.size(), 3u);
}

TEST(Transcript, AtMostTenFailedCasesAreRepeated) {
  const DriverRun run = run_driver({"--graph",
                                    "--op-attrs=0:axis:4,0:axis:5,0:axis:6,0:axis:7,"
                                    "0:axis:8,0:axis:9,0:axis:-5,0:axis:-6,0:axis:-7,0:axis:-8,"
                                    "0:axis:-9,0:axis:-10",
                                    kCase});
  EXPECT_THAT(run.text, HasSubstr("\n(... 2 more cases ...)\n============================\n"));
}

TEST(Transcript, PartitionCount) {
  const DriverRun run = run_driver({"--graph", "--expected-n-partitions=2", kCase});
  EXPECT_EQ(run.exit_code, 1);
  EXPECT_EQ(run.lines[0],
            "Error: the expected number of partitions (2) doesn't coincide with the actual number "
            "of partitions returned (1).");
  EXPECT_EQ(run.lines[1],
            "0:UNTESTED_FAILED (T ms) __REPRO: --graph --expected-n-partitions=2 "
            "--case=op/f32/genindex.json");
}

TEST(Transcript, StartAndRepeats) {
  const DriverRun run = run_driver({"--start=1", "--repeats-per-prb=2", "--graph", kCase});
  EXPECT_THAT(run.lines[0], StartsWith("0:SKIPPED (Skip-start option hit) (T ms)"));
  EXPECT_THAT(run.lines[1], StartsWith("1:PASSED (T ms)"));
  EXPECT_THAT(run.lines[2], StartsWith("tests:2 passed:1 skipped:1"));
}

TEST(Transcript, NoArguments) {
  EXPECT_EQ(run_driver({}).exit_code, 1);
}

TEST(Transcript, HelpNamesEveryKnob) {
  const DriverRun run = run_driver({"--help"});
  EXPECT_EQ(run.exit_code, 0);
  for (const char* knob : {"--mode=", "--case=", "--tensor-value=", "--perf-template=", "--isa="})
    EXPECT_THAT(run.text, HasSubstr(std::string("\n") + knob));
}

class BadFile : public testing::Test {
 protected:
  static DriverRun run_text(const std::string& text, const std::vector<std::string>& knobs = {}) {
    const std::string path = testing::TempDir() + "/benchdnn_" +
                             testing::UnitTest::GetInstance()->current_test_info()->name() +
                             ".json";
    std::ofstream(path) << text;
    std::vector<std::string> arguments{"--graph"};
    arguments.insert(arguments.end(), knobs.begin(), knobs.end());
    arguments.push_back("--case=" + path);
    DriverRun run = run_driver(arguments);
    std::filesystem::remove(path);
    return run;
  }
};

TEST_F(BadFile, MalformedJson) {
  const DriverRun run = run_text("{ \"graph\": [ { \"id\": 0, ] }");
  EXPECT_EQ(run.exit_code, 1);
  ASSERT_EQ(run.lines.size(), 1u) << run.text;
  EXPECT_THAT(run.lines[0], StartsWith("Error: Graph "));
  EXPECT_THAT(run.lines[0],
              HasSubstr(".json cannot be read: not JSON: parse error at line 1, column"));
}

TEST_F(BadFile, ShapeOverflow) {
  const DriverRun run = run_text(
      R"({"graph":[{"id":0,"name":"big","kind":"EyeLike",
          "inputs":[{"id":0,"dtype":"f32","shape":[4294967296,4294967296]}],
          "outputs":[{"id":1,"dtype":"f32","shape":[2,2]}]}]})");
  EXPECT_EQ(run.exit_code, 1);
  ASSERT_EQ(run.lines.size(), 1u);
  EXPECT_THAT(run.lines[0], HasSubstr("op 0 ('big'), input 0, tensor 0: the shape has more bytes"));
}

TEST(BadKnob, ShapeOverflow) {
  const DriverRun run =
      run_driver({"--graph", "--in-shapes=0:4294967296x4294967296", "--case=op/f32/eyelike.json"});
  EXPECT_EQ(run.exit_code, 1);
  EXPECT_THAT(run.lines[0],
              StartsWith("Error: --in-shapes: tensor 0: shape 4294967296x4294967296"));
  EXPECT_THAT(run.lines[1], StartsWith("0:UNTESTED_FAILED (Rewriter failed) (T ms) __REPRO: "));
}

TEST(BadKnob, MoreThanTheMemory) {
  const DriverRun run =
      run_driver({"--graph", "--in-shapes=0:9999999x9999999", "--case=op/f32/eyelike.json"});
  EXPECT_EQ(run.exit_code, 0);
  EXPECT_THAT(run.lines[0], StartsWith("0:SKIPPED (Not enough RAM) (T ms) __REPRO: "));
}

TEST(BadKnob, ExitCodeTwoWithOneSentence) {
  for (const char* knob : {"--mode=X",
                           "--mode=",
                           "--in-shapes=0:2y3",
                           "--in-shapes=0",
                           "--in-shapes=0:",
                           "--in-shapes=0:1x2*aa",
                           "--in-shapes=0:1+0:2",
                           "--op-attrs=0:k",
                           "--dt=f31",
                           "--dt=0:f31",
                           "--mb=x",
                           "--isa=avx9000",
                           "--engine=tpu",
                           "--summary=all",
                           "--inplace=maybe",
                           "--policy=unfused",
                           "--compare=mkl",
                           "--compare=graph:",
                           "--attention-fill=large",
                           "--cold-cache=warm",
                           "--verbose=-1",
                           "--tensor-property=0:const",
                           "--tensor-value=0:abc",
                           "--attr-fpmath=f8",
                           "--op-kind=0:Foo",
                           "--perf-template=%nonsense%",
                           "--perf-template=%time",
                           "--fix-times-per-prb=1.5",
                           "--case",
                           "--help=1",
                           "-x",
                           "genindex.json",
                           "--strategy=walk=sideways",
                           "--expected-n-partitions=-1",
                           "--max-ms-per-prb=soon",
                           "--start=99999999999999999999"}) {
    const DriverRun run = run_driver({"--graph", knob, "--case=op/f32/eye.json"});
    EXPECT_EQ(run.exit_code, 2) << knob;
    EXPECT_THAT(run.text, StartsWith("Error: ")) << knob;
  }
}

TEST(BadKnob, RewritesThatTheGraphCannotTake) {
  for (const char* knob :
       {"--in-shapes=7:2x2", "--in-shapes=0:*abc", "--op-attrs=7:k:1", "--op-attrs=0:foo:1",
        "--op-attrs=0:k:one", "--dt=7:f32", "--op-kind=0:Add", "--op-kind=0:undef",
        "--tensor-property=7:constant", "--tensor-value=7:1"}) {
    const DriverRun run = run_driver({"--graph", knob, "--case=op/f32/eyelike.json"});
    EXPECT_EQ(run.exit_code, 1) << knob;
    EXPECT_THAT(run.lines[0], StartsWith("Error: ")) << knob;
    EXPECT_THAT(run.lines[1], StartsWith("0:UNTESTED_FAILED (Rewriter failed)")) << knob;
  }
}

TEST(UnsupportedOps, AreUnimplementedWithTheReason) {
  const std::string path = testing::TempDir() + "/benchdnn_unsupported.json";
  std::ofstream(path) << R"({"graph":[{"id":0,"name":"add","kind":"Add",
      "inputs":[{"id":0,"dtype":"f32","shape":[2,2]},{"id":1,"dtype":"f32","shape":[2,2]}],
      "outputs":[{"id":2,"dtype":"f32","shape":[2,2]}]}]})";
  const DriverRun run = run_driver({"-v3", "--graph", "--case=" + path});
  std::filesystem::remove(path);
  EXPECT_EQ(run.exit_code, 1);
  EXPECT_THAT(run.text, HasSubstr("\n[INFO]: partition #0 is unsupported: "));
  EXPECT_THAT(run.text, HasSubstr("\n0:UNIMPLEMENTED ("));
  EXPECT_THAT(run.lines.back(), HasSubstr("unimplemented:1 invalid_arguments:0 failed:1"));
}

}  // namespace
}  // namespace iotadnn::benchdnn
