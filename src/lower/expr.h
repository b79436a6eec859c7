// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <tuple>
#include <vector>

#include "graph/math_mode.h"
#include "program/program.h"

namespace iotadnn::impl {

// A value of an expression: a position in Expr.
using Value = uint16_t;

struct ExprRules {
  MathMode mode = MathMode::standard;
  // Whether rewriting may assume something of scalars, to be checked when they are known.
  bool assume_scalars = true;
  // Whether zeros keep their signs, as they do in any case in strict_bits.
  bool exact_zeros = false;
};

// What was assumed, a bit per scalar.
struct ScalarAssumptions {
  uint32_t finite_scalars = 0;  // neither infinite nor NaN
  uint32_t unit_scalars = 0;    // integers that are 1: the usual step of a Range
  uint32_t zero_scalars = 0;    // 0 or -0: what a sum's terms are where no identity picks them

  ScalarAssumptions& operator|=(const ScalarAssumptions& o) {
    finite_scalars |= o.finite_scalars;
    unit_scalars |= o.unit_scalars;
    zero_scalars |= o.zero_scalars;
    return *this;
  }

  bool any() const { return (finite_scalars | unit_scalars | zero_scalars) != 0; }
};

// What the finite math mode took for finite.
struct FinitePromises {
  uint32_t scalars = 0;   // a bit for each
  uint32_t inputs = 0;    // elements of these
  bool computed = false;  // something else
};

// Typed values in the order of their making, each used any number of times: what a region computes
// at one point of its domain. Equal values are made once, constants are folded by evaluate(), and
// what the rules of simplify() know is not computed at all.
class Expr {
 public:
  explicit Expr(ExprRules rules) : rules_(rules) {
    rules_.exact_zeros |= rules_.mode == MathMode::strict_bits;
  }

  Value constant(DataType type, uint64_t bits);

  Value integer(DataType type, int64_t value) {
    return constant(type, static_cast<uint64_t>(value));
  }

  Value boolean(bool value) { return constant(DataType::boolean, value ? 1 : 0); }

  // A coordinate of the domain, scalar `index` or input `index`.
  Value leaf(Opcode op, DataType type, uint64_t index);

  Value apply(Opcode op, DataType type, Value a, Value b = 0, Value c = 0);

  const Inst& operator[](Value v) const { return insts_[v]; }

  size_t size() const { return insts_.size(); }

  bool is_constant(Value v) const { return insts_[v].op == Opcode::constant; }

  const ScalarAssumptions& assumed() const { return assumed_; }

  const FinitePromises& promised() const { return promised_; }

  // Whether a floating-point quotient or power was asked for, though it may have been folded.
  bool divides() const { return divides_; }

  // Past kMaxInsts values nothing is made any more; the expression is of no use then.
  bool too_long() const { return too_long_; }

 private:
  Value intern(const Inst& inst);
  bool fold(const Inst& inst, Value* value);
  bool simplify(const Inst& inst, Value* value);
  bool simplify_arithmetic(const Inst& inst, Value* value);
  bool simplify_narrowing(const Inst& inst, Value* value);
  bool simplify_logic(const Inst& inst, Value* value);
  bool simplify_select(const Inst& inst, Value* value);
  bool is_number(Value v, int number) const;
  bool times_zero(Value factor, Value zero, Value* value);
  void promise_finite(Value value);
  bool times_step(Value coord, Value step);

  ExprRules rules_;
  std::vector<Inst> insts_;
  std::map<std::tuple<Opcode, DataType, uint64_t, std::array<uint16_t, 3>>, Value> known_;
  ScalarAssumptions assumed_;
  FinitePromises promised_;
  bool divides_ = false;
  bool too_long_ = false;
};

// Whether it divides by a product or sum, or takes a power of one: where that is zero, its sign
// tells one infinity from the other.
bool divides_by_arithmetic(const Expr& expr);

// Which values `roots` need, themselves included.
std::vector<bool> reached_from(const Expr& expr, const std::vector<Value>& roots);

// Makes the reached values of `from` again in `to` (which may be `from` itself): as the boolean
// that replaced(position) says, if it says one. By position in `from`.
template <class Replaced>
std::vector<Value> remake(const Expr& from, const std::vector<bool>& reached, Expr& to,
                          Replaced&& replaced) {
  std::vector<Value> now(reached.size(), 0);
  for (size_t v = 0; v < reached.size(); ++v) {
    if (!reached[v]) continue;
    const Inst inst = from[static_cast<Value>(v)];
    if (const auto known = replaced(v)) {
      now[v] = to.boolean(*known);
    } else if (inst.op == Opcode::constant) {
      now[v] = to.constant(inst.type, inst.imm);
    } else if (inst.op < kFirstPointwise) {
      now[v] = to.leaf(inst.op, inst.type, inst.imm);
    } else {
      now[v] =
          to.apply(inst.op, inst.type, now[inst.args[0]], now[inst.args[1]], now[inst.args[2]]);
    }
  }
  return now;
}

// The values that `roots` need, in order, as a body whose results they are.
Body to_body(const Expr& expr, const std::vector<Value>& roots);

}  // namespace iotadnn::impl
