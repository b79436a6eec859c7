// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "base/cpu.h"
#include "codegen/gen.h"
#include "codegen/reg_pool.h"

namespace iotadnn::impl {

// All that is special about AVX-512 (F, BW, DQ and VL), and nothing else. Same names in the same
// order as Avx2, where the contracts stand. Instructions of a later extension, bf16, are emitted
// only for an ISA that has it (tiles.cpp).
struct Avx512 {
  using Vec = Xbyak::Zmm;

  struct Mask : Xbyak::Opmask {
    explicit Mask(int index) : Xbyak::Opmask(index) {}
  };

  static constexpr Isa kIsa = Isa::avx512_core;
  static constexpr int kVecBytes = 64;
  static constexpr int kVecRegs = 32;

  struct Registers {
    RegFile vecs = RegFile::of(0, kVecRegs);
    RegFile opmasks = RegFile::of(1, 7);  // k0 means "no mask"

    RegFile& masks() { return opmasks; }
  };

  static void load(Gen& g, const Vec& d, const Xbyak::Address& from) { g.vmovdqu64(d, from); }

  static void store(Gen& g, const Xbyak::Address& to, const Vec& s) { g.vmovdqu64(to, s); }

  static void copy(Gen& g, const Vec& d, const Vec& s) { g.vmovdqa64(d, s); }

  static void bit_xor(Gen& g, const Vec& d, const Vec& a, const Xbyak::Operand& b) {
    g.vpxord(d, a, b);
  }

  static void wrap_min(Gen& g, int width, const Vec& d, const Vec& a, const Vec& b) {
    switch (width) {
      case 1:
        return g.vpminub(d, a, b);
      case 2:
        return g.vpminuw(d, a, b);
      case 4:
        return g.vpminud(d, a, b);
      default:
        return g.vpminuq(d, a, b);
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

  static void mask_and_not(Gen& g, const Mask& m, const Mask& a, const Mask& b) {
    g.kandnq(m, a, b);
  }

  static void select(Gen& g, int width, const Vec& d, const Mask& m, const Vec& yes,
                     const Vec& no) {
    switch (width) {
      case 1:
        return g.vpblendmb(d | m, no, yes);
      case 2:
        return g.vpblendmw(d | m, no, yes);
      case 4:
        return g.vpblendmd(d | m, no, yes);
      default:
        return g.vpblendmq(d | m, no, yes);
    }
  }

  static void keep_where(Gen& g, int width, const Vec& d, const Mask& m, const Vec& v) {
    switch (width) {
      case 1:
        return g.vmovdqu8(d | m | g.T_z, v);
      case 2:
        return g.vmovdqu16(d | m | g.T_z, v);
      case 4:
        return g.vmovdqu32(d | m | g.T_z, v);
      default:
        return g.vmovdqu64(d | m | g.T_z, v);
    }
  }

  static void add_one_where(Gen& g, int width, const Vec& d, const Mask& m, const Vec& ones) {
    switch (width) {
      case 1:
        return g.vpaddb(d | m, d, ones);
      case 2:
        return g.vpaddw(d | m, d, ones);
      case 4:
        return g.vpaddd(d | m, d, ones);
      default:
        return g.vpaddq(d | m, d, ones);
    }
  }

  static void zero_where_less(Gen& g, const Vec& d, const Vec& a, const Xbyak::Operand& b,
                              const Mask& m) {
    constexpr uint8_t kNotLess = 0x15;  // true if unordered
    g.vcmpps(m, a, b, kNotLess);
    g.vmovaps(d | m | g.T_z, d);
  }

  static void fold(Gen& g, const Vec& d, const Vec& tmp) {
    const Xbyak::Ymm half(d.getIdx());
    g.vextractf32x8(Xbyak::Ymm(tmp.getIdx()), d, 1);
    g.vaddps(half, half, Xbyak::Ymm(tmp.getIdx()));
    g.vextractf32x4(Xbyak::Xmm(tmp.getIdx()), half, 1);
    g.vaddps(Xbyak::Xmm(d.getIdx()), Xbyak::Xmm(d.getIdx()), Xbyak::Xmm(tmp.getIdx()));
  }

  static void first_lanes(Gen& g, int width, const Mask& m, const Xbyak::Reg64& n,
                          const Xbyak::Reg64&, const Vec& tmp) {
    constexpr uint8_t kGreater = 6;  // "not less or equal"
    const Xbyak::Address numbers = g.ptr[g.rip + g.constant(lane_numbers(width, kVecBytes))];
    switch (width) {
      case 1:
        g.vpbroadcastb(tmp, n.cvt8());
        return g.vpcmpub(m, tmp, numbers, kGreater);
      case 2:
        g.vpbroadcastw(tmp, n.cvt16());
        return g.vpcmpuw(m, tmp, numbers, kGreater);
      case 4:
        g.vpbroadcastd(tmp, n.cvt32());
        return g.vpcmpud(m, tmp, numbers, kGreater);
      default:
        g.vpbroadcastq(tmp, n);
        return g.vpcmpuq(m, tmp, numbers, kGreater);
    }
  }

  static void store_part(Gen& g, int width, const Xbyak::Reg64& to, const Vec& s,
                         const Xbyak::Reg64& n, const Xbyak::Reg64& scratch, const Mask& m,
                         const Vec& tmp) {
    first_lanes(g, width, m, n, scratch, tmp);
    switch (width) {
      case 1:
        return g.vmovdqu8(g.ptr[to] | m, s);
      case 2:
        return g.vmovdqu16(g.ptr[to] | m, s);
      case 4:
        return g.vmovdqu32(g.ptr[to] | m, s);
      default:
        return g.vmovdqu64(g.ptr[to] | m, s);
    }
  }
};

}  // namespace iotadnn::impl
