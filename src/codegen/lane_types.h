// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "base/data_type.h"
#include "base/float16.h"
#include "program/opcodes.h"

namespace iotadnn::impl {

// How an element lives in a lane of a register:
//   s64 u64 f64    as it is, in lanes of 8 bytes; all others in lanes of 4 bytes:
//   s32 u32 f32    as it is
//   s8 s16, u8 u16 sign-, zero-extended
//   bf16 f16       widened to f32, its value always one of the type's
//   boolean        all ones or all zeros

inline int lane_bytes(DataType type) {
  return bytes_of(type) == 8 ? 8 : 4;
}

// f32, bf16 and f16: computed as f32.
inline bool is_single(DataType type) {
  return is_floating(type) && type != DataType::f64;
}

// Rounded to 16 bits after an operation.
inline bool is_rounded(DataType type) {
  return type == DataType::bf16 || type == DataType::f16;
}

inline bool is_integer(DataType type) {
  return accepts(OperandTypes::numeric, type) && !is_floating(type);
}

inline bool is_unsigned(DataType type) {
  return type == DataType::u8 || type == DataType::u16 || type == DataType::u32 ||
         type == DataType::u64;
}

// The lane that holds the element whose low bytes are `bits`.
inline uint64_t lane_bits(DataType type, uint64_t bits) {
  switch (type) {
    case DataType::boolean:
      return (bits & 0xff) != 0 ? 0xffffffff : 0;
    case DataType::s8:
      return static_cast<uint32_t>(static_cast<int8_t>(bits));
    case DataType::s16:
      return static_cast<uint32_t>(static_cast<int16_t>(bits));
    case DataType::u8:
      return static_cast<uint8_t>(bits);
    case DataType::u16:
      return static_cast<uint16_t>(bits);
    case DataType::bf16:
      return bit_cast<uint32_t>(bf16_to_f32(static_cast<uint16_t>(bits)));
    case DataType::f16:
      return bit_cast<uint32_t>(f16_to_f32(static_cast<uint16_t>(bits)));
    default:
      return lane_bytes(type) == 8 ? bits : static_cast<uint32_t>(bits);
  }
}

}  // namespace iotadnn::impl
