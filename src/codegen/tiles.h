// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "base/cpu.h"
#include "base/data_type.h"
#include "base/status.h"
#include "codegen/codegen.h"

namespace iotadnn::impl {

// Functions on tiles, small f32 matrices in the caches, which contractions are made of. Columns
// come in panels of TileFunctions::columns; rows and steps are any number. Distances are in bytes.
// The structs are the ABI of machine code: plain, with a fixed layout.

// C (rows x columns) from A (rows x depth, any distances) and B (depth x columns, each row
// contiguous). Elements of A and B are f32 or, where a function says so, pairs of bf16: two that
// follow each other along the sum, the first in the low half of 32 bits.
struct TileProduct {
  const void* a = nullptr;
  int64_t a_row = 0;
  int64_t a_step = 0;
  const void* b = nullptr;
  int64_t b_step = 0;
  float* c = nullptr;
  int64_t c_row = 0;
  int64_t rows = 0;
  int64_t depth = 0;
  const float* factors = nullptr;  // of each column
};

// A step of an online softmax down the columns of a tile (Milakov, Gimelshein, "Online normalizer
// calculation for softmax", 2018). Where the largest element so far is -inf, every weight is 0.
struct TileSoftmax {
  float* s = nullptr;  // scores in, weights exp(s - largest) out
  int64_t s_row = 0;
  int64_t rows = 0;
  float* largest = nullptr;  // of each column: so far in, with these rows out; starts at -inf
  float* sum = nullptr;      // of weights; starts at 0
  float* factors = nullptr;  // out: what earlier weights are to be multiplied by
};

// Rows of adjacent elements of one type to those of another.
struct TileRows {
  const void* from = nullptr;
  int64_t from_row = 0;
  void* to = nullptr;
  int64_t to_row = 0;
  int64_t rows = 0;
  int64_t columns = 0;
};

// Rows of adjacent elements (f32, bf16 or f16), whose number is a multiple of
// TileFunctions::vector, and vectors of f32: for few queries, which leave panels empty. Four rows
// are taken together, which may come from four places; what is left over follows row by row.
struct TileVectors {
  const void* rows = nullptr;
  int64_t row = 0;   // distance of rows that are taken together, and of those left over
  int64_t four = 0;  // from four rows to the next four
  int64_t count = 0;
  int64_t columns = 0;
  int64_t ahead = 0;  // distance of what is prefetched
  int64_t vectors = 0;
  float* by_rows = nullptr;  // of each vector an element for each row
  int64_t by_rows_vector = 0;
  float* by_columns = nullptr;  // of each vector one for each column
  int64_t by_columns_vector = 0;
  float factor = 1;  // of dots
};

struct TileFunctions {
  int64_t columns = 0;                               // of a panel
  void (*product)(const TileProduct*) = nullptr;     // C = A B * factors
  void (*accumulate)(const TileProduct*) = nullptr;  // C = C * factors + A B
  // Weights have an error of 2 ulp; machine code makes those below 2^-124 zeros.
  void (*softmax)(const TileSoftmax*) = nullptr;
  // bf16 or f16 (of its index: 0, 1) to f32 and back, rounded to nearest even.
  void (*widen[2])(const TileRows*) = {};
  void (*narrow[2])(const TileRows*) = {};

  int64_t vector = 1;
  // by_rows = rows by_columns * factor, and by_columns += by_rows rows, of each vector; of bf16,
  // f16 and f32 (of its index: 2).
  void (*dots[3])(const TileVectors*) = {};
  void (*weigh[3])(const TileVectors*) = {};

  // Null where the ISA does not multiply bf16 (below avx512_core_bf16): product and accumulate with
  // pairs of bf16 for A and B. Denormal numbers count as zeros, and denormal sums become zeros.
  void (*product_bf16)(const TileProduct*) = nullptr;
  void (*accumulate_bf16)(const TileProduct*) = nullptr;
  // Every two rows, bf16 or f32 that is rounded to nearest even, as one of pairs, an odd last row
  // with zeros. Denormals of f32 become zeros. `to` may be `from` if its rows are as far apart.
  void (*pair_bf16)(const TileRows*) = nullptr;
  void (*pair_f32)(const TileRows*) = nullptr;

  static size_t index_of(DataType type) {
    return type == DataType::bf16 ? 0 : type == DataType::f16 ? 1 : 2;
  }
};

// What no instruction set is asked for.
const TileFunctions& portable_tile_functions();

// Machine code, made at the first call for an ISA and kept as long as the process lives. The
// statuses are those of compile_kernel. Thread safe; for plans, not for each execution.
Result<const TileFunctions*> tile_functions(Isa isa);

// The code of functions that tile_functions() returned.
KernelCode tile_code(Isa isa);

}  // namespace iotadnn::impl
