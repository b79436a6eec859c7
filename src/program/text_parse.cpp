// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cctype>
#include <charconv>
#include <limits>

#include "program/opcodes.h"
#include "program/text.h"
#include "program/verify.h"

namespace iotadnn::impl {

namespace {

// Reads one line from left to right. Blanks between tokens do not matter.
class Cursor {
 public:
  Cursor(std::string_view line, size_t number) : rest_(line), number_(number) {}

  bool at_end() {
    skip_blanks();
    return rest_.empty();
  }

  bool accept(std::string_view token) {
    skip_blanks();
    if (rest_.substr(0, token.size()) != token) return false;
    rest_.remove_prefix(token.size());
    return true;
  }

  Status expect(std::string_view token) {
    if (accept(token)) return {};
    return error("expected '" + std::string(token) + "'");
  }

  // Digits of the given base without sign or prefix, at most `max`.
  Status number(uint64_t& value, uint64_t max, std::string_view what, int base = 10) {
    skip_blanks();
    const char* const end = rest_.data() + rest_.size();
    const auto parsed = std::from_chars(rest_.data(), end, value, base);
    if (parsed.ec == std::errc::invalid_argument) return error("expected " + std::string(what));
    if (parsed.ec != std::errc{} || value > max) {
      return error("expected " + std::string(what) + " of at most " + std::to_string(max));
    }
    rest_.remove_prefix(static_cast<size_t>(parsed.ptr - rest_.data()));
    return {};
  }

  // Small letters, digits and '_'; empty when there are none.
  std::string_view word() {
    skip_blanks();
    size_t length = 0;
    while (length < rest_.size() &&
           (std::islower(static_cast<unsigned char>(rest_[length])) != 0 ||
            std::isdigit(static_cast<unsigned char>(rest_[length])) != 0 || rest_[length] == '_'))
      ++length;
    const std::string_view found = rest_.substr(0, length);
    rest_.remove_prefix(length);
    return found;
  }

  Status error(const std::string& expected) {
    skip_blanks();
    constexpr size_t kShown = 20;
    std::string found = "the end of the line";
    if (!rest_.empty()) found = "'" + std::string(rest_.substr(0, kShown)) + "'";
    return invalid_arguments("row program text, line " + std::to_string(number_) + ": " + expected +
                             ", found " + found + ".");
  }

 private:
  void skip_blanks() {
    while (!rest_.empty() && (rest_[0] == ' ' || rest_[0] == '\t' || rest_[0] == '\r')) {
      rest_.remove_prefix(1);
    }
  }

