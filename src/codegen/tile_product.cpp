// SPDX-License-Identifier: Apache-2.0
#include <cstddef>
#include <vector>

#include "codegen/isa_avx2.h"
#include "codegen/isa_avx512.h"
#include "codegen/tile_emitter.h"

namespace iotadnn::impl {
namespace {

// Rows of A for one step of the sum are reached from pointers to every third of them: the
// addressing mode adds the distance of a row once or twice.
constexpr int kRowsPerPointer = 3;

// C is held in registers while A is broadcast element by element and B read in vectors (Goto, van
// de Geijn, "Anatomy of high-performance matrix multiplication", 2008). With two vectors of B, a
// broadcast and the next one, 6 rows fill the registers of AVX2 and 12 those of AVX-512.
template <class T>
class ProductEmitter {
 public:
  ProductEmitter(VecAsm<T>& v, bool accumulate, DataType type)
      : v_(v), accumulate_(accumulate), type_(type) {}

  void emit() {
    v_.prologue(6);
    auto args = v_.gpr(v_.rdi);
    auto a = v_.gpr();
    auto c = v_.gpr();
    auto rows = v_.gpr();
    auto a_row = v_.gpr();
    auto a_step = v_.gpr();
    auto b_step = v_.gpr();
    auto c_row = v_.gpr();
    v_.mov(a, v_.ptr[args + offsetof(TileProduct, a)]);
    v_.mov(c, v_.ptr[args + offsetof(TileProduct, c)]);
    v_.mov(rows, v_.ptr[args + offsetof(TileProduct, rows)]);
    v_.mov(a_row, v_.ptr[args + offsetof(TileProduct, a_row)]);
    v_.mov(a_step, v_.ptr[args + offsetof(TileProduct, a_step)]);
    v_.mov(b_step, v_.ptr[args + offsetof(TileProduct, b_step)]);
    v_.mov(c_row, v_.ptr[args + offsetof(TileProduct, c_row)]);
    const Registers regs{args, a, c, a_row, a_step, b_step, c_row};

    auto rest = v_.gpr();
    std::vector<Label> blocks(kRows + 1);
    Label again, few, last, done;
    v_.cmp(rows, 2 * kRows);
    v_.jl(few, Gen::T_NEAR);
    v_.L(again);
    block(regs, kRows);
    v_.sub(rows, kRows);
    v_.cmp(rows, 2 * kRows);
    v_.jge(again, Gen::T_NEAR);
    // Up to two blocks are left. Two halves keep more sums in flight than a whole and a small rest.
    v_.L(few);
    v_.xor_(rest, rest);
    v_.cmp(rows, kRows);
    v_.jle(last, Gen::T_NEAR);
    v_.mov(rest, rows);
    v_.shr(rest, 1);
    v_.sub(rows, rest);
    v_.L(last);
    for (int r = 1; r <= kRows; ++r) {
      v_.cmp(rows, r);
      v_.je(blocks[static_cast<size_t>(r)], Gen::T_NEAR);
    }
    v_.jmp(done, Gen::T_NEAR);
    for (int r = 1; r <= kRows; ++r) {
      v_.L(blocks[static_cast<size_t>(r)]);
      block(regs, r);
      v_.mov(rows, rest);
      v_.xor_(rest, rest);
      v_.jmp(last, Gen::T_NEAR);
    }
    v_.L(done);
    v_.epilogue();
  }

 private:
  using Reg64 = Xbyak::Reg64;
  using Label = Xbyak::Label;

  static constexpr int kRows = (T::kVecRegs - kPanelVectors - 2) / kPanelVectors / 6 * 6;

  struct Registers {
    const Reg64 &args, &a, &c, &a_row, &a_step, &b_step, &c_row;
  };

