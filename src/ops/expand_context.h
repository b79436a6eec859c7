// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "graph/op.h"
#include "program/opcodes.h"
#include "program/program.h"

namespace iotadnn::impl {

// Where a row's expand function writes one element of the op's output as instructions
// (program/evaluate.h has their meaning). Lowering implements it over a region's body, the shared
// reference over arrays. Values are numbered; the last one is left in `result` and has the type of
// output 0. An expand function must not depend on how often or in which order values are used.
class ExpandContext {
 public:
  explicit ExpandContext(const Op& expanded) : op(expanded) {}

  virtual ~ExpandContext() = default;
  ExpandContext(const ExpandContext&) = delete;
  ExpandContext& operator=(const ExpandContext&) = delete;

  const Op& op;
  uint16_t result = 0;

  // Of output 0; known.
  virtual int rank() const = 0;

  virtual DataType type_of(uint16_t value) const = 0;

  // The element of an input at the output's coordinates, its dimensions aligned with the last ones
  // and extents of 1 repeated (numpy broadcasting).
  virtual uint16_t input(size_t port) = 0;

  // The same for an input that lacks the output's dimension `axis`.
  virtual uint16_t input_without(size_t port, int axis) = 0;

  // The one element of an input (host scalar, rank 0 or one element) as `type`, in the sense of
  // Opcode::convert. It is known when the program runs, before its first row.
  virtual uint16_t scalar_input(size_t port, DataType type) = 0;

  // A constant that is better not baked into code, so that another value is the same kernel.
  virtual uint16_t parameter(DataType type, uint64_t bits) = 0;

  // The output's coordinate along an axis, 0 <= axis < rank(), as `type` in the sense of
  // Opcode::convert from s64: integers wrap, floating point is rounded once.
  virtual uint16_t coord(int axis, DataType type) = 0;

  virtual uint16_t constant_bits(DataType type, uint64_t bits) = 0;

  // A pointwise opcode over as many of the arguments as it has operands.
  virtual uint16_t emit(Opcode opcode, DataType type, uint16_t a, uint16_t b = 0,
                        uint16_t c = 0) = 0;

  // The shift of a diagonal that an s32 or s64 input gives, as s64 clipped to +-kFarDiagonal: the
  // same elements lie on it, and a coordinate can be added without wrapping.
  virtual uint16_t diagonal_input(size_t port);

  // What follows is written over the functions above.

  uint16_t diagonal_parameter(int64_t k);               // the same for one that is known
  uint16_t constant(DataType type, double value);       // converted by Opcode::convert
  uint16_t constant_int(DataType type, int64_t value);  // the same
  uint16_t convert(uint16_t value, DataType type);      // itself when it has the type
  uint16_t apply(Opcode opcode, uint16_t a);            // of the operand's type, or boolean
  uint16_t apply(Opcode opcode, uint16_t a, uint16_t b);
  uint16_t select(uint16_t condition, uint16_t yes, uint16_t no);
};

// Farther than any coordinate of a tensor that has elements.
inline constexpr int64_t kFarDiagonal = int64_t{1} << 62;

}  // namespace iotadnn::impl
