// SPDX-License-Identifier: Apache-2.0
#include "benchdnn/compared_graph.h"

#include <cstdlib>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "benchdnn/driver_run.h"
#include "benchdnn/errors.h"
#include "benchdnn/rewrite.h"
#include "benchdnn/values.h"
#include "frontends/benchdnn_json.h"

namespace iotadnn::benchdnn {
namespace {

using frontends::GraphDesc;
using testing::HasSubstr;

constexpr char kShapes[] = "--in-shapes=0:1x2x24x16+1:1x2x24x16+2:1x2x24x16";
constexpr char kNoMask[] = "--compare=graph:attention/no-mask.json";

GraphDesc graph_of(const std::string& name) {
  return frontends::read_benchdnn_json_file(IOTADNN_SOURCE_DIR "/benchdnn_inputs/graph/attention/" +
                                            name + ".json");
}

// Numbers of the line "row,...".
std::vector<double> row_of(const std::vector<std::string>& arguments) {
  const DriverRun run = run_driver(arguments);
  EXPECT_EQ(run.exit_code, 0) << run.text;
  std::vector<double> numbers;
  for (const std::string& line : run.lines) {
    if (line.rfind("row,", 0) != 0) continue;
    numbers.clear();  // the header comes first
    for (const std::string& text : split(line.substr(4), ','))
      numbers.push_back(std::strtod(text.c_str(), nullptr));
  }
  return numbers;
}

TEST(ComparedGraph, InputsCorrespondById) {
  const GraphDesc explicit_mask = graph_of("explicit-mask");
  CaseSettings settings;
  settings.in_shapes = {{0, "1x2x8x4"}, {2, "1x2x8x4"}, {6, "1x1x8x8"}};  // 6 is the mask
  settings.tensor_value = {{6, "0"}};
  const CaseSettings other = counterpart(settings, explicit_mask, graph_of("no-mask"));
  EXPECT_EQ(other.in_shapes, (IdValues{{0, "1x2x8x4"}, {2, "1x2x8x4"}}));
  EXPECT_TRUE(other.tensor_value.empty());
}

// What the SoftMax and the second MatMul make has other ids in each graph.
TEST(ComparedGraph, WhatOpsMakeCorrespondsByKindAndPlace) {
  const GraphDesc causal = graph_of("implicit-causal");
  const GraphDesc none = graph_of("no-mask");
  const auto made_by = [](const GraphDesc& graph, iotadnn_graph_op_kind_t kind) {
    size_t id = 0;
    for (const frontends::OpDesc& op : graph.ops)
      if (op.kind == kind) id = op.outputs.at(0);  // the last one
    return id;
  };
  CaseSettings settings;
  for (const auto kind : {iotadnn_graph_op_softmax, iotadnn_graph_op_matmul})
    settings.dt_map[made_by(causal, kind)] = "bf16";
  settings.dt_map[made_by(causal, iotadnn_graph_op_gen_index)] = "s32";
  IdValues expected;
  for (const auto kind : {iotadnn_graph_op_softmax, iotadnn_graph_op_matmul})
    expected[made_by(none, kind)] = "bf16";
  EXPECT_NE(settings.dt_map.begin()->first, expected.begin()->first);
  EXPECT_EQ(counterpart(settings, causal, none).dt_map, expected);
}

TEST(ComparedGraph, OpsCorrespondByKindAndPlace) {
  const GraphDesc causal = graph_of("implicit-causal");
  CaseSettings settings;
  size_t softmax = 0;
  for (const frontends::OpDesc& op : causal.ops) {
    settings.op_attrs[op.id] = std::string(op.name);
    if (op.kind == iotadnn_graph_op_softmax) softmax = op.id;
  }
  const CaseSettings other = counterpart(settings, causal, graph_of("no-mask"));
  EXPECT_EQ(other.op_attrs.size(), 4u);
  EXPECT_EQ(other.op_attrs.at(2), settings.op_attrs.at(softmax));
}

TEST(ComparedGraph, KnobsOfTheWholeGraphStay) {
  CaseSettings settings;
  settings.dt = iotadnn_bf16;
  settings.mb = 3;
  settings.expected_n_partitions = 5;
  const CaseSettings other = counterpart(settings, graph_of("padding"), graph_of("no-mask"));
  EXPECT_EQ(other.dt, iotadnn_bf16);
  EXPECT_EQ(other.mb, 3);
  EXPECT_EQ(other.expected_n_partitions, 0) << "any";
}

TEST(ComparedGraph, OutputsOfOtherShapesAreRefused) {
  const GraphDesc causal = graph_of("implicit-causal");
  CaseSettings settings;
  settings.in_shapes = {{0, "1x2x8x4"}, {1, "1x2x8x4"}, {2, "1x2x8x4"}};
  GraphDesc rewritten = causal;
  rewrite(rewritten, settings);
  EXPECT_NO_THROW(compared_graph("f", graph_of("no-mask"), settings, causal, rewritten));
  try {
    compared_graph("f", graph_of("no-mask"), CaseSettings(), causal, rewritten);
    FAIL() << "accepted";
  } catch (const RewriteError& error) {
    EXPECT_STREQ(error.what(),
                 "--compare=graph:f: its outputs have the shapes 1x32x1024x128, allowed: those of "
                 "the case, 1x2x8x4");
  }
}

// In one type and in two; warm, cold, and with the knobs that change what is measured.
TEST(MeasureBesideAGraph, RatiosAreQuotients) {
  const std::vector<std::vector<std::string>> variants = {
      {},
      {"--dt=0:bf16+1:bf16+2:bf16+11:bf16+12:bf16"},
      {"--cold-cache=all"},
      {"--policy=debug"},
      {"--mode=S"}};
  for (const auto& knobs : variants) {
    std::vector<std::string> arguments{
        "--mode=P",
        "--fix-times-per-prb=3",
        kNoMask,
        "--graph",
        kShapes,
        "--perf-template=row,%-time%,%-compare-time%,%-compare%,%0time%,%0compare-time%,"
        "%0compare%,%compare-median%,%onednn%"};
    arguments.insert(arguments.end(), knobs.begin(), knobs.end());
    if (!knobs.empty() && knobs[0] == "--policy=debug")
      arguments.emplace_back("--expected-n-partitions=0");
    arguments.emplace_back("--case=attention/implicit-causal.json");
    const std::vector<double> row = row_of(arguments);
    SCOPED_TRACE(knobs.empty() ? "" : knobs[0]);
    ASSERT_EQ(row.size(), 8u);
    EXPECT_GT(row[1], 0);
    EXPECT_NEAR(row[2], row[0] / row[1], 1e-4 * row[2]);
    EXPECT_NEAR(row[5], row[3] / row[4], 1e-4 * row[5]);
    EXPECT_GT(row[6], 0);
    EXPECT_EQ(row[7], 0) << "no oneDNN";
  }
}

// Coordinates of a tensor of that shape: a hundredth of the work, whatever else the machine does.
TEST(MeasureBesideAGraph, MoreWorkTakesLonger) {
  const std::vector<double> row =
      row_of({"--mode=P", "--fix-times-per-prb=5", "--compare=graph:op/f32/genindex.json",
              "--graph", "--in-shapes=0:1x2x128x64+1:1x2x128x64+2:1x2x128x64",
              "--perf-template=row,%-compare%,%compare-median%", "--case=attention/no-mask.json"});
  ASSERT_EQ(row.size(), 2u);
  EXPECT_GT(row[0], 2);
  EXPECT_GT(row[1], 2);
}

TEST(MeasureBesideAGraph, ReproLinesNameIt) {
  const DriverRun run = run_driver({"--mode=P", "--fix-times-per-prb=1", kNoMask, "--graph",
                                    kShapes, "--case=attention/implicit-causal.json"});
  EXPECT_THAT(run.text, HasSubstr("--mode=P --fix-times-per-prb=1 " + std::string(kNoMask) +
                                  " --graph --in-shapes="));
}

TEST(MeasureBesideAGraph, ModesThatMeasureNothingRefuseIt) {
  for (const std::string mode : {"C", "R", "B"}) {
    const DriverRun run = run_driver(
        {"--mode=" + mode, kNoMask, "--graph", kShapes, "--case=attention/implicit-causal.json"});
    EXPECT_EQ(run.exit_code, 2);
    EXPECT_EQ(run.lines.at(0), "Error: " + std::string(kNoMask) + ": mode " + mode +
                                   " measures nothing, allowed: modes P, F and S (L and I run "
                                   "nothing).");
  }
  for (const char* mode : {"--mode=L", "--mode=I"})
    EXPECT_EQ(
        run_driver({mode, kNoMask, "--graph", "--case=attention/implicit-causal.json"}).exit_code,
        0);
}

TEST(MeasureBesideAGraph, AFileThatIsNotThereEndsTheRun) {
  const DriverRun run = run_driver({"--mode=P", "--compare=graph:nothere.json", "--graph", kShapes,
                                    "--case=attention/implicit-causal.json"});
  EXPECT_EQ(run.exit_code, 1);
  EXPECT_EQ(run.lines.at(0), "cannot open file nothere.json");
  EXPECT_EQ(run.lines.at(1), "Error: Graph nothere.json is empty.");
}

TEST(MeasureBesideAGraph, AGraphThatDoesNotFitFailsTheCase) {
  const DriverRun run = run_driver({"--mode=P", "--compare=graph:op/f32/eye.json", "--graph",
                                    kShapes, "--case=attention/implicit-causal.json"});
  EXPECT_EQ(run.exit_code, 1);
  EXPECT_THAT(run.lines.at(0), testing::StartsWith("Error: --compare=graph:op/f32/eye.json: "));
  EXPECT_THAT(run.lines.at(1), testing::StartsWith("0:UNTESTED_FAILED (Rewriter failed)"));
}

TEST(MeasureBesideAGraph, OneThatTheLibraryRefusesFailsTheCase) {
  const std::string path = testing::TempDir() + "refused.json";
  std::ofstream(path) << R"({"graph": [{"id": 0, "kind": "SoftMax", "attrs": {"axis": {"type":
    "s64", "value": 9}}, "inputs": [{"id": 0, "dtype": "f32", "shape": [4, 4]}], "outputs":
    [{"id": 1, "dtype": "f32", "shape": [4, 4]}]}]})";
  const DriverRun run =
      run_driver({"--mode=P", "--compare=graph:" + path, "--graph", "--in-shapes=0:4x4",
                  "--op-attrs=0:axis:1", "--case=op/f32/genindex.json"});
  EXPECT_EQ(run.exit_code, 1);
  EXPECT_THAT(run.text, HasSubstr("Error: --compare=graph:" + path + ": the graph cannot be run."));
  EXPECT_THAT(run.text, HasSubstr("0:INVALID_ARGUMENTS"));
}

}  // namespace
}  // namespace iotadnn::benchdnn
