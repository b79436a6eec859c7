// SPDX-License-Identifier: Apache-2.0
#include "codegen/isa_avx2_lanes.h"
#include "codegen/isa_avx512_lanes.h"
#include "codegen/lane_asm.h"

namespace iotadnn::impl {

template <class T>
void LaneAsm<T>::load(DataType type, const V& d, const Xbyak::Address& from, Part part) {
  const bool whole = part == Part::whole;
  if (bytes_of(type) >= 4)
    return whole ? v_.vmovups(d, from) : this->load_part(bytes_of(type), d, from);
  const V to = whole ? d : this->part_of(d);
  switch (type) {
    case DataType::s8:
      return v_.vpmovsxbd(to, from);
    case DataType::u8:
      return v_.vpmovzxbd(to, from);
    case DataType::s16:
      return v_.vpmovsxwd(to, from);
    case DataType::u16:
      return v_.vpmovzxwd(to, from);
    case DataType::f16:
      return v_.vcvtph2ps(to, from);
    case DataType::bf16:
      v_.vpmovzxwd(to, from);
      return v_.vpslld(d, d, 16);
    default:  // boolean: any byte that is not 0 is true
      v_.vpmovzxbd(to, from);
      return this->greater(4, d, d, all(0, 8));
  }
}

template <class T>
void LaneAsm<T>::store(DataType type, const Xbyak::Address& to, const V& s, Part part) {
  const bool whole = part == Part::whole;
  if (whole && bytes_of(type) >= 4) return v_.vmovups(to, s);
  auto t = temp(s);
  if (bytes_of(type) >= 4) return this->store_part(bytes_of(type), to, s, t);
  const Xbyak::Address there = whole ? to : this->part_of(to);
  if (type == DataType::f16) return v_.vcvtps2ph(there, s, 0);
  if (type == DataType::bf16 || type == DataType::boolean) {
    auto element = temp(s);
    v_.vpsrld(element, s, type == DataType::bf16 ? 16 : 31);
    return this->store_narrow(bytes_of(type), false, there, element, t);
  }
  this->store_narrow(bytes_of(type), !is_unsigned(type), there, s, t);
}

template <class T>
void LaneAsm<T>::broadcast(DataType type, const V& d, const Xbyak::Address& from) {
  if (bytes_of(type) == 8) return v_.vpbroadcastq(d, from);
  if (bytes_of(type) == 4) return v_.vpbroadcastd(d, from);
  auto element = v_.gpr();
  const Xbyak::Xmm low(d.getIdx());
  const Xbyak::Reg32 bits = element.cvt32();
  const bool is_byte = bytes_of(type) == 1;
  const Xbyak::Address sized(is_byte ? 8 : 16, false, from.getRegExp());
  type == DataType::s8 || type == DataType::s16 ? v_.movsx(bits, sized) : v_.movzx(bits, sized);
  if (type == DataType::bf16) v_.shl(bits, 16);
  if (type == DataType::boolean) {
    v_.neg(bits);  // carries if it is not 0
    v_.sbb(bits, bits);
  }
  v_.vmovd(low, bits);
  if (type == DataType::f16) v_.vcvtph2ps(low, low);
  v_.vpbroadcastd(d, low);
}

template <class T>
void LaneAsm<T>::ramp(DataType type, const V& d, const Xbyak::Reg64& first) {
  const int width = lane_bytes(type);
  const Xbyak::Xmm low(d.getIdx());
  const Xbyak::Address numbers = v_.in_pool(lane_numbers(width, T::kVecBytes));
  if (width == 8) {
    v_.vmovq(low, first);
    v_.vpbroadcastq(d, low);
    return v_.vpaddq(d, d, numbers);
  }
  v_.vmovd(low, first.cvt32());
  v_.vpbroadcastd(d, low);
  v_.vpaddd(d, d, numbers);
  to_type(type, d);
}

template class LaneAsm<Avx2>;
template class LaneAsm<Avx512>;

}  // namespace iotadnn::impl
