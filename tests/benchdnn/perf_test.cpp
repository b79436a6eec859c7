// SPDX-License-Identifier: Apache-2.0
#include <cstdlib>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/cpu.h"
#include "benchdnn/driver_run.h"
#include "benchdnn/errors.h"
#include "benchdnn/expectation.h"
#include "benchdnn/measure.h"
#include "benchdnn/measure_setup.h"
#include "benchdnn/onednn_rival.h"
#include "benchdnn/partition_run.h"
#include "benchdnn/perf_template.h"
#include "benchdnn/values.h"
#include "frontends/benchdnn_json.h"
#include "frontends/graph_builder.h"

namespace iotadnn::benchdnn {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

PerfLine line_of(const std::string& repro) {
  PerfLine line;
  line.index = 4;
  line.repro = repro;
  line.case_repro = "--case=f";
  return line;
}

CaseResult measured() {
  CaseResult result;
  result.perf.min_ms = 0.5;
  result.perf.avg_ms = 1;
  result.perf.max_ms = 2;
  result.perf.limit_ms = 0.25;
  result.perf.limit_name = "memset x1";
  result.perf.out_of_place_ms = 4;
  result.perf.unfused = {5, 6, 7};
  result.perf.compared = {0.25, 2, 8};
  result.perf.compared_ratio = 1.5;
  result.perf.read_limit_ms = 0.375;
  result.perf.read_limit_name = "loads x2";
  result.peak_bytes = 2.5e5;
  result.perf.avg_ticks = 3e6;
  result.input_bytes = 24;
  result.output_bytes = 1e6;
  result.impl = "jit:avx2";
  result.phases.create_prim = 0.002;
  result.phases.create_pd = 0.001;
  result.kinds = "Eye";
  result.output_types = "f32";
  result.threads = 2;
  return result;
}

std::string filled(const std::string& text, Compare::With with = Compare::With::nothing) {
  GlobalSettings global;
  global.compare.with = with;
  return perf_line(text, line_of("--mode=P --graph --case=f"), CaseSettings(), global, measured());
}

TEST(PerfTemplate, Tokens) {
  EXPECT_EQ(filled(kDefaultPerfTemplate), "perf,cpu,--mode=P --graph --case=f,0.5,1");
  EXPECT_EQ(filled("%time%,%-time%,%0time%,%+time%,%Ktime%"), "0.5,0.5,1,2,0.0005");
  EXPECT_EQ(filled("%Kobytes%,%ibytes%,%iobytes%"), "1000,24,1.00002e+06");
  EXPECT_EQ(filled("%-Gbw%,%0Mbw%"), "2.00005,1000.02");
  EXPECT_EQ(filled("%-limit%,%0limit%,%limit-impl%"), "50,25,memset x1");
  EXPECT_EQ(filled("%-outofplace%,%0outofplace%"), "8,4");
  EXPECT_EQ(filled("%-unfused%,%0unfused%,%+unfused%,%Kunfused%"), "5,6,7,0.005");
  EXPECT_EQ(filled("%-speedup%,%0speedup%"), "10,6");
  EXPECT_EQ(filled("%-compare%,%0compare%,%compare-median%,%0compare-time%"), "2,0.5,1.5,2");
  EXPECT_EQ(filled("%-onednn%,%0onednn%,%0onednn-time%", Compare::With::onednn), "2,0.5,2");
  EXPECT_EQ(filled("%-onednn%,%0onednn-time%", Compare::With::graph), "0,0");
  EXPECT_EQ(filled("%-read-limit%,%0read-limit%,%read-limit-time%,%read-limit-impl%"),
            "75,37.5,0.375,loads x2");
  EXPECT_EQ(filled("%peakmem%,%Kpeakmem%"), "250000,250");
  EXPECT_EQ(filled("%impl%,%alg%,%dt%,%threads%,%idx%,%desc%,%driver%"),
            "jit:avx2,Eye,f32,2,4,--case=f,graph");
  EXPECT_EQ(filled("%ctime%,%cptime%,%cpdtime%,%Mclocks%,%Gfreq%"), "3,2,1,3,3");
  EXPECT_EQ(filled("no token"), "no token");
}

TEST(PerfTemplate, MemoryThatTheSystemDoesNotTell) {
  EXPECT_EQ(perf_line("%Kpeakmem%", line_of(""), CaseSettings(), GlobalSettings(), CaseResult()),
            "N/A");
}

TEST(PerfTemplate, Header) {
  EXPECT_EQ(perf_header("perf,%engine%,%prb%,%-time%,%0Gbw%,%+time%"),
            "perf,engine,prb,min_time,avg_Gbw,max_time");
}

TEST(PerfTemplate, UnknownTokens) {
  EXPECT_THROW(check_perf_template("%tim%"), UsageError);
  EXPECT_THROW(check_perf_template("%-%"), UsageError);
  EXPECT_THROW(check_perf_template("%time"), UsageError);
  for (const char* name :
       {"alg",      "cfg",  "desc",     "engine",  "flags",  "activation", "direction",
        "attr",     "axis", "dir",      "dt",      "group",  "sdt",        "bia_dt",
        "stag",     "mb",   "name",     "ddt",     "dtag",   "prop",       "tag",
        "stat_tag", "wtag", "ctx-init", "ctx-exe", "bw",     "driver",     "flops",
        "clocks",   "prb",  "freq",     "ops",     "impl",   "ibytes",     "obytes",
        "iobytes",  "idx",  "time",     "ctime",   "cptime", "cpdtime"})
    EXPECT_NO_THROW(check_perf_template("%" + std::string(name) + "%"));
}

TEST(PerfTemplate, RivalsAreMeasuredOnlyWhenAskedFor) {
  EXPECT_FALSE(needs_limit(kDefaultPerfTemplate));
  EXPECT_TRUE(needs_limit("%-limit%"));
  EXPECT_FALSE(needs_out_of_place("%-limit%,%unfused%"));
  EXPECT_TRUE(needs_out_of_place("%outofplace%"));
  EXPECT_FALSE(needs_unfused("%-limit%,%outofplace%"));
  EXPECT_TRUE(needs_unfused("%0speedup%"));
  EXPECT_TRUE(needs_unfused("%Kunfused%"));
  EXPECT_FALSE(needs_read_limit("%-limit%"));
  EXPECT_FALSE(needs_limit("%-read-limit%"));
  EXPECT_TRUE(needs_read_limit("%read-limit-time%"));
  EXPECT_FALSE(needs_peak_memory(kDefaultPerfTemplate));
  EXPECT_TRUE(needs_peak_memory("%Mpeakmem%"));
}

TensorView f32_view(std::vector<int64_t> dims, std::vector<int64_t> strides) {
  TensorView view;
  view.data_type = iotadnn_f32;
  view.dims = std::move(dims);
  view.strides = std::move(strides);
  return view;
}

TEST(LimitContent, FollowsTheLines) {
  Expectation eye;
  EXPECT_EQ(limit_request_of(eye, f32_view({1024, 1024}, {1024, 1})).content, Content::constant);
  EXPECT_EQ(limit_request_of(eye, f32_view({9, 16, 16}, {256, 16, 1})).content, Content::ramp);
  Expectation index;
  index.kind = Expectation::Kind::index;
  index.axis = 1;
  EXPECT_EQ(limit_request_of(index, f32_view({64, 4096}, {4096, 1})).content, Content::ramp);
  index.axis = 0;
  const LimitRequest rows = limit_request_of(index, f32_view({64, 4096}, {4096, 1}));
  EXPECT_EQ(rows.content, Content::constant);
  EXPECT_NE(rows.value, 0u);
  EXPECT_EQ(rows.bytes, 64 * 4096 * 4);
  EXPECT_EQ(limit_request_of(index, f32_view({64, 16}, {16, 1})).content, Content::ramp);
  EXPECT_EQ(limit_request_of(index, f32_view({0, 16}, {16, 1})).bytes, 0);
}

std::vector<std::string> perf_columns(const std::vector<std::string>& knobs) {
  std::vector<std::string> arguments{"--mode=P", "--graph"};
  arguments.insert(arguments.end(), knobs.begin(), knobs.end());
  const DriverRun run = run_driver(arguments);
  EXPECT_EQ(run.exit_code, 0) << run.text;
  std::string row;
  for (const std::string& line : run.lines)
    if (line.rfind("row,", 0) == 0) row = line;  // the header comes first
  EXPECT_NE(row, "") << run.text;
  return split(row, ',');
}

double number(const std::string& text) {
  return std::strtod(text.c_str(), nullptr);
}

TEST(Measure, NumbersAreConsistent) {
  const auto columns = perf_columns({"--max-ms-per-prb=20",
                                     "--perf-template=row,%-time%,%0time%,%+time%,%obytes%,"
                                     "%ibytes%,%-Gbw%,%-limit%,%ctime%",
                                     "--in-shapes=0:64x64", "--case=op/f32/eye.json"});
  ASSERT_EQ(columns.size(), 9u);
  EXPECT_GT(number(columns[1]), 0);
  EXPECT_LE(number(columns[1]), number(columns[2]));
  EXPECT_LE(number(columns[2]), number(columns[3]));
  EXPECT_EQ(number(columns[4]), 64 * 64 * 4);
  EXPECT_EQ(number(columns[5]), 0) << "Eye's attribute form reads nothing";
  EXPECT_NEAR(number(columns[6]), 64 * 64 * 4 / number(columns[1]) / 1e6,
              0.01 * number(columns[6]));
  EXPECT_GT(number(columns[7]), 0) << "percent of the limit";
  EXPECT_GT(number(columns[8]), 0);
}

TEST(Measure, ExactNumberOfExecutions) {
  for (const char* form :
       {"--cold-cache=none", "--cold-cache=all", "--inplace=off", "--num-streams=2"})
    EXPECT_FALSE(perf_columns({"--fix-times-per-prb=3", form, "--perf-template=row,%-time%",
                               "--case=op/f32/genindex.json"})
                     .empty());
}

TEST(Measure, ColdCachesCost) {
  const auto time_with = [](const char* mode) {
    return number(perf_columns({"--max-ms-per-prb=50", mode, "--perf-template=row,%-time%",
                                "--in-shapes=0:256x256", "--case=op/f32/eye.json"})
                      .at(1));
  };
  EXPECT_GT(time_with("--cold-cache=all"), time_with("--cold-cache=none"));
}

// Four times what CPUID says of the last level; the C library's number is another one on AMD.
TEST(Measure, ColdSetsOutgrowTheLastLevel) {
  const auto last = static_cast<double>(impl::cache_sizes().last);
  EXPECT_EQ(tensor_sets("none", last), 1u);
  EXPECT_EQ(tensor_sets("all", last), 4u + 2u);
  EXPECT_EQ(tensor_sets("all+tlb:64G", double{1ull << 36}), 1u + 2u);
}

// One timed execution, and yet no set of tensors is as it was: the first touch is not timed.
TEST(Measure, EverySetIsExecutedBeforeTimesAreTaken) {
  const frontends::GraphDesc desc = frontends::read_benchdnn_json_file(
      IOTADNN_SOURCE_DIR "/benchdnn_inputs/graph/op/f32/eyelike.json");
  const graph::engine engine(graph::engine::kind::cpu, 0);
  graph::graph built = frontends::build_graph(desc, engine.get_kind());
  built.finalize();
  const auto runs = compile_partitions(desc, built.get_partitions(), engine, false, false);
  constexpr size_t kSets = 5;
  std::vector<Memories> memories(kSets);
  std::vector<Launch> launches;
  for (Memories& set : memories) {
    std::vector<PartitionRun> copy = runs;
    make_tensors(desc, copy.at(0), set, engine, MemoryOptions());
    launches.emplace_back(copy);
  }
  const std::vector<graph::stream> streams(1, graph::stream(engine));
  Rivals rivals;
  GlobalSettings global;
  global.mode = Mode::simulation;
  global.fix_times_per_prb = 1;
  EXPECT_EQ(measure(launches, streams, rivals, global).executions, 1);
  for (const Memories& set : memories)
    EXPECT_NE(set.at(1)->damage(nullptr), "") << "not written";
}

// Warm and cold, in place and apart: whatever is asked for has a number.
TEST(Measure, FusedBesideUnfusedAndTheLimit) {
  for (const char* cold : {"--cold-cache=none", "--cold-cache=all"}) {
    for (const char* inplace : {"--inplace=on", "--inplace=off"}) {
      SCOPED_TRACE(std::string(cold) + " " + inplace);
      const auto columns =
          perf_columns({"--max-ms-per-prb=20", "--threads=1", cold, inplace,
                        "--perf-template=row,%-time%,%-limit%,%limit-impl%,%-outofplace%,"
                        "%-unfused%,%-speedup%",
                        "--in-shapes=0:1x1x1024x1024", "--case=fusion/causal_top_left.json"});
      ASSERT_EQ(columns.size(), 7u);
      EXPECT_GT(number(columns[2]), 0);
      EXPECT_THAT(columns[3], testing::MatchesRegex("[a-z+]+ x[0-9]+"));
      EXPECT_GT(number(columns[4]), 0);
      EXPECT_GT(number(columns[5]), 0);
      EXPECT_NEAR(number(columns[6]), number(columns[5]) / number(columns[1]),
                  0.01 * number(columns[6]));
    }
  }
}

// Attention beside oneDNN's primitives; what is none has no number.
TEST(Measure, BesideOneDnn) {
  if (!has_onednn()) GTEST_SKIP() << "this build has no oneDNN";
  const auto columns = perf_columns({"--fix-times-per-prb=2", "--policy=debug", "--compare=onednn",
                                     "--perf-template=row,%-time%,%-onednn-time%,%-onednn%",
                                     "--in-shapes=0:1x1x8x16+1:1x1x8x16+2:1x1x8x16",
                                     "--case=attention/implicit-causal.json"});
  ASSERT_EQ(columns.size(), 4u);
  EXPECT_GT(number(columns[2]), 0);
  EXPECT_NEAR(number(columns[3]), number(columns[1]) / number(columns[2]),
              0.01 * number(columns[3]));
  EXPECT_EQ(perf_columns({"--fix-times-per-prb=2", "--compare=onednn",
                          "--perf-template=row,%onednn%", "--case=op/f32/eye.json"})
                .at(1),
            "0");
}

// All that an attention reads: three tensors.
TEST(Measure, BesideReadingTheInputs) {
  for (const char* cold : {"--cold-cache=none", "--cold-cache=all"}) {
    const auto columns = perf_columns(
        {"--fix-times-per-prb=3", "--threads=1", cold,
         "--perf-template=row,%-time%,%-read-limit%,%read-limit-time%,%read-limit-impl%,%ibytes%",
         "--in-shapes=0:1x4x1x64+1:1x4x4096x64+2:1x4x4096x64", "--case=attention/no-mask.json"});
    ASSERT_EQ(columns.size(), 6u);
    EXPECT_GT(number(columns[3]), 0);
    EXPECT_NEAR(number(columns[2]), 100 * number(columns[3]) / number(columns[1]),
                1e-3 * number(columns[2]));
    EXPECT_THAT(columns[4], testing::MatchesRegex("loads.* x1"));
    const double gigabytes_per_second = 1e-6 * number(columns[5]) / number(columns[3]);
    EXPECT_LT(gigabytes_per_second, 1000) << "not read";
  }
}

// The reference makes the scores whole; what fuses them does not, and what ran before does not
// count.
TEST(Measure, TheFirstExecutionRaisesThePeakOfMemory) {
  const auto raise_with = [](const char* isa) {
    return perf_columns({"--mode=S", isa, "--threads=1", "--perf-template=row,%peakmem%",
                         "--in-shapes=0:1x1x1024x16+1:1x1x1024x16+2:1x1x1024x16",
                         "--case=attention/implicit-causal.json"})
        .at(1);
  };
  if (raise_with("--isa=portable") == "N/A") GTEST_SKIP() << "the system does not tell";
  const double scores = 1024 * 1024 * 4;
  EXPECT_LT(number(raise_with("--isa=portable")), scores / 2);
  EXPECT_GT(number(raise_with("--isa=reference")), scores);
  EXPECT_GT(number(raise_with("--isa=reference")), scores) << "again";
}

// In place little moves, and much out of place: a diagonal of 1024 lines against 4 MiB.
TEST(Measure, LimitsInPlaceAndOutOfPlaceDiffer) {
  const auto columns =
      perf_columns({"--max-ms-per-prb=50", "--inplace=on", "--threads=1",
                    "--perf-template=row,%-time%,%-limit%,%-outofplace%", "--in-shapes=0:1024x1024",
                    "--op-attrs=0:shape:1024x1024", "--case=fusion/a_plus_ci.json"});
  const double limit = number(columns.at(2)) / 100;
  EXPECT_GT(number(columns.at(3)), 4 * limit);
}

TEST(Measure, UnfusedOpsRunOneAfterTheOther) {
  const DriverRun run =
      run_driver({"-v3", "--policy=debug", "--graph", "--case=fusion/causal_top_left.json"});
  EXPECT_EQ(run.exit_code, 0) << run.text;
  EXPECT_THAT(run.text, HasSubstr("[INFO]: n_partitions:4; ops_in_partitions: {1 1 1 1}"));
  EXPECT_THAT(run.text, HasSubstr("0:PASSED"));
  EXPECT_THAT(run.text, HasSubstr("__REPRO: --policy=debug --graph --case=fusion/"));
}

TEST(Measure, ScalarsThatAreReadCount) {
  const auto columns =
      perf_columns({"--mode=S", "--perf-template=row,%ibytes%", "--case=op/f32/eye_tensors.json"});
  EXPECT_EQ(number(columns.at(1)), 4 + 8 + 4);
}

TEST(Measure, ErrorsAreStatesInPerformanceModeToo) {
  const DriverRun run =
      run_driver({"--mode=P", "--graph", "--op-attrs=0:axis:9", "--case=op/f32/genindex.json"});
  EXPECT_EQ(run.exit_code, 1);
  EXPECT_THAT(run.lines[1], StartsWith("0:INVALID_ARGUMENTS"));
  EXPECT_THAT(run.text, HasSubstr("--case=op/f32/genindex.json,0,0\n"));
}

}  // namespace
}  // namespace iotadnn::benchdnn
