// SPDX-License-Identifier: Apache-2.0
// The committed graph files, changed at random: each is read or refused with one sentence.
#include <filesystem>
#include <fstream>
#include <iterator>

#include <gtest/gtest.h>

#include "frontends/benchdnn_json.h"
#include "frontends/graph_builder.h"
#include "support/mutate.h"

namespace iotadnn::frontends {
namespace {

std::vector<std::string> committed_files() {
  std::vector<std::string> texts;
  for (const auto& entry :
       std::filesystem::recursive_directory_iterator(IOTADNN_SOURCE_DIR "/benchdnn_inputs/graph")) {
    if (entry.path().extension() != ".json") continue;
    std::ifstream stream(entry.path());
    texts.emplace_back(std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>());
  }
  return texts;
}

// What is read is also built: the library answers it with an op that it adds, or with a sentence.
bool is_built(const GraphDesc& graph) {
  try {
    (void)build_graph(graph, engine::kind::cpu);
    return true;
  } catch (const GraphError& refused) {
    EXPECT_STRNE(refused.what(), "");
  } catch (const error& refused) {
    EXPECT_STRNE(refused.what(), "");
  }
  return false;
}

TEST(BenchdnnJsonFuzz, EveryMutationIsReadOrRefused) {
  const std::vector<std::string> tokens = {"{",
                                           "}",
                                           "[",
                                           "]",
                                           ",",
                                           ":",
                                           "\"",
                                           "\\u00",
                                           "-1",
                                           "0",
                                           "13",
                                           "1e400",
                                           "0.5",
                                           "null",
                                           "true",
                                           "-9223372036854775808",
                                           "9223372036854775808",
                                           "18446744073709551615",
                                           "\"inf\"",
                                           "\"ndims\": -1, ",
                                           "\"shape\"",
                                           "\"stride\"",
                                           "\"value\": [1, 2], ",
                                           "\"type\": \"f32[]\"",
                                           "\"host_scalar\"",
                                           "\"EyeLike\"",
                                           "\"k\"",
                                           "\n",
                                           "\xff",
                                           std::string(1, '\0')};
  const std::vector<std::string> files = committed_files();
  ASSERT_GE(files.size(), 13u * 7u);
  test::Random random;
  int read = 0;
  int built = 0;
  constexpr int kMutations = 4000;
  for (int i = 0; i < kMutations; ++i) {
    const std::string text = test::mutated(random.pick(files), tokens, random);
    try {
      const GraphDesc graph = read_benchdnn_json(text);
      ++read;
      built += is_built(graph) ? 1 : 0;
    } catch (const GraphError& refused) {
      const std::string sentence = refused.what();
      ASSERT_NE(sentence, "") << text;
      ASSERT_EQ(sentence.find('\n'), std::string::npos) << text;
    }
  }
  EXPECT_GT(read, kMutations / 100) << "mutations that leave nothing of the files test little";
  EXPECT_LT(read, kMutations);
  EXPECT_GT(built, 0);
}

}  // namespace
}  // namespace iotadnn::frontends
