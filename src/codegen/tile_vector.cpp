// SPDX-License-Identifier: Apache-2.0
#include <cstddef>
#include <vector>

#include "codegen/isa_avx2.h"
#include "codegen/isa_avx512.h"
#include "codegen/tile_emitter.h"

namespace iotadnn::impl {
namespace {

// Each row is read once, which takes as long as memory does: four rows at a time, and with them two
// vectors.
template <class T>
class VectorEmitter {
 public:
  VectorEmitter(VecAsm<T>& v, DataType type) : v_(v), type_(type) {}

  void dots() {
    emit([this](auto&&... of) { dots_of(of...); });
  }

  void weigh() {
    emit([this](auto&&... of) { weigh_rows(of...); });
  }

 private:
  using Reg64 = Xbyak::Reg64;
  using Xmm = Xbyak::Xmm;
  using Label = Xbyak::Label;
  using Vec = typename T::Vec;
  using VecReg = typename VecAsm<T>::VecReg;
  using GprReg = typename VecAsm<T>::GprReg;

  static constexpr int kLanes = T::kVecBytes / 4;
  static constexpr int kRows = 4;
  static constexpr int kVectors = 2;

  // Where the rows that are taken together begin, and their distance once and three times.
  struct Rows {
    Rows(VecAsm<T>& v, const Reg64& args) : first(v.gpr()), row(v.gpr()), row3(v.gpr()) {
      v.mov(first, v.ptr[args + offsetof(TileVectors, rows)]);
      v.mov(row, v.ptr[args + offsetof(TileVectors, row)]);
      v.lea(row3, v.ptr[row + row * 2]);
    }

    GprReg first;
    GprReg row;
    GprReg row3;
  };

  // Of the vectors that are taken together: where their elements by columns and by rows begin.
  struct Vectors {
    const Reg64& by_columns;
    const Reg64& by_rows;
  };

  // A function that calls body(rows, vectors, args, rows, vectors) for all rows and, with them, all
  // vectors: how many are taken together, and where these are.
  template <class Body>
  void emit(Body&& body) {
    v_.prologue(6);
    auto args = v_.gpr(v_.rdi);
    const Rows rows(v_, args);
    auto first = v_.gpr();
    v_.mov(first, field(args, offsetof(TileVectors, by_rows)));
    for_rows(args, rows, [&](int together) {
      auto by_columns = v_.gpr();
      auto by_rows = v_.gpr();
      v_.mov(by_columns, field(args, offsetof(TileVectors, by_columns)));
      v_.mov(by_rows, first);
      for_vectors(args, [&](int vectors) {
        body(together, vectors, args, rows, Vectors{by_columns, by_rows});
        for (int i = 0; i < vectors; ++i) {
          v_.add(by_columns, field(args, offsetof(TileVectors, by_columns_vector)));
          v_.add(by_rows, field(args, offsetof(TileVectors, by_rows_vector)));
        }
      });
      v_.add(first, 4 * together);
    });
    v_.epilogue();
  }

  Xbyak::Address field(const Reg64& args, size_t offset) { return v_.ptr[args + offset]; }

  // body(n) for n rows at a time, which it finds at rows.first.
  template <class Body>
  void for_rows(const Reg64& args, const Rows& rows, Body&& body) {
    auto count = v_.gpr();
    v_.mov(count, field(args, offsetof(TileVectors, count)));
    repeat(count, kRows, [&](int together) {
      body(together);
      if (together == 1)
        v_.add(rows.first, rows.row);
      else
        v_.add(rows.first, field(args, offsetof(TileVectors, four)));
    });
  }

  template <class Body>
  void for_vectors(const Reg64& args, Body&& body) {
    auto left = v_.gpr();
    v_.mov(left, field(args, offsetof(TileVectors, vectors)));
    repeat(left, kVectors, body);
  }

  // body(most) as often as `count` has so many, then body(1) for the rest.
  template <class Body>
  void repeat(const Reg64& count, int most, Body&& body) {
    for (const int together : {most, 1}) {
      Label again, done;
      v_.sub(count, together);
      v_.jl(done, Gen::T_NEAR);
      v_.L(again);
      body(together);
      v_.sub(count, together);
      v_.jge(again, Gen::T_NEAR);
      v_.L(done);
      v_.add(count, together);
    }
  }

  Xbyak::Address at(const Reg64& from, const Rows& rows, int r) {
    switch (r) {
      case 0:
        return v_.ptr[from];
      case 1:
        return v_.ptr[from + rows.row];
      case 2:
        return v_.ptr[from + rows.row * 2];
      default:
        return v_.ptr[from + rows.row3];
    }
  }

  Xbyak::Address at(const Reg64& from, const Reg64& distance, int i) {
    return i == 0 ? v_.ptr[from] : v_.ptr[from + distance];
  }

  // sums[i] += elements * by[i]
  void add_products(const Xbyak::Address& from, const std::vector<VecReg>& by,
                    const std::vector<const VecReg*>& sums) {
    if (type_ == DataType::f32 && sums.size() == 1) return v_.vfmadd231ps(*sums[0], by[0], from);
    auto elements = v_.vec();
    if (type_ == DataType::f32) {
      v_.vmovups(elements, from);
    } else if (type_ == DataType::f16) {
      v_.vcvtph2ps(elements, from);
    } else {
      v_.vpmovzxwd(elements, from);
      v_.vpslld(elements, elements, 16);
    }
    for (size_t i = 0; i < sums.size(); ++i)
      v_.vfmadd231ps(*sums[i], by[i], elements);
  }

