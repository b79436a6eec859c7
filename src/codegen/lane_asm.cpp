// SPDX-License-Identifier: Apache-2.0
#include "codegen/lane_asm.h"

#include "codegen/isa_avx2_lanes.h"
#include "codegen/isa_avx512_lanes.h"

namespace iotadnn::impl {

template <class T>
void LaneAsm<T>::compute(const Inst& inst, DataType operand, const V& d, const V* a) {
  switch (inst.op) {
    case Opcode::select:
      return this->select(lane_bytes(inst.type), d, a[0], a[1], a[2]);
    case Opcode::convert:
      return convert(inst.type, operand, d, a[0]);
    case Opcode::logical_not:
      return v_.vxorps(d, a[0], all(~uint64_t{0}, 8));
    case Opcode::logical_and:
      return v_.vandps(d, a[0], a[1]);
    case Opcode::logical_or:
      return v_.vorps(d, a[0], a[1]);
    case Opcode::equal:
    case Opcode::not_equal:
    case Opcode::greater:
    case Opcode::greater_equal:
    case Opcode::less:
    case Opcode::less_equal:
      return compare(inst.op, operand, d, a[0], a[1]);
    case Opcode::negate:
    case Opcode::abs:
    case Opcode::sqrt:
      return unary(inst.op, inst.type, d, a[0]);
    case Opcode::exp:
    case Opcode::log:
    case Opcode::sigmoid:
    case Opcode::tanh:
      return math(inst.op, inst.type, d, a[0]);
    default:
      return binary(inst.op, inst.type, d, a[0], a[1]);
  }
}

template <class T>
void LaneAsm<T>::unary(Opcode op, DataType type, const V& d, const V& a) {
  const int width = lane_bytes(type);
  const uint64_t sign = uint64_t{1} << (width * 8 - 1);
  if (op == Opcode::sqrt) {
    width == 4 ? v_.vsqrtps(d, a) : v_.vsqrtpd(d, a);
    return to_type(type, d);
  }
  if (is_floating(type))
    return op == Opcode::negate ? v_.vxorps(d, a, all(sign, width))
                                : v_.vandps(d, a, all(sign - 1, width));
  if (op == Opcode::negate) {
    zero(d);
    width == 4 ? v_.vpsubd(d, d, a) : v_.vpsubq(d, d, a);
  } else if (is_unsigned(type)) {
    v_.vmovaps(d, a);
  } else {
    width == 4 ? v_.vpabsd(d, a) : this->absolute_quads(d, a);
  }
  to_type(type, d);
}

template <class T>
void LaneAsm<T>::binary(Opcode op, DataType type, const V& d, const V& a, const V& b) {
  const bool extremum = op == Opcode::maximum || op == Opcode::minimum;
  if (is_floating(type))
    return extremum ? float_extremum(op, type, d, a, b) : float_arithmetic(op, type, d, a, b);
  return extremum ? integer_extremum(op, type, d, a, b) : integer_arithmetic(op, type, d, a, b);
}

template <class T>
void LaneAsm<T>::float_arithmetic(Opcode op, DataType type, const V& d, const V& a, const V& b) {
  const bool single = is_single(type);
  switch (op) {
    case Opcode::add:
      single ? v_.vaddps(d, a, b) : v_.vaddpd(d, a, b);
      break;
    case Opcode::subtract:
      single ? v_.vsubps(d, a, b) : v_.vsubpd(d, a, b);
      break;
    case Opcode::multiply:
      single ? v_.vmulps(d, a, b) : v_.vmulpd(d, a, b);
      break;
    case Opcode::divide:
      single ? v_.vdivps(d, a, b) : v_.vdivpd(d, a, b);
      break;
    default:
      throw Xbyak::Error(Xbyak::ERR_INTERNAL);
  }
  to_type(type, d);
}

// vmaxps is a > b ? a : b, so it gives b if one is NaN, and b of two zeros, as evaluate() does;
// what is left to do is where a is NaN.
template <class T>
void LaneAsm<T>::float_extremum(Opcode op, DataType type, const V& d, const V& a, const V& b) {
  const int width = lane_bytes(type);
  auto extremum = temp(d);
  if (op == Opcode::maximum)
    width == 4 ? v_.vmaxps(extremum, a, b) : v_.vmaxpd(extremum, a, b);
  else
    width == 4 ? v_.vminps(extremum, a, b) : v_.vminpd(extremum, a, b);
  auto unordered = regs_.temp(width == 4 ? bytes(d) : bytes(d) / 2);
  this->compare_floats(width, unordered, a, a, kUnordered);
  this->select(width, d, unordered, a, extremum);
}

template <class T>
void LaneAsm<T>::integer_arithmetic(Opcode op, DataType type, const V& d, const V& a, const V& b) {
  const int width = lane_bytes(type);
  if (op == Opcode::add) {
    width == 4 ? v_.vpaddd(d, a, b) : v_.vpaddq(d, a, b);
  } else if (op == Opcode::subtract) {
    width == 4 ? v_.vpsubd(d, a, b) : v_.vpsubq(d, a, b);
  } else if (op == Opcode::multiply && width == 4) {
    v_.vpmulld(d, a, b);
  } else if (op == Opcode::multiply) {
    auto t = temp(d);
    this->multiply_quads(d, a, b, t);
  } else if (op == Opcode::divide) {
    divide_narrow(type, d, a, b);
  } else {
    throw Xbyak::Error(Xbyak::ERR_INTERNAL);
  }
  to_type(type, d);
}

// Of 8- and 16-bit integers: no quotient of f32 is rounded up to a whole number, since it differs
// from that by 2^-16 of it or more.
template <class T>
void LaneAsm<T>::divide_narrow(DataType type, const V& d, const V& a, const V& b) {
  auto divisor = temp(d);
  v_.vcvtdq2ps(d, a);
  v_.vcvtdq2ps(divisor, b);
  v_.vdivps(d, d, divisor);
  v_.vcvttps2dq(d, d);
  this->equal(4, divisor, b, all(0, 8));
  invert(divisor);
  v_.vandps(d, d, divisor);
  to_type(type, d);
}

template <class T>
void LaneAsm<T>::integer_extremum(Opcode op, DataType type, const V& d, const V& a, const V& b) {
  const bool maximum = op == Opcode::maximum;
  if (lane_bytes(type) == 8) {
    auto greater = regs_.temp(bytes(d) / 2);
    compare_integers(Opcode::greater, type, greater, a, b);
    return maximum ? this->select(8, d, greater, a, b) : this->select(8, d, greater, b, a);
  }
  if (is_unsigned(type)) return maximum ? v_.vpmaxud(d, a, b) : v_.vpminud(d, a, b);
  maximum ? v_.vpmaxsd(d, a, b) : v_.vpminsd(d, a, b);
}

template <class T>
void LaneAsm<T>::compare(Opcode op, DataType type, const V& d, const V& a, const V& b) {
  if (!is_floating(type)) return compare_integers(op, type, d, a, b);
  Comparison predicate = kEqual;
  switch (op) {
    case Opcode::not_equal:
      predicate = kNotEqual;
      break;
    case Opcode::greater:
      predicate = kGreater;
      break;
    case Opcode::greater_equal:
      predicate = kGreaterEqual;
      break;
    case Opcode::less:
      predicate = kLess;
      break;
    case Opcode::less_equal:
      predicate = kLessEqual;
      break;
    default:
      break;
  }
  this->compare_floats(lane_bytes(type), d, a, b, predicate);
}

template <class T>
void LaneAsm<T>::compare_integers(Opcode op, DataType type, const V& d, const V& a, const V& b) {
  const int width = lane_bytes(type);
  const bool inverted =
      op == Opcode::not_equal || op == Opcode::less_equal || op == Opcode::greater_equal;
  const bool swapped = op == Opcode::less || op == Opcode::greater_equal;
  const V& left = swapped ? b : a;
  const V& right = swapped ? a : b;
  if (op == Opcode::equal || op == Opcode::not_equal)
    this->equal(width, d, left, right);
  else if (type == DataType::u32 || type == DataType::u64)
    greater_unsigned(width, d, left, right);
  else
    this->greater(width, d, left, right);
  if (inverted) invert(d);
}

template <class T>
void LaneAsm<T>::greater_unsigned(int width, const V& d, const V& a, const V& b) {
  const Xbyak::Address sign = all(uint64_t{1} << (width * 8 - 1), width);
  auto x = temp(a);
  auto y = temp(b);
  v_.vxorps(x, a, sign);
  v_.vxorps(y, b, sign);
  this->greater(width, d, x, y);
}

template <class T>
void LaneAsm<T>::to_type(DataType type, const V& d) {
  switch (type) {
    case DataType::s8:
    case DataType::s16: {
      const auto shift = static_cast<uint8_t>(32 - 8 * bytes_of(type));
      v_.vpslld(d, d, shift);
      return v_.vpsrad(d, d, shift);
    }
    case DataType::u8:
      return v_.vandps(d, d, all(0xff, 4));
    case DataType::u16:
      return v_.vandps(d, d, all(0xffff, 4));
    case DataType::bf16:
      return round_bf16(d);
    case DataType::f16: {
      // Through 16 bits, for which xmm registers are wide enough up to a ymm of lanes.
      auto rounded = regs_.temp(bytes(d) == 64 ? 32 : 16);
      v_.vcvtps2ph(rounded, d, 0);
      return v_.vcvtph2ps(d, rounded);
    }
    default:
      return;
  }
}

// f32_to_bf16() without its shift: half of the last kept bit is added, to even; NaN is made quiet
// instead. (vcvtneps2bf16 takes subnormals for zeros.)
template <class T>
void LaneAsm<T>::round_bf16(const V& d) {
  auto rounded = temp(d);
  auto nan = temp(d);
  auto is_nan = temp(d);
  v_.vpsrld(rounded, d, 16);
  v_.vandps(rounded, rounded, all(1, 4));
  v_.vpaddd(rounded, rounded, all(0x7fff, 4));
  v_.vpaddd(rounded, rounded, d);
  v_.vorps(nan, d, all(0x400000, 4));
  this->compare_floats(4, is_nan, d, d, kUnordered);
  this->select(4, d, is_nan, nan, rounded);
  v_.vandps(d, d, all(0xffff0000, 4));
}

template class LaneAsm<Avx2>;
template class LaneAsm<Avx512>;

}  // namespace iotadnn::impl
