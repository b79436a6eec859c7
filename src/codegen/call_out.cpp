// SPDX-License-Identifier: Apache-2.0
#include "codegen/call_out.h"

#include "program/evaluate.h"

namespace iotadnn::impl {

void call_out(uint8_t (*lanes)[kMaxVecBytes], uint64_t what) {
  const void* const operands[] = {lanes[1], lanes[2], lanes[3]};
  evaluate(static_cast<Opcode>(what & 0xff), static_cast<DataType>((what >> 16) & 0xffff),
           static_cast<DataType>((what >> 32) & 0xffff), lanes[0], operands,
           static_cast<int64_t>((what >> 8) & 0xff));
}

uint64_t call_out_word(Opcode op, DataType type, DataType operand, int count) {
  return static_cast<uint64_t>(op) | static_cast<uint64_t>(count) << 8 |
         static_cast<uint64_t>(type) << 16 | static_cast<uint64_t>(operand) << 32;
}

}  // namespace iotadnn::impl
