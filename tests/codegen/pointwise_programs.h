// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "codegen/pointwise_check.h"
#include "program/program.h"
#include "support/random.h"

namespace iotadnn::test {

// An opcode on one choice of types.
struct TypedOpcode {
  impl::Opcode op;
  impl::DataType type;     // of the value
  impl::DataType operand;  // of operand 0, of select those of the last two
};

// Every opcode with operands on every choice of types that the verifier accepts.
std::vector<TypedOpcode> typed_opcodes();

std::string text_of(const TypedOpcode& typed);

// inputs -> one instruction -> output 0, of one row of `columns`.
PointwiseCase one_instruction(const TypedOpcode& typed, int64_t columns);

// A random program with 0 to 4 predicates, and shapes and strides for it.
PointwiseCase random_case(Random& random);

}  // namespace iotadnn::test
