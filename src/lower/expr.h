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
};

// What was assumed, a bit per scalar.
struct ScalarAssumptions {
  uint32_t finite_scalars = 0;  // neither infinite nor NaN
  uint32_t unit_scalars = 0;    // integers that are 1: the usual step of a Range

  ScalarAssumptions& operator|=(const ScalarAssumptions& o) {
    finite_scalars |= o.finite_scalars;
    unit_scalars |= o.unit_scalars;
    return *this;
  }
};

// Typed values in the order of their making, each used any number of times: what a region computes
// at one point of its domain. Equal values are made once, constants are folded by evaluate(), and
// what the rules of simplify() know is not computed at all.
class Expr {
 public:
  explicit Expr(ExprRules rules) : rules_(rules) {}

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

  // Past kMaxInsts values nothing is made any more; the expression is of no use then.
  bool too_long() const { return too_long_; }

 private:
  Value intern(const Inst& inst);
  bool fold(const Inst& inst, Value* value);
  bool simplify(const Inst& inst, Value* value);
  bool simplify_arithmetic(const Inst& inst, Value* value);
  bool simplify_logic(const Inst& inst, Value* value);
  bool simplify_select(const Inst& inst, Value* value);
  bool is_number(Value v, int number) const;
  bool times_zero(Value factor, Value zero, Value* value);
  bool times_step(Value coord, Value step);

  ExprRules rules_;
  std::vector<Inst> insts_;
  std::map<std::tuple<Opcode, DataType, uint64_t, std::array<uint16_t, 3>>, Value> known_;
  ScalarAssumptions assumed_;
  bool too_long_ = false;
};

// Which values `roots` need, themselves included.
std::vector<bool> reached_from(const Expr& expr, const std::vector<Value>& roots);

// The values that `roots` need, in order, as a body whose results they are.
Body to_body(const Expr& expr, const std::vector<Value>& roots);

}  // namespace iotadnn::impl
