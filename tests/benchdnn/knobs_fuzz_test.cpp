// SPDX-License-Identifier: Apache-2.0
// Command lines from the committed batch files, changed at random: parsed and applied to a graph,
// or refused with a sentence.
#include <filesystem>

#include <gtest/gtest.h>

#include "benchdnn/errors.h"
#include "benchdnn/input_files.h"
#include "benchdnn/knobs.h"
#include "benchdnn/rewrite.h"
#include "frontends/benchdnn_json.h"
#include "support/mutate.h"

namespace iotadnn::benchdnn {
namespace {

namespace fs = std::filesystem;

constexpr char kInputs[] = IOTADNN_SOURCE_DIR "/benchdnn_inputs/graph";

std::vector<std::string> committed_arguments() {
  std::vector<std::string> arguments;
  for (const auto& entry : fs::recursive_directory_iterator(kInputs)) {
    if (!entry.is_regular_file() || entry.path().has_extension()) continue;
    for (std::string& argument : batch_arguments(read_text_file(entry.path().string())))
      if (argument.size() < 400) arguments.push_back(std::move(argument));
  }
  return arguments;
}

std::vector<frontends::GraphDesc> committed_graphs() {
  std::vector<frontends::GraphDesc> graphs;
  for (const auto& entry : fs::directory_iterator(fs::path(kInputs) / "op" / "f32"))
    graphs.push_back(frontends::read_benchdnn_json_file(entry.path().string()));
  return graphs;
}

std::vector<std::string> tokens() {
  std::vector<std::string> words = {"-",
                                    "--",
                                    "=",
                                    ":",
                                    ",",
                                    "+",
                                    "*",
                                    "x",
                                    "0",
                                    "3:",
                                    "-1",
                                    "0.5",
                                    "nan",
                                    "1e999",
                                    "9223372036854775807",
                                    "-9223372036854775808",
                                    "18446744073709551616",
                                    "2x3",
                                    "acbd",
                                    "*ba",
                                    "axis:1",
                                    "shape:2x3",
                                    "f32",
                                    "undef",
                                    "host_scalar",
                                    "%limit%",
                                    "tlb:1G",
                                    "true",
                                    "cpu",
                                    "ring",
                                    "\xc3\xa9",
                                    std::string(1, '\0')};
  for (const Knob& knob : knobs())
    words.push_back("--" + std::string(knob.name) + "=");
  return words;
}

class KnobFuzz : public testing::Test {
 protected:
  // False when the arguments are refused.
  bool applies(const std::vector<std::string>& arguments, const frontends::GraphDesc& graph) {
    try {
      Settings settings;
      for (const std::string& argument : arguments) {
        const ParsedKnob parsed = parse_argument(argument);
        if (parsed.knob->action == KnobAction::set) parsed.knob->apply(settings, parsed.value);
      }
      const auto cases = combinations(settings.driver, "f.json");
      EXPECT_FALSE(global_repro(settings.global).empty());
      for (size_t i = 0; i < std::min<size_t>(cases.size(), 4); ++i) {
        frontends::GraphDesc copy = graph;
        EXPECT_FALSE(case_repro(cases[i]).empty());
        rewrite(copy, cases[i]);
      }
      return true;
    } catch (const UsageError& refused) {
      EXPECT_STRNE(refused.what(), "");
    } catch (const RewriteError& refused) {
      EXPECT_STRNE(refused.what(), "");
    }
    return false;
  }
};

TEST_F(KnobFuzz, EveryMutationIsAppliedOrRefused) {
  const std::vector<std::string> arguments = committed_arguments();
  const std::vector<frontends::GraphDesc> graphs = committed_graphs();
  const std::vector<std::string> words = tokens();
  ASSERT_GE(arguments.size(), 100u);
  test::Random random;
  int applied = 0;
  constexpr int kMutations = 4000;
  for (int i = 0; i < kMutations; ++i) {
    // Two at most: lists of several knobs multiply.
    std::vector<std::string> line = {test::mutated(random.pick(arguments), words, random)};
    if (random.coin()) line.push_back(random.pick(words) + random.pick(words));
    ASSERT_NO_THROW(applied += applies(line, random.pick(graphs)) ? 1 : 0)
        << testing::PrintToString(line);
  }
  EXPECT_GT(applied, kMutations / 100);
  EXPECT_LT(applied, kMutations);
}

}  // namespace
}  // namespace iotadnn::benchdnn
