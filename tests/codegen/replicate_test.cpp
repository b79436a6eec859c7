// SPDX-License-Identifier: Apache-2.0
#include <cstring>
#include <vector>

#include <gtest/gtest.h>

#include "codegen/codegen.h"
#include "codegen/exec_memory.h"
#include "support/guarded_buffer.h"
#include "support/layer_isa_param.h"

namespace iotadnn::test {
namespace {

using impl::Isa;
using impl::Store;

class Replicate : public testing::TestWithParam<std::tuple<Isa, Store>> {
 protected:
  impl::ReplicateFunction function() const {
    const auto made = impl::replicate_function(std::get<0>(GetParam()), std::get<1>(GetParam()));
    EXPECT_TRUE(made.ok()) << made.status().message();
    return made.ok() ? *made : nullptr;
  }
};

uint8_t template_byte(int64_t i) {
  return static_cast<uint8_t>(i * 7 + i / 256);
}

TEST_P(Replicate, RepeatsTheTemplateToTheLastByte) {
  const auto replicate = function();
  ASSERT_NE(replicate, nullptr);
  for (const int64_t period : {64, 128, 192, 256, 320, 448, 1600})
    for (const int64_t total :
         {int64_t{1}, period, period + 1, period + 63, period + 64, period + 127, period + 128,
          2 * period, 3 * period + 77, 9 * period - 1, int64_t{5000}}) {
      if (total < period) continue;
      for (const Placement placement : kPlacements) {
        const GuardedBuffer out(static_cast<size_t>(total), placement);
        auto* bytes = out.as<uint8_t>();
        for (int64_t i = 0; i < period; i++)
          bytes[i] = template_byte(i);
        replicate(bytes, period, total);
        for (int64_t i = 0; i < total; i++)
          ASSERT_EQ(bytes[i], template_byte(i % period))
              << "byte " << i << " of " << total << ", period " << period << ", "
              << name_of(placement);
        EXPECT_TRUE(out.margins_intact());
      }
    }
}

TEST_P(Replicate, WritesToAnyAlignment) {
  const auto replicate = function();
  ASSERT_NE(replicate, nullptr);
  constexpr int64_t kPeriod = 320;
  constexpr int64_t kTotal = 3001;
  for (size_t offset = 0; offset < 64; offset++) {
    const GuardedBuffer out(kTotal + 64, Placement::end_flush);
    auto* bytes = out.as<uint8_t>() + offset;
    for (int64_t i = 0; i < kPeriod; i++)
      bytes[i] = template_byte(i);
    const uint8_t behind = bytes[kTotal];
    replicate(bytes, kPeriod, kTotal);
    for (int64_t i = 0; i < kTotal; i++)
      ASSERT_EQ(bytes[i], template_byte(i % kPeriod));
    if (offset < 63) {
      EXPECT_EQ(bytes[kTotal], behind);
    }
  }
}

TEST_P(Replicate, DoesNothingWhenAllIsTemplate) {
  const auto replicate = function();
  ASSERT_NE(replicate, nullptr);
  const GuardedBuffer out(100, Placement::end_flush);
  replicate(out.data(), 128, 100);
  replicate(out.data(), 128, 0);
  EXPECT_TRUE(out.untouched());
}

TEST(ReplicateFunction, IsRefusedWithTheReason) {
  EXPECT_EQ(impl::replicate_function(Isa::portable, Store::normal).status().code(),
            impl::StatusCode::unimplemented);
}

std::string replicate_test_name(const testing::TestParamInfo<Replicate::ParamType>& info) {
  return std::string(impl::name_of(std::get<0>(info.param))) + "_" +
         std::string(impl::name_of(std::get<1>(info.param)));
}

INSTANTIATE_TEST_SUITE_P(All, Replicate,
                         testing::Combine(testing::ValuesIn(host_jit_isas()),
                                          testing::Values(Store::normal, Store::nontemporal,
                                                          Store::rep)),
                         replicate_test_name);
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(Replicate);

}  // namespace
}  // namespace iotadnn::test
