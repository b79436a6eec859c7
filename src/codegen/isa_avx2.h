// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "base/cpu.h"
#include "codegen/gen.h"
#include "codegen/reg_pool.h"

namespace iotadnn::impl {

// All that is special about AVX2, and nothing else. Avx512 has the same names in the same order;
// emitters know only these. Lanes are elements of `width` = 1, 2, 4 or 8 bytes.
struct Avx2 {
  using Vec = Xbyak::Ymm;

  // All ones or all zeros per lane. A kind of its own, though it lives among the vector registers.
  struct Mask : Xbyak::Ymm {
    explicit Mask(int index) : Xbyak::Ymm(index) {}
  };

  static constexpr Isa kIsa = Isa::avx2;
  static constexpr int kVecBytes = 32;
  static constexpr int kVecRegs = 16;

  struct Registers {
    RegFile vecs = RegFile::of(0, kVecRegs);

    RegFile& masks() { return vecs; }
  };

  static void load(Gen& g, const Vec& d, const Xbyak::Address& from) { g.vmovdqu(d, from); }

  static void store(Gen& g, const Xbyak::Address& to, const Vec& s) { g.vmovdqu(to, s); }

  static void copy(Gen& g, const Vec& d, const Vec& s) { g.vmovdqa(d, s); }

  static void bit_xor(Gen& g, const Vec& d, const Vec& a, const Xbyak::Operand& b) {
    g.vpxor(d, a, b);
  }

  // The smaller of a and b = a - c or a + c, unsigned; AVX2 has no such minimum of 8-byte lanes,
  // but one of a and b is negative (as a signed number) whenever they are as WrapStep makes them.
  static void wrap_min(Gen& g, int width, const Vec& d, const Vec& a, const Vec& b) {
    switch (width) {
      case 1:
        return g.vpminub(d, a, b);
      case 2:
        return g.vpminuw(d, a, b);
      case 4:
        return g.vpminud(d, a, b);
      default:
        return g.vblendvpd(d, b, a, b);  // a where b is negative
    }
  }

  static void equal(Gen& g, int width, const Mask& m, const Vec& a, const Xbyak::Operand& b) {
    switch (width) {
      case 1:
        return g.vpcmpeqb(m, a, b);
      case 2:
        return g.vpcmpeqw(m, a, b);
      case 4:
        return g.vpcmpeqd(m, a, b);
      default:
        return g.vpcmpeqq(m, a, b);
    }
  }

  // a > b, signed
  static void greater(Gen& g, int width, const Mask& m, const Vec& a, const Xbyak::Operand& b) {
    switch (width) {
      case 1:
        return g.vpcmpgtb(m, a, b);
      case 2:
        return g.vpcmpgtw(m, a, b);
      case 4:
        return g.vpcmpgtd(m, a, b);
      default:
        return g.vpcmpgtq(m, a, b);
    }
  }

  // m = b and not a
  static void mask_and_not(Gen& g, const Mask& m, const Mask& a, const Mask& b) {
    g.vpandn(m, a, b);
  }

  static void select(Gen& g, int, const Vec& d, const Mask& m, const Vec& yes, const Vec& no) {
    g.vpblendvb(d, no, yes, m);
  }

  // v where m, else zero
  static void keep_where(Gen& g, int, const Vec& d, const Mask& m, const Vec& v) {
    g.vpand(d, v, m);
  }

  // d + 1 where m. `ones` holds ones; not needed here, since a set lane of m is -1.
  static void add_one_where(Gen& g, int width, const Vec& d, const Mask& m, const Vec&) {
    switch (width) {
      case 1:
        return g.vpsubb(d, d, m);
      case 2:
        return g.vpsubw(d, d, m);
      case 4:
        return g.vpsubd(d, d, m);
      default:
        return g.vpsubq(d, d, m);
    }
  }

  // d = 0 in the lanes of f32 where a < b. Destroys m.
  static void zero_where_less(Gen& g, const Vec& d, const Vec& a, const Xbyak::Operand& b,
                              const Mask& m) {
    constexpr uint8_t kLess = 0x11;  // false if unordered
    g.vcmpps(m, a, b, kLess);
    g.vandnps(d, m, d);
  }

  // The sum of all parts of 16 bytes, as f32, in the first. Destroys tmp.
  static void fold(Gen& g, const Vec& d, const Vec& tmp) {
    const Xbyak::Xmm low(d.getIdx());
    const Xbyak::Xmm high(tmp.getIdx());
    g.vextractf128(high, d, 1);
    g.vaddps(low, low, high);
  }

  // Lanes [0, n), 0 <= n <= lanes of a vector. Destroys n, scratch and the lanes of tmp.
  static void first_lanes(Gen& g, int width, const Mask& m, const Xbyak::Reg64& n,
                          const Xbyak::Reg64& scratch, const Vec&) {
    std::vector<uint8_t> ones_then_zeros(2 * kVecBytes, 0);
    for (int i = 0; i < kVecBytes; i++)
      ones_then_zeros[static_cast<size_t>(i)] = 0xff;
    g.lea(scratch, g.ptr[g.rip + g.constant(ones_then_zeros)]);
    g.neg(n);
    g.vmovdqu(m, g.ptr[scratch + n * width + kVecBytes]);
  }

  // Stores the first n lanes of s, 0 < n < lanes of a vector, and touches nothing behind them.
  // Destroys s, to, n, scratch, m and tmp.
  static void store_part(Gen& g, int width, const Xbyak::Reg64& to, const Vec& s,
                         const Xbyak::Reg64& n, const Xbyak::Reg64& scratch, const Mask& m,
                         const Vec& tmp) {
    if (width >= 4) {
      first_lanes(g, width, m, n, scratch, tmp);
      return width == 4 ? g.vpmaskmovd(g.ptr[to], m, s) : g.vpmaskmovq(g.ptr[to], m, s);
    }
    store_pieces(g, width, to, s, n);
  }

 private:
  // 16, 8, 4, 2 and 1 bytes as the bits of the byte count say: there is no masked store of lanes
  // narrower than 4 bytes.
  static void store_pieces(Gen& g, int width, const Xbyak::Reg64& to, const Vec& s,
                           const Xbyak::Reg64& n) {
    const Xbyak::Xmm low(s.getIdx());
    for (int piece = kVecBytes / 2; piece >= width; piece /= 2) {
      Xbyak::Label skip;
      g.test(n.cvt32(), piece / width);
      g.jz(skip, Gen::T_SHORT);
      switch (piece) {
        case 16:
          g.vmovdqu(g.ptr[to], low);
          break;
        case 8:
          g.vmovq(g.ptr[to], low);
          break;
        case 4:
          g.vmovd(g.ptr[to], low);
          break;
        case 2:
          g.vpextrw(g.ptr[to], low, 0);
          break;
        default:
          g.vpextrb(g.ptr[to], low, 0);
          break;
      }
      if (piece > width) {
        g.add(to, piece);
        if (piece == 16)
          g.vextracti128(low, s, 1);
        else
          g.vpsrldq(low, low, static_cast<uint8_t>(piece));
      }
      g.L(skip);
    }
  }
};

}  // namespace iotadnn::impl
