// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "base/data_type.h"
#include "program/program.h"

namespace iotadnn::impl {

// The pointwise opcodes on `count` lanes: their meaning, in one place for the portable path, the
// reference functions of the op table, and machine code that has no instruction for a case.
//
// Operands and the result are arrays of elements of their type, boolean as bytes 0 and 1. `type` is
// the result's; `operand` that of operand 0 (select: of the last two, convert: the source's). The
// result may be one of the operands' arrays where the element widths agree. Thread safe.
//
// Exactness: arithmetic is rounded once to the type (bf16 and f16 included), to nearest even.
// Integers wrap; divide truncates, x / 0 is 0 and MIN / -1 is MIN; power with a negative exponent
// is 1 / x^n in that division. maximum, minimum: NaN if an operand is. Comparisons with NaN are
// false, not_equal true. convert: floating point to integer truncates and saturates, NaN becomes 0;
// integer to integer wraps; to boolean: whether it differs from 0. exp, log, sigmoid, tanh and
// power of bf16, f16, f32: computed in f64 and rounded once, at most 0.51 ulp; of f64: the C
// library's, at most 1 ulp (sigmoid: 2).
void evaluate(Opcode op, DataType type, DataType operand, void* result,
              const void* const operands[3], int64_t count);

// One element by Opcode::convert: bits of `from` as bits of `to`, in the low bytes.
uint64_t convert_bits(DataType to, DataType from, uint64_t bits);

// The bits of the element at `data`, which need not be aligned: signed integers extended by their
// sign, all other types by zeros, and a boolean as 0 or 1.
uint64_t extended_bits(DataType type, const void* data);

}  // namespace iotadnn::impl
