// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "base/data_type.h"
#include "program/program.h"

namespace iotadnn::impl {

// Which operand types an opcode computes.
enum class OperandTypes : uint8_t {
  none,      // leaves
  numeric,   // all computed types but boolean
  floating,  // f32, bf16, f16, f64
  boolean,
  any,  // all computed types
};

// One row per opcode.
struct OpcodeInfo {
  Opcode op;
  std::string_view name;  // of the text form
  int operands;           // 0..3
  OperandTypes types;     // of the operands (select: of the last two)
  bool is_boolean;  // the value is boolean; else it has the operands' type (convert: any type)
};

const OpcodeInfo& info_of(Opcode op);

// Null for text that names no opcode.
const OpcodeInfo* find_opcode(std::string_view name);

bool accepts(OperandTypes types, DataType type);

inline bool is_floating(DataType type) {
  return accepts(OperandTypes::floating, type);
}

}  // namespace iotadnn::impl
