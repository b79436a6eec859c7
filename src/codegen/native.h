// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "codegen/isa_lanes.h"
#include "codegen/lane_types.h"
#include "program/program.h"

namespace iotadnn::impl {

// Whether LaneAsm<T> converts.
template <class T>
bool converts_natively(DataType to, DataType from) {
  if (to == DataType::boolean || from == DataType::boolean) return true;
  if (is_integer(to) && is_integer(from)) return true;
  if (is_integer(to)) return lane_bytes(to) == 4;
  if (is_floating(from) || lane_bytes(from) == 4) return true;
  return to == DataType::f64 || (to == DataType::f32 && IsaLanes<T>::kConvertsQuadsToSingle);
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
      return is_floating(type) || bytes_of(type) < 4;
    case Opcode::convert:
      return converts_natively<T>(type, operand);
    default:
      return true;
  }
}

}  // namespace iotadnn::impl
