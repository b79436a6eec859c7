// SPDX-License-Identifier: Apache-2.0
#include "lower/affine.h"

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <utility>

#include "base/float16.h"
#include "program/opcodes.h"

namespace iotadnn::impl {
namespace {

constexpr int64_t kMin = std::numeric_limits<int64_t>::min();
constexpr int64_t kMax = std::numeric_limits<int64_t>::max();

struct Range {
  int64_t lo;
  int64_t hi;
};

// The integers that a type holds, each of them exactly and none that another rounds to.
Range exact_range(DataType type) {
  switch (type) {
    case DataType::s8:
      return {-128, 127};
    case DataType::u8:
      return {0, 255};
    case DataType::s16:
      return {-32768, 32767};
    case DataType::u16:
      return {0, 65535};
    case DataType::s32:
      return {std::numeric_limits<int32_t>::min(), std::numeric_limits<int32_t>::max()};
    case DataType::u32:
      return {0, std::numeric_limits<uint32_t>::max()};
    case DataType::s64:
      return {kMin, kMax};
    case DataType::u64:
      return {0, kMax};
    case DataType::f32:
      return {-(int64_t{1} << 24), int64_t{1} << 24};
    case DataType::f64:
      return {-(int64_t{1} << 53), int64_t{1} << 53};
    case DataType::f16:
      return {-2048, 2048};
    case DataType::bf16:
      return {-256, 256};
    default:
      return {0, -1};
  }
}

double as_double(DataType type, uint64_t bits) {
  switch (type) {
    case DataType::f64:
      return bit_cast<double>(bits);
    case DataType::f32:
      return static_cast<double>(bit_cast<float>(static_cast<uint32_t>(bits)));
    case DataType::f16:
      return static_cast<double>(f16_to_f32(static_cast<uint16_t>(bits)));
    default:
      return static_cast<double>(bf16_to_f32(static_cast<uint16_t>(bits)));
  }
}

// The constant as an integer; nothing when it has a fraction or is beyond the type's exact range.
std::optional<int64_t> integer_constant(const Inst& inst) {
  const Range range = exact_range(inst.type);
  int64_t value = 0;
  if (accepts(OperandTypes::floating, inst.type)) {
    const double number = as_double(inst.type, inst.imm);
    if (!(number >= static_cast<double>(range.lo) && number <= static_cast<double>(range.hi)))
      return std::nullopt;
    value = static_cast<int64_t>(number);
    if (static_cast<double>(value) != number) return std::nullopt;
    return value;
  }
  const int unused_bits = 64 - bits_of(inst.type);
  if (range.lo < 0)
    value = static_cast<int64_t>(inst.imm << unused_bits) >> unused_bits;
  else
    value = static_cast<int64_t>(inst.imm);
  if (value < range.lo || value > range.hi) return std::nullopt;
  return value;
}

bool is_unit(int coefficient) {
  return coefficient == 1 || coefficient == -1;
}

// a + sign * b, or nothing when a coefficient gets large or the constant leaves int64.
std::optional<Affine> combined(const Affine& a, const Affine& b, int sign) {
  constexpr int kLargest = 4;
  Affine sum = a;
  const auto add = [sign](auto& to, const auto& from) {
    for (size_t i = 0; i < to.size(); ++i) {
      const int coefficient = to[i] + sign * from[i];
      if (coefficient > kLargest || coefficient < -kLargest) return false;
      to[i] = static_cast<int8_t>(coefficient);
    }
    return true;
  };
  if (!add(sum.coords, b.coords) || !add(sum.scalars, b.scalars)) return std::nullopt;
  const bool overflows = sign > 0 ? __builtin_add_overflow(a.imm, b.imm, &sum.imm)
                                  : __builtin_sub_overflow(a.imm, b.imm, &sum.imm);
  if (overflows) return std::nullopt;
  return sum;
}

// Reads values as affine forms and notes what must hold for that.
class Reader {
 public:
  explicit Reader(const Expr& expr) : expr_(expr) {}

