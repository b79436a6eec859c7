// SPDX-License-Identifier: Apache-2.0
#include <cstddef>
#include <vector>

#include "codegen/isa_avx2.h"
#include "codegen/isa_avx512.h"
#include "codegen/tile_emitter.h"

namespace iotadnn::impl {
namespace {

// Each row is read once, in the order of memory: these are as fast as memory is.
template <class T>
class VectorEmitter {
 public:
  VectorEmitter(VecAsm<T>& v, DataType type) : v_(v), type_(type) {}

  void dots() {
    v_.prologue(6);
    auto args = v_.gpr(v_.rdi);
    auto rows = v_.gpr();
    auto row = v_.gpr();
    auto count = v_.gpr();
    auto to = v_.gpr();
    v_.mov(rows, v_.ptr[args + offsetof(TileVector, rows)]);
    v_.mov(row, v_.ptr[args + offsetof(TileVector, row)]);
    v_.mov(count, v_.ptr[args + offsetof(TileVector, count)]);
    v_.mov(to, v_.ptr[args + offsetof(TileVector, by_rows)]);
    for (const int together : {kRows, 1}) {
      Label again, done;
      v_.sub(count, together);
      v_.jl(done, Gen::T_NEAR);
      v_.L(again);
      dots_of(together, args, rows, row, to);
      v_.sub(count, together);
      v_.jge(again, Gen::T_NEAR);
      v_.L(done);
      v_.add(count, together);
    }
    v_.epilogue();
  }

  void weigh() {
    v_.prologue(6);
    auto args = v_.gpr(v_.rdi);
    auto rows = v_.gpr();
    auto columns = v_.gpr();
    auto to = v_.gpr();
    v_.mov(rows, v_.ptr[args + offsetof(TileVector, rows)]);
    v_.mov(columns, v_.ptr[args + offsetof(TileVector, columns)]);
    v_.mov(to, v_.ptr[args + offsetof(TileVector, by_columns)]);
    for (const int together : {kVectors, 1}) {
      Label again, done;
      v_.sub(columns, together * kLanes);
      v_.jl(done, Gen::T_NEAR);
      v_.L(again);
      weigh_columns(together, args, rows, to);
      v_.add(rows, together * kLanes * bytes_of(type_));
      v_.add(to, together * T::kVecBytes);
      v_.sub(columns, together * kLanes);
      v_.jge(again, Gen::T_NEAR);
      v_.L(done);
      v_.add(columns, together * kLanes);
    }
    v_.epilogue();
  }

 private:
  using Reg64 = Xbyak::Reg64;
  using Label = Xbyak::Label;
  using Vec = typename T::Vec;
  using VecReg = typename VecAsm<T>::VecReg;
  using GprReg = typename VecAsm<T>::GprReg;

  static constexpr int kLanes = T::kVecBytes / 4;
  static constexpr int kRows = 4;
  static constexpr int kVectors = 8;
  // Some rows are read at once, which the processor's own prefetching does not follow far enough.
  static constexpr int kAhead = 2048;
  static constexpr int kLine = 64;

  // sum += elements * by
  void add_product(const Vec& sum, const Xbyak::Address& from, const Vec& by) {
    if (type_ == DataType::f32) return v_.vfmadd231ps(sum, by, from);
    auto elements = v_.vec();
    if (type_ == DataType::f16) {
      v_.vcvtph2ps(elements, from);
    } else {
      v_.vpmovzxwd(elements, from);
      v_.vpslld(elements, elements, 16);
    }
    v_.vfmadd231ps(sum, by, elements);
  }

