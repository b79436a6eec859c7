// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/data_type.h"
#include "codegen/isa_avx2.h"
#include "codegen/isa_lanes.h"
#include "codegen/vec_asm.h"

namespace iotadnn::impl {

// What is special about AVX2 in computing with lanes. IsaLanes<Avx512> has the same names in the
// same order. Lanes are of `width` = 4 or 8 bytes; the registers' size says how many there are. A
// mask has lanes of 4 bytes, all ones or all zeros, also where it is one of lanes of 8.
template <>
class IsaLanes<Avx2> {
 public:
  using V = Xbyak::Xmm;

  // 64-bit integers to f32, rounded once.
  static constexpr bool kConvertsQuadsToSingle = false;

  // Loads and stores of the first lanes only: of elements of 4 and 8 bytes; or of any width.
  static constexpr bool kPartsOfAnyWidth = false;

  explicit IsaLanes(VecAsm<Avx2>& v) : g_(v) {}

 protected:
  void compare_floats(int width, const V& d, const V& a, const Xbyak::Operand& b,
                      uint8_t predicate) {
    if (width == 4) return g_.vcmpps(d, a, b, predicate);
    g_.vcmppd(whole(d), a, b, predicate);
    narrow_quads(d, whole(d));
  }

  void equal(int width, const V& d, const V& a, const Xbyak::Operand& b) {
    if (width == 4) return g_.vpcmpeqd(d, a, b);
    g_.vpcmpeqq(whole(d), a, b);
    narrow_quads(d, whole(d));
  }

  // a > b, signed
  void greater(int width, const V& d, const V& a, const Xbyak::Operand& b) {
    if (width == 4) return g_.vpcmpgtd(d, a, b);
    g_.vpcmpgtq(whole(d), a, b);
    narrow_quads(d, whole(d));
  }

  // d is none of the others.
  void select(int width, const V& d, const V& mask, const V& yes, const V& no) {
    if (width == 4) return g_.vblendvps(d, no, yes, mask);
    g_.vpmovsxdq(d, mask);
    g_.vblendvpd(d, no, yes, d);
  }

  // The low half of each product of 64 bits. Destroys t; d, t, a and b differ (a and b may not).
  void multiply_quads(const V& d, const V& a, const V& b, const V& t) {
    g_.vpshufd(t, b, 0xb1);  // halves swapped
    g_.vpmulld(t, t, a);     // low * high, high * low
    g_.vpsrlq(d, t, 32);
    g_.vpaddd(t, t, d);
    g_.vpsllq(t, t, 32);
    g_.vpmuludq(d, a, b);
    g_.vpaddq(d, d, t);
  }

  // d is not a.
  void absolute_quads(const V& d, const V& a) {
    g_.vxorps(d, d, d);
    g_.vpsubq(d, d, a);
    g_.vblendvpd(d, a, d, a);  // -a where a is negative
  }

  // The low halves of 64-bit lanes, as lanes of half the register: d may be a.
  void narrow_quads(const V& d, const V& a) {
    const Xbyak::Ymm all(d.getIdx());
    g_.vshufps(all, a, a, 0x88);
    g_.vpermq(all, all, 0x08);
  }

  // Unsigned 32-bit lanes to f32, rounded once: the upper halves are exact multiples of 2^16.
  // Destroys t; d, a and t differ.
  void floats_of_u32(const V& d, const V& a, const V& t) {
    g_.vpsrld(d, a, 16);
    g_.vcvtdq2ps(d, d);
    g_.vmulps(d, d, pool(0x47800000, 4));  // 65536
    g_.vpand(t, a, pool(0xffff, 4));
    g_.vcvtdq2ps(t, t);
    g_.vaddps(d, d, t);
  }

  // The same to f64: the bits of 2^52 + a, less 2^52.
  void doubles_of_u32(const V& d, const V& a) {
    g_.vpmovzxdq(d, a);
    g_.vpor(d, d, pool(0x4330000000000000, 8));
    g_.vsubpd(d, d, pool(0x4330000000000000, 8));
  }

  void truncate_doubles(const V& d, const V& a) { g_.vroundpd(d, a, 3); }

