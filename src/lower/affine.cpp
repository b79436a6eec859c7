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

// Sums of up to 40 terms of 64 bits and a coefficient of a few bits fit into 128.
__extension__ using Wide = __int128;

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
  if (!add(sum.coords, b.coords) || !add(sum.scalars, b.scalars) || !add(sum.elements, b.elements))
    return std::nullopt;
  const bool overflows = sign > 0 ? __builtin_add_overflow(a.imm, b.imm, &sum.imm)
                                  : __builtin_sub_overflow(a.imm, b.imm, &sum.imm);
  if (overflows) return std::nullopt;
  return sum;
}

bool is_integer(DataType type) {
  return accepts(OperandTypes::numeric, type) && !accepts(OperandTypes::floating, type);
}

// Reads values as affine forms and notes what must hold for that.
class Reader {
 public:
  explicit Reader(const Expr& expr) : expr_(expr) {}

  std::optional<Affine> read(Value value) {
    const Inst& inst = expr_[value];
    const auto affine = read_unguarded(value, [this](Value operand) { return read(operand); });
    if (!affine || inst.op == Opcode::constant || inst.op == Opcode::scalar ||
        inst.op == Opcode::load || guard(inst.type, *affine))
      return affine;
    return std::nullopt;
  }

  // The value as it is before it wraps to its type. Right for whether two integers are equal: they
  // are if what they are before wrapping differs by a multiple of 2^bits.
  std::optional<Affine> read_wrapping(Value value) {
    const Inst& inst = expr_[value];
    if (inst.op == Opcode::coord || inst.op == Opcode::convert) return unwrapped(inst);
    return read_unguarded(value, [this](Value operand) { return read_wrapping(operand); });
  }

  // Notes that the affine value stays within [lo, hi] for all values of the elements in it; false
  // if it cannot.
  bool guard(const Affine& affine, Wide lo, Wide hi) {
    RangeGuard guard{affine, 0, 0};
    for (size_t i = 0; i < affine.elements.size(); ++i) {
      const Wide coefficient = affine.elements[i];
      if (coefficient == 0) continue;
      const Range range = exact_range(element_types_[i]);
      lo -= coefficient * (coefficient > 0 ? range.lo : range.hi);
      hi -= coefficient * (coefficient > 0 ? range.hi : range.lo);
    }
    if (lo > hi) return false;
    guard.value.elements = {};
    guard.lo = static_cast<int64_t>(std::clamp<Wide>(lo, kMin, kMax));
    guard.hi = static_cast<int64_t>(std::clamp<Wide>(hi, kMin, kMax));
    const Affine number = with_imm(affine.imm);
    if (guard.value == number) return lo <= affine.imm && affine.imm <= hi;
    // Coordinates alone are always within 64 bits.
    const bool only_coords = guard.value.scalars == number.scalars && affine.imm == 0;
    if (only_coords && guard.lo <= -kMax && guard.hi == kMax) return true;
    if (std::find(guards_.begin(), guards_.end(), guard) == guards_.end()) guards_.push_back(guard);
    return true;
  }

  bool has_wide_element(const Affine& affine) const {
    for (size_t i = 0; i < affine.elements.size(); ++i)
      if (affine.elements[i] != 0 && element_types_[i] == DataType::s64) return true;
    return false;
  }

  std::vector<RangeGuard> take_guards() { return std::move(guards_); }

 private:
  template <class Read>
  std::optional<Affine> read_unguarded(Value value, Read&& read_operand) {
    const Inst& inst = expr_[value];
    switch (inst.op) {
      case Opcode::constant:
        if (const auto number = integer_constant(inst)) return with_imm(*number);
        return std::nullopt;
      case Opcode::coord:
        return coordinate(inst.imm);
      case Opcode::scalar:
        return scalar(inst);
      case Opcode::load:
        return element(inst);
      case Opcode::negate:
      case Opcode::convert: {
        if (inst.type == DataType::boolean) return std::nullopt;
        const auto a = read_operand(inst.args[0]);
        if (!a || inst.op == Opcode::convert) return a;
        return combined(Affine{}, *a, -1);
      }
      case Opcode::add:
      case Opcode::subtract: {
        const auto a = read_operand(inst.args[0]);
        if (!a) return std::nullopt;
        const auto b = read_operand(inst.args[1]);
        if (!b) return std::nullopt;
        return combined(*a, *b, inst.op == Opcode::add ? 1 : -1);
      }
      default:
        return std::nullopt;
    }
  }

