// SPDX-License-Identifier: Apache-2.0
#include <cstddef>
#include <vector>

#include "codegen/tile_emitter.h"

namespace iotadnn::impl {
namespace {

// Two rows at a time, in vectors of pairs; all lanes are masked, so that the end of a row and a
// second row that does not exist need no code of their own.
class PairEmitter {
 public:
  PairEmitter(VecAsm<Avx512>& v, DataType type) : v_(v), type_(type) {}

  void emit() {
    v_.prologue(3);
    auto args = v_.gpr(v_.rdi);
    auto from = v_.gpr();
    auto to = v_.gpr();
    auto rows = v_.gpr();
    auto from_row = v_.gpr();
    v_.mov(from, v_.ptr[args + offsetof(TileRows, from)]);
    v_.mov(to, v_.ptr[args + offsetof(TileRows, to)]);
    v_.mov(rows, v_.ptr[args + offsetof(TileRows, rows)]);
    v_.mov(from_row, v_.ptr[args + offsetof(TileRows, from_row)]);
    auto order = v_.vec();
    if (type_ == DataType::f32) v_.vmovdqu16(order, v_.in_pool(interleaving()));
    auto first = v_.mask();
    auto second = v_.mask();
    Xbyak::Label again, whole, done;
    v_.test(rows, rows);
    v_.jle(done, Gen::T_NEAR);
    v_.L(again);
    {
      auto next = v_.gpr();
      v_.kxnorw(first, first, first);
      v_.kmovw(second, first);
      v_.lea(next, v_.ptr[from + from_row]);
      v_.cmp(rows, 1);
      v_.jg(whole);
      v_.kxorw(second, second, second);
      v_.mov(next, from);  // memory that exists, though nothing is read of it
      v_.L(whole);
      two_rows(args, from, next, to, {first, second, order});
    }
    v_.lea(from, v_.ptr[from + from_row * 2]);
    v_.add(to, v_.ptr[args + offsetof(TileRows, to_row)]);
    v_.sub(rows, 2);
    v_.jg(again, Gen::T_NEAR);
    v_.L(done);
    v_.epilogue();
  }

 private:
  using Reg64 = Xbyak::Reg64;

  struct Lanes {
    const Avx512::Mask &first, &second;  // that are there of the two rows; destroyed
    const Xbyak::Zmm& order;
  };

  static constexpr int kLanes = Avx512::kVecBytes / 4;

  // Indices of words: one of the low half, one of the high half, and so on.
  static std::vector<uint8_t> interleaving() {
    std::vector<uint8_t> words;
    for (int i = 0; i < kLanes; ++i)
      for (const int word : {i, kLanes + i}) {
        words.push_back(static_cast<uint8_t>(word));
        words.push_back(0);
      }
    return words;
  }

  // Destroys `next`.
  void two_rows(const Reg64& args, const Reg64& row, const Reg64& next, const Reg64& row_to,
                const Lanes& lanes) {
    auto from = v_.gpr();
    auto to = v_.gpr();
    auto columns = v_.gpr();
    Xbyak::Label again, whole;
    v_.mov(from, row);
    v_.mov(to, row_to);
    v_.mov(columns, v_.ptr[args + offsetof(TileRows, columns)]);
    v_.L(again);
    v_.cmp(columns, kLanes);
    v_.jge(whole, Gen::T_NEAR);
    {
      auto rest = v_.gpr();
      v_.mov(rest, columns);
      v_.first_lanes(lanes.first, rest);
      v_.kandw(lanes.second, lanes.second, lanes.first);
    }
    v_.L(whole);
    vector(v_.ptr[from], v_.ptr[next], v_.ptr[to], lanes);
    v_.add(from, kLanes * bytes_of(type_));
    v_.add(next, kLanes * bytes_of(type_));
    v_.add(to, Avx512::kVecBytes);
    v_.sub(columns, kLanes);
    v_.jg(again, Gen::T_NEAR);
  }

  void vector(const Xbyak::Address& from, const Xbyak::Address& next, const Xbyak::Address& to,
              const Lanes& lanes) {
    auto low_reg = v_.vec();
    auto high_reg = v_.vec();
    const Xbyak::Zmm& low = low_reg;
    const Xbyak::Zmm& high = high_reg;
    if (type_ == DataType::f32) {
      v_.vmovups(low | lanes.first | v_.T_z, from);
      v_.vmovups(high | lanes.second | v_.T_z, next);
      v_.vcvtne2ps2bf16(low, high, low);
      v_.vpermw(low, lanes.order, low);
    } else {
      v_.vpmovzxwd(low | lanes.first | v_.T_z, from);
      v_.vpmovzxwd(high | lanes.second | v_.T_z, next);
      v_.vpslld(high, high, 16);
      v_.vpord(low, low, high);
    }
    v_.vmovdqu32(to | lanes.first, low);
  }

  VecAsm<Avx512>& v_;
  const DataType type_;
};

}  // namespace

void emit_tile_pair(VecAsm<Avx512>& v, DataType type) {
  PairEmitter(v, type).emit();
}

}  // namespace iotadnn::impl
