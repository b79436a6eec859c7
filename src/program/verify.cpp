// SPDX-License-Identifier: Apache-2.0
#include "program/verify.h"

#include <string>

#include "program/opcodes.h"

namespace iotadnn::impl {

namespace {

Status refuse(const std::string& what) {
  return invalid_arguments("row program: " + what + ".");
}

std::string range_text(int64_t lo, int64_t hi) {
  return std::to_string(lo) + ".." + std::to_string(hi);
}

Status verify_term(const RowProgram& program, const Predicate& predicate, const Term& term,
                   const std::string& where) {
  switch (term.kind) {
    case Term::Kind::coord:
      if (term.index >= program.rank - 1) {
        return refuse(where + " uses coordinate c" + std::to_string(term.index) +
                      ", only outer coordinates below c" + std::to_string(program.rank - 1) +
                      " are allowed");
      }
      if (term.index == predicate.axis) {
        return refuse(where + " uses c" + std::to_string(term.index) +
                      ", the coordinate that the predicate tests");
      }
      return {};
    case Term::Kind::scalar:
      if (term.index >= program.num_scalars) {
        return refuse(where + " uses scalar s" + std::to_string(term.index) + ", the program has " +
                      std::to_string(program.num_scalars) + " scalars");
      }
      return {};
    case Term::Kind::element:
      if (term.index >= program.inputs.size()) {
        return refuse(where + " uses an element of input i" + std::to_string(term.index) +
                      ", the program has " + std::to_string(program.inputs.size()) + " inputs");
      }
      if (!is_bound_type(program.inputs[term.index])) {
        return refuse(where + " uses an element of input i" + std::to_string(term.index) +
                      ", whose type is " + std::string(name_of(program.inputs[term.index])) +
                      ", allowed are integers within s64");
      }
      return {};
  }
  return refuse(where + " has a term of unknown kind " +
                std::to_string(static_cast<int>(term.kind)));
}

Status verify_predicate(const RowProgram& program, size_t index) {
  const Predicate& predicate = program.predicates[index];
  const std::string name = "predicate p" + std::to_string(index);
  if (predicate.axis >= program.rank) {
    return refuse(name + " tests coordinate c" + std::to_string(predicate.axis) +
                  ", the last one is c" + std::to_string(program.rank - 1));
  }
  for (const Term& term : predicate.lo.terms) {
    IOTADNN_TRY(verify_term(program, predicate, term, name + " low end"));
  }
  for (const Term& term : predicate.hi.terms) {
    IOTADNN_TRY(verify_term(program, predicate, term, name + " high end"));
  }
  return {};
}

// The index of a leaf among what the program has of its kind.
Status verify_leaf(const RowProgram& program, const Inst& inst, const std::string& where) {
  struct Kind {
    const char* reads;
    char letter;
    size_t count;
  };

  Kind kind{};
  switch (inst.op) {
    case Opcode::coord:
      kind = {"coordinate", 'c', static_cast<size_t>(program.rank)};
      break;
    case Opcode::scalar:
      kind = {"scalar", 's', static_cast<size_t>(program.num_scalars)};
      break;
    case Opcode::load:
      kind = {"input", 'i', program.inputs.size()};
      break;
    default:
      return {};
  }
  if (inst.imm < kind.count) {
    if (inst.op != Opcode::load || program.inputs[inst.imm] == inst.type) return {};
    return refuse(where + " loads input i" + std::to_string(inst.imm) + " as " +
                  std::string(name_of(inst.type)) + ", its type is " +
                  std::string(name_of(program.inputs[inst.imm])));
  }
  return refuse(where + " reads " + kind.reads + " " + kind.letter + std::to_string(inst.imm) +
                (kind.count == 0 ? ", there is none"
                                 : std::string(", the last one is ") + kind.letter +
                                       std::to_string(kind.count - 1)));
}

Status verify_operands(const Body& body, size_t index, const std::string& where) {
  const Inst& inst = body.insts[index];
  const OpcodeInfo& info = info_of(inst.op);
  for (size_t a = 0; a < static_cast<size_t>(info.operands); ++a)
    if (inst.args[a] >= index)
      return refuse(where + " uses v" + std::to_string(inst.args[a]) +
                    ", only earlier values are allowed");
  const bool is_select = inst.op == Opcode::select;
  const DataType type = body.insts[inst.args[is_select ? 1 : 0]].type;
  if (!accepts(info.types, type))
    return refuse(where + ": " + std::string(info.name) + " of " + std::string(name_of(type)) +
                  " does not exist");
  if (is_select && body.insts[inst.args[0]].type != DataType::boolean)
    return refuse(where + ": the condition of select is " +
                  std::string(name_of(body.insts[inst.args[0]].type)) + ", allowed is boolean");
  for (size_t a = is_select ? 2 : 1; a < static_cast<size_t>(info.operands); ++a)
    if (body.insts[inst.args[a]].type != type)
      return refuse(where + ": operands of " + std::string(name_of(type)) + " and " +
                    std::string(name_of(body.insts[inst.args[a]].type)) + ", they must agree");
  const DataType expected = info.is_boolean ? DataType::boolean : type;
  if (inst.op != Opcode::convert && inst.type != expected)
    return refuse(where + " is " + std::string(name_of(inst.type)) + ", " + std::string(info.name) +
                  " gives " + std::string(name_of(expected)));
  return {};
}

Status verify_inst(const RowProgram& program, const Body& body, size_t index,
                   const std::string& where) {
  const Inst& inst = body.insts[index];
  if (inst.op > kLastOpcode)
    return refuse(where + " has an unknown opcode " + std::to_string(static_cast<int>(inst.op)));
  if (is_coordinate_program(program)) {
    if (inst.op != Opcode::constant && inst.op != Opcode::coord)
      return refuse(where + " is " + std::string(info_of(inst.op).name) +
                    ", a program without outputs= has constants and coordinates only");
    return verify_leaf(program, inst, where);
  }
  if (!is_computed(inst.type)) return refuse(where + " has no type");
  if (inst.op == Opcode::coord &&
      (inst.type == DataType::boolean || accepts(OperandTypes::floating, inst.type)))
    return refuse(where + " is a coordinate of " + std::string(name_of(inst.type)) +
                  ", allowed are integers");
  if (inst.op < kFirstPointwise) return verify_leaf(program, inst, where);
  return verify_operands(body, index, where);
}

Status verify_results(const RowProgram& program, const Body& body, const std::string& where) {
  if (body.results.size() != program.outputs.size())
    return refuse(where + " stores " + std::to_string(body.results.size()) +
                  " values, the program has " + std::to_string(program.outputs.size()) +
                  " outputs=");
  for (size_t o = 0; o < body.results.size(); ++o) {
    const size_t value = body.results[o];
    if (value >= body.insts.size())
      return refuse(where + " stores v" + std::to_string(value) + ", the last value is v" +
                    std::to_string(body.insts.size() - 1));
    if (body.insts[value].type != program.outputs[o])
      return refuse(where + " stores " + std::string(name_of(body.insts[value].type)) +
                    " as output " + std::to_string(o) + ", whose type is " +
                    std::string(name_of(program.outputs[o])));
  }
  return {};
}

Status verify_tensors(const RowProgram& program) {
  if (program.inputs.size() > size_t{kMaxInputs} || program.outputs.size() > size_t{kMaxOutputs})
    return refuse(std::to_string(program.inputs.size()) + " inputs and " +
                  std::to_string(program.outputs.size()) + " outputs, allowed are " +
                  std::to_string(kMaxInputs) + " and " + std::to_string(kMaxOutputs));
  for (const auto* types : {&program.inputs, &program.outputs})
    for (const DataType type : *types)
      if (!is_computed(type))
        return refuse("a tensor of type " + std::string(name_of(type)) + ", which no op computes");
  if (is_coordinate_program(program)) {
    if (program.inputs.empty()) return {};
    return refuse("inputs without outputs");
  }
  if (program.elem_bytes == bytes_of(program.outputs[0])) return {};
  return refuse("element width is " + std::to_string(program.elem_bytes) + " bytes, output 0 is " +
                std::string(name_of(program.outputs[0])));
}

Status verify_counts(const RowProgram& program) {
  if (program.rank < 1 || program.rank > kMaxRank) {
    return refuse("rank is " + std::to_string(program.rank) + ", allowed are " +
                  range_text(1, kMaxRank));
  }
  const int width = program.elem_bytes;
  if (width != 1 && width != 2 && width != 4 && width != 8) {
    return refuse("element width is " + std::to_string(width) + " bytes, allowed are 1, 2, 4, 8");
  }
  if (program.num_scalars < 0 || program.num_scalars > kMaxScalars) {
    return refuse("number of scalars is " + std::to_string(program.num_scalars) + ", allowed are " +
                  range_text(0, kMaxScalars));
  }
  if (program.predicates.size() > static_cast<size_t>(kMaxPredicates)) {
    return refuse("number of predicates is " + std::to_string(program.predicates.size()) +
                  ", allowed are " + range_text(0, kMaxPredicates));
  }
  const size_t expected = size_t{1} << program.predicates.size();
  if (program.bodies.size() != expected) {
    return refuse("number of bodies is " + std::to_string(program.bodies.size()) + ", " +
                  std::to_string(program.predicates.size()) + " predicates need " +
                  std::to_string(expected));
  }
  return {};
}

}  // namespace

Status verify(const RowProgram& program) {
  IOTADNN_TRY(verify_counts(program));
  IOTADNN_TRY(verify_tensors(program));
  for (size_t p = 0; p < program.predicates.size(); ++p) {
    IOTADNN_TRY(verify_predicate(program, p));
  }
  for (size_t b = 0; b < program.bodies.size(); ++b) {
    const std::string name = "body " + std::to_string(b);
    const Body& body = program.bodies[b];
    if (body.insts.empty()) return refuse(name + " has no instruction");
    for (size_t i = 0; i < body.insts.size(); ++i) {
      IOTADNN_TRY(verify_inst(program, body, i, name + " value v" + std::to_string(i)));
    }
    if (body.insts.size() > size_t{kMaxInsts})
      return refuse(name + " has " + std::to_string(body.insts.size()) + " values, allowed are " +
                    range_text(1, kMaxInsts));
    IOTADNN_TRY(verify_results(program, body, name));
  }
  return {};
}

}  // namespace iotadnn::impl
