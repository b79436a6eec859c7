// SPDX-License-Identifier: Apache-2.0
// The iotadnn command as a shell calls it: what it prints, its files and its exit codes.
#include "tools/command.h"

#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "frontends/benchdnn_json.h"
#include "frontends/command_fixture.h"
#include "frontends/files/load.h"
#include "frontends/files/npy.h"

namespace iotadnn::models_test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

TEST_F(Command, HelpAndUsage) {
  const Result help = call({"--help"});
  EXPECT_EQ(help.code, tools::kSuccess);
  for (const char* name : {"inspect", "run", "bench", "convert", "test", "Exit codes"})
    EXPECT_THAT(help.out, HasSubstr(name));
  EXPECT_EQ(call({"run", "--help"}).code, tools::kSuccess);
  EXPECT_EQ(call({}).code, tools::kBadUsage);
  EXPECT_EQ(call({"frobnicate"}).code, tools::kBadUsage);
  EXPECT_EQ(call({"run"}).code, tools::kBadUsage);
}

TEST_F(Command, FilesThatCannotBeRead) {
  for (const char* name : {"inspect", "run", "bench"}) {
    const Result gone = call({name, path("gone.onnx")});
    EXPECT_EQ(gone.code, tools::kBadInput);
    EXPECT_THAT(gone.err, AllOf(StartsWith("iotadnn: "), HasSubstr("gone.onnx")));
  }
  EXPECT_THAT(call({"run", folder_}).err, HasSubstr("models end in"));
  EXPECT_THAT(call({"test", path("gone")}).err, HasSubstr("not a folder"));
}

TEST_F(Command, InspectTellsTheFateOfEachNode) {
  const Result result = call({"inspect", model(), "--assume", "5"});
  EXPECT_EQ(result.code, tools::kSuccess) << result.err;
  EXPECT_THAT(result.out,
              AllOf(HasSubstr("ONNX, opset 22"), HasSubstr("x  f32[?, 3]"), HasSubstr("[5, 3]"),
                    HasSubstr("the_EyeLike (EyeLike)  f32[5, 3]  claimed: partition 0"),
                    HasSubstr("the_Add (Add)  f32[5, 3]  claimed: partition 0")));
}

TEST_F(Command, RunReadsAndWritesNumpyFiles) {
  models::write_file(path("x.npy"), models::write_npy(f32({2, 3}, {1, 2, 3, 4, 5, 6})));
  const Result result =
      call({"run", model(), "--input", "x=" + path("x.npy"), "--output", path("out"), "--check"});
  EXPECT_EQ(result.code, tools::kSuccess) << result.err;
  EXPECT_THAT(result.out, AllOf(HasSubstr("output y: f32[2, 3]"), HasSubstr("check: all outputs")));
  expect_equal(models::load_tensor(path("out/y.npy")), f32({2, 3}, {2, 2, 3, 4, 6, 6}));
}

TEST_F(Command, RunMakesRandomDataOfAShape) {
  const std::string file = model();
  EXPECT_THAT(call({"run", file, "--input", "x=4x3"}).out, HasSubstr("f32[4, 3]"));
  EXPECT_THAT(call({"run", file}).err, AllOf(HasSubstr("input 'x'"), HasSubstr("--input x=5x7")));
  EXPECT_THAT(call({"run", file, "--input", "x=4xx"}).err, HasSubstr("'4xx'"));
  EXPECT_THAT(call({"run", file, "--input", "z=4"}).err, HasSubstr("the model has: x"));
  EXPECT_EQ(call({"run", file, "--input", "z=4"}).code, tools::kBadUsage);
  EXPECT_THAT(call({"run", file, "--input", "x=4x4"}).err, HasSubstr("[?, 3]"));
  EXPECT_EQ(call({"run", file, "--input", "x=4x4"}).code, tools::kBadInput);
}

