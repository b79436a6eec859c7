// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/data_type.h"
#include "codegen/isa_avx512.h"
#include "codegen/isa_lanes.h"
#include "codegen/vec_asm.h"

namespace iotadnn::impl {

// What is special about AVX-512 in computing with lanes; the contracts stand in IsaLanes<Avx2>.
template <>
class IsaLanes<Avx512> {
 public:
  using V = Xbyak::Xmm;

  static constexpr bool kConvertsQuadsToSingle = true;

  static constexpr bool kPartsOfAnyWidth = true;

  explicit IsaLanes(VecAsm<Avx512>& v) : g_(v), found_(v.mask()), part_(v.mask()) {}

 protected:
  void compare_floats(int width, const V& d, const V& a, const Xbyak::Operand& b,
                      uint8_t predicate) {
    width == 4 ? g_.vcmpps(found_, a, b, predicate) : g_.vcmppd(found_, a, b, predicate);
    g_.vpmovm2d(d, found_);
  }

  void equal(int width, const V& d, const V& a, const Xbyak::Operand& b) {
    width == 4 ? g_.vpcmpeqd(found_, a, b) : g_.vpcmpeqq(found_, a, b);
    g_.vpmovm2d(d, found_);
  }

  void greater(int width, const V& d, const V& a, const Xbyak::Operand& b) {
    width == 4 ? g_.vpcmpgtd(found_, a, b) : g_.vpcmpgtq(found_, a, b);
    g_.vpmovm2d(d, found_);
  }

  void select(int width, const V& d, const V& mask, const V& yes, const V& no) {
    constexpr uint8_t kYesWhereSet = 0xca;
    width == 4 ? g_.vmovaps(d, mask) : g_.vpmovsxdq(d, mask);
    g_.vpternlogd(d, yes, no, kYesWhereSet);
  }

  void multiply_quads(const V& d, const V& a, const V& b, const V&) { g_.vpmullq(d, a, b); }

  void absolute_quads(const V& d, const V& a) { g_.vpabsq(d, a); }

  void narrow_quads(const V& d, const V& a) { g_.vpmovqd(d, a); }

  void floats_of_u32(const V& d, const V& a, const V&) { g_.vcvtudq2ps(d, a); }

  void doubles_of_u32(const V& d, const V& a) { g_.vcvtudq2pd(d, a); }

  void truncate_doubles(const V& d, const V& a) { g_.vrndscalepd(d, a, 3); }

  void quads_to_floats(bool is_unsigned, DataType to, const V& d, const V& a, const V&) {
    if (to == DataType::f64) return is_unsigned ? g_.vcvtuqq2pd(d, a) : g_.vcvtqq2pd(d, a);
    is_unsigned ? g_.vcvtuqq2ps(d, a) : g_.vcvtqq2ps(d, a);
  }

  void store_narrow(int bytes, bool, const Xbyak::Address& to, const V& s, const V&) {
    bytes == 1 ? g_.vpmovdb(to, s) : g_.vpmovdw(to, s);
  }

  void begin_part(int widest, const Xbyak::Address& rest, const V& t) {
    auto lanes = g_.gpr();
    g_.mov(lanes, rest);
    Avx512::first_lanes(g_, widest, Avx512::Mask(part_.getIdx()), lanes, lanes,
                        Xbyak::Zmm(t.getIdx()));
  }

  V part_of(const V& d) const { return d | part_ | g_.T_z; }

  Xbyak::Address part_of(const Xbyak::Address& to) const { return to | part_; }

  void load_part(int width, const V& d, const Xbyak::Address& from) {
    width == 4 ? g_.vmovups(part_of(d), from) : g_.vmovupd(part_of(d), from);
  }

  void store_part(int width, const Xbyak::Address& to, const V& s, const V&) {
    width == 4 ? g_.vmovups(part_of(to), s) : g_.vmovupd(part_of(to), s);
  }

 private:
  VecAsm<Avx512>& g_;
  VecAsm<Avx512>::MaskReg found_;  // by a comparison
  VecAsm<Avx512>::MaskReg part_;
};

}  // namespace iotadnn::impl
