// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <iterator>

#include "base/data_type.h"
#include "program/program.h"

namespace iotadnn::impl {

// A math function that machine code computes in its own way, and how many units in the last place
// its result may be from evaluate()'s, whatever the operand.
struct MathError {
  Opcode op;
  int f32;
  int bf16_f16;  // computed as f32 and rounded
};

// The one place of these numbers, measured over a third of all f32 and all 16-bit numbers: tests
// read them. Functions and types that are not here, f64 among them, are evaluate()'s bit for bit.
inline constexpr MathError kMathErrors[] = {
    {Opcode::exp, 1, 1},
    {Opcode::log, 1, 1},
    {Opcode::sigmoid, 2, 1},
    {Opcode::tanh, 1, 1},
};

constexpr int max_ulp(Opcode op, DataType type) {
  for (const MathError& error : kMathErrors) {
    if (error.op != op) continue;
    if (type == DataType::f32) return error.f32;
    if (type == DataType::bf16 || type == DataType::f16) return error.bf16_f16;
  }
  return 0;
}

}  // namespace iotadnn::impl
