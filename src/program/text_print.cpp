// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <charconv>

#include "program/opcodes.h"
#include "program/text.h"

namespace iotadnn::impl {

namespace {

std::string term_text(const Term& term) {
  const char* const letter = term.kind == Term::Kind::coord    ? "c"
                             : term.kind == Term::Kind::scalar ? "s"
                                                               : "i";
  return letter + std::to_string(term.index);
}

std::string bound_text(const Bound& bound) {
  if (bound.terms.empty()) return std::to_string(bound.imm);
  std::string text;
  for (const Term& term : bound.terms) {
    if (!text.empty()) {
      text += term.negated ? " - " : " + ";
    } else if (term.negated) {
      text += "-";
    }
    text += term_text(term);
  }
  if (bound.imm > 0) text += " + " + std::to_string(bound.imm);
  if (bound.imm < 0) text += " - " + std::to_string(bound.imm).substr(1);
  return text;
}

std::string hex_text(uint64_t value) {
  std::array<char, 16> digits{};
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), value, 16).ptr;
  return "0x" + std::string(digits.data(), end);
}

// "constant f32 0x3f800000", "load s32 i0", "add f32 v0 v1"; without a type in coordinate programs.
std::string inst_text(const Inst& inst) {
  std::string text(info_of(inst.op).name);
  if (inst.type != DataType::undef) text += " " + std::string(name_of(inst.type));
  switch (inst.op) {
    case Opcode::constant:
      return text + " " + hex_text(inst.imm);
    case Opcode::coord:
      return text + " c" + std::to_string(inst.imm);
    case Opcode::scalar:
      return text + " s" + std::to_string(inst.imm);
    case Opcode::load:
      return text + " i" + std::to_string(inst.imm);
    default:
      break;
  }
  for (int a = 0; a < info_of(inst.op).operands; ++a)
    text += " v" + std::to_string(inst.args[static_cast<size_t>(a)]);
  return text;
}

std::string body_text(const Body& body) {
  std::string text;
  for (size_t i = 0; i < body.insts.size(); ++i) {
    text += (i == 0 ? "v" : "; v") + std::to_string(i) + " = " + inst_text(body.insts[i]);
  }
  for (size_t o = 0; o < body.results.size(); ++o)
    text += (o == 0 ? "; store v" : ", v") + std::to_string(body.results[o]);
  return text;
}

std::string types_text(const char* name, const std::vector<DataType>& types) {
  std::string text;
  for (const DataType type : types)
    text += (text.empty() ? std::string(" ") + name + "=" : ",") + std::string(name_of(type));
  return text;
}

}  // namespace

std::string to_text(const RowProgram& program) {
  std::string text = "program rank=" + std::to_string(program.rank) +
                     " width=" + std::to_string(program.elem_bytes) +
                     " scalars=" + std::to_string(program.num_scalars) +
                     types_text("inputs", program.inputs) + types_text("outputs", program.outputs) +
                     "\n";
  for (size_t p = 0; p < program.predicates.size(); ++p) {
    const Predicate& predicate = program.predicates[p];
    text += "predicate p" + std::to_string(p) + ": c" + std::to_string(predicate.axis) + " in [" +
            bound_text(predicate.lo) + ", " + bound_text(predicate.hi) + ")\n";
  }
  for (size_t b = 0; b < program.bodies.size(); ++b) {
    text += "body " + std::to_string(b) + ": " + body_text(program.bodies[b]) + "\n";
  }
  return text;
}

}  // namespace iotadnn::impl
