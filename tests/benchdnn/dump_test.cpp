// SPDX-License-Identifier: Apache-2.0
// What the library dumps, the driver replays: whole graphs, partitionings and compiled partitions.
#include <algorithm>
#include <filesystem>
#include <limits>

#include <gmock/gmock.h>

#include "iotadnn/graph.hpp"

#include "benchdnn/driver_run.h"
#include "frontends/benchdnn_json.h"

namespace iotadnn::benchdnn {
namespace {

namespace fs = std::filesystem;

// Runs with the temporary folder as the current one, since dumps go there.
class Dumps : public testing::Test {
 protected:
  void SetUp() override {
    const auto* info = testing::UnitTest::GetInstance()->current_test_info();
    std::string name = std::string("benchdnn_dumps_") + info->name();
    std::replace(name.begin(), name.end(), '/', '_');
    home_ = fs::current_path();
    folder_ = fs::path(testing::TempDir()) / name;
    fs::remove_all(folder_);
    fs::create_directories(folder_);
    fs::current_path(folder_);
  }

  void TearDown() override {
    iotadnn_graph_set_dump_mode(iotadnn_graph_dump_mode_none);
    fs::current_path(home_);
    fs::remove_all(folder_);
  }

  static std::vector<std::string> dumped_files() {
    std::vector<std::string> files;
    for (const auto& entry : fs::directory_iterator("."))
      files.push_back(entry.path().filename().string());
    std::sort(files.begin(), files.end());
    return files;
  }

  static void dump_all() {
    const auto both = static_cast<iotadnn_graph_dump_mode_t>(iotadnn_graph_dump_mode_graph |
                                                             iotadnn_graph_dump_mode_subgraph);
    ASSERT_EQ(iotadnn_graph_set_dump_mode(both), iotadnn_success);
  }

 private:
  fs::path home_;
  fs::path folder_;
};

class DumpReplay : public Dumps, public testing::WithParamInterface<const char*> {};

TEST_P(DumpReplay, EveryDumpIsACaseThatPasses) {
  dump_all();
  const std::string file = std::string("--case=op/bf16/") + GetParam() + ".json";
  ASSERT_EQ(run_driver({"--graph", file}).exit_code, 0);
  iotadnn_graph_set_dump_mode(iotadnn_graph_dump_mode_none);
  const std::vector<std::string> dumps = dumped_files();
  EXPECT_EQ(dumps.size(), 3u) << "graph, partitioning, compiled partition";
  for (const std::string& dump : dumps) {
    const DriverRun run = run_driver({"--graph", "--case=" + dump});
    EXPECT_EQ(run.exit_code, 0) << run.text;
    EXPECT_EQ(run.lines.at(0), "0:PASSED (T ms) __REPRO: --graph --case=" + dump);
  }
}

// A graph may leave ranks open; its dump says so, and a replay asks for the shape.
TEST_F(Dumps, UnknownRanksReplayWithAShape) {
  using iotadnn::graph::logical_tensor;
  using Op = iotadnn::graph::op;
  const auto strided = logical_tensor::layout_type::strided;
  const auto f32 = logical_tensor::data_type::f32;
  const auto s32 = logical_tensor::data_type::s32;
  Op index(0, Op::kind::GenIndex, {logical_tensor(0, f32, strided)},
           {logical_tensor(1, s32, strided)}, "index");
  index.set_attr<int64_t>(Op::attr::axis, -1);
  dump_all();
  iotadnn::graph::graph g(engine::kind::cpu);
  g.add_op(index);
  g.finalize();
  const logical_tensor source(0, f32, logical_tensor::dims{3, 4}, strided);
  (void)g.get_partitions().at(0).compile({source}, {logical_tensor(1, s32, strided)},
                                         engine(engine::kind::cpu, 0));
  iotadnn_graph_set_dump_mode(iotadnn_graph_dump_mode_none);
  const std::vector<std::string> dumps = dumped_files();
  ASSERT_EQ(dumps.size(), 3u);
  int open = 0;
  for (const std::string& dump : dumps) {
    const auto desc = frontends::read_benchdnn_json_file(dump);
    const bool compiled = desc.tensors.at(0).dims.has_value();
    EXPECT_EQ(desc.tensors.at(1).dims.has_value(), compiled) << dump;
    EXPECT_EQ(run_driver({"--graph", "--in-shapes=0:5x7", "--case=" + dump}).exit_code, 0) << dump;
    if (compiled) continue;  // its shapes are there
    ++open;
    const DriverRun run = run_driver({"--graph", "--case=" + dump});
    EXPECT_EQ(run.exit_code, 1);
    EXPECT_EQ(run.lines.at(0),
              "Error: tensor 0, which the graph reads, has an unknown rank; give its shape with "
              "--in-shapes=0:SHAPE");
    EXPECT_EQ(run.lines.at(1),
              "0:UNTESTED_FAILED (Rewriter failed) (T ms) __REPRO: --graph --case=" + dump);
  }
  EXPECT_EQ(open, 2);
}

TEST_F(Dumps, NumbersThatAreNotFiniteAreRead) {
  using iotadnn::graph::logical_tensor;
  using Op = iotadnn::graph::op;
  constexpr float kInf = std::numeric_limits<float>::infinity();
  const logical_tensor in(0, logical_tensor::data_type::f32, logical_tensor::layout_type::strided);
  const logical_tensor out(1, logical_tensor::data_type::f32, logical_tensor::layout_type::strided);
  Op clamp(0, Op::kind::Clamp, {in}, {out}, "clamp");
  clamp.set_attr<float>(Op::attr::min, -kInf).set_attr<float>(Op::attr::max, kInf);
  dump_all();
  iotadnn::graph::graph g(engine::kind::cpu);
  g.add_op(clamp);
  g.finalize();
  ASSERT_EQ(g.get_partitions().size(), 1u);
  for (const std::string& dump : dumped_files()) {
    const auto attrs = frontends::read_benchdnn_json_file(dump).ops.at(0).attrs;
    EXPECT_EQ(attrs.at("min"), frontends::AttrValue(-kInf));
    EXPECT_EQ(attrs.at("max"), frontends::AttrValue(kInf));
  }
}

INSTANTIATE_TEST_SUITE_P(Forms, DumpReplay,
                         testing::Values("eye", "eye_host_scalars", "eye_tensors", "eye_batch",
                                         "eyelike", "genindex"),
                         [](const auto& param) { return std::string(param.param); });

}  // namespace
}  // namespace iotadnn::benchdnn