  // body(from, far, vector, distance) for each vector of columns: where elements are, what is
  // prefetched, where a vector's are and how far those of the next vector.
  template <class Body>
  void for_columns(const Reg64& args, const Rows& rows, const Reg64& by_columns, Body&& body) {
    auto from = v_.gpr();
    auto far = v_.gpr();
    auto vector = v_.gpr();
    auto distance = v_.gpr();
    auto columns = v_.gpr();
    Label again;
    v_.mov(from, rows.first);
    v_.mov(far, rows.first);
    v_.add(far, field(args, offsetof(TileVectors, ahead)));
    v_.mov(vector, by_columns);
    v_.mov(distance, field(args, offsetof(TileVectors, by_columns_vector)));
    v_.mov(columns, field(args, offsetof(TileVectors, columns)));
    v_.L(again);
    body(from, far, vector, distance);
    v_.add(from, kLanes * bytes_of(type_));
    v_.add(far, kLanes * bytes_of(type_));
    v_.add(vector, T::kVecBytes);
    v_.sub(columns, kLanes);
    v_.jg(again, Gen::T_NEAR);
  }

  void dots_of(int together, int vectors, const Reg64& args, const Rows& rows,
               const Vectors& where) {
    std::vector<VecReg> sums;  // [vector][row]
    for (int i = 0; i < together * vectors; ++i) {
      sums.push_back(v_.vec());
      v_.zero(sums.back());
    }
    {
      std::vector<VecReg> by;
      for (int i = 0; i < vectors; ++i)
        by.push_back(v_.vec());
      for_columns(
          args, rows, where.by_columns,
          [&](const Reg64& from, const Reg64& far, const Reg64& vector, const Reg64& distance) {
            for (int i = 0; i < vectors; ++i)
              v_.vmovups(by[static_cast<size_t>(i)], at(vector, distance, i));
            for (int r = 0; r < together; ++r) {
              v_.prefetcht0(at(far, rows, r));
              std::vector<const VecReg*> of_row;
              for (int i = 0; i < vectors; ++i)
                of_row.push_back(&sums[static_cast<size_t>(i * together + r)]);
              add_products(at(from, rows, r), by, of_row);
            }
          });
    }
    auto distance = v_.gpr();
    v_.mov(distance, field(args, offsetof(TileVectors, by_rows_vector)));
    for (int i = 0; i < vectors; ++i)
      store_sums(&sums[static_cast<size_t>(i * together)], together,
                 field(args, offsetof(TileVectors, factor)), at(where.by_rows, distance, i));
  }

  // The lanes' sums of one register, or of four.
  void store_sums(const VecReg* sums, int count, const Xbyak::Address& factor,
                  const Xbyak::Address& to) {
    auto scratch = v_.vec();
    auto scratch2 = v_.vec();
    const Xmm x(scratch.getIdx());
    const Xmm y(scratch2.getIdx());
    std::vector<Xmm> low;
    for (int r = 0; r < count; ++r) {
      T::fold(v_, sums[r], scratch);
      low.emplace_back(sums[r].getIdx());
    }
    if (count == 1) {
      for (const uint8_t halves : {uint8_t{0x4e}, uint8_t{0xb1}}) {
        v_.vshufps(x, low[0], low[0], halves);
        v_.vaddps(low[0], low[0], x);
      }
      v_.vmulss(low[0], low[0], factor);
      return v_.vmovss(to, low[0]);
    }
    // As a transposition whose rows are added: first pairs of lanes, then the two that are left.
    for (const size_t r : {size_t{0}, size_t{2}}) {
      v_.vunpcklps(x, low[r], low[r + 1]);
      v_.vunpckhps(y, low[r], low[r + 1]);
      v_.vaddps(low[r], x, y);
    }
    v_.vunpcklpd(x, low[0], low[2]);
    v_.vunpckhpd(y, low[0], low[2]);
    v_.vaddps(x, x, y);
    v_.vbroadcastss(y, factor);
    v_.vmulps(x, x, y);
    v_.vmovups(to, x);
  }

  void weigh_rows(int together, int vectors, const Reg64& args, const Rows& rows,
                  const Vectors& where) {
    std::vector<std::vector<VecReg>> weights;  // [row][vector]
    {
      auto distance = v_.gpr();
      v_.mov(distance, field(args, offsetof(TileVectors, by_rows_vector)));
      for (int r = 0; r < together; ++r) {
        weights.emplace_back();
        for (int i = 0; i < vectors; ++i) {
          weights.back().push_back(v_.vec());
          const auto& by = where.by_rows;
          v_.vbroadcastss(weights.back().back(),
                          i == 0 ? v_.ptr[by + 4 * r] : v_.ptr[by + distance + 4 * r]);
        }
      }
    }
    for_columns(
        args, rows, where.by_columns,
        [&](const Reg64& from, const Reg64& far, const Reg64& vector, const Reg64& distance) {
          std::vector<VecReg> sums;
          std::vector<const VecReg*> of_row;
          for (int i = 0; i < vectors; ++i) {
            sums.push_back(v_.vec());
            v_.vmovups(sums.back(), at(vector, distance, i));
          }
          for (const VecReg& sum : sums)
            of_row.push_back(&sum);
          for (int r = 0; r < together; ++r) {
            v_.prefetcht0(at(far, rows, r));
            add_products(at(from, rows, r), weights[static_cast<size_t>(r)], of_row);
          }
          for (int i = 0; i < vectors; ++i)
            v_.vmovups(at(vector, distance, i), sums[static_cast<size_t>(i)]);
        });
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
