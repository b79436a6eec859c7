// SPDX-License-Identifier: Apache-2.0
// The attention graphs of benchdnn_inputs compute attention: an op at a time against sums in f64
// that are written here from the definition.
#include <cmath>
#include <functional>
#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "benchdnn/attention_fill.h"
#include "benchdnn/driver_run.h"
#include "benchdnn/onednn_rival.h"
#include "benchdnn/partition_run.h"
#include "benchdnn/rewrite.h"
#include "frontends/benchdnn_json.h"
#include "frontends/graph_builder.h"

namespace iotadnn::benchdnn {
namespace {

using frontends::GraphDesc;
using testing::HasSubstr;

constexpr int64_t kHeads = 2;
constexpr int64_t kQueries = 9;
constexpr int64_t kKeys = 13;
constexpr int64_t kHead = 16;
constexpr int64_t kValues = 8;

const float* f32_of(const Memories& memories, size_t id) {
  return static_cast<const float*>(memories.at(id)->data());
}

// Runs a graph an op at a time in the small fill; the buffers of all tensors.
struct Outcome {
  GraphDesc graph;
  Memories memories;

  size_t output() const { return graph.ops.back().outputs[0]; }
};

Outcome run(const GraphDesc& graph) {
  const AttentionContent content(graph, AttentionFill::small);
  Outcome outcome{content.with_scalars(), {}};
  const graph::engine engine(graph::engine::kind::cpu, 0);
  graph::stream stream(engine);
  graph::graph built = frontends::build_graph(outcome.graph, engine.get_kind());
  built.finalize();
  MemoryOptions options;
  options.specials = false;
  options.attention = &content;
  const auto partitions = built.get_partitions(graph::partition::policy::debug);
  for (PartitionRun& one : compile_partitions(outcome.graph, partitions, engine, false, false)) {
    make_tensors(outcome.graph, one, outcome.memories, engine, options);
    one.compiled.execute(stream, one.input_tensors, one.output_tensors);
    stream.wait();
  }
  return outcome;
}

Outcome run_graph(const std::string& name, const IdValues& in_shapes, const IdValues& values = {}) {
  CaseSettings settings;
  settings.in_shapes = in_shapes;
  settings.tensor_value = values;
  GraphDesc graph = frontends::read_benchdnn_json_file(
      IOTADNN_SOURCE_DIR "/benchdnn_inputs/graph/attention/" + name + ".json");
  rewrite(graph, settings);
  return run(graph);
}

double scale_of(const Outcome& outcome) {
  return std::get<std::vector<double>>(*outcome.graph.tensors.at(4).value).at(0);
}

IdValues shapes_of(IdValues more = {}) {
  const auto text = [](int64_t rows, int64_t size) {
    return "1x" + std::to_string(kHeads) + "x" + std::to_string(rows) + "x" + std::to_string(size);
  };
  more[0] = text(kQueries, kHead);
  more[1] = text(kKeys, kHead);
  more[2] = text(kKeys, kValues);
  return more;
}

// What is added to the score of a head, query and key; -inf where the key is masked.
using Bias = std::function<double(int64_t, int64_t, int64_t)>;

constexpr double kMasked = -std::numeric_limits<double>::infinity();

// Scores up to 8 are off by some units of f32 each, and exp makes relative errors of those.
void expect_attention(const Outcome& outcome, const Bias& bias, const float* out) {
  const float* q = f32_of(outcome.memories, 0);
  const float* k = f32_of(outcome.memories, 1);
  const float* v = f32_of(outcome.memories, 2);
  for (int64_t h = 0; h < kHeads; ++h)
    for (int64_t i = 0; i < kQueries; ++i) {
      std::vector<double> weights;
      double sum = 0;
      for (int64_t j = 0; j < kKeys; ++j) {
        double score = 0;
        for (int64_t d = 0; d < kHead; ++d)
          score += static_cast<double>(q[(h * kQueries + i) * kHead + d]) *
                   static_cast<double>(k[(h * kKeys + j) * kHead + d]);
        weights.push_back(std::exp(score * scale_of(outcome) + bias(h, i, j)));
        sum += weights.back();
      }
      for (int64_t d = 0; d < kValues; ++d) {
        double expected = 0;
        for (int64_t j = 0; j < kKeys; ++j)
          expected += weights[static_cast<size_t>(j)] / sum *
                      static_cast<double>(v[(h * kKeys + j) * kValues + d]);
        ASSERT_NEAR(static_cast<double>(out[(h * kQueries + i) * kValues + d]), expected, 5e-6)
            << h << " " << i << " " << d;
      }
    }
}

void expect_attention(const Outcome& outcome, const Bias& bias) {
  expect_attention(outcome, bias, f32_of(outcome.memories, outcome.output()));
}

double keep_if(bool keep) {
  return keep ? 0 : kMasked;
}

TEST(AttentionGraphs, NoMask) {
  expect_attention(run_graph("no-mask", shapes_of()),
                   [](int64_t, int64_t, int64_t) { return 0.0; });
}

TEST(AttentionGraphs, Causal) {
  const Bias causal = [](int64_t, int64_t i, int64_t j) { return keep_if(j <= i); };
  expect_attention(run_graph("implicit-causal", shapes_of()), causal);
  expect_attention(run_graph("explicit-mask", shapes_of({{6, "1x1x9x13"}})), causal);
}

TEST(AttentionGraphs, BottomRight) {
  expect_attention(run_graph("bottom-right", shapes_of()), [](int64_t, int64_t i, int64_t j) {
    return keep_if(j <= i + kKeys - kQueries);
  });
}

TEST(AttentionGraphs, SlidingWindow) {
  expect_attention(run_graph("sliding-window", shapes_of(), {{8, "3"}}),
                   [](int64_t, int64_t i, int64_t j) { return keep_if(j <= i && j > i - 3); });
}

TEST(AttentionGraphs, Padding) {
  const Outcome outcome = run_graph("padding", shapes_of({{8, "1x1x1x1"}}), {{8, "4"}});
  expect_attention(outcome, [](int64_t, int64_t i, int64_t j) { return keep_if(j <= i && j < 4); });
}

TEST(AttentionGraphs, Alibi) {
  expect_attention(run_graph("alibi", shapes_of({{8, "2x1x1"}})),
                   [](int64_t h, int64_t i, int64_t j) {
                     return keep_if(j <= i) + static_cast<double>(j - i) * (h == 0 ? 0.5 : 0.25);
                   });
}

// What the driver compares our time with is the same attention, but for the mask.
TEST(AttentionGraphs, OneDnnsPrimitivesComputeThem) {
  if (!has_onednn()) GTEST_SKIP() << "this build has no oneDNN";
  for (const char* name : {"no-mask", "implicit-causal", "bottom-right"}) {
    const Outcome outcome = run_graph(name, shapes_of());
    const auto plain = plain_attention(outcome.graph, outcome.memories);
    ASSERT_TRUE(plain) << name;
    const OneDnnRival rival = onednn_rival(*plain);
    ASSERT_TRUE(rival.run) << rival.reason;
    rival.run();
    expect_attention(
        outcome, [](int64_t, int64_t, int64_t) { return 0.0; },
        static_cast<const float*>(rival.output->data()));
  }
}

// Stats of a backward graph are those of its own scores: rows of exp(scores - stats) sum to 1.
TEST(AttentionStats, MakeProbabilities) {
  const auto tensor = [](int id, const char* shape) {
    return R"({"id":)" + std::to_string(id) + R"(,"dtype":"f32","shape":)" + shape + "}";
  };
  const std::string scores = tensor(6, "[1,2,5,7]");
  const std::string shifted = tensor(8, "[1,2,5,7]");
  const std::string probabilities = tensor(9, "[1,2,5,7]");
  const GraphDesc graph = frontends::read_benchdnn_json(
      R"({"graph":[{"id":0,"kind":"MatMul","inputs":[)" + tensor(0, "[1,2,5,16]") + "," +
      tensor(1, "[1,2,16,7]") + R"(],"outputs":[)" + scores +
      R"(]},{"id":1,"kind":"Subtract","inputs":[)" + scores + "," + tensor(7, "[1,2,5,1]") +
      R"(],"outputs":[)" + shifted + R"(]},{"id":2,"kind":"Exp","inputs":[)" + shifted +
      R"(],"outputs":[)" + probabilities + R"(]},{"id":3,"kind":"MatMul","inputs":[)" +
      probabilities + "," + tensor(2, "[1,2,7,3]") + R"(],"outputs":[)" + tensor(10, "[1,2,5,3]") +
      "]}]}");
  ASSERT_EQ(attention_roles(graph).inputs.at(7).role, Role::stats);
  const Outcome outcome = run(graph);
  for (int64_t row = 0; row < 10; ++row) {
    double sum = 0;
    for (int64_t j = 0; j < 7; ++j)
      sum += static_cast<double>(f32_of(outcome.memories, 9)[row * 7 + j]);
    EXPECT_NEAR(sum, 1, 1e-5);
  }
}

// Every graph in both fills and all types, which also shows that shapes and types of the files fit.
TEST(AttentionGraphs, PassAnOpAtATime) {
  for (const char* fill : {"onednn", "small"}) {
    const DriverRun run = run_driver({"--policy=debug", std::string("--attention-fill=") + fill,
                                      "--graph", "--batch=attention/harness_attention_ci"});
    EXPECT_EQ(run.exit_code, 0) << run.text;
    EXPECT_THAT(run.lines.back(), HasSubstr(" skipped:0 mistrusted:0 unimplemented:0 "));
    EXPECT_GE(run.lines.size(), 100u);
  }
}

}  // namespace
}  // namespace iotadnn::benchdnn
