// SPDX-License-Identifier: Apache-2.0
#include "ops/expand_context.h"

#include <algorithm>

#include "base/float16.h"
#include "program/evaluate.h"

namespace iotadnn::impl {

uint16_t ExpandContext::diagonal_input(size_t port) {
  const uint16_t k = scalar_input(port, DataType::s64);
  const uint16_t below = apply(Opcode::minimum, k, constant_int(DataType::s64, kFarDiagonal));
  return apply(Opcode::maximum, below, constant_int(DataType::s64, -kFarDiagonal));
}

uint16_t ExpandContext::diagonal_parameter(int64_t k) {
  return parameter(DataType::s64,
                   static_cast<uint64_t>(std::clamp(k, -kFarDiagonal, kFarDiagonal)));
}

uint16_t ExpandContext::constant(DataType type, double value) {
  return constant_bits(type, convert_bits(type, DataType::f64, bit_cast<uint64_t>(value)));
}

uint16_t ExpandContext::constant_int(DataType type, int64_t value) {
  return constant_bits(type, convert_bits(type, DataType::s64, static_cast<uint64_t>(value)));
}

uint16_t ExpandContext::convert(uint16_t value, DataType type) {
  return type_of(value) == type ? value : emit(Opcode::convert, type, value);
}

uint16_t ExpandContext::apply(Opcode opcode, uint16_t a) {
  return emit(opcode, info_of(opcode).is_boolean ? DataType::boolean : type_of(a), a);
}

uint16_t ExpandContext::apply(Opcode opcode, uint16_t a, uint16_t b) {
  return emit(opcode, info_of(opcode).is_boolean ? DataType::boolean : type_of(a), a, b);
}

uint16_t ExpandContext::select(uint16_t condition, uint16_t yes, uint16_t no) {
  return emit(Opcode::select, type_of(yes), condition, yes, no);
}

}  // namespace iotadnn::impl
