// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/data_type.h"
#include "base/shape.h"

namespace iotadnn::impl {

// A RowProgram says how to write one output tensor, row by row.
//
// Its iteration domain has `rank` dimensions in the output's physical order; the last one is the
// row, coord(rank-1) is "the column". Extents, strides (in elements) and scalars are arguments of a
// run, so one program serves every shape of its rank.
//
// A program has up to four predicates: "coordinate `axis` lies in [lo, hi)", where the ends are
// saturating 64-bit sums of other outer coordinates, scalars, elements and constants. A predicate
// on the last coordinate splits each row into segments; one on an outer coordinate holds for whole
// rows. For each combination of their truth there is one body, already simplified for it: bodies[b]
// is stored where, for every p, predicate p is true iff bit p of b is set. (Index set splitting:
// Griebl, Feautrier, Lengauer, "Index set splitting", IJPP 2000.)
//
// Example, Eye f32 (rows c0, columns c1, scalar s0 = k; one where c1 == c0 + k):
//
//   program rank=2 width=4 scalars=1
//   predicate p0: c1 in [c0 + s0, c0 + s0 + 1)
//   body 0: v0 = constant 0x0
//   body 1: v0 = constant 0x3f800000
//
// A pointwise program also reads tensors and computes; it may have several outputs, all of the
// domain's shape. Example, a causal mask over scores (select(c0 >= c1, score, -inf)):
//
//   program rank=2 width=4 scalars=0 inputs=f32 outputs=f32
//   predicate p0: c1 in [0, c0 + 1)
//   body 0: v0 = constant f32 0xff800000; store v0
//   body 1: v0 = load f32 i0; store v0
//
// Plain data: two equal programs share a kernel.

struct Term {
  enum class Kind : uint8_t {
    coord,
    scalar,
    element,  // of an input of integers that does not change along the row: a one-hot's index
  };
  Kind kind = Kind::coord;
  uint8_t index = 0;  // which outer coordinate (< rank-1, not the predicate's axis), scalar, input
  bool negated = false;  // subtracted instead of added

  bool operator==(const Term& o) const {
    return kind == o.kind && index == o.index && negated == o.negated;
  }
};

// terms[0] + terms[1] + ... + imm, in that order, each step saturating at the limits of int64.
struct Bound {
  std::vector<Term> terms;
  int64_t imm = 0;

  bool operator==(const Bound& o) const { return terms == o.terms && imm == o.imm; }
};

struct Predicate {
  uint8_t axis = 0;  // the coordinate that is tested
  Bound lo;          // first value for which the predicate holds
  Bound hi;          // one past the last; an interval with hi <= lo is empty

  bool operator==(const Predicate& o) const { return axis == o.axis && lo == o.lo && hi == o.hi; }
};

// What an instruction computes. Names, operand counts and types are in opcodes.h, values in
// evaluate.h. A pointwise opcode belongs between `first_pointwise` and the end.
enum class Opcode : uint8_t {
  constant,  // the bit pattern `imm`, truncated to the element width
  coord,     // coordinate `imm` of the domain as an integer of the element width, wrapping
  scalar,    // run-time scalar `imm`: its low bytes are a bit pattern of `type`
  load,      // the element of input `imm` at the iteration's coordinates
  // one operand
  negate,
  abs,
  sqrt,
  exp,
  log,
  sigmoid,
  tanh,
  logical_not,
  convert,
  // two operands of one type
  add,
  subtract,
  multiply,
  divide,
  maximum,
  minimum,
  power,
  equal,
  not_equal,
  greater,
  greater_equal,
  less,
  less_equal,
  logical_and,
  logical_or,
  // a boolean, and two operands of the result's type
  select,
};

inline constexpr Opcode kFirstPointwise = Opcode::negate;
inline constexpr Opcode kLastOpcode = Opcode::select;

// One value of a body. Every value is rounded to its type.
struct Inst {
  Opcode op = Opcode::constant;
  uint64_t imm = 0;
  // Of the value. undef in coordinate programs, which know only the element's width.
  DataType type = DataType::undef;
  std::array<uint16_t, 3> args{};  // earlier values of the body: as many as the opcode has operands

  bool operator==(const Inst& o) const {
    return op == o.op && imm == o.imm && type == o.type && args == o.args;
  }
};

// Instructions in order, and which of their values are stored.
struct Body {
  std::vector<Inst> insts;
  std::vector<uint16_t> results = {};  // one per output; empty: the last value, to the only one

  uint16_t result(size_t output) const {
    return results.empty() ? static_cast<uint16_t>(insts.size() - 1) : results[output];
  }

  bool operator==(const Body& o) const { return insts == o.insts && results == o.results; }
};

inline constexpr int kMaxPredicates = 4;
// Of a region: its inputs, and as many diagonals. Sets of scalars are the bits of a 32-bit word.
inline constexpr int kMaxScalars = 32;
inline constexpr int kMaxInputs = 16;
inline constexpr int kMaxOutputs = 8;
inline constexpr int kMaxInsts = 256;

struct RowProgram {
  int rank = 1;         // 1..kMaxRank
  int elem_bytes = 4;   // 1, 2, 4 or 8: a kernel knows the element's width, not its type
  int num_scalars = 0;  // int64 run-time arguments
  // A pointwise program: the types of the tensors that are read and written. Both are empty in a
  // coordinate program, whose bodies are constants and coordinates for one output of elem_bytes.
  std::vector<DataType> inputs;
  std::vector<DataType> outputs;
  std::vector<Predicate> predicates;
  std::vector<Body> bodies;  // 1 << predicates.size() of them

  bool operator==(const RowProgram& o) const {
    return rank == o.rank && elem_bytes == o.elem_bytes && num_scalars == o.num_scalars &&
           inputs == o.inputs && outputs == o.outputs && predicates == o.predicates &&
           bodies == o.bodies;
  }
};

// Whether the program reads nothing and stores untyped constants and coordinates to one output.
inline bool is_coordinate_program(const RowProgram& program) {
  return program.outputs.empty();
}

// Whether a bound may have the elements of a tensor of this type as a term: they fit into int64.
bool is_bound_type(DataType type);

// The inputs of which a predicate has an element as a term, a bit for each.
uint32_t bound_inputs(const RowProgram& program);

size_t hash_of(const RowProgram& program);

// What a run of a program needs besides the program. Also the ABI of JIT kernels: plain, with a
// fixed layout (codegen checks the offsets).
struct RunArgs {
  void* dst = nullptr;               // address of domain element (0, ..., 0)
  const int64_t* extents = nullptr;  // [rank], all >= 1
  const int64_t* strides = nullptr;  // [rank], in elements, non-overlapping
  const int64_t* scalars = nullptr;  // [num_scalars]
  int64_t begin = 0;                 // first unit of work (see who runs it: rows or elements)
  int64_t end = 0;                   // one past the last
  // Of pointwise programs: every tensor's element (0, ..., 0) and its strides in elements over the
  // domain, 0 where it is broadcast: tensor t's stride of dimension d is [t * rank + d]. dst and
  // strides above are not used.
  const void* const* srcs = nullptr;
  const int64_t* src_strides = nullptr;
  void* const* dsts = nullptr;
  const int64_t* dst_strides = nullptr;
};

}  // namespace iotadnn::impl
