// SPDX-License-Identifier: Apache-2.0
// The comparer must see every wrong element: results are damaged here, in the buffer, one at a
// time.
#include "benchdnn/compare.h"

#include <cstring>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "frontends/names.h"
#include "support/oracle.h"
#include "support/strided.h"

namespace iotadnn::benchdnn {
namespace {

using testing::HasSubstr;

struct Compared {
  CompareResult result;
  std::string text;
};

Compared run_compare(const TensorView& view, const Expectation& expected, int64_t verbose = 0) {
  testing::internal::CaptureStdout();
  Compared compared;
  compared.result = compare(view, expected, "DST", verbose);
  compared.text = testing::internal::GetCapturedStdout();
  return compared;
}

class CompareTypes : public testing::TestWithParam<iotadnn_data_type_t> {
 protected:
  void SetUp() override {
    view_.data_type = GetParam();
    view_.dims = {2, 5, 7};
    view_.strides = {60, 8, 1};
    bytes_.resize(static_cast<size_t>(test::span_of(view_.dims, view_.strides) * 8));
    view_.data = bytes_.data();
    expected_.k = 1;
    const auto element = static_cast<size_t>(frontends::bytes_of(GetParam()));
    test::for_each_element(
        view_.dims, view_.strides, [&](const std::vector<int64_t>& index, int64_t offset) {
          const uint64_t bits = test::eye_element(GetParam(), index[1], index[2], 1);
          std::memcpy(at(offset), &bits, element);
          return true;
        });
  }

  char* at(int64_t offset) { return bytes_.data() + offset * frontends::bytes_of(GetParam()); }

  std::vector<char> bytes_;
  TensorView view_;
  Expectation expected_;
};

TEST_P(CompareTypes, AcceptsTheRightResult) {
  const Compared compared = run_compare(view_, expected_);
  EXPECT_EQ(compared.result.errors, 0);
  EXPECT_EQ(compared.result.total, 70);
  EXPECT_EQ(compared.result.zeros, 60);
  EXPECT_EQ(compared.text, "");
}

TEST_P(CompareTypes, SeesEverySingleWrongBit) {
  const auto element = static_cast<size_t>(frontends::bytes_of(GetParam()));
  test::for_each_element(view_.dims, view_.strides,
                         [&](const std::vector<int64_t>&, int64_t offset) {
                           for (size_t bit = 0; bit < 8 * element; bit += 5) {
                             char& byte = at(offset)[bit / 8];
                             byte = static_cast<char>(byte ^ (1 << (bit % 8)));
                             EXPECT_EQ(run_compare(view_, expected_).result.errors, 1);
                             byte = static_cast<char>(byte ^ (1 << (bit % 8)));
                           }
                           return true;
                         });
}

INSTANTIATE_TEST_SUITE_P(Compare, CompareTypes, testing::ValuesIn(frontends::computed_types()),
                         [](const auto& param) {
                           return std::string(frontends::name_of(param.param));
                         });

TEST(Compare, NamesTheElement) {
  std::vector<int64_t> data = {0, 1, 2, 0, 1, 9007199254740993};
  TensorView view;
  view.data = data.data();
  view.data_type = iotadnn_s64;
  view.dims = {2, 3};
  view.strides = {3, 1};
  Expectation expected;
  expected.kind = Expectation::Kind::index;
  expected.axis = 1;
  const Compared compared = run_compare(view, expected);
  EXPECT_EQ(compared.result.errors, 1);
  EXPECT_THAT(compared.text, HasSubstr("[   5][DST][1:2] exp_f32:           2 exp:           2 "
                                       "got:9007199254740993 diff:"));
  EXPECT_THAT(compared.text, HasSubstr("[COMPARE_STATS][DST]: trh=0 err_max_diff:9.0072e+15"));
  EXPECT_THAT(compared.text, HasSubstr("[COMPARE_TRUST][DST]: z:33% (>100%) (z: 2, total: 6)"));
}

// 2^24 and 2^24 + 1 are one float but two indices.
TEST(Compare, IntegersAreNotComparedAsFloats) {
  int32_t data[2] = {16777217, 16777216};
  TensorView view;
  view.data = data;
  view.data_type = iotadnn_s32;
  view.dims = {2};
  view.strides = {1};
  TensorView first = view;
  int32_t other[2] = {16777216, 16777216};
  first.data = other;
  testing::internal::CaptureStdout();
  EXPECT_EQ(compare_bits(view, first, "DST", 0).errors, 1);
  testing::internal::GetCapturedStdout();
}

TEST(Compare, ShowsTenErrorsAndAllOfThemAtLevel99) {
  std::vector<uint8_t> data(400, 7);
  TensorView view;
  view.data = data.data();
  view.data_type = iotadnn_u8;
  view.dims = {20, 20};
  view.strides = {20, 1};
  const auto lines = [](const std::string& text) {
    size_t count = 0;
    for (size_t at = text.find("exp_f32:"); at != std::string::npos;
         at = text.find("exp_f32:", at + 1))
      ++count;
    return count;
  };
  EXPECT_EQ(lines(run_compare(view, Expectation()).text), 10u);
  EXPECT_EQ(lines(run_compare(view, Expectation(), 99).text), 400u);
}

TEST(Compare, ElementsInWords) {
  EXPECT_EQ(element_text(iotadnn_f16, 0x3c00), "1");
  EXPECT_EQ(element_text(iotadnn_f16, 0x7c01), "nan");
  EXPECT_EQ(element_text(iotadnn_bf16, 0xbf80), "-1");
  EXPECT_EQ(element_text(iotadnn_u64, ~uint64_t{0}), "18446744073709551615");
  EXPECT_EQ(element_text(iotadnn_s8, 0xff), "-1");
}

TEST(TensorMemoryTest, SeesDamage) {
  TensorView view;
  view.data_type = iotadnn_s16;
  view.dims = {3, 4};
  view.strides = {6, 1};
  TensorMemory memory(32);  // (2 * 6 + 3 + 1) elements
  memory.fill_canaries();
  auto* const bytes = static_cast<unsigned char*>(memory.data());
  EXPECT_EQ(memory.damage(&view), "");
  EXPECT_EQ(memory.damage(nullptr), "");
  bytes[2] = 0;
  EXPECT_EQ(memory.damage(&view), "") << "an element";
  EXPECT_EQ(memory.damage(nullptr), "byte 2 of the buffer was overwritten");
  bytes[9] = 0;
  EXPECT_EQ(memory.damage(&view), "byte 9 in a stride gap was overwritten");
  memory.fill_canaries();
  bytes[32] = 0;
  EXPECT_EQ(memory.damage(&view), "byte 1 after the buffer was overwritten");
  memory.fill_canaries();
  bytes[-2] = 0;
  EXPECT_EQ(memory.damage(&view), "byte 2 before the buffer was overwritten");
}

}  // namespace
}  // namespace iotadnn::benchdnn