  std::optional<Affine> read(Value value) {
    const Inst& inst = expr_[value];
    switch (inst.op) {
      case Opcode::constant:
        if (const auto number = integer_constant(inst)) return with_imm(*number);
        return std::nullopt;
      case Opcode::coord:
        return guarded(inst, coordinate(inst.imm));
      case Opcode::scalar:
        return scalar(inst);
      case Opcode::negate:
      case Opcode::convert: {
        if (inst.type == DataType::boolean) return std::nullopt;
        const auto a = read(inst.args[0]);
        if (!a) return std::nullopt;
        return guarded(inst, inst.op == Opcode::convert ? a : combined(Affine{}, *a, -1));
      }
      case Opcode::add:
      case Opcode::subtract: {
        const auto a = read(inst.args[0]);
        if (!a) return std::nullopt;
        const auto b = read(inst.args[1]);
        if (!b) return std::nullopt;
        return guarded(inst, combined(*a, *b, inst.op == Opcode::add ? 1 : -1));
      }
      default:
        return std::nullopt;
    }
  }

  std::vector<RangeGuard> take_guards() { return std::move(guards_); }

 private:
  static Affine with_imm(int64_t imm) {
    Affine affine;
    affine.imm = imm;
    return affine;
  }

  static std::optional<Affine> coordinate(uint64_t axis) {
    Affine affine;
    affine.coords[axis] = 1;
    return affine;
  }

  // Scalars of floating point may have a fraction; an integer is exact as it is given.
  static std::optional<Affine> scalar(const Inst& inst) {
    if (!accepts(OperandTypes::numeric, inst.type) || inst.type == DataType::u64 ||
        accepts(OperandTypes::floating, inst.type))
      return std::nullopt;
    Affine affine;
    affine.scalars[inst.imm] = 1;
    return affine;
  }

  std::optional<Affine> guarded(const Inst& inst, const std::optional<Affine>& affine) {
    if (!affine) return std::nullopt;
    // Coordinates alone are always within 64 bits.
    const bool has_scalar = affine->scalars != Affine{}.scalars;
    if (inst.type == DataType::s64 && !has_scalar && affine->imm == 0) return affine;
    const Range range = exact_range(inst.type);
    const RangeGuard guard{*affine, range.lo, range.hi};
    if (std::find(guards_.begin(), guards_.end(), guard) == guards_.end()) guards_.push_back(guard);
    return affine;
  }