  std::string_view rest_;
  size_t number_;
};

constexpr uint64_t kMaxIndex = std::numeric_limits<uint8_t>::max();

// "c2", "s0" or "i1"
Status parse_term(Cursor& line, Term& term) {
  if (line.accept("c")) {
    term.kind = Term::Kind::coord;
  } else if (line.accept("s")) {
    term.kind = Term::Kind::scalar;
  } else if (line.accept("i")) {
    term.kind = Term::Kind::element;
  } else {
    return line.error("expected a coordinate, a scalar, an input or a number");
  }
  uint64_t index = 0;
  IOTADNN_TRY(line.number(index, kMaxIndex, "an index"));
  term.index = static_cast<uint8_t>(index);
  return {};
}

// The magnitude of an immediate: INT64_MIN has one more than INT64_MAX.
Status parse_immediate(Cursor& line, bool negated, int64_t& value) {
  const uint64_t limit =
      static_cast<uint64_t>(std::numeric_limits<int64_t>::max()) + (negated ? 1u : 0u);
  uint64_t magnitude = 0;
  IOTADNN_TRY(line.number(magnitude, limit, "a number"));
  value = static_cast<int64_t>(negated ? 0 - magnitude : magnitude);
  return {};
}

// Terms joined by + and -, then at most one number, up to `stop`: "-c0 + s0 + 1".
Status parse_bound(Cursor& line, std::string_view stop, Bound& bound) {
  bool negated = line.accept("-");
  while (true) {
    Term term;
    if (Cursor probe = line; probe.accept("c") || probe.accept("s") || probe.accept("i")) {
      IOTADNN_TRY(parse_term(line, term));
      term.negated = negated;
      bound.terms.push_back(term);
    } else {
      IOTADNN_TRY(parse_immediate(line, negated, bound.imm));
      return line.expect(stop);
    }
    if (line.accept(stop)) return {};
    if (line.accept("+")) {
      negated = false;
    } else if (line.accept("-")) {
      negated = true;
    } else {
      return line.error("expected '+', '-' or '" + std::string(stop) + "'");
    }
  }
}

// " p0: c1 in [lo, hi)", behind "predicate"
Status parse_predicate(Cursor& line, RowProgram& program) {
  if (program.predicates.size() == static_cast<size_t>(kMaxPredicates)) {
    return line.error("expected at most " + std::to_string(kMaxPredicates) + " predicates");
  }
  if (!program.bodies.empty()) return line.error("expected predicates before bodies");
  IOTADNN_TRY(line.expect("p" + std::to_string(program.predicates.size())));
  IOTADNN_TRY(line.expect(":"));
  IOTADNN_TRY(line.expect("c"));
  Predicate predicate;
  uint64_t axis = 0;
  IOTADNN_TRY(line.number(axis, kMaxIndex, "the index of a coordinate"));
  predicate.axis = static_cast<uint8_t>(axis);
  IOTADNN_TRY(line.expect("in"));
  IOTADNN_TRY(line.expect("["));
  IOTADNN_TRY(parse_bound(line, ",", predicate.lo));
  IOTADNN_TRY(parse_bound(line, ")", predicate.hi));
  program.predicates.push_back(std::move(predicate));
  return {};
}

Status parse_type(Cursor& line, DataType& type) {
  Cursor before = line;
  type = data_type_from_name(line.word());
  return is_computed(type) ? Status() : before.error("expected an element type");
}

// "c1", "s0", "i2", "v3": a letter and an index.
Status parse_reference(Cursor& line, std::string_view letter, uint64_t& index) {
  IOTADNN_TRY(line.expect(letter));
  return line.number(index, kMaxIndex, "an index");
}

Status parse_operands(Cursor& line, Inst& inst) {
  switch (inst.op) {
    case Opcode::constant:
      IOTADNN_TRY(line.expect("0x"));
      return line.number(inst.imm, std::numeric_limits<uint64_t>::max(), "hexadecimal digits", 16);
    case Opcode::coord:
      return parse_reference(line, "c", inst.imm);
    case Opcode::scalar:
      return parse_reference(line, "s", inst.imm);
    case Opcode::load:
      return parse_reference(line, "i", inst.imm);
    default:
      break;
  }
  for (int a = 0; a < info_of(inst.op).operands; ++a) {
    uint64_t value = 0;
    IOTADNN_TRY(parse_reference(line, "v", value));
    inst.args[static_cast<size_t>(a)] = static_cast<uint16_t>(value);
  }
  return {};
}

Status parse_inst(Cursor& line, const RowProgram& program, Inst& inst) {
  Cursor before = line;
  const OpcodeInfo* info = find_opcode(line.word());
  if (info == nullptr) return before.error("expected an opcode (constant, coord, load, add, ...)");
  inst.op = info->op;
  if (!is_coordinate_program(program)) IOTADNN_TRY(parse_type(line, inst.type));
  return parse_operands(line, inst);
}

// "v3, v4", behind "store"
Status parse_results(Cursor& line, Body& body) {
  do {
    uint64_t value = 0;
    if (body.results.size() == size_t{kMaxOutputs})
      return line.error("expected at most " + std::to_string(kMaxOutputs) + " values to store");
    IOTADNN_TRY(parse_reference(line, "v", value));
    body.results.push_back(static_cast<uint16_t>(value));
  } while (line.accept(","));
  return {};
}

// " 1: v0 = coord c0; v1 = constant 0x1", behind "body"
Status parse_body(Cursor& line, RowProgram& program) {
  const size_t expected = size_t{1} << program.predicates.size();
  if (program.bodies.size() == expected) {
    return line.error("expected at most " + std::to_string(expected) + " bodies");
  }
  IOTADNN_TRY(line.expect(std::to_string(program.bodies.size())));
  IOTADNN_TRY(line.expect(":"));
  Body body;
  do {
    Inst inst;
    if (!body.insts.empty() && line.accept("store")) {
      IOTADNN_TRY(parse_results(line, body));
      break;
    }
    if (body.insts.size() == size_t{kMaxInsts})
      return line.error("expected at most " + std::to_string(kMaxInsts) + " values");
    IOTADNN_TRY(line.expect("v" + std::to_string(body.insts.size())));
    IOTADNN_TRY(line.expect("="));
    IOTADNN_TRY(parse_inst(line, program, inst));
    body.insts.push_back(inst);
  } while (line.accept(";"));
  program.bodies.push_back(std::move(body));
  return {};
}

// "f32,s32", behind "inputs=" or "outputs="
Status parse_types(Cursor& line, int max, std::vector<DataType>& types) {
  do {
    if (types.size() == static_cast<size_t>(max))
      return line.error("expected at most " + std::to_string(max) + " types");
    types.emplace_back();
    IOTADNN_TRY(parse_type(line, types.back()));
  } while (line.accept(","));
  return {};
}

// " rank=2 width=4 scalars=1 inputs=f32 outputs=f32", behind "program"; the verifier judges the
// numbers.
Status parse_header(Cursor& line, RowProgram& program) {
  struct Field {
    std::string_view name;
    int& value;
  };

  const Field fields[] = {
      {"rank", program.rank}, {"width", program.elem_bytes}, {"scalars", program.num_scalars}};
  for (const Field& field : fields) {
    IOTADNN_TRY(line.expect(field.name));
    IOTADNN_TRY(line.expect("="));
    uint64_t value = 0;
    IOTADNN_TRY(line.number(value, kMaxIndex, "a number"));
    field.value = static_cast<int>(value);
  }
  if (line.accept("inputs=")) IOTADNN_TRY(parse_types(line, kMaxInputs, program.inputs));
  if (line.accept("outputs=")) IOTADNN_TRY(parse_types(line, kMaxOutputs, program.outputs));
  return {};
}

Status parse_line(Cursor& line, bool& has_header, RowProgram& program) {
  if (!has_header) {
    has_header = true;
    IOTADNN_TRY(line.expect("program"));
    IOTADNN_TRY(parse_header(line, program));
  } else if (line.accept("predicate")) {
    IOTADNN_TRY(parse_predicate(line, program));
  } else if (line.accept("body")) {
    IOTADNN_TRY(parse_body(line, program));
  } else {
    return line.error("expected 'predicate' or 'body'");
  }
  if (!line.at_end()) return line.error("expected the end of the line");
  return {};
}

}  // namespace

Result<RowProgram> parse_program(std::string_view text) {
  RowProgram program;
  bool has_header = false;
  size_t number = 0;
  while (!text.empty()) {
    const size_t length = std::min(text.find('\n'), text.size());
    const std::string_view whole = text.substr(0, length);
    Cursor line(whole.substr(0, whole.find('#')), ++number);
    text.remove_prefix(std::min(length + 1, text.size()));
    if (line.at_end()) continue;
    if (Status status = parse_line(line, has_header, program); !status.ok()) return status;
  }
  if (!has_header) return Cursor({}, number + 1).error("expected 'program'");
  if (Status status = verify(program); !status.ok()) return status;
  return program;
}

}  // namespace iotadnn::impl
