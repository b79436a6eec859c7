// SPDX-License-Identifier: Apache-2.0
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "api/api_test_util.h"

namespace iotadnn::test {
namespace {

namespace fs = std::filesystem;
using graph::graph_dump_mode;

// Runs in a folder of its own, which is removed again.
class Dump : public testing::Test {
 protected:
  void SetUp() override {
    old_ = fs::current_path();
    folder_ = fs::temp_directory_path() / ("iotadnn_dump_test_" + std::to_string(::getpid()));
    fs::create_directory(folder_);
    fs::current_path(folder_);
  }

  void TearDown() override {
    graph::set_dump_mode(graph_dump_mode::none);
    fs::current_path(old_);
    fs::remove_all(folder_);
  }

  static std::set<std::string> files() {
    std::set<std::string> names;
    for (const auto& entry : fs::directory_iterator("."))
      names.insert(entry.path().filename().string());
    return names;
  }

  static nlohmann::json load(const std::string& name) {
    std::ifstream in(name);
    return nlohmann::json::parse(in);
  }

  fs::path old_;
  fs::path folder_;
};

const Lt kSrc(0, DataType::f32, {IOTADNN_GRAPH_UNKNOWN_DIM, 3}, Layout::strided);
const Lt kDst(1, DataType::s32, 2, Layout::strided);
const Lt kOther(2, DataType::s32, 2, Layout::strided);

// A GenIndex and a Wildcard that reads it.
std::vector<graph::partition> partitions_of_mixed_graph() {
  graph::graph g(engine::kind::cpu);
  g.add_op(gen_index_op(kSrc, kDst, -1, 5));
  g.add_op(Op(6, Op::kind::Wildcard, {kDst}, {kOther}));
  g.finalize();
  return g.get_partitions();
}

void compile_and_run(const graph::partition& partition, int64_t rows) {
  const engine eng = cpu_engine();
  const Lt src = strided(0, DataType::f32, {rows, 3});
  const auto compiled = partition.compile({src}, {kDst}, eng);
  EXPECT_EQ(compiled.query_logical_tensor(1).get_dims(), (Lt::dims{rows, 3}));
}

TEST_F(Dump, NothingByDefault) {
  compile_and_run(partitions_of_mixed_graph().at(0), 2);
  EXPECT_TRUE(files().empty());
}

TEST_F(Dump, GraphAndPartitioning) {
  graph::set_dump_mode(graph_dump_mode::graph);
  const auto partitions = partitions_of_mixed_graph();
  compile_and_run(partitions.at(0), 2);
  const auto names = files();
  ASSERT_EQ(names.size(), 2u);
  for (const std::string& name : names) {
    SCOPED_TRACE(name);
    EXPECT_EQ(name.rfind("graph-", 0), 0u);
    const nlohmann::json json = load(name);
    EXPECT_EQ(json.at("engine_kind"), "cpu");
    EXPECT_EQ(json.at("input_ports"), nlohmann::json::array({0}));
    EXPECT_EQ(json.at("output_ports"), nlohmann::json::array({2}));
    ASSERT_EQ(json.at("graph").size(), 2u);
    EXPECT_EQ(json.at("graph").at(0).at("kind"), "GenIndex");
    EXPECT_EQ(json.at("graph").at(0).at("attrs").at("axis").at("value"), -1);
    const bool has_partitions = name.find("-partitioning.json") != std::string::npos;
    EXPECT_EQ(json.at("graph").at(0).contains("partition_id"), has_partitions);
    if (has_partitions) {
      EXPECT_EQ(json.at("graph").at(0).at("partition_id"), partitions.at(0).get_id());
    }
  }
}

TEST_F(Dump, SubgraphPerSetOfShapes) {
  graph::set_dump_mode(graph_dump_mode::subgraph);
  const auto partitions = partitions_of_mixed_graph();
  compile_and_run(partitions.at(0), 2);
  compile_and_run(partitions.at(0), 7);
  compile_and_run(partitions.at(0), 7);
  const auto names = files();
  ASSERT_EQ(names.size(), 2u) << "one file per set of shapes";
  std::set<int64_t> rows;
  for (const std::string& name : names) {
    const nlohmann::json json = load(name);
    ASSERT_EQ(json.at("graph").size(), 1u);
    const auto& out = json.at("graph").at(0).at("outputs").at(0);
    EXPECT_EQ(out.at("shape"), json.at("graph").at(0).at("inputs").at(0).at("shape"));
    rows.insert(out.at("shape").at(0).get<int64_t>());
    EXPECT_EQ(out.at("stride"), nlohmann::json::array({3, 1}));
    EXPECT_EQ(name.rfind("graph-" + std::to_string(partitions.at(0).get_id()) + "-", 0), 0u);
  }
  EXPECT_EQ(rows, (std::set<int64_t>{2, 7}));
}

TEST_F(Dump, AFileThatCannotBeWrittenIsNoError) {
  graph::set_dump_mode(graph_dump_mode::graph | graph_dump_mode::subgraph);
  const fs::path inner = folder_ / "gone";
  fs::create_directory(inner);
  fs::current_path(inner);
  fs::remove(inner);  // nothing can be created in a removed folder, not even by root
  EXPECT_NO_THROW(compile_and_run(partitions_of_mixed_graph().at(0), 2));
  fs::current_path(folder_);
  EXPECT_TRUE(files().empty());
}

// The environment variable, in a process of its own: exits with the number of files. An unknown
// token clears what stands before it, as in oneDNN.
[[noreturn]] void exit_with_files_of(const char* value) {
  ::setenv("IOTADNN_GRAPH_DUMP", value, 1);
  const fs::path folder = fs::current_path();
  compile_and_run(partitions_of_mixed_graph().at(0), 2);
  const auto begin = fs::directory_iterator(folder);
  const auto count = std::distance(begin, fs::directory_iterator());
  fs::current_path("/");
  fs::remove_all(folder);
  std::exit(static_cast<int>(count));
}

TEST_F(Dump, Environment) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(exit_with_files_of("graph"), testing::ExitedWithCode(2), "");
  EXPECT_EXIT(exit_with_files_of("GRAPH,subgraph,"), testing::ExitedWithCode(3), "");
  EXPECT_EXIT(exit_with_files_of("graph,what,subgraph"), testing::ExitedWithCode(1), "");
  EXPECT_EXIT(exit_with_files_of("graph,what"), testing::ExitedWithCode(0), "");
}

}  // namespace
}  // namespace iotadnn::test
