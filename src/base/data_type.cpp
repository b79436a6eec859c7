// SPDX-License-Identifier: Apache-2.0
#include "base/data_type.h"

namespace iotadnn::impl {
namespace {

struct TypeInfo {
  DataType type;
  std::string_view name;
  int bits;
  bool computed;
  uint64_t one;  // bit pattern of 1 for computed types
};

// clang-format off
constexpr TypeInfo kTypes[] = {
    {DataType::f16,     "f16",     16, true,  0x3c00},
    {DataType::bf16,    "bf16",    16, true,  0x3f80},
    {DataType::f32,     "f32",     32, true,  0x3f800000},
    {DataType::s32,     "s32",     32, true,  1},
    {DataType::s8,      "s8",       8, true,  1},
    {DataType::u8,      "u8",       8, true,  1},
    {DataType::f64,     "f64",     64, true,  0x3ff0000000000000},
    {DataType::boolean, "boolean",  8, true,  1},
    {DataType::f8_e5m2, "f8_e5m2",  8, false, 0},
    {DataType::f8_e4m3, "f8_e4m3",  8, false, 0},
    {DataType::s4,      "s4",       4, false, 0},
    {DataType::u4,      "u4",       4, false, 0},
    {DataType::e8m0,    "e8m0",     8, false, 0},
    {DataType::f4_e2m1, "f4_e2m1",  4, false, 0},
    {DataType::f4_e3m0, "f4_e3m0",  4, false, 0},
    {DataType::s64,     "s64",     64, true,  1},
    {DataType::s16,     "s16",     16, true,  1},
    {DataType::u16,     "u16",     16, true,  1},
    {DataType::u32,     "u32",     32, true,  1},
    {DataType::u64,     "u64",     64, true,  1},
};

// clang-format on

const TypeInfo* find(DataType type) {
  for (const TypeInfo& info : kTypes)
    if (info.type == type) return &info;
  return nullptr;
}

}  // namespace

bool is_known(DataType type) {
  return find(type) != nullptr;
}

bool is_computed(DataType type) {
  const TypeInfo* info = find(type);
  return info != nullptr && info->computed;
}

int bits_of(DataType type) {
  const TypeInfo* info = find(type);
  return info != nullptr ? info->bits : 0;
}

int bytes_of(DataType type) {
  return is_computed(type) ? bits_of(type) / 8 : 0;
}

std::string_view name_of(DataType type) {
  const TypeInfo* info = find(type);
  return info != nullptr ? info->name : "undef";
}

DataType data_type_from_name(std::string_view name) {
  for (const TypeInfo& info : kTypes)
    if (info.name == name) return info.type;
  return DataType::undef;
}

uint64_t one_bits(DataType type) {
  const TypeInfo* info = find(type);
  return info != nullptr ? info->one : 0;
}

}  // namespace iotadnn::impl