TEST_F(Command, BenchTimesThreeWays) {
  const Result result = call({"bench", model(), "--input", "x=4x3", "--seconds", "0", "--csv"});
  EXPECT_EQ(result.code, tools::kSuccess) << result.err;
  EXPECT_THAT(result.out, AllOf(StartsWith("what,way,runner,ops,median_ms,runs\nmodel,fused,"),
                                HasSubstr("\nmodel,unfused,"), HasSubstr("\nmodel,reference,"),
                                HasSubstr("\nstep 0,fused,"), HasSubstr("\nstep 0,unfused,"),
                                HasSubstr("\nstep 0,reference,")));
  const Result bad = call({"bench", model(), "--input", "x=4x3", "--seconds", "-1"});
  EXPECT_EQ(bad.code, tools::kBadUsage);
  EXPECT_THAT(bad.err, HasSubstr("'-1' was given, allowed: numbers from 0"));
}

TEST_F(Command, InspectHasALineForEachNodeOfTheFile) {
  OnnxModel model;
  model.input("i", iotadnn_s64, {3}).initializer("depth", s64({}, {4}));
  model.initializer("values", f32({2}, {0, 1}));
  model.node("OneHot", {"i", "depth", "values"}, {"y"}).output("y");
  const Result result = call({"inspect", write(model, "one_hot.onnx")});
  EXPECT_EQ(result.code, tools::kSuccess) << result.err;
  EXPECT_THAT(result.out, AllOf(HasSubstr(", 1 nodes\n"), HasSubstr("  OneHot\nnodes:\n"),
                                HasSubstr(" ops); "), HasSubstr("the_OneHot (OneHot)  f32[3, 4]")));
  EXPECT_EQ(result.out.find("the_OneHot"), result.out.rfind("the_OneHot"));
}

TEST_F(Command, NamesStayOnOneLine) {
  OnnxModel model;
  model.input("x\n\x1b[1m", iotadnn_f32, {2}).node("Abs", {"x\n\x1b[1m"}, {"y"}).output("y");
  EXPECT_THAT(call({"inspect", write(model, "names.onnx")}).out,
              HasSubstr("inputs:\n  x\\x0a\\x1b[1m  f32[2]\n"));
}

TEST_F(Command, OutputsThatWouldShareAFile) {
  OnnxModel model;
  model.input("x", iotadnn_f32, {2}).node("Abs", {"x"}, {"a/b"}).node("Neg", {"x"}, {"a_b"});
  model.output("a/b").output("a_b");
  const Result result = call({"run", write(model, "two.onnx"), "--output", path("out")});
  EXPECT_EQ(result.code, tools::kBadInput);
  EXPECT_THAT(result.err, HasSubstr("would both be written to 'a_b.npy'"));
}

TEST_F(Command, ConvertWritesGraphJson) {
  const Result result = call({"convert", model(), path("graph.json"), "--input", "x=4x3"});
  EXPECT_EQ(result.code, tools::kSuccess) << result.err;
  const auto graph = frontends::read_benchdnn_json_file(path("graph.json"));
  ASSERT_EQ(graph.ops.size(), 2u);
  EXPECT_EQ(graph.ops[0].kind, iotadnn_graph_op_eye_like);
  EXPECT_EQ(graph.ops[1].kind, iotadnn_graph_op_add);
}

class BackendTest : public Command {
 protected:
  void write_case(const std::string& name, const OnnxModel& model, const Tensor& in,
                  const Tensor& out) const {
    fs::create_directories(path(name) + "/test_data_set_0");
    write(model, name + "/model.onnx");
    models::write_file(path(name + "/test_data_set_0/input_0.pb"),
                       proto_of(in).SerializeAsString());
    models::write_file(path(name + "/test_data_set_0/output_0.pb"),
                       proto_of(out).SerializeAsString());
  }
};

