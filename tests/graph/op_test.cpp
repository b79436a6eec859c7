// SPDX-License-Identifier: Apache-2.0
#include "graph/op.h"

#include <limits>
#include <set>

#include <gtest/gtest.h>

namespace iotadnn::impl {
namespace {

// The value type that oneDNN derives from the range of an attribute's number.
AttrType type_by_range(AttrId id) {
  if (id <= 0x1f) return AttrType::f32;
  if (id <= 0x2f) return AttrType::f32_vector;
  if (id <= 0x3f) return AttrType::s64;
  if (id <= 0x5f) return AttrType::s64_vector;
  if (id <= 0x7f) return AttrType::boolean;
  return AttrType::string;
}

TEST(Attributes, OneDnnsAreThereWithTheTypeOfTheirRange) {
  int found = 0;
  for (AttrId id = 0; id <= 0xff; ++id) {
    const AttrInfo* info = find_attr(id);
    if (info == nullptr) continue;
    ++found;
    EXPECT_EQ(info->id, id);
    EXPECT_EQ(info->type, type_by_range(id)) << info->name;
    EXPECT_EQ(find_attr(info->name), info);
  }
  // Per range of the header: 6 f32, 1 f32[], 3 s64, 15 s64[], 9 bool, 9 string.
  EXPECT_EQ(found, 6 + 1 + 3 + 15 + 9 + 9);
}

TEST(Attributes, Spellings) {
  EXPECT_EQ(find_attr(0x30)->name, "axis");
  EXPECT_EQ(find_attr(0x44)->name, "order");
  EXPECT_EQ(find_attr(0x48)->name, "shape");
  EXPECT_EQ(find_attr(0x64)->name, "special_zero");
  EXPECT_EQ(find_attr(0x80)->name, "auto_broadcast");
  EXPECT_EQ(find_attr(0x88)->name, "accumulation_mode");
  EXPECT_EQ(find_attr(0x4e)->name, "group_shape");
}

TEST(Attributes, OursHaveTheirOwnNumbers) {
  const AttrInfo* k = find_attr("k");
  ASSERT_NE(k, nullptr);
  EXPECT_EQ(k->id, 0x1000);
  EXPECT_EQ(k->type, AttrType::s64);
  EXPECT_EQ(find_attr("upper")->type, AttrType::boolean);
  EXPECT_EQ(find_attr("depth")->type, AttrType::s64);
  for (const std::string_view name : {"on_value", "off_value", "value"})
    EXPECT_EQ(find_attr(name)->type, AttrType::f32) << name;
}

TEST(Attributes, NothingElseIsFound) {
  for (const AttrId id : {0, -1, 0x7, 0x21, 0x33, 0x4f, 0x69, 0x89, 0xff, 0x1006,
                          std::numeric_limits<AttrId>::max(), std::numeric_limits<AttrId>::min()})
    EXPECT_EQ(find_attr(id), nullptr) << id;
  for (const std::string_view name : {"", "Axis", "k ", "dtype"})
    EXPECT_EQ(find_attr(name), nullptr) << name;
}

TEST(Attributes, TypesOfValues) {
  EXPECT_EQ(type_of(AttrValue(1.0f)), AttrType::f32);
  EXPECT_EQ(type_of(AttrValue(std::vector<float>{1.0f})), AttrType::f32_vector);
  EXPECT_EQ(type_of(AttrValue(int64_t{1})), AttrType::s64);
  EXPECT_EQ(type_of(AttrValue(std::vector<int64_t>{1})), AttrType::s64_vector);
  EXPECT_EQ(type_of(AttrValue(true)), AttrType::boolean);
  EXPECT_EQ(type_of(AttrValue(std::string("a"))), AttrType::string);
  std::set<std::string_view> names;
  for (const AttrType type : {AttrType::f32, AttrType::f32_vector, AttrType::s64,
                              AttrType::s64_vector, AttrType::boolean, AttrType::string})
    names.insert(name_of(type));
  EXPECT_EQ(names, (std::set<std::string_view>{"f32", "f32[]", "s64", "s64[]", "bool", "string"}));
}

TEST(Attributes, AnOpGivesAValueOfItsTypeOnly) {
  Op op;
  op.attrs[attr_id::kK] = int64_t{-3};
  ASSERT_NE(op.attr<int64_t>(attr_id::kK), nullptr);
  EXPECT_EQ(*op.attr<int64_t>(attr_id::kK), -3);
  EXPECT_EQ(op.attr<float>(attr_id::kK), nullptr);
  EXPECT_EQ(op.attr<int64_t>(attr_id::kAxis), nullptr);
}

}  // namespace
}  // namespace iotadnn::impl
