// SPDX-License-Identifier: Apache-2.0
#include "codegen/pointwise_programs.h"

#include <algorithm>
#include <numeric>

#include "codegen/max_ulp.h"
#include "program/opcodes.h"
#include "support/strided.h"

namespace iotadnn::test {

using impl::Body;
using impl::Bound;
using impl::DataType;
using impl::Inst;
using impl::Opcode;
using impl::OpcodeInfo;
using impl::RowProgram;

namespace {

constexpr size_t kFirst = static_cast<size_t>(impl::kFirstPointwise);
constexpr size_t kLast = static_cast<size_t>(impl::kLastOpcode);

DataType any_type(Random& random) {
  return impl::kComputedTypes[random.between(0, std::size(impl::kComputedTypes) - 1)];
}

// A value of `type` among the first `count` of the body, or -1.
int pick_value(const Body& body, DataType type, Random& random) {
  std::vector<int> found;
  for (size_t i = 0; i < body.insts.size(); ++i)
    if (body.insts[i].type == type) found.push_back(static_cast<int>(i));
  return found.empty() ? -1 : random.pick(found);
}

void add_leaf(const RowProgram& program, Body& body, Random& random) {
  const DataType type = any_type(random);
  switch (random.between(0, 4)) {
    case 0:
      body.insts.push_back({Opcode::constant, special_element(type, random), type});
      return;
    case 1:
      if (type == DataType::boolean || program.num_scalars == 0) return;
      body.insts.push_back({Opcode::scalar,
                            static_cast<uint64_t>(random.between(0, program.num_scalars - 1)),
                            type});
      return;
    case 2: {
      if (type == DataType::boolean || impl::accepts(impl::OperandTypes::floating, type)) return;
      const auto axis = static_cast<uint64_t>(random.between(0, program.rank - 1));
      body.insts.push_back({Opcode::coord, axis, type});
      return;
    }
    default: {
      if (program.inputs.empty()) return;
      const auto input =
          static_cast<size_t>(random.between(0, static_cast<int64_t>(program.inputs.size()) - 1));
      body.insts.push_back({Opcode::load, input, program.inputs[input]});
    }
  }
}

void add_operation(Body& body, Random& random) {
  const auto op = static_cast<Opcode>(random.between(kFirst, kLast));
  const OpcodeInfo& info = impl::info_of(op);
  const DataType type = random.pick(body.insts).type;
  if (!impl::accepts(info.types, type)) return;
  Inst inst{op, 0, info.is_boolean ? DataType::boolean : type};
  if (op == Opcode::convert) inst.type = any_type(random);
  if (impl::max_ulp(op, inst.type) > 0) return;  // what follows could differ by any amount
  const bool is_select = op == Opcode::select;
  for (int a = 0; a < info.operands; ++a) {
    const int value = pick_value(body, is_select && a == 0 ? DataType::boolean : type, random);
    if (value < 0) return;
    inst.args[static_cast<size_t>(a)] = static_cast<uint16_t>(value);
  }
  body.insts.push_back(inst);
}

// A function with a stated error, of the last value, which nothing follows.
void add_function(Body& body, Random& random) {
  const impl::MathError& function =
      impl::kMathErrors[random.between(0, std::size(impl::kMathErrors) - 1)];
  const DataType type = body.insts.back().type;
  if (impl::max_ulp(function.op, type) == 0) return;
  body.insts.push_back({function.op, 0, type, {static_cast<uint16_t>(body.insts.size() - 1)}});
}

// A value of the type, at the end of the body if there was none.
uint16_t value_of(Body& body, DataType type, Random& random) {
  const int value = pick_value(body, type, random);
  if (value >= 0 && random.between(0, 3) != 0) return static_cast<uint16_t>(value);
  const auto from =
      static_cast<uint16_t>(random.between(0, static_cast<int64_t>(body.insts.size()) - 1));
  body.insts.push_back({Opcode::convert, 0, type, {from}});
  return static_cast<uint16_t>(body.insts.size() - 1);
}

Body random_body(const RowProgram& program, Random& random) {
  Body body;
  const int64_t leaves = random.between(1, 8);
  const int64_t operations = random.coin() ? random.between(0, 6) : random.between(0, 60);
  while (static_cast<int64_t>(body.insts.size()) < leaves)
    add_leaf(program, body, random);
  for (int64_t i = 0; i < operations; ++i)
    add_operation(body, random);
  for (const DataType type : program.outputs)
    body.results.push_back(value_of(body, type, random));
  if (!random.coin()) return body;
  for (uint16_t& result : body.results) {
    body.insts.push_back({Opcode::convert, 0, body.insts[result].type, {result}});
    add_function(body, random);
    result = static_cast<uint16_t>(body.insts.size() - 1);
  }
  return body;
}

Bound random_bound(const RowProgram& program, int axis, Random& random) {
  Bound bound;
  bound.imm = random.between(-3, 40);
  if (program.rank > 1 && random.coin()) {
    const auto outer = static_cast<uint8_t>(random.between(0, program.rank - 2));
    if (outer != axis) bound.terms.push_back({impl::Term::Kind::coord, outer, random.coin()});
  }
  if (random.between(0, 3) == 0)
    bound.terms.push_back({impl::Term::Kind::scalar, 0, random.coin()});
  return bound;
}

RowProgram random_program(Random& random) {
  RowProgram program;
  program.rank = static_cast<int>(random.between(1, 4));
  program.num_scalars = 2;
  for (int64_t i = random.between(0, 4); i > 0; --i)
    program.inputs.push_back(any_type(random));
  for (int64_t o = random.between(1, 3); o > 0; --o)
    program.outputs.push_back(!program.inputs.empty() && random.coin() ? random.pick(program.inputs)
                                                                       : any_type(random));
  program.elem_bytes = impl::bytes_of(program.outputs[0]);
  const int64_t predicates = random.coin() ? 1 : random.between(0, 4);
  for (int64_t p = 0; p < predicates; ++p) {
    const int axis = random.between(0, 3) == 0
                         ? static_cast<int>(random.between(0, program.rank - 1))
                         : program.rank - 1;
    program.predicates.push_back({static_cast<uint8_t>(axis), random_bound(program, axis, random),
                                  random_bound(program, axis, random)});
  }
  for (size_t b = 0; b < size_t{1} << program.predicates.size(); ++b)
    program.bodies.push_back(b > 0 && random.between(0, 3) == 0 ? random.pick(program.bodies)
                                                                : random_body(program, random));
  return program;
}

std::vector<int64_t> random_strides(const std::vector<int64_t>& dims, bool broadcast,
                                    Random& random) {
  std::vector<int> order(dims.size());
  std::iota(order.begin(), order.end(), 0);
  if (random.between(0, 3) == 0) std::shuffle(order.begin(), order.end(), random.engine());
  auto strides = permuted_strides(dims, order, random.between(0, 2) == 0 ? 1 : 0);
  for (size_t d = 0; broadcast && d < dims.size(); ++d)
    if (random.between(0, 3) == 0) strides[d] = 0;
  return strides;
}

// Lets some outputs be the memory of an input of their type.
void choose_in_place(PointwiseCase& c, Random& random) {
  for (size_t o = 0; o < c.outputs.size(); ++o) {
    c.in_place.push_back(-1);
    for (size_t i = 0; i < c.inputs.size(); ++i) {
      const bool taken = std::count(c.in_place.begin(), c.in_place.end(), static_cast<int>(i)) > 0;
      if (taken || c.program.inputs[i] != c.program.outputs[o] || random.coin()) continue;
      c.in_place[o] = static_cast<int>(i);
      c.inputs[i].strides = c.outputs[o].strides;
      break;
    }
  }
}

}  // namespace

std::vector<TypedOpcode> typed_opcodes() {
  std::vector<TypedOpcode> all;
  for (size_t i = kFirst; i <= kLast; ++i) {
    const auto op = static_cast<Opcode>(i);
    const OpcodeInfo& info = impl::info_of(op);
    for (const DataType operand : impl::kComputedTypes) {
      if (!impl::accepts(info.types, operand)) continue;
      if (op == Opcode::convert)
        for (const DataType type : impl::kComputedTypes)
          all.push_back({op, type, operand});
      else
        all.push_back({op, info.is_boolean ? DataType::boolean : operand, operand});
    }
  }
  return all;
}

std::string text_of(const TypedOpcode& typed) {
  return std::string(impl::info_of(typed.op).name) + " of " +
         std::string(impl::name_of(typed.operand)) + " to " +
         std::string(impl::name_of(typed.type));
}

PointwiseCase one_instruction(const TypedOpcode& typed, int64_t columns) {
  PointwiseCase c;
  Body body;
  Inst inst{typed.op, 0, typed.type};
  const int operands = impl::info_of(typed.op).operands;
  for (int a = 0; a < operands; ++a) {
    const DataType type = typed.op == Opcode::select && a == 0 ? DataType::boolean : typed.operand;
    c.program.inputs.push_back(type);
    body.insts.push_back({Opcode::load, static_cast<uint64_t>(a), type});
    inst.args[static_cast<size_t>(a)] = static_cast<uint16_t>(a);
    c.inputs.push_back({{1}, {}});
  }
  body.insts.push_back(inst);
  body.results = {static_cast<uint16_t>(operands)};
  c.program.outputs = {typed.type};
  c.program.elem_bytes = impl::bytes_of(typed.type);
  c.program.bodies = {body};
  c.outputs.push_back({{1}, {}});
  c.dims = {columns};
  return c;
}

PointwiseCase random_case(Random& random) {
  PointwiseCase c;
  c.program = random_program(random);
  for (int d = 0; d < c.program.rank; ++d)
    c.dims.push_back(random.between(1, d + 1 == c.program.rank ? 150 : 4));
  for (size_t i = 0; i < c.program.inputs.size(); ++i)
    c.inputs.push_back({random_strides(c.dims, true, random), {}});
  for (size_t o = 0; o < c.program.outputs.size(); ++o)
    c.outputs.push_back({random_strides(c.dims, false, random), {}});
  c.scalars = {random.between(-40, 40), static_cast<int64_t>(random.engine()())};
  choose_in_place(c, random);
  fill_inputs(c, random);
  return c;
}

}  // namespace iotadnn::test
