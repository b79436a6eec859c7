// SPDX-License-Identifier: Apache-2.0
// What must move, as executions of whole graphs show it, against what the patterns' definitions
// say.
#include "benchdnn/probe.h"

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "benchdnn/rewrite.h"
#include "frontends/benchdnn_json.h"
#include "frontends/graph_builder.h"

namespace iotadnn::benchdnn {
namespace {

constexpr int64_t kSize = 128;
constexpr int64_t kLine = 16;  // f32 elements
constexpr int64_t kAll = kSize * kSize * 4;

class Probe : public testing::Test {
 protected:
  // The moves of a graph of one partition, after its shape was changed.
  static MoveList moves(const std::string& file, const IdValues& shapes, bool inplace,
                        const IdValues& attrs = {},
                        iotadnn_graph_math_mode_t mode = iotadnn_graph_math_mode_default) {
    frontends::GraphDesc desc = frontends::read_benchdnn_json_file(
        IOTADNN_SOURCE_DIR "/benchdnn_inputs/graph/fusion/" + file);
    desc.math_mode = mode;
    CaseSettings settings;
    settings.in_shapes = shapes;
    settings.op_attrs = attrs;
    rewrite(desc, settings);
    const graph::engine engine(graph::engine::kind::cpu, 0);
    graph::graph built = frontends::build_graph(desc, engine.get_kind());
    built.finalize();
    auto runs = compile_partitions(desc, built.get_partitions(), engine, false, false);
    EXPECT_EQ(runs.size(), 1u);
    MemoryOptions options;
    options.inplace = inplace;
    Memories memories;
    make_tensors(desc, runs.at(0), memories, engine, options);
    const auto probed = probe(desc, runs.at(0), memories, engine);
    EXPECT_TRUE(probed.has_value());
    if (!probed) return {};
    return moves_of(probed->inputs, probed->outputs);
  }

  static int64_t lines_of(const MoveList& list, MoveKind kind) {
    int64_t lines = 0;
    for (const Move& move : list.moves)
      lines += move.kind == kind ? move.lines : 0;
    return lines;
  }
};

// Row r keeps the columns up to r.
struct CausalLines {
  int64_t kept = 0;  // whole lines
  int64_t edges = 0;
  int64_t masked = 0;

  CausalLines() {
    for (int64_t row = 0; row < kSize; ++row) {
      const int64_t whole = (row + 1) / kLine;
      const int64_t edge = (row + 1) % kLine == 0 ? 0 : 1;
      kept += whole;
      edges += edge;
      masked += kSize / kLine - whole - edge;
    }
  }
};

TEST_F(Probe, CausalMaskOutOfPlace) {
  const CausalLines lines;
  for (const char* file : {"causal_top_left.json", "causal_scaled.json"}) {
    SCOPED_TRACE(file);
    const MoveList list = moves(file, {{0, "1x1x128x128"}}, false);
    EXPECT_EQ(lines_of(list, MoveKind::move), lines.kept + lines.edges);
    EXPECT_EQ(lines_of(list, MoveKind::fill), lines.masked);
    EXPECT_EQ(lines_of(list, MoveKind::made), 0);
    EXPECT_EQ(lines_of(list, MoveKind::consume), 0);
    EXPECT_THAT(list.values, testing::ElementsAre(0xff800000ff800000u));
  }
}

TEST_F(Probe, CausalMaskInPlace) {
  const CausalLines lines;
  const MoveList mask = moves("causal_top_left.json", {{0, "1x1x128x128"}}, true);
  EXPECT_EQ(lines_of(mask, MoveKind::move), lines.edges);
  EXPECT_EQ(lines_of(mask, MoveKind::fill), lines.masked);
  const MoveList scaled = moves("causal_scaled.json", {{0, "1x1x128x128"}}, true);
  EXPECT_EQ(lines_of(scaled, MoveKind::move), lines.kept + lines.edges) << "it is computed";
}

const IdValues kSquareEye = {{0, "shape:128x128"}};

TEST_F(Probe, DiagonalOnly) {
  const IdValues shape = {{0, "128x128"}};
  const MoveList in_place = moves("a_plus_ci.json", shape, true, kSquareEye);
  EXPECT_EQ(lines_of(in_place, MoveKind::move), kSize);
  EXPECT_EQ(bytes_moved(in_place), kSize * 2 * 64);
  EXPECT_EQ(bytes_moved(moves("a_plus_ci.json", shape, false, kSquareEye)), 2 * kAll);
}

// 0 * x is NaN where x is, so all of A is read; integers times 0 are 0.
TEST_F(Probe, WhatZerosMultiplyIsRead) {
  const IdValues shape = {{0, "128x128"}};
  EXPECT_EQ(bytes_moved(moves("a_times_i.json", shape, false, kSquareEye)), 2 * kAll);
  const MoveList integers = moves("a_times_i_integers.json", shape, false, kSquareEye);
  EXPECT_EQ(lines_of(integers, MoveKind::move), kSize);
  EXPECT_EQ(lines_of(integers, MoveKind::fill), kSize * (kSize / kLine - 1));
}

TEST_F(Probe, WhatZerosMultiplyIsNotReadWhereItIsFinite) {
  const MoveList list =
      moves("a_times_i.json", {{0, "128x128"}}, false, kSquareEye, iotadnn_graph_math_mode_finite);
  EXPECT_EQ(lines_of(list, MoveKind::move), kSize);
  EXPECT_EQ(lines_of(list, MoveKind::fill), kSize * (kSize / kLine - 1));
}

TEST_F(Probe, WhatFollowsFromCoordinatesIsStored) {
  EXPECT_EQ(bytes_moved(moves("ci.json", {}, false, {{0, "shape:128x64"}})), kAll);
  const MoveList list = moves("identity_cast.json", {}, false, kSquareEye);
  EXPECT_EQ(bytes_moved(list), kAll / 2) << "f16 from a boolean identity";
  EXPECT_EQ(lines_of(list, MoveKind::fill), kAll / 2 / 64);
}

// The masked half follows from the row's stats alone.
TEST_F(Probe, BackwardOfTheMask) {
  const CausalLines lines;
  const MoveList list =
      moves("causal_backward.json", {{0, "1x1x128x128"}, {8, "1x1x128x1"}}, false);
  int64_t kept = 0;  // lines of 32 bf16 elements with a kept one
  for (int64_t row = 0; row < kSize; ++row)
    kept += row / 32 + 1;
  EXPECT_EQ(lines_of(list, MoveKind::move), kept);
  EXPECT_EQ(lines_of(list, MoveKind::fill), kSize * kSize * 2 / 64 - kept);
  EXPECT_EQ(lines_of(list, MoveKind::consume), kSize * 4 / 64);
}

TEST_F(Probe, BroadcastInputsAreReadOnce) {
  // scores, and a slope for each of 32 heads
  const MoveList list = moves("alibi.json", {{0, "1x32x16x32"}, {4, "32x1x1"}}, false);
  EXPECT_EQ(lines_of(list, MoveKind::consume), 2);
  EXPECT_EQ(bytes_moved(list), 2 * 32 * 16 * 32 * 4 + 32 * 4);
}

}  // namespace
}  // namespace iotadnn::benchdnn