  // A coordinate or a conversion, which wraps once, whatever its operand is.
  std::optional<Affine> unwrapped(const Inst& inst) {
    if (inst.op == Opcode::coord) return coordinate(inst.imm);
    if (!is_integer(inst.type) || !is_integer(expr_[inst.args[0]].type)) return std::nullopt;
    return read(inst.args[0]);
  }

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

  std::optional<Affine> element(const Inst& inst) {
    if (!is_bound_type(inst.type)) return std::nullopt;
    Affine affine;
    affine.elements[inst.imm] = 1;
    element_types_[inst.imm] = inst.type;
    return affine;
  }

  bool guard(DataType type, const Affine& affine) {
    const Range range = exact_range(type);
    return guard(affine, range.lo, range.hi);
  }

  const Expr& expr_;
  std::array<DataType, kMaxInputs> element_types_{};
  std::vector<RangeGuard> guards_;
};

// The innermost coordinate that a bound can be solved for; -1 when there is none. Others may occur
// any number of times.
int tested_axis(const Affine& difference, Span<const AxisSet> inputs) {
  AxisSet moving = 0;
  for (size_t i = 0; i < inputs.size(); ++i)
    if (difference.elements[i] != 0) moving |= inputs[i];
  for (int axis = kMaxRank - 1; axis >= 0; --axis)
    if (is_unit(difference.coords[static_cast<size_t>(axis)]) && (moving >> axis & 1u) == 0)
      return axis;
  return -1;
}

bool has_one_element_at_most(const Affine& affine) {
  int elements = 0;
  for (const int coefficient : affine.elements)
    elements += std::abs(coefficient);
  return elements <= 1;
}

// The operands' difference, as affine as the comparison needs it.
std::optional<Affine> difference_of(const Inst& comparison, const Expr& expr, Reader& reader) {
  const DataType type = expr[comparison.args[0]].type;
  const bool is_order = comparison.op != Opcode::equal && comparison.op != Opcode::not_equal;
  const bool wraps = !is_order && is_integer(type) && type != DataType::u64;
  const auto read = [&](Value v) { return wraps ? reader.read_wrapping(v) : reader.read(v); };
  const auto a = read(comparison.args[0]);
  if (!a) return std::nullopt;
  const auto b = read(comparison.args[1]);
  if (!b) return std::nullopt;
  const auto difference = combined(*a, *b, -1);
  if (!difference || !has_one_element_at_most(*difference)) return std::nullopt;
  if (!wraps) return difference;
  const Wide past = Wide{1} << bits_of(type);
  if (!reader.guard(*difference, 1 - past, past - 1)) return std::nullopt;
  return difference;
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
  for (size_t i = 0; i < difference.elements.size(); ++i)
    add_terms(Term::Kind::element, i, difference.elements[i]);
  return bound;
}

// Bounds saturate step by step, which is harmless with one large term: what is beyond int64
// compares with every coordinate as the limit does. Two could cancel out, so all but an element
// have to be smaller then.
bool keep_sums_exact(const Affine& difference, bool has_wide_element,
                     std::vector<RangeGuard>& guards) {
  constexpr int64_t kLarge = int64_t{1} << 58;
  const bool large_imm = difference.imm > kLarge || difference.imm < -kLarge;
  int terms = (difference.imm == 0 ? 0 : 1) + (has_wide_element ? 1 : 0);
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

std::optional<AffineDifference> affine_difference(const Expr& expr, Value value) {
  const Inst& inst = expr[value];
  if (inst.op < Opcode::equal || inst.op > Opcode::less_equal) return std::nullopt;
  Reader reader(expr);
  const auto difference = difference_of(inst, expr, reader);
  if (!difference) return std::nullopt;
  return AffineDifference{*difference, reader.take_guards()};
}

std::optional<Affine> affine_value(const Expr& expr, Value value) {
  return Reader(expr).read(value);
}

std::optional<AffineCondition> affine_condition(const Expr& expr, Value value,
                                                Span<const AxisSet> inputs) {
  const Inst& inst = expr[value];
  if (inst.op < Opcode::equal || inst.op > Opcode::less_equal) return std::nullopt;
  Reader reader(expr);
  const auto difference = difference_of(inst, expr, reader);
  if (!difference || difference->imm > kMax - 2 || difference->imm < kMin + 2) return std::nullopt;
  const int axis = tested_axis(*difference, inputs);
  if (axis < 0) return std::nullopt;

  AffineCondition condition;
  condition.guards = reader.take_guards();
  if (!keep_sums_exact(*difference, reader.has_wide_element(*difference), condition.guards))
    return std::nullopt;
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
