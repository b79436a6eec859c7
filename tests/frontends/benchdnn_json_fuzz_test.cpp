// SPDX-License-Identifier: Apache-2.0
// The committed graph files, changed at random: each is read or refused with one sentence.
#include <gtest/gtest.h>

#include "frontends/benchdnn_json.h"
#include "frontends/graph_builder.h"
#include "fuzz/seeds.h"
#include "support/mutate.h"

namespace iotadnn::frontends {
namespace {

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
  const std::vector<std::string> tokens = fuzz::benchdnn_json_tokens();
  const std::vector<std::string> files = fuzz::benchdnn_json_seeds();
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
