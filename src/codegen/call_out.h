// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "codegen/pointwise_frame.h"
#include "program/program.h"

namespace iotadnn::impl {

// What machine code does where it has no instruction: `lanes` are elements of their types (see
// PointwiseFrame), `what` is packed by call_out_word(). The result is what evaluate() says.
void call_out(uint8_t (*lanes)[kMaxVecBytes], uint64_t what);

uint64_t call_out_word(Opcode op, DataType type, DataType operand, int count);

}  // namespace iotadnn::impl
