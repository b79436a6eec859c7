// SPDX-License-Identifier: Apache-2.0
// iotadnn inspect --program, --asm and --html: what is printed, what is on the page, and errors.
#include <cstdlib>
#include <regex>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "iotadnn/graph.hpp"

#include "frontends/command_fixture.h"
#include "tools/html_page.h"

namespace iotadnn::models_test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

// An environment variable, as it was before at the end.
class ScopedEnv {
 public:
  ScopedEnv(const char* name, const char* value) : name_(name) {
    if (const char* before = std::getenv(name)) before_ = before;
    setenv(name, value, 1);
  }

  ~ScopedEnv() { setenv(name_, before_.c_str(), 1); }

  ScopedEnv(const ScopedEnv&) = delete;
  ScopedEnv& operator=(const ScopedEnv&) = delete;

 private:
  const char* name_;
  std::string before_;
};

class ScopedIsa {
 public:
  explicit ScopedIsa(iotadnn_cpu_isa_t isa) : before_(iotadnn_get_effective_cpu_isa()) {
    iotadnn_set_max_cpu_isa(isa);
  }

  ~ScopedIsa() { iotadnn_set_max_cpu_isa(before_); }

  ScopedIsa(const ScopedIsa&) = delete;
  ScopedIsa& operator=(const ScopedIsa&) = delete;

 private:
  iotadnn_cpu_isa_t before_;
};

bool has_machine_code() {
  const iotadnn_cpu_isa_t isa = iotadnn_get_effective_cpu_isa();
  return isa != iotadnn_cpu_isa_reference && isa != iotadnn_cpu_isa_portable;
}

size_t count_of(const std::string& text, const std::string& part) {
  size_t count = 0;
  for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + part.size()))
    ++count;
  return count;
}

class Inspect : public Command {
 protected:
  // Two identities, each with what is fused to it, and something between that is interpreted.
  std::string two_partitions() const {
    OnnxModel model;
    model.input("x", iotadnn_f32, {-1, 8}).node("EyeLike", {"x"}, {"e"});
    model.node("Add", {"x", "e"}, {"a"}).node("CumSum", {"a", "axis"}, {"s"});
    model.initializer("axis", s64({}, {1})).node("EyeLike", {"s"}, {"f"});
    model.node("Mul", {"s", "f"}, {"y"}).output("y");
    return write(model, "two.onnx");
  }

  std::string page_of(const std::string& model, std::vector<std::string> more = {}) const {
    std::vector<std::string> arguments = {"inspect", model, "--html", path("page.html")};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const Result result = call(arguments);
    EXPECT_EQ(result.code, tools::kSuccess) << result.err;
    EXPECT_THAT(result.out, HasSubstr("page: " + path("page.html") + "\n"));
    return models::read_file(path("page.html"), size_t{64} << 20);
  }
};

TEST_F(Inspect, ProgramsOfPartitions) {
  const Result result = call({"inspect", two_partitions(), "--assume", "8", "--program"});
  EXPECT_EQ(result.code, tools::kSuccess) << result.err;
  if (iotadnn_get_effective_cpu_isa() == iotadnn_cpu_isa_reference) return;
  EXPECT_THAT(result.out, AllOf(HasSubstr("partition 0, "),
                                HasSubstr(": EyeLike Add\n  # s0, s64: 0\n  # split\n"),
                                HasSubstr("\n  program rank=2 width=4 scalars="),
                                HasSubstr("= add f32 "), HasSubstr("predicate p0: c1 in [")));
  EXPECT_EQ(count_of(result.out, "\n  # split"), 2u);
  EXPECT_THAT(result.out, Not(HasSubstr("kernel iotadnn_pointwise_r2_w4_p1: ")));
}

TEST_F(Inspect, ProgramsOfOtherInstructionSets) {
  const ScopedIsa reference(iotadnn_cpu_isa_reference);
  const Result result = call({"inspect", two_partitions(), "--program", "--asm"});
  EXPECT_EQ(result.code, tools::kSuccess) << result.err;
  EXPECT_THAT(result.out, AllOf(HasSubstr("  # no row program: the reference runs op by op\n"),
                                HasSubstr("  no machine code: the reference runs\n")));
  const ScopedIsa portable(iotadnn_cpu_isa_portable);
  EXPECT_THAT(call({"inspect", two_partitions(), "--asm"}).out,
              AllOf(HasSubstr("  no machine code: the portable interpreter runs\n"),
                    Not(HasSubstr("program rank="))));
}

