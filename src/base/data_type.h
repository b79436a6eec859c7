// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace iotadnn::impl {

// Element types. Numbers are those of iotadnn_data_type_t: oneDNN's where it has the type, ours
// from 0x100. Types that oneDNN has and no op of ours computes (f8, 4-bit) are carried, never
// computed.
enum class DataType : int32_t {
  undef = 0,
  f16 = 1,
  bf16 = 2,
  f32 = 3,
  s32 = 4,
  s8 = 5,
  u8 = 6,
  f64 = 7,
  boolean = 8,
  f8_e5m2 = 9,
  f8_e4m3 = 10,
  s4 = 11,
  u4 = 12,
  e8m0 = 13,
  f4_e2m1 = 14,
  f4_e3m0 = 15,
  s64 = 16,
  s16 = 0x100,
  u16 = 0x101,
  u32 = 0x102,
  u64 = 0x103,
};

// The thirteen types that our ops compute.
inline constexpr DataType kComputedTypes[] = {
    DataType::f32, DataType::bf16, DataType::f16,     DataType::f64, DataType::s8,
    DataType::s16, DataType::s32,  DataType::s64,     DataType::u8,  DataType::u16,
    DataType::u32, DataType::u64,  DataType::boolean,
};

bool is_known(DataType type);     // an enumerator of DataType other than undef
bool is_computed(DataType type);  // one of kComputedTypes

// Bits of one element; 0 for undef and unknown values.
int bits_of(DataType type);

// Bytes of one element of a computed type; 0 for all others.
int bytes_of(DataType type);

// "f32", "bf16", ... ("undef" for undef and unknown values), and back (undef for unknown text).
std::string_view name_of(DataType type);
DataType data_type_from_name(std::string_view name);

// The bit pattern of the number one, in the low bytes_of(type) bytes. `type` must be computed.
uint64_t one_bits(DataType type);

}  // namespace iotadnn::impl
