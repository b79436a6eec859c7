// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "codegen/isa_lanes.h"
#include "codegen/lane_regs.h"
#include "codegen/lane_types.h"
#include "codegen/vec_asm.h"
#include "program/program.h"

namespace iotadnn::impl {

// The language of pointwise bodies: one value's lanes per register, typed as lane_types.h says. The
// results are evaluate()'s, bit for bit but for the payload of a NaN and the functions of
// max_ulp.h. T is Avx2 or Avx512.
template <class T>
class LaneAsm : public IsaLanes<T> {
 public:
  using V = Xbyak::Xmm;

  LaneAsm(VecAsm<T>& v, LaneRegs& regs) : IsaLanes<T>(v), v_(v), regs_(regs) {}

  // d = the instruction's value; is_native() must hold. d is none of the operands a.
  void compute(const Inst& inst, DataType operand, const V& d, const V* a);

  enum class Part { whole, first_lanes };

  // What kinds of elements can be loaded and stored in part.
  static bool has_part(DataType type) {
    return IsaLanes<T>::kPartsOfAnyWidth || bytes_of(type) >= 4;
  }

  // Before code that works on parts: memory holds how many lanes, fewer than all of `widest` bytes.
  void begin_part(int widest, const Xbyak::Address& rest) {
    auto t = regs_.temp(T::kVecBytes);
    IsaLanes<T>::begin_part(widest, rest, t);
  }

  // Elements of memory to lanes and back; as many as the register has lanes, or the first of them:
  // no other element is read or written.
  void load(DataType type, const V& d, const Xbyak::Address& from, Part part = Part::whole);
  void store(DataType type, const Xbyak::Address& to, const V& s, Part part = Part::whole);

  // All lanes, of elements of 4 or 8 bytes, to where they bypass the caches; aligned to the
  // register.
  void store_nontemporal(const Xbyak::Address& to, const V& s) { v_.vmovntps(to, s); }

  // The element in memory in all lanes.
  void broadcast(DataType type, const V& d, const Xbyak::Address& from);

  // first, first + 1, ... in lanes, wrapped to an integer type.
  void ramp(DataType type, const V& d, const Xbyak::Reg64& first);

  // Lanes that all are the element whose low bytes are `bits`, as bytes of a whole register.
  static std::vector<uint8_t> constant(DataType type, uint64_t bits) {
    return repeated(lane_bits(type, bits), lane_bytes(type), T::kVecBytes);
  }

 private:
  using Temp = LaneRegs::Temp;

  // Predicates of vcmpps that are quiet on NaN.
  enum Comparison : uint8_t {
    kEqual = 0x00,
    kUnordered = 0x03,
    kNotEqual = 0x04,  // or unordered
    kOrdered = 0x07,
    kDifferent = 0x0c,  // not if unordered
    kLess = 0x11,
    kLessEqual = 0x12,
    kGreaterEqual = 0x1d,
    kGreater = 0x1e,
  };

  void unary(Opcode op, DataType type, const V& d, const V& a);
  void binary(Opcode op, DataType type, const V& d, const V& a, const V& b);
  void float_arithmetic(Opcode op, DataType type, const V& d, const V& a, const V& b);
  void float_extremum(Opcode op, DataType type, const V& d, const V& a, const V& b);
  void integer_arithmetic(Opcode op, DataType type, const V& d, const V& a, const V& b);
  void divide_narrow(DataType type, const V& d, const V& a, const V& b);
  void integer_extremum(Opcode op, DataType type, const V& d, const V& a, const V& b);
  void compare(Opcode op, DataType type, const V& d, const V& a, const V& b);
  void compare_integers(Opcode op, DataType type, const V& d, const V& a, const V& b);
  void greater_unsigned(int width, const V& d, const V& a, const V& b);

  void convert(DataType to, DataType from, const V& d, const V& a);
  void to_boolean(DataType from, const V& d, const V& a);
  void from_boolean(DataType to, const V& d, const V& a);
  void integer_to_integer(DataType to, DataType from, const V& d, const V& a);
  void integer_to_float(DataType to, DataType from, const V& d, const V& a);
  void odd_to_24_bits(DataType from, const V& d, const V& a);
  void float_to_float(DataType to, DataType from, const V& d, const V& a);
  void double_to_single_odd(const V& d, const V& a);
  void float_to_integer(DataType to, DataType from, const V& d, const V& a);
  void single_to_u32(const V& d, const V& a);
  void double_to_u32(const V& d, const V& a);

  void math(Opcode op, DataType type, const V& d, const V& a);
  void exp(const V& d, const V& a);
  void log(const V& d, const V& a);
  void log_of_no_number(const V& d, const V& a, const V& mask, const V& t);
  void sigmoid(const V& d, const V& a);
  void tanh(const V& d, const V& a);
  void horner(const V& d, const V& x, double constant);
  void scale(const V& d, const V& n, const V& t);
  Xbyak::Address number(double value);

  // Brings the lanes' value back to the type: integers wrap, 16-bit floats are rounded.
  void to_type(DataType type, const V& d);
  void round_bf16(const V& d);

  void invert(const V& mask) { v_.vxorps(mask, mask, all(~uint64_t{0}, 8)); }

  void zero(const V& d) { v_.vxorps(d, d, d); }

  // Every lane of a register as a memory operand.
  Xbyak::Address all(uint64_t bits, int width) {
    return v_.in_pool(repeated(bits, width, T::kVecBytes));
  }

  Temp temp(const V& like) { return regs_.temp(bytes(like)); }

  static int bytes(const V& v) { return static_cast<int>(v.getBit()) / 8; }

  static V half(const V& v) { return LaneRegs::sized(v.getIdx(), bytes(v) / 2); }

  VecAsm<T>& v_;
  LaneRegs& regs_;
};

}  // namespace iotadnn::impl