TEST_F(Inspect, ModelsWithoutPartitions) {
  OnnxModel model;
  model.input("x", iotadnn_f32, {4}).node("CumSum", {"x", "axis"}, {"y"}).output("y");
  model.initializer("axis", s64({}, {0}));
  const std::string file = write(model, "none.onnx");
  EXPECT_THAT(call({"inspect", file, "--program"}).out,
              HasSubstr("no row programs: no partition is compiled\n"));
  EXPECT_THAT(call({"inspect", file, "--asm"}).out,
              HasSubstr("no machine code: no partition is compiled\n"));
  EXPECT_THAT(page_of(file), HasSubstr("None: every node that is left is interpreted."));
}

TEST_F(Inspect, ListingsInIntelSyntax) {
  if (!has_machine_code()) GTEST_SKIP() << "nothing is compiled to machine code here";
  const Result result = call({"inspect", two_partitions(), "--asm"});
  EXPECT_EQ(result.code, tools::kSuccess) << result.err;
  const std::regex heading(
      "\n  kernel iotadnn_pointwise_r2_w4_p\\d\\w*: (\\d+) bytes of "
      "instructions, \\d+ of constants\n");
  std::smatch found;
  ASSERT_TRUE(std::regex_search(result.out, found, heading)) << result.out;
  EXPECT_TRUE(std::regex_search(result.out, std::regex("\n +0:  [a-z]+ ")));
  EXPECT_TRUE(std::regex_search(result.out, std::regex(":  mov +r[a-z0-9]+,QWORD PTR \\[r")));
  EXPECT_TRUE(std::regex_search(result.out, std::regex(":  vmovups [xyz]mm\\d+,[XYZ]MMWORD PTR ")));
  EXPECT_THAT(result.out, AllOf(HasSubstr(":  ret\n"), Not(HasSubstr("(bad)"))));
}

TEST_F(Inspect, ListingsNeedObjdump) {
  if (!has_machine_code()) GTEST_SKIP() << "nothing is compiled to machine code here";
  const std::string model = two_partitions();
  const ScopedEnv env("PATH", folder_.c_str());
  const Result result = call({"inspect", model, "--asm"});
  EXPECT_EQ(result.code, tools::kBadInput);
  EXPECT_THAT(result.err, AllOf(StartsWith("iotadnn: a listing needs objdump (Debian package "
                                           "binutils): cannot run 'objdump'"),
                                HasSubstr("No such file")));
  EXPECT_EQ(call({"inspect", model, "--program"}).code, tools::kSuccess);
}

TEST_F(Inspect, PagesDrawTheGraph) {
  const std::string page = page_of(two_partitions());
  EXPECT_THAT(page, AllOf(StartsWith("<!DOCTYPE html>"), HasSubstr("default-src 'none'"),
                          HasSubstr("<title>two.onnx - iotadnn</title>")));
  EXPECT_EQ(count_of(page, "<g class=\"v claimed\""), 4u);
  EXPECT_EQ(count_of(page, "<g class=\"v interpreted\""), 1u);
  EXPECT_EQ(count_of(page, "<g class=\"v port\""), 2u);
  EXPECT_EQ(count_of(page, "<g class=\"v constant\""), 1u);
  EXPECT_EQ(count_of(page, "<path class=\"e\""), 9u);
  EXPECT_EQ(count_of(page, "<details class=\"card partition\""), 2u);
  EXPECT_THAT(page,
              AllOf(HasSubstr("node: the_CumSum\nop: CumSum"), HasSubstr("fate: interpreted: "),
                    HasSubstr("fate: claimed: partition 0\nrunner: ")));
}

TEST_F(Inspect, PagesColourEachPartition) {
  const std::string page = page_of(two_partitions());
  std::set<std::string> hues;
  const std::regex colour("<li class=\"claimed\"[^>]*style=\"--h:(\\d+)\"");
  for (std::sregex_iterator at(page.begin(), page.end(), colour), end; at != end; ++at)
    hues.insert((*at)[1]);
  EXPECT_EQ(hues.size(), 2u);
}