  // Of so many rows; moves `rows` and `to` behind them.
  void dots_of(int together, const Reg64& args, const Reg64& rows, const Reg64& row,
               const Reg64& to) {
    std::vector<VecReg> sums;
    std::vector<GprReg> from;
    for (int r = 0; r < together; ++r) {
      sums.push_back(v_.vec());
      v_.zero(sums.back());
      from.push_back(v_.gpr());
      v_.mov(from.back(), rows);
      v_.add(rows, row);
    }
    {
      auto vector = v_.gpr();
      auto columns = v_.gpr();
      auto by = v_.vec();
      Label again;
      v_.mov(vector, v_.ptr[args + offsetof(TileVector, by_columns)]);
      v_.mov(columns, v_.ptr[args + offsetof(TileVector, columns)]);
      v_.L(again);
      v_.vmovups(by, v_.ptr[vector]);
      v_.add(vector, T::kVecBytes);
      for (int r = 0; r < together; ++r) {
        const auto i = static_cast<size_t>(r);
        v_.prefetcht0(v_.ptr[from[i] + kAhead]);
        add_product(sums[i], v_.ptr[from[i]], by);
        v_.add(from[i], kLanes * bytes_of(type_));
      }
      v_.sub(columns, kLanes);
      v_.jg(again, Gen::T_NEAR);
    }
    auto step = v_.gpr();
    auto scratch = v_.vec();
    v_.mov(step, v_.ptr[args + offsetof(TileVector, by_rows_step)]);
    for (const VecReg& sum : sums) {
      T::fold(v_, sum, scratch);
      const Xbyak::Xmm low(sum.getIdx());
      const Xbyak::Xmm other(scratch.getIdx());
      for (const uint8_t halves : {uint8_t{0x4e}, uint8_t{0xb1}}) {
        v_.vshufps(other, low, low, halves);
        v_.vaddps(low, low, other);
      }
      v_.vmulss(low, low, v_.ptr[args + offsetof(TileVector, factor)]);
      v_.vmovss(v_.ptr[to], low);
      v_.add(to, step);
    }
  }

  void weigh_columns(int together, const Reg64& args, const Reg64& rows, const Reg64& to) {
    std::vector<VecReg> sums;
    auto by = v_.vec();
    v_.vbroadcastss(by, v_.ptr[args + offsetof(TileVector, factor)]);
    for (int i = 0; i < together; ++i) {
      sums.push_back(v_.vec());
      v_.vmulps(sums.back(), by, v_.ptr[to + i * T::kVecBytes]);
    }
    auto from = v_.gpr();
    auto weights = v_.gpr();
    auto count = v_.gpr();
    auto row = v_.gpr();
    auto step = v_.gpr();
    Label again, done;
    v_.mov(from, rows);
    v_.mov(weights, v_.ptr[args + offsetof(TileVector, by_rows)]);
    v_.mov(count, v_.ptr[args + offsetof(TileVector, count)]);
    v_.mov(row, v_.ptr[args + offsetof(TileVector, row)]);
    v_.mov(step, v_.ptr[args + offsetof(TileVector, by_rows_step)]);
    v_.test(count, count);
    v_.jle(done, Gen::T_NEAR);
    v_.L(again);
    v_.vbroadcastss(by, v_.ptr[weights]);
    v_.add(weights, step);
    for (int i = 0; i < together; ++i)
      add_product(sums[static_cast<size_t>(i)], v_.ptr[from + i * kLanes * bytes_of(type_)], by);
    for (int line = 0; line < together * kLanes * bytes_of(type_); line += kLine)
      v_.prefetcht0(v_.ptr[from + kAhead + line]);
    v_.add(from, row);
    v_.dec(count);
    v_.jnz(again, Gen::T_NEAR);
    v_.L(done);
    for (int i = 0; i < together; ++i)
      v_.vmovups(v_.ptr[to + i * T::kVecBytes], sums[static_cast<size_t>(i)]);
  }

  VecAsm<T>& v_;
  const DataType type_;
};

}  // namespace

template <class T>
void emit_tile_dots(VecAsm<T>& v, DataType type) {
  VectorEmitter<T>(v, type).dots();
}

template <class T>
void emit_tile_weigh(VecAsm<T>& v, DataType type) {
  VectorEmitter<T>(v, type).weigh();
}

template void emit_tile_dots(VecAsm<Avx2>& v, DataType type);
template void emit_tile_dots(VecAsm<Avx512>& v, DataType type);
template void emit_tile_weigh(VecAsm<Avx2>& v, DataType type);
template void emit_tile_weigh(VecAsm<Avx512>& v, DataType type);

}  // namespace iotadnn::impl