TEST_F(BackendTest, VerdictsAndExitCodes) {
  const Tensor x = f32({2, 2}, {1, 1, 1, 1});
  write_case("right", one_node("EyeLike", {x}), x, eye(iotadnn_f32, 2, 2, 0));
  EXPECT_EQ(call({"test", path("right")}).code, tools::kSuccess);
  write_case("unknown", one_node("LSTM", {x}), x, x);
  EXPECT_EQ(call({"test", folder_}).code, tools::kBadInput);
  write_case("wrong", one_node("EyeLike", {x}), x, eye(iotadnn_f32, 2, 2, 1));
  const Result all = call({"test", folder_});
  EXPECT_EQ(all.code, tools::kFailed);
  EXPECT_THAT(all.out, AllOf(HasSubstr("pass right\n"), HasSubstr("refused unknown: node"),
                             HasSubstr("FAIL wrong: test_data_set_0, output 'y': 3 of 4 elements"),
                             HasSubstr("1 passed, 1 refused, 1 failed")));
}

// Folders that this project did not write, where they are present.
TEST(BackendData, OnnxFolders) {
  const fs::path data = fs::path(IOTADNN_SOURCE_DIR) / "../shared/data/onnx/backend";
  if (!fs::is_directory(data)) GTEST_SKIP() << "there is no " << data;
  const Result result = call({"test", data.string()});
  std::istringstream lines(result.out);
  for (std::string line; std::getline(lines, line);) {
    const bool may_be_refused =
        line.find("refused test_range_") == 0 && line.find("(Loop)") != std::string::npos;
    EXPECT_TRUE(line.rfind("pass ", 0) == 0 || may_be_refused ||
                line.find(" 0 failed") != std::string::npos)
        << line;
  }
}

// Each of the op has a twin in which it is spelled out.
TEST(BackendData, Attention) {
  const fs::path data = fs::path(IOTADNN_SOURCE_DIR) / "../shared/data/onnx/backend/latest";
  if (!fs::is_directory(data)) GTEST_SKIP() << "there is no " << data;
  for (const char* name : {"3d_causal", "3d_gqa_causal", "4d_attn_mask_3d_causal",
                           "4d_attn_mask_4d_causal", "4d_causal", "4d_diff_heads_sizes_causal",
                           "4d_with_past_and_present_qk_matmul_bias_3d_mask_causal"})
    for (const char* form : {"", "_expanded"}) {
      const Result result =
          call({"test", (data / ("test_attention_" + std::string(name) + form)).string()});
      EXPECT_EQ(result.code, tools::kSuccess) << result.out << result.err;
    }
}

TEST(BackendData, MigraphxModels) {
  const fs::path data = fs::path(IOTADNN_SOURCE_DIR) / "../shared/data/onnx/migraphx";
  if (!fs::is_directory(data)) GTEST_SKIP() << "there is no " << data;
  for (const auto& entry : fs::directory_iterator(data)) {
    const Result result = call({"run", entry.path().string(), "--check"});
    const bool is_refused = entry.path().filename() == "eyelike_not_rank2_test.onnx";
    EXPECT_EQ(result.code, is_refused ? tools::kBadInput : tools::kSuccess) << entry.path();
    EXPECT_EQ(result.err.find("rank 2 only") != std::string::npos, is_refused) << entry.path();
  }
}

TEST_F(Command, DescribesOps) {
  const Result one = call({"describe", "GenIndex"});
  EXPECT_EQ(one.code, tools::kSuccess);
  EXPECT_THAT(one.out, AllOf(StartsWith("{"), HasSubstr("\"name\": \"GenIndex\""),
                             HasSubstr("\"name\": \"axis\""), HasSubstr("\"required\": true")));
  const Result all = call({"describe"});
  EXPECT_EQ(all.code, tools::kSuccess);
  EXPECT_THAT(all.out, AllOf(StartsWith("["), HasSubstr("\"name\": \"Eye\""),
                             HasSubstr("\"name\": \"Add\"")));
  const Result host = call({"describe", "AvgPool"});
  EXPECT_EQ(host.code, tools::kBadInput);
  EXPECT_THAT(host.err, HasSubstr("(AvgPool) is none that iotadnn computes"));
  EXPECT_EQ(call({"describe", "Nope"}).code, tools::kBadUsage);
}

}  // namespace
}  // namespace iotadnn::models_test
