// SPDX-License-Identifier: Apache-2.0
#include "program/opcodes.h"

#include <iterator>

namespace iotadnn::impl {
namespace {

using T = OperandTypes;

// clang-format off
constexpr OpcodeInfo kOpcodes[] = {
    {Opcode::constant,      "constant",      0, T::none,     false},
    {Opcode::coord,         "coord",         0, T::none,     false},
    {Opcode::scalar,        "scalar",        0, T::none,     false},
    {Opcode::load,          "load",          0, T::none,     false},
    {Opcode::negate,        "negate",        1, T::numeric,  false},
    {Opcode::abs,           "abs",           1, T::numeric,  false},
    {Opcode::sqrt,          "sqrt",          1, T::floating, false},
    {Opcode::exp,           "exp",           1, T::floating, false},
    {Opcode::log,           "log",           1, T::floating, false},
    {Opcode::sigmoid,       "sigmoid",       1, T::floating, false},
    {Opcode::tanh,          "tanh",          1, T::floating, false},
    {Opcode::logical_not,   "logical_not",   1, T::boolean,  true},
    {Opcode::convert,       "convert",       1, T::any,      false},
    {Opcode::add,           "add",           2, T::numeric,  false},
    {Opcode::subtract,      "subtract",      2, T::numeric,  false},
    {Opcode::multiply,      "multiply",      2, T::numeric,  false},
    {Opcode::divide,        "divide",        2, T::numeric,  false},
    {Opcode::maximum,       "maximum",       2, T::numeric,  false},
    {Opcode::minimum,       "minimum",       2, T::numeric,  false},
    {Opcode::power,         "power",         2, T::numeric,  false},
    {Opcode::equal,         "equal",         2, T::any,      true},
    {Opcode::not_equal,     "not_equal",     2, T::any,      true},
    {Opcode::greater,       "greater",       2, T::numeric,  true},
    {Opcode::greater_equal, "greater_equal", 2, T::numeric,  true},
    {Opcode::less,          "less",          2, T::numeric,  true},
    {Opcode::less_equal,    "less_equal",    2, T::numeric,  true},
    {Opcode::logical_and,   "logical_and",   2, T::boolean,  true},
    {Opcode::logical_or,    "logical_or",    2, T::boolean,  true},
    {Opcode::select,        "select",        3, T::any,      false},
};

// clang-format on

constexpr bool rows_in_order() {
  for (size_t i = 0; i < std::size(kOpcodes); ++i)
    if (static_cast<size_t>(kOpcodes[i].op) != i) return false;
  return std::size(kOpcodes) == static_cast<size_t>(kLastOpcode) + 1;
}

static_assert(rows_in_order(), "kOpcodes: a row is missing or out of order");

}  // namespace

const OpcodeInfo& info_of(Opcode op) {
  return kOpcodes[static_cast<size_t>(op)];
}

const OpcodeInfo* find_opcode(std::string_view name) {
  for (const OpcodeInfo& info : kOpcodes)
    if (info.name == name) return &info;
  return nullptr;
}

bool accepts(OperandTypes types, DataType type) {
  switch (types) {
    case OperandTypes::none:
      return false;
    case OperandTypes::numeric:
      return is_computed(type) && type != DataType::boolean;
    case OperandTypes::floating:
      return type == DataType::f32 || type == DataType::bf16 || type == DataType::f16 ||
             type == DataType::f64;
    case OperandTypes::boolean:
      return type == DataType::boolean;
    case OperandTypes::any:
      return is_computed(type);
  }
  return false;
}

}  // namespace iotadnn::impl