  // `rows` rows of C; moves a and c behind them.
  void block(const Registers& regs, int rows) {
    std::vector<typename VecAsm<T>::VecReg> sums;
    for (int i = 0; i < rows * kPanelVectors; ++i) {
      sums.push_back(v_.vec());
      v_.zero(sums.back());
    }
    sum_up(regs, rows, sums);
    auto low = v_.vec();
    auto high = v_.vec();
    const auto factors = v_.gpr();
    v_.mov(factors, v_.ptr[regs.args + offsetof(TileProduct, factors)]);
    v_.vmovups(low, v_.ptr[factors]);
    v_.vmovups(high, v_.ptr[factors + T::kVecBytes]);
    for (int r = 0; r < rows; ++r) {
      for (int i = 0; i < kPanelVectors; ++i) {
        const auto& sum = sums[static_cast<size_t>(r * kPanelVectors + i)];
        const auto& factor = i == 0 ? low : high;
        const Xbyak::Address there = v_.ptr[regs.c + i * T::kVecBytes];
        accumulate_ ? v_.vfmadd231ps(sum, factor, there) : v_.vmulps(sum, sum, factor);
        v_.vmovups(there, sum);
      }
      v_.add(regs.c, regs.c_row);
    }
  }

  void sum_up(const Registers& regs, int rows,
              const std::vector<typename VecAsm<T>::VecReg>& sums) {
    std::vector<typename VecAsm<T>::GprReg> pointers;
    for (int r = 0; r < rows; ++r) {
      if (r % kRowsPerPointer == 0) {
        pointers.push_back(v_.gpr());
        v_.mov(pointers.back(), regs.a);
      }
      v_.add(regs.a, regs.a_row);
    }
    auto b = v_.gpr();
    auto steps = v_.gpr();
    v_.mov(b, v_.ptr[regs.args + offsetof(TileProduct, b)]);
    v_.mov(steps, v_.ptr[regs.args + offsetof(TileProduct, depth)]);
    auto low = v_.vec();
    auto high = v_.vec();
    Label step, done;
    v_.test(steps, steps);
    v_.jle(done, Gen::T_NEAR);
    v_.align(16);
    v_.L(step);
    v_.vmovups(low, v_.ptr[b]);
    v_.vmovups(high, v_.ptr[b + T::kVecBytes]);
    v_.add(b, regs.b_step);
    for (int r = 0; r < rows; ++r) {
      auto element = v_.vec();
      const Reg64& pointer = pointers[static_cast<size_t>(r / kRowsPerPointer)];
      switch (r % kRowsPerPointer) {
        case 0:
          v_.vbroadcastss(element, v_.ptr[pointer]);
          break;
        case 1:
          v_.vbroadcastss(element, v_.ptr[pointer + regs.a_row]);
          break;
        default:
          v_.vbroadcastss(element, v_.ptr[pointer + regs.a_row * 2]);
          break;
      }
      add_product(sums[static_cast<size_t>(r * kPanelVectors)], element, low);
      add_product(sums[static_cast<size_t>(r * kPanelVectors + 1)], element, high);
    }
    for (const Reg64& pointer : pointers)
      v_.add(pointer, regs.a_step);
    v_.dec(steps);
    v_.jnz(step, Gen::T_NEAR);
    v_.L(done);
  }

  using Vec = typename T::Vec;

  void add_product(const Vec& sum, const Vec& a, const Vec& b) {
    type_ == DataType::bf16 ? v_.vdpbf16ps(sum, a, b) : v_.vfmadd231ps(sum, a, b);
  }

  VecAsm<T>& v_;
  const bool accumulate_;
  const DataType type_;
};

}  // namespace

template <class T>
void emit_tile_product(VecAsm<T>& v, bool accumulate, DataType type) {
  ProductEmitter<T>(v, accumulate, type).emit();
}

template void emit_tile_product(VecAsm<Avx2>& v, bool accumulate, DataType type);
template void emit_tile_product(VecAsm<Avx512>& v, bool accumulate, DataType type);

}  // namespace iotadnn::impl
