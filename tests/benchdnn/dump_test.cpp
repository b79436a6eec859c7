// SPDX-License-Identifier: Apache-2.0
// What the library dumps, the driver replays: whole graphs, partitionings and compiled partitions.
#include <algorithm>
#include <filesystem>

#include <gmock/gmock.h>

#include "benchdnn/driver_run.h"

namespace iotadnn::benchdnn {
namespace {

namespace fs = std::filesystem;

// Runs with the temporary folder as the current one, since dumps go there.
class DumpReplay : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    home_ = fs::current_path();
    folder_ = fs::path(testing::TempDir()) / ("benchdnn_dumps_" + std::string(GetParam()));
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

 private:
  fs::path home_;
  fs::path folder_;
};

TEST_P(DumpReplay, EveryDumpIsACaseThatPasses) {
  const auto both = static_cast<iotadnn_graph_dump_mode_t>(iotadnn_graph_dump_mode_graph |
                                                           iotadnn_graph_dump_mode_subgraph);
  ASSERT_EQ(iotadnn_graph_set_dump_mode(both), iotadnn_success);
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

INSTANTIATE_TEST_SUITE_P(Forms, DumpReplay,
                         testing::Values("eye", "eye_host_scalars", "eye_tensors", "eye_batch",
                                         "eyelike", "genindex"),
                         [](const auto& param) { return std::string(param.param); });

}  // namespace
}  // namespace iotadnn::benchdnn
