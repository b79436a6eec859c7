// SPDX-License-Identifier: Apache-2.0
#include <cstddef>

#include "codegen/isa_avx2_lanes.h"
#include "codegen/isa_avx512_lanes.h"
#include "codegen/lane_asm.h"
#include "codegen/tile_emitter.h"

namespace iotadnn::impl {
namespace {

// Walks rows: whole vectors of f32, then single elements.
template <class T>
class RowsEmitter {
 public:
  explicit RowsEmitter(VecAsm<T>& v) : v_(v) {}

  // vector(to, from) and element(to, from) convert what is there; the distances between elements
  // are in bytes.
  template <class Vector, class Element>
  void emit(int to_bytes, int from_bytes, Vector&& vector, Element&& element) {
    auto args = v_.gpr(v_.rdi);
    auto from = v_.gpr();
    auto to = v_.gpr();
    auto rows = v_.gpr();
    auto columns = v_.gpr();
    auto from_row = v_.gpr();
    auto to_row = v_.gpr();
    v_.mov(from_row, v_.ptr[args + offsetof(TileRows, from)]);
    v_.mov(to_row, v_.ptr[args + offsetof(TileRows, to)]);
    v_.mov(rows, v_.ptr[args + offsetof(TileRows, rows)]);
    Xbyak::Label row, vectors, elements, rest, next, done;
    v_.test(rows, rows);
    v_.jle(done, Gen::T_NEAR);
    v_.L(row);
    v_.mov(from, from_row);
    v_.mov(to, to_row);
    v_.mov(columns, v_.ptr[args + offsetof(TileRows, columns)]);
    v_.sub(columns, kLanes);
    v_.jl(elements, Gen::T_NEAR);
    v_.L(vectors);
    vector(to, from);
    v_.add(from, kLanes * from_bytes);
    v_.add(to, kLanes * to_bytes);
    v_.sub(columns, kLanes);
    v_.jge(vectors, Gen::T_NEAR);
    v_.L(elements);
    v_.add(columns, kLanes);
    v_.jz(next, Gen::T_NEAR);
    v_.L(rest);
    element(to, from);
    v_.add(from, from_bytes);
    v_.add(to, to_bytes);
    v_.dec(columns);
    v_.jnz(rest, Gen::T_NEAR);
    v_.L(next);
    v_.add(from_row, v_.ptr[args + offsetof(TileRows, from_row)]);
    v_.add(to_row, v_.ptr[args + offsetof(TileRows, to_row)]);
    v_.dec(rows);
    v_.jnz(row, Gen::T_NEAR);
    v_.L(done);
  }

 private:
  static constexpr int kLanes = T::kVecBytes / 4;

  VecAsm<T>& v_;
};

// The language of lanes with a handful of registers, all temporary.
template <class T>
struct Lanes {
  explicit Lanes(VecAsm<T>& v)
      : regs(v, Xbyak::Reg64(Xbyak::Operand::RSP), 0, RegFile::of(0, 12), 0), lanes(v, regs) {}

  LaneRegs regs;
  LaneAsm<T> lanes;
};

}  // namespace

template <class T>
void emit_tile_widen(VecAsm<T>& v, DataType type) {
  v.prologue(3);
  Lanes<T> l(v);
  const typename T::Vec all(12);
  const Xbyak::Xmm one(12);
  RowsEmitter<T>(v).emit(
      4, 2,
      [&](const Xbyak::Reg64& to, const Xbyak::Reg64& from) {
        l.lanes.load(type, all, v.ptr[from]);
        v.vmovups(v.ptr[to], all);
      },
      [&](const Xbyak::Reg64& to, const Xbyak::Reg64& from) {
        auto bits = v.gpr();
        v.movzx(bits.cvt32(), v.word[from]);
        if (type == DataType::bf16) v.shl(bits.cvt32(), 16);
        v.vmovd(one, bits.cvt32());
        if (type == DataType::f16) v.vcvtph2ps(one, one);
        v.vmovss(v.ptr[to], one);
      });
  v.epilogue();
}

template <class T>
void emit_tile_narrow(VecAsm<T>& v, DataType type) {
  v.prologue(3);
  Lanes<T> l(v);
  const Inst convert{Opcode::convert, 0, type, {}};
  const typename T::Vec all(12);
  const typename T::Vec rounded(13);
  const Xbyak::Xmm one(12);
  const Xbyak::Xmm rounded_one(13);
  RowsEmitter<T>(v).emit(
      2, 4,
      [&](const Xbyak::Reg64& to, const Xbyak::Reg64& from) {
        v.vmovups(all, v.ptr[from]);
        const Xbyak::Xmm operands[] = {all};
        l.lanes.compute(convert, DataType::f32, rounded, operands);
        l.lanes.store(type, v.ptr[to], rounded);
      },
      [&](const Xbyak::Reg64& to, const Xbyak::Reg64& from) {
        auto bits = v.gpr();
        v.vmovss(one, v.ptr[from]);
        if (type == DataType::f16) {
          v.vcvtps2ph(rounded_one, one, 0);
          v.vmovd(bits.cvt32(), rounded_one);
        } else {
          l.lanes.compute(convert, DataType::f32, rounded_one, &one);
          v.vmovd(bits.cvt32(), rounded_one);
          v.shr(bits.cvt32(), 16);
        }
        v.mov(v.word[to], bits.cvt16());
      });
  v.epilogue();
}

template void emit_tile_widen(VecAsm<Avx2>& v, DataType type);
template void emit_tile_widen(VecAsm<Avx512>& v, DataType type);
template void emit_tile_narrow(VecAsm<Avx2>& v, DataType type);
template void emit_tile_narrow(VecAsm<Avx512>& v, DataType type);

}  // namespace iotadnn::impl