TEST_F(Inspect, PagesHoldProgramsAndListings) {
  if (!has_machine_code()) GTEST_SKIP() << "nothing is compiled to machine code here";
  const std::string without = page_of(two_partitions());
  EXPECT_THAT(without, AllOf(HasSubstr("program rank=2 width=4"), Not(HasSubstr("vmovups"))));
  const std::string with = page_of(two_partitions(), {"--asm", "--assume", "16"});
  EXPECT_THAT(with, AllOf(HasSubstr("f32[16, 8]"), HasSubstr("<h3>kernel iotadnn_pointwise"),
                          HasSubstr("vmovups")));
}

// All that a model says is text.
TEST_F(Inspect, PagesOfHostileNames) {
  const std::string evil = "</title></script><script>alert(1)</script>\"'><img src=x onerror=y>&";
  OnnxModel model;
  model.input(evil, iotadnn_f32, {4, 4}).node("EyeLike", {evil}, {evil + "e"});
  model.node("Add", {evil, evil + "e"}, {evil + "y\n\x01\xff"}).output(evil + "y\n\x01\xff");
  for (auto& node : *model.proto.mutable_graph()->mutable_node())
    node.set_name(evil + node.op_type());
  const std::string page = page_of(write(model, "<b>&\"'.onnx"));
  EXPECT_EQ(count_of(page, "<script"), 1u);
  EXPECT_EQ(count_of(page, "</script"), 1u);
  EXPECT_THAT(page, AllOf(Not(HasSubstr("<img")), Not(HasSubstr("<b>&")), Not(HasSubstr("\x01")),
                          Not(HasSubstr("\xff")), HasSubstr("&lt;script&gt;alert(1)"),
                          HasSubstr("<h1>&lt;b&gt;&amp;&quot;&#39;.onnx</h1>")));
  EXPECT_EQ(count_of(page, "<title>"), 1u + 2 + 2);
}

TEST_F(Inspect, PagesThatCannotBeWritten) {
  for (const std::string& out : {folder_, path("gone/page.html"), std::string()}) {
    const Result result = call({"inspect", two_partitions(), "--html", out});
    EXPECT_EQ(result.code, tools::kBadInput);
    EXPECT_THAT(result.err, StartsWith("iotadnn: cannot write '" + out + "': "));
  }
  EXPECT_EQ(call({"inspect", two_partitions(), "--html"}).code, tools::kBadUsage);
}

TEST_F(Inspect, PagesOfEmptyGraphs) {
  OnnxModel model;
  const std::string page = page_of(
      write(model.input("x", iotadnn_f32, {2}).output("x"), "empty.onnx"), {"--program", "--asm"});
  EXPECT_THAT(page, HasSubstr("0 nodes"));
  EXPECT_EQ(count_of(page, "<g class=\"v "), 2u);
  EXPECT_EQ(count_of(page, "<path class=\"e\""), 1u);
  EXPECT_THAT(tools::html_page("nothing", Model(), models::Plan(), {}),
              AllOf(Not(HasSubstr("<svg")),
                    HasSubstr("The model has neither nodes nor inputs nor outputs.")));
}

// Chains of what is claimed and what is not: thousands of nodes and hundreds of partitions.
TEST_F(Inspect, PagesOfLargeModelsAreBounded) {
  constexpr int kParts = 2500;
  OnnxModel model;
  model.input("x0", iotadnn_f32, {4, 4}).initializer("axis", s64({}, {1}));
  for (int i = 0; i < kParts; ++i) {
    const std::string n = std::to_string(i);
    model.node("EyeLike", {"x" + n}, {"e" + n});
    model.node("Add", {"x" + n, "e" + n}, {"a" + n});
    model.node("CumSum", {"a" + n, "axis"}, {"x" + std::to_string(i + 1)});
  }
  const std::string page = page_of(write(model.output("x2500"), "large.onnx"), {"--program"});
  EXPECT_LT(page.size(), size_t{16} << 20);
  EXPECT_EQ(count_of(page, "<g class=\"v claimed\""), 4000u);
  EXPECT_THAT(page, AllOf(HasSubstr("1500 nodes at its end and 1 edge are not shown"),
                          HasSubstr("1500 more partitions not shown")));
}

}  // namespace
}  // namespace iotadnn::models_test
