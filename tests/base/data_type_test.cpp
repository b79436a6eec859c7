// SPDX-License-Identifier: Apache-2.0
#include "base/data_type.h"

#include <string>

#include <gtest/gtest.h>

#include "support/oracle.h"

namespace iotadnn::impl {
namespace {

struct Expected {
  int number;  // of dnnl_data_type_t; ours from 0x100
  const char* name;
  int bits;
  bool computed;
};

constexpr Expected kExpected[] = {
    {1, "f16", 16, true},      {2, "bf16", 16, true},     {3, "f32", 32, true},
    {4, "s32", 32, true},      {5, "s8", 8, true},        {6, "u8", 8, true},
    {7, "f64", 64, true},      {8, "boolean", 8, true},   {9, "f8_e5m2", 8, false},
    {10, "f8_e4m3", 8, false}, {11, "s4", 4, false},      {12, "u4", 4, false},
    {13, "e8m0", 8, false},    {14, "f4_e2m1", 4, false}, {15, "f4_e3m0", 4, false},
    {16, "s64", 64, true},     {0x100, "s16", 16, true},  {0x101, "u16", 16, true},
    {0x102, "u32", 32, true},  {0x103, "u64", 64, true},
};

TEST(DataTypes, AreAsListed) {
  for (const Expected& e : kExpected) {
    const auto type = static_cast<DataType>(e.number);
    EXPECT_TRUE(is_known(type)) << e.name;
    EXPECT_EQ(name_of(type), e.name);
    EXPECT_EQ(data_type_from_name(e.name), type);
    EXPECT_EQ(bits_of(type), e.bits) << e.name;
    EXPECT_EQ(is_computed(type), e.computed) << e.name;
    EXPECT_EQ(bytes_of(type), e.computed ? e.bits / 8 : 0) << e.name;
  }
}

TEST(DataTypes, NothingElseIsKnown) {
  for (int number = -2; number < 0x200; ++number) {
    bool listed = false;
    for (const Expected& e : kExpected)
      listed = listed || e.number == number;
    if (listed) continue;
    const auto type = static_cast<DataType>(number);
    EXPECT_FALSE(is_known(type)) << number;
    EXPECT_FALSE(is_computed(type)) << number;
    EXPECT_EQ(name_of(type), "undef") << number;
    EXPECT_EQ(bits_of(type), 0) << number;
    EXPECT_EQ(bytes_of(type), 0) << number;
  }
  for (const char* name : {"", "undef", "F32", "f32 ", "int32"})
    EXPECT_EQ(data_type_from_name(name), DataType::undef) << name;
}

TEST(DataTypes, ThirteenAreComputed) {
  EXPECT_EQ(std::size(kComputedTypes), 13u);
  for (const DataType type : kComputedTypes)
    EXPECT_TRUE(is_computed(type)) << name_of(type);
}

TEST(DataTypes, OneIsTheBitPatternOfOne) {
  for (const DataType type : kComputedTypes)
    EXPECT_EQ(one_bits(type), test::eye_element(static_cast<int>(type), 0, 0, 0)) << name_of(type);
}

}  // namespace
}  // namespace iotadnn::impl