  const Expr& expr_;
  std::vector<RangeGuard> guards_;
};

// The innermost coordinate that a bound can be solved for; -1 when there is none. Others may occur
// any number of times.
int tested_axis(const Affine& difference) {
  for (int axis = kMaxRank - 1; axis >= 0; --axis)
    if (is_unit(difference.coords[static_cast<size_t>(axis)])) return axis;
  return -1;
}

// The rest of the difference, times `sign`, plus `imm`.
Bound rest_of(const Affine& difference, int axis, int sign, int64_t imm) {
  Bound bound;
  bound.imm = imm;
  const auto add_terms = [&](Term::Kind kind, size_t index, int coefficient) {
    for (int i = 0; i < std::abs(coefficient); ++i)
      bound.terms.push_back({kind, static_cast<uint8_t>(index), sign * coefficient < 0});
  };
  for (size_t d = 0; d < difference.coords.size(); ++d)
    if (static_cast<int>(d) != axis) add_terms(Term::Kind::coord, d, difference.coords[d]);
  for (size_t s = 0; s < difference.scalars.size(); ++s)
    add_terms(Term::Kind::scalar, s, difference.scalars[s]);
  return bound;
}

// Bounds saturate step by step, which is harmless with one large term: what is beyond int64
// compares with every coordinate as the limit does. Two could cancel out, so they have to be
// smaller then.
bool keep_sums_exact(const Affine& difference, std::vector<RangeGuard>& guards) {
  constexpr int64_t kLarge = int64_t{1} << 58;
  const bool large_imm = difference.imm > kLarge || difference.imm < -kLarge;
  int terms = difference.imm == 0 ? 0 : 1;
  for (const int coefficient : difference.scalars)
    terms += std::abs(coefficient);
  if (terms < 2) return true;
  if (large_imm) return false;
  for (size_t s = 0; s < difference.scalars.size(); ++s) {
    if (difference.scalars[s] == 0) continue;
    RangeGuard guard{{}, -kLarge, kLarge};
    guard.value.scalars[s] = 1;
    guards.push_back(guard);
  }
  return true;
}

}  // namespace

bool holds(const RangeGuard& guard, const int64_t* extents, int rank, const int64_t* scalars) {
  // Sums of up to 20 terms of 64 bits and a coefficient of a few bits fit into 128.
  __extension__ using Wide = __int128;
  Wide least = guard.value.imm;
  Wide most = guard.value.imm;
  for (int d = 0; d < rank; ++d) {
    const int coefficient = guard.value.coords[static_cast<size_t>(d)];
    const Wide last = Wide{coefficient} * (extents[d] - 1);
    (coefficient > 0 ? most : least) += last;
  }
  for (size_t s = 0; s < guard.value.scalars.size(); ++s) {
    if (guard.value.scalars[s] == 0) continue;
    const Wide value = Wide{guard.value.scalars[s]} * scalars[s];
    least += value;
    most += value;
  }
  return guard.lo <= least && most <= guard.hi;
}

std::optional<AffineCondition> affine_condition(const Expr& expr, Value value) {
  const Inst& inst = expr[value];
  if (inst.op < Opcode::equal || inst.op > Opcode::less_equal) return std::nullopt;
  Reader reader(expr);
  const auto a = reader.read(inst.args[0]);
  if (!a) return std::nullopt;
  const auto b = reader.read(inst.args[1]);
  if (!b) return std::nullopt;
  const auto difference = combined(*a, *b, -1);
  if (!difference || difference->imm > kMax - 2 || difference->imm < kMin + 2) return std::nullopt;
  const int axis = tested_axis(*difference);
  if (axis < 0) return std::nullopt;

  AffineCondition condition;
  condition.guards = reader.take_guards();
  if (!keep_sums_exact(*difference, condition.guards)) return std::nullopt;
  // sign * x + rest OP 0, that is x OP' edge with edge = -sign * rest.
  const int sign = difference->coords[static_cast<size_t>(axis)];
  const auto edge = [&](int64_t plus) {
    return rest_of(*difference, axis, -sign,
                   (sign > 0 ? -difference->imm : difference->imm) + plus);
  };
  Predicate& p = condition.predicate;
  p.axis = static_cast<uint8_t>(axis);
  p.lo.imm = kMin;
  p.hi.imm = kMax;
  switch (inst.op) {
    case Opcode::equal:
    case Opcode::not_equal:
      p.lo = edge(0);
      p.hi = edge(1);
      condition.negated = inst.op == Opcode::not_equal;
      break;
    // Each of the four as "x at least" with an edge, or its contrary, so that a condition and its
    // contrary share one predicate.
    case Opcode::greater_equal:
      p.lo = edge(sign > 0 ? 0 : 1);
      condition.negated = sign < 0;
      break;
    case Opcode::less:
      p.lo = edge(sign > 0 ? 0 : 1);
      condition.negated = sign > 0;
      break;
    case Opcode::greater:
      p.lo = edge(sign > 0 ? 1 : 0);
      condition.negated = sign < 0;
      break;
    default:
      p.lo = edge(sign > 0 ? 1 : 0);
      condition.negated = sign > 0;
      break;
  }
  return condition;
}

}  // namespace iotadnn::impl
