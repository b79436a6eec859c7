// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "codegen/lane_types.h"
#include "program/program.h"

namespace iotadnn::impl {

// Whether LaneAsm converts; `converts_quads`: the instruction set does 64-bit integers.
inline bool converts_natively(DataType to, DataType from, bool converts_quads) {
  if (to == DataType::boolean || from == DataType::boolean) return true;
  if (is_integer(to) && is_integer(from)) return true;
  if (is_integer(to)) return lane_bytes(to) == 4;  // truncates and saturates
  if (is_floating(from)) return !(from == DataType::f64 && is_rounded(to));
  if (lane_bytes(from) == 8) return converts_quads && !is_rounded(to);
  // 32 bits do not fit f32, and rounding twice is not rounding once.
  return !is_rounded(to) || bytes_of(from) < 4;
}

// Whether LaneAsm<T> computes this opcode of `operand` type to `type`; what it does not is a call
// of evaluate().
template <class T>
bool is_native(Opcode op, DataType type, DataType operand) {
  switch (op) {
    case Opcode::exp:
    case Opcode::log:
    case Opcode::sigmoid:
    case Opcode::tanh:
      return is_single(type);
    case Opcode::power:
      return false;
    case Opcode::divide:
      return is_floating(type);
    case Opcode::convert:
      return converts_natively(type, operand, IsaLanes<T>::kConvertsQuads);
    default:
      return true;
  }
}

}  // namespace iotadnn::impl
