// SPDX-License-Identifier: Apache-2.0
// Every way of writing an output that can be forced, on shapes for which the cost function would
// choose another: the answer must not depend on the choice.
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "kernels/op_runner.h"
#include "support/strided.h"

namespace iotadnn::test {
namespace {

class ScopedStrategy {
 public:
  explicit ScopedStrategy(const std::string& text) {
    EXPECT_EQ(iotadnn_set_strategy(text.c_str()), iotadnn_success) << text;
  }

  ~ScopedStrategy() { iotadnn_set_strategy(""); }

  ScopedStrategy(const ScopedStrategy&) = delete;
  ScopedStrategy& operator=(const ScopedStrategy&) = delete;
};

class StrategyMatrix : public testing::TestWithParam<NamedIsa> {
 protected:
  OpCase make(OpCase::Kind kind, int type, std::vector<int64_t> dims, int64_t k_or_axis) const {
    OpCase c;
    c.kind = kind;
    c.out = dense_spec(type, std::move(dims));
    c.k = k_or_axis;
    c.axis = kind == OpCase::Kind::gen_index ? k_or_axis : 0;
    c.expected_impl = GetParam().impl;
    return c;
  }

  std::vector<OpCase> cases() const {
    const auto eye = OpCase::Kind::eye;
    const auto index = OpCase::Kind::gen_index;
    return {
        make(eye, iotadnn_f32, {300, 1000}, 3),   make(eye, iotadnn_bf16, {257, 255}, -9),
        make(eye, iotadnn_u8, {130, 4097}, 100),  make(eye, iotadnn_f64, {3, 50, 77}, 1),
        make(eye, iotadnn_f32, {700, 4, 4}, 0),   make(eye, iotadnn_s8, {500, 3, 3}, 0),
        make(eye, iotadnn_f16, {40, 16, 16}, -1), make(eye, iotadnn_s64, {90, 7, 5}, 2),
        make(index, iotadnn_s32, {200, 3}, 1),    make(index, iotadnn_s64, {300, 7}, 1),
        make(index, iotadnn_s32, {9, 5000}, 1),   make(index, iotadnn_s32, {9, 5000}, 0),
        make(index, iotadnn_s32, {30, 11, 5}, 1), make(index, iotadnn_s64, {3, 100, 300}, 1),
        make(index, iotadnn_s32, {40000}, 0),
    };
  }

  ScopedMaxCpuIsa cap_{GetParam().isa};
};

// Under sanitizers, for which machine code is opaque, a quarter of the cases.
#ifdef IOTADNN_QUICK_TESTS
const std::vector<std::string> kThreads = {"3"};
const std::vector<std::string> kTemplates = {"on"};
#else
const std::vector<std::string> kThreads = {"1", "3"};
const std::vector<std::string> kTemplates = {"on", "off"};
#endif

// Where there are no kernels, only the number of threads is a choice.
std::vector<std::string> strategies(bool has_kernels) {
  std::vector<std::string> texts;
  for (const char* walk : {"rows", "ring", "points"})
    for (const char* store : {"normal", "nontemporal", "rep"})
      for (const std::string& use_template : kTemplates)
        for (const std::string& threads : kThreads)
          texts.push_back(std::string("walk=") + walk + ",store=" + store +
                          ",template=" + use_template + ",threads=" + threads);
  if (!has_kernels) texts = {"threads=1", "threads=3"};
  return texts;
}

TEST_P(StrategyMatrix, AnyWalkAndStoreGivesTheSameTensor) {
  const bool has_kernels = std::string(GetParam().impl).rfind("jit:", 0) == 0;
  for (const std::string& text : strategies(has_kernels)) {
    const ScopedStrategy strategy(text);
    for (const OpCase& c : cases())
      ASSERT_TRUE(runs_right(c)) << text;
  }
}

// Nothing forced, sizes on both sides of the cost function's thresholds.
TEST_P(StrategyMatrix, TheChosenStrategyIsRightAtLargeSizes) {
  const auto eye = OpCase::Kind::eye;
  const auto index = OpCase::Kind::gen_index;
  for (const OpCase& c :
       {make(eye, iotadnn_f32, {1100, 1201}, 5), make(eye, iotadnn_u8, {3000, 3001}, -7),
        make(eye, iotadnn_f32, {70000, 4, 4}, 0), make(eye, iotadnn_f16, {9000, 15, 17}, 1),
        make(index, iotadnn_s32, {400000, 3}, 1), make(index, iotadnn_s64, {9000, 100}, 1),
        make(index, iotadnn_s32, {500, 2, 1000}, 1)})
    ASSERT_TRUE(runs_right(c));
}

INSTANTIATE_TEST_SUITE_P(Isas, StrategyMatrix, testing::ValuesIn(host_named_isas()),
                         named_isa_test_name);

TEST(Strategy, RefusesWhatItDoesNotKnow) {
  for (const char* text : {"walk=sideways", "store=", "threads=0", "threads=x", "template=maybe",
                           "speed=high", "walk"}) {
    EXPECT_EQ(iotadnn_set_strategy(text), iotadnn_invalid_arguments) << text;
    EXPECT_STRNE(iotadnn_get_last_error(), "") << text;
  }
  EXPECT_EQ(iotadnn_set_strategy(nullptr), iotadnn_invalid_arguments);
}

}  // namespace
}  // namespace iotadnn::test