  // 64-bit integers to f64 (or f32, where there is that). Upper and lower half become the bits of
  // exact numbers around 2^67 or 2^84, and 2^52; their sum is rounded once. Destroys t; d, a and t
  // differ.
  void quads_to_floats(bool is_unsigned, DataType, const V& d, const V& a, const V& t) {
    constexpr uint64_t kTwoTo52 = 0x4330000000000000;
    if (is_unsigned) {
      g_.vpsrlq(t, a, 32);
      g_.vpor(t, t, pool(0x4530000000000000, 8));    // 2^84
      g_.vsubpd(t, t, pool(0x4530000000100000, 8));  // 2^84 + 2^52
      g_.vpblendw(d, a, pool(kTwoTo52, 8), 0xcc);
    } else {
      g_.vpsrad(t, a, 16);
      g_.vpxor(d, d, d);
      g_.vpblendw(t, t, d, 0x33);
      g_.vpaddq(t, t, pool(0x4438000000000000, 8));  // 3 * 2^67
      g_.vsubpd(t, t, pool(0x4438001000000000, 8));  // 3 * 2^67 + 2^52
      g_.vpblendw(d, a, pool(kTwoTo52, 8), 0x88);
    }
    g_.vaddpd(d, d, t);
  }

  // Lanes of 4 bytes that hold 8- or 16-bit integers (`bytes`), stored as those. Destroys t.
  void store_narrow(int bytes, bool is_signed, const Xbyak::Address& to, const V& s, const V& t) {
    const Xbyak::Xmm low(s.getIdx());
    const Xbyak::Xmm packed(t.getIdx());
    const bool eight = s.isYMM();
    if (eight) g_.vextracti128(packed, Xbyak::Ymm(s.getIdx()), 1);
    const Xbyak::Xmm& high = eight ? packed : low;
    is_signed ? g_.vpackssdw(packed, low, high) : g_.vpackusdw(packed, low, high);
    if (bytes == 1)
      is_signed ? g_.vpacksswb(packed, packed, packed) : g_.vpackuswb(packed, packed, packed);
    const int stored = bytes * (eight ? 8 : 4);
    if (stored == 16) return g_.vmovups(to, packed);
    stored == 8 ? g_.vmovq(to, packed) : g_.vmovd(to, packed);
  }

  // What follows loads and stores the first `rest` lanes, fewer than all. Destroys t.
  void begin_part(int, const Xbyak::Address& rest, const V&) { rest_ = rest.getRegExp(); }

  // The register that the first lanes of narrower elements are loaded to.
  static V part_of(const V&) { throw Xbyak::Error(Xbyak::ERR_INTERNAL); }

  static Xbyak::Address part_of(const Xbyak::Address&) { throw Xbyak::Error(Xbyak::ERR_INTERNAL); }

  // Elements of `width` = 4 or 8 bytes; the other lanes become 0.
  void load_part(int width, const V& d, const Xbyak::Address& from) {
    first_lanes(width, d);
    width == 4 ? g_.vpmaskmovd(d, d, from) : g_.vpmaskmovq(d, d, from);
  }

  // Destroys t.
  void store_part(int width, const Xbyak::Address& to, const V& s, const V& t) {
    first_lanes(width, t);
    width == 4 ? g_.vpmaskmovd(to, t, s) : g_.vpmaskmovq(to, t, s);
  }

 private:
  void first_lanes(int width, const V& mask) {
    auto rest = g_.gpr();
    auto scratch = g_.gpr();
    g_.mov(rest, g_.ptr[rest_]);
    Avx2::first_lanes(g_, width, Avx2::Mask(mask.getIdx()), rest, scratch, whole(mask));
  }

  static Xbyak::Ymm whole(const V& d) { return Xbyak::Ymm(d.getIdx()); }

  Xbyak::Address pool(uint64_t bits, int width) {
    return g_.in_pool(repeated(bits, width, Avx2::kVecBytes));
  }

  VecAsm<Avx2>& g_;
  Xbyak::RegExp rest_;
};

}  // namespace iotadnn::impl
