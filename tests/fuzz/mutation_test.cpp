// SPDX-License-Identifier: Apache-2.0
// What the fuzzers do, some thousand times in each run: valid files changed at random, by seeds
// that are the same in every run; and the files that fuzzers once found.
#include <filesystem>
#include <fstream>
#include <iterator>

#include "fuzz/targets.h"
#include "support/mutate.h"

namespace iotadnn::fuzz {
namespace {

class Mutations : public testing::TestWithParam<const char*> {};

TEST_P(Mutations, SeedsRun) {
  const Target& target = *find_target(GetParam());
  const std::vector<std::string> seeds = target.seeds();
  for (size_t i = 0; i < seeds.size(); ++i)
    EXPECT_EQ(target.run(seeds[i]), Outcome::ran) << target.name << ", seed " << i;
}

TEST_P(Mutations, AreReadOrRefused) {
  const Target& target = *find_target(GetParam());
  const std::vector<std::string> seeds = target.seeds();
  const std::vector<std::string> tokens = target.tokens();
  test::Random random(20261130);
  constexpr int kMutations = 10000;
  int refused = 0;
  int ran = 0;
  for (int i = 0; i < kMutations; ++i) {
    const Outcome outcome = target.run(test::mutated(random.pick(seeds), tokens, random));
    refused += outcome == Outcome::refused ? 1 : 0;
    ran += outcome == Outcome::ran ? 1 : 0;
  }
  EXPECT_GT(refused, kMutations / 10);
  EXPECT_GT(ran, kMutations / 100) << "mutations that leave nothing of the files test little";
}

// Pieces of two files.
TEST_P(Mutations, OfSplicedFilesAreReadOrRefused) {
  const Target& target = *find_target(GetParam());
  const std::vector<std::string> seeds = target.seeds();
  test::Random random(20261201);
  for (int i = 0; i < 500; ++i) {
    const std::string& a = random.pick(seeds);
    const std::string& b = random.pick(seeds);
    const auto cut = [&random](const std::string& text) {
      return static_cast<size_t>(random.between(0, static_cast<int64_t>(text.size())));
    };
    (void)target.run(a.substr(0, cut(a)) + b.substr(cut(b)));
  }
}

INSTANTIATE_TEST_SUITE_P(Readers, Mutations, testing::Values("onnx", "openvino", "benchdnn_json"),
                         [](const auto& target) { return std::string(target.param); });

// tests/reproducers/TARGET-what: found by a fuzzer, fixed since.
TEST(Reproducers, AreReadOrRefused) {
  for (const auto& entry :
       std::filesystem::directory_iterator(IOTADNN_SOURCE_DIR "/tests/reproducers")) {
    const std::string name = entry.path().filename().string();
    if (name == "README.md") continue;
    SCOPED_TRACE(name);
    const Target* target = find_target(name.substr(0, name.find('-')));
    ASSERT_NE(target, nullptr) << "no target of this name";
    std::ifstream stream(entry.path(), std::ios::binary);
    const std::string input{std::istreambuf_iterator<char>(stream),
                            std::istreambuf_iterator<char>()};
    (void)target->run(input);
  }
}

}  // namespace
}  // namespace iotadnn::fuzz
