// SPDX-License-Identifier: Apache-2.0
#include "lower/expr.h"

#include <algorithm>
#include <cstring>

#include "program/evaluate.h"
#include "program/opcodes.h"

namespace iotadnn::impl {
namespace {

// The expression of a region may be longer than any of its bodies.
constexpr size_t kMaxValues = 16 * size_t{kMaxInsts};

uint64_t truncated(DataType type, uint64_t bits) {
  const int bytes = bytes_of(type);
  return bytes == 8 ? bits : bits & ((uint64_t{1} << (8 * bytes)) - 1);
}

// The number as a bit pattern of the type.
uint64_t number_bits(DataType type, int number) {
  return convert_bits(type, DataType::s64, static_cast<uint64_t>(int64_t{number}));
}

bool is_comparison(Opcode op) {
  return op >= Opcode::equal && op <= Opcode::less_equal;
}

// What a comparison of equal operands is, where they are not NaN.
bool holds_for_equals(Opcode op) {
  return op == Opcode::equal || op == Opcode::greater_equal || op == Opcode::less_equal;
}

// Whether it tells -0 from +0, by infinities of either sign.
bool is_quotient(const Inst& inst) {
  return (inst.op == Opcode::divide || inst.op == Opcode::power) && is_floating(inst.type);
}

Opcode inverse(Opcode comparison) {
  switch (comparison) {
    case Opcode::equal:
      return Opcode::not_equal;
    case Opcode::not_equal:
      return Opcode::equal;
    case Opcode::greater:
      return Opcode::less_equal;
    case Opcode::greater_equal:
      return Opcode::less;
    case Opcode::less:
      return Opcode::greater_equal;
    default:
      return Opcode::greater;
  }
}

}  // namespace

Value Expr::intern(const Inst& inst) {
  const auto key = std::make_tuple(inst.op, inst.type, inst.imm, inst.args);
  const auto found = known_.find(key);
  if (found != known_.end()) return found->second;
  if (insts_.size() == kMaxValues) {
    too_long_ = true;
    return 0;
  }
  const auto value = static_cast<Value>(insts_.size());
  insts_.push_back(inst);
  known_.emplace(key, value);
  return value;
}

Value Expr::constant(DataType type, uint64_t bits) {
  return intern({Opcode::constant, truncated(type, bits), type, {}});
}

Value Expr::leaf(Opcode op, DataType type, uint64_t index) {
  return intern({op, index, type, {}});
}

Value Expr::apply(Opcode op, DataType type, Value a, Value b, Value c) {
  Inst inst{op, 0, type, {}};
  const Value args[] = {a, b, c};
  for (size_t i = 0; i < static_cast<size_t>(info_of(op).operands); ++i)
    inst.args[i] = args[i];
  divides_ |= is_quotient(inst);
  Value value = 0;
  if (fold(inst, &value) || simplify(inst, &value)) return value;
  return intern(inst);
}

bool Expr::fold(const Inst& inst, Value* value) {
  uint64_t bits[3] = {};
  const void* operands[3] = {};
  for (size_t i = 0; i < static_cast<size_t>(info_of(inst.op).operands); ++i) {
    if (!is_constant(inst.args[i])) return false;
    bits[i] = insts_[inst.args[i]].imm;
    operands[i] = &bits[i];
  }
  const DataType operand = insts_[inst.args[inst.op == Opcode::select ? 1 : 0]].type;
  uint64_t result = 0;  // little endian, as the elements are
  evaluate(inst.op, inst.type, operand, &result, operands, 1);
  *value = constant(inst.type, result);
  return true;
}

bool Expr::is_number(Value v, int number) const {
  return is_constant(v) && insts_[v].imm == number_bits(insts_[v].type, number);
}

bool Expr::simplify(const Inst& inst, Value* value) {
  if (inst.op == Opcode::select) return simplify_select(inst, value);
  if (inst.type == DataType::boolean && inst.op != Opcode::convert)
    return simplify_logic(inst, value);
  return simplify_arithmetic(inst, value);
}

// x * 0 is 0 for every integer and every finite x. The sign of the zero is that of x.
bool Expr::times_zero(Value factor, Value zero, Value* value) {
  const Inst& x = insts_[factor];
  if (is_floating(x.type)) {
    if (rules_.exact_zeros) return false;
    if (rules_.mode == MathMode::finite) promise_finite(factor);
    if (rules_.mode == MathMode::standard && x.op != Opcode::coord) {
      if (x.op != Opcode::scalar || !rules_.assume_scalars) return false;
      assumed_.finite_scalars |= 1u << x.imm;
    }
  }
  *value = zero;
  return true;
}

// Negating keeps a value finite, and so does a type that holds all values of the other.
void Expr::promise_finite(Value value) {
  const Inst& x = insts_[value];
  const bool widens = x.op == Opcode::convert && is_floating(insts_[x.args[0]].type) &&
                      bytes_of(x.type) > bytes_of(insts_[x.args[0]].type);
  if (widens || x.op == Opcode::negate)
    promise_finite(x.args[0]);
  else if (x.op == Opcode::load)
    promised_.inputs |= 1u << x.imm;
  else if (x.op == Opcode::scalar)
    promised_.scalars |= 1u << x.imm;
  else if (x.op != Opcode::coord && x.op != Opcode::constant)
    promised_.computed = true;
}

// A coordinate times a scalar, which would not be affine, is the coordinate for a step of 1.
bool Expr::times_step(Value coord, Value step) {
  const Inst& scalar = insts_[step];
  if (insts_[coord].op != Opcode::coord || scalar.op != Opcode::scalar || !rules_.assume_scalars)
    return false;
  assumed_.unit_scalars |= 1u << scalar.imm;
  return true;
}

bool Expr::simplify_arithmetic(const Inst& inst, Value* value) {
  const Value a = inst.args[0];
  const Value b = inst.args[1];
  const auto is = [value](Value v) {
    *value = v;
    return true;
  };
  // Adding +0 turns -0 into +0; adding -0 changes nothing.
  const auto adds_nothing = [&](Value v) {
    if (!is_constant(v)) return false;
    if (!is_floating(inst.type)) return is_number(v, 0);
    const uint64_t minus_zero = uint64_t{1} << (8 * bytes_of(inst.type) - 1);
    return insts_[v].imm == minus_zero || (!rules_.exact_zeros && is_number(v, 0));
  };
  switch (inst.op) {
    case Opcode::convert:
      return (insts_[a].type == inst.type && is(a)) || simplify_narrowing(inst, value);
    case Opcode::negate:
      return insts_[a].op == Opcode::negate && is(insts_[a].args[0]);
    case Opcode::abs:
      return insts_[a].op == Opcode::abs && is(a);
    case Opcode::add:
      return (adds_nothing(b) && is(a)) || (adds_nothing(a) && is(b));
    case Opcode::subtract:
      if (!is_floating(inst.type) && a == b) return is(constant(inst.type, 0));
      return is_number(b, 0) && is(a);  // x - (+0) is x, also for -0
    case Opcode::multiply:
      if (is_number(b, 1)) return is(a);
      if (is_number(a, 1)) return is(b);
      if (times_step(a, b)) return is(a);
      if (times_step(b, a)) return is(b);
      return (is_number(b, 0) && times_zero(a, b, value)) ||
             (is_number(a, 0) && times_zero(b, a, value));
    case Opcode::divide:
      return is_number(b, 1) && is(a);
    case Opcode::maximum:
    case Opcode::minimum:
      return a == b && is(a);
    case Opcode::power:
      return is_number(b, 1) && is(a);
    default:
      return false;
  }
}

// Where floating point is converted from f64 that has come from less. What was widened is as it
// was. A sum or product of two numbers of the result's type is rounded to it from f64 as it is at
// once (Figueroa, "When is double rounding innocuous?", 1995).
bool Expr::simplify_narrowing(const Inst& inst, Value* value) {
  const Inst wide = insts_[inst.args[0]];
  if (!is_floating(inst.type) || !is_floating(wide.type)) return false;
  const auto source = [this](Value v) -> Value {
    const Inst& x = insts_[v];
    const bool widens = x.op == Opcode::convert && is_floating(insts_[x.args[0]].type) &&
                        bytes_of(insts_[x.args[0]].type) < bytes_of(x.type);
    return widens ? x.args[0] : v;
  };
  if (const Value narrow = source(inst.args[0]); narrow != inst.args[0]) {
    *value = apply(Opcode::convert, inst.type, narrow);
    return true;
  }
  if (wide.type != DataType::f64 || wide.op < Opcode::add || wide.op > Opcode::multiply)
    return false;
  Value operands[2];
  for (size_t i = 0; i < 2; ++i) {
    const Inst x = insts_[wide.args[i]];
    operands[i] = source(wide.args[i]);
    if (x.op == Opcode::constant) {
      const uint64_t bits = convert_bits(inst.type, DataType::f64, x.imm);
      if (convert_bits(DataType::f64, inst.type, bits) != x.imm) return false;
      operands[i] = constant(inst.type, bits);
    }
    if (insts_[operands[i]].type != inst.type) return false;
  }
  *value = apply(wide.op, inst.type, operands[0], operands[1]);
  return true;
}

bool Expr::simplify_logic(const Inst& inst, Value* value) {
  const Value a = inst.args[0];
  const Value b = inst.args[1];
  const auto is = [value](Value v) {
    *value = v;
    return true;
  };
  if (is_comparison(inst.op)) {
    if (a != b || is_floating(insts_[a].type)) return false;
    return is(boolean(holds_for_equals(inst.op)));
  }
  switch (inst.op) {
    case Opcode::logical_not: {
      const Inst x = insts_[a];
      if (x.op == Opcode::logical_not) return is(x.args[0]);
      const bool total = is_comparison(x.op) &&
                         (x.op <= Opcode::not_equal || !is_floating(insts_[x.args[0]].type));
      return total && is(apply(inverse(x.op), DataType::boolean, x.args[0], x.args[1]));
    }
    case Opcode::logical_and:
      if (a == b || is_number(b, 1)) return is(a);
      if (is_number(a, 1)) return is(b);
      return (is_number(a, 0) && is(a)) || (is_number(b, 0) && is(b));
    case Opcode::logical_or:
      if (a == b || is_number(b, 0)) return is(a);
      if (is_number(a, 0)) return is(b);
      return (is_number(a, 1) && is(a)) || (is_number(b, 1) && is(b));
    default:
      return false;
  }
}

bool Expr::simplify_select(const Inst& inst, Value* value) {
  const Inst condition = insts_[inst.args[0]];
  if (condition.op == Opcode::constant) {
    *value = inst.args[condition.imm != 0 ? 1 : 2];
    return true;
  }
  if (inst.args[1] == inst.args[2]) {
    *value = inst.args[1];
    return true;
  }
  if (condition.op != Opcode::logical_not) return false;
  *value = apply(Opcode::select, inst.type, condition.args[0], inst.args[2], inst.args[1]);
  return true;
}

std::vector<bool> reached_from(const Expr& expr, const std::vector<Value>& roots) {
  std::vector<bool> reached(expr.size(), false);
  for (const Value root : roots)
    reached[root] = true;
  for (size_t v = expr.size(); v-- > 0;) {
    if (!reached[v]) continue;
    const Inst& inst = expr[static_cast<Value>(v)];
    for (size_t a = 0; a < static_cast<size_t>(info_of(inst.op).operands); ++a)
      reached[inst.args[a]] = true;
  }
  return reached;
}

bool divides_by_arithmetic(const Expr& expr) {
  std::vector<Value> zeros;  // whose signs tell
  for (size_t v = 0; v < expr.size(); ++v)
    if (const Inst& inst = expr[static_cast<Value>(v)]; is_quotient(inst))
      zeros.push_back(inst.args[inst.op == Opcode::divide ? 1 : 0]);
  const std::vector<bool> reached = reached_from(expr, zeros);
  for (size_t v = 0; v < expr.size(); ++v) {
    const Inst& inst = expr[static_cast<Value>(v)];
    if (reached[v] && is_floating(inst.type) &&
        (inst.op == Opcode::add || inst.op == Opcode::multiply))
      return true;
  }
  return false;
}

Body to_body(const Expr& expr, const std::vector<Value>& roots) {
  const std::vector<bool> needed = reached_from(expr, roots);
  Body body;
  std::vector<uint16_t> position(expr.size(), 0);
  for (size_t v = 0; v < expr.size(); ++v) {
    if (!needed[v]) continue;
    Inst inst = expr[static_cast<Value>(v)];
    for (size_t a = 0; a < static_cast<size_t>(info_of(inst.op).operands); ++a)
      inst.args[a] = position[inst.args[a]];
    position[v] = static_cast<uint16_t>(body.insts.size());
    body.insts.push_back(inst);
  }
  for (const Value root : roots)
    body.results.push_back(position[root]);
  return body;
}

}  // namespace iotadnn::impl
