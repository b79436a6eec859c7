// SPDX-License-Identifier: Apache-2.0
#include "runtime/attention_tiles.h"

#include <xmmintrin.h>

#include <algorithm>
#include <cstring>
#include <limits>

#include "base/float16.h"
#include "program/evaluate.h"

namespace iotadnn::impl {
namespace {

template <class To>
To* moved(const void* at, int64_t bytes) {
  return reinterpret_cast<To*>(reinterpret_cast<uintptr_t>(at) + static_cast<uintptr_t>(bytes));
}

constexpr int64_t kBlock = 4;

// Four rows of four, `from_row` floats apart, as columns, `to_row` floats apart.
void transpose_block(const float* from, int64_t from_row, float* to, int64_t to_row) {
  __m128 a = _mm_loadu_ps(from);
  __m128 b = _mm_loadu_ps(from + from_row);
  __m128 c = _mm_loadu_ps(from + 2 * from_row);
  __m128 d = _mm_loadu_ps(from + 3 * from_row);
  _MM_TRANSPOSE4_PS(a, b, c, d);
  _mm_storeu_ps(to, a);
  _mm_storeu_ps(to + to_row, b);
  _mm_storeu_ps(to + 2 * to_row, c);
  _mm_storeu_ps(to + 3 * to_row, d);
}

// `rows` x `columns` floats, adjacent in rows, as columns.
void transpose(const float* from, int64_t from_row, int64_t rows, int64_t columns, float* to,
               int64_t to_row) {
  const int64_t whole_rows = rows / kBlock * kBlock;
  const int64_t whole_columns = columns / kBlock * kBlock;
  for (int64_t r = 0; r < whole_rows; r += kBlock)
    for (int64_t c = 0; c < whole_columns; c += kBlock)
      transpose_block(from + r * from_row + c, from_row, to + c * to_row + r, to_row);
  for (int64_t r = 0; r < rows; ++r)
    for (int64_t c = r < whole_rows ? whole_columns : 0; c < columns; ++c)
      to[c * to_row + r] = from[r * from_row + c];
}

float element(const MatrixPart& part, int64_t row, int64_t column) {
  const int64_t offset = (row * part.row + column * part.column) * bytes_of(part.type);
  return bit_cast<float>(static_cast<uint32_t>(convert_bits(
      DataType::f32, part.type, extended_bits(part.type, moved<const void>(part.data, offset)))));
}

// Whether pairs of columns lie as they are to be, and where a float may lie.
bool has_pairs(const MatrixPart& part) {
  return part.column == 1 && part.columns % 2 == 0 &&
         reinterpret_cast<uintptr_t>(part.data) % alignof(float) == 0 &&
         (part.rows == 1 || part.row % 2 == 0);
}

void copy_bf16(const MatrixPart& part, int64_t row, float* to) {
  const auto* const from = moved<const unsigned char>(part.data, row * part.row * 2);
  const auto bytes = static_cast<size_t>(part.columns) * 2;
  if (part.column == 1) {
    std::memcpy(to, from, bytes);
  } else {
    for (int64_t c = 0; c < part.columns; ++c)
      std::memcpy(moved<void>(to, c * 2), from + c * part.column * 2, 2);
  }
  std::memset(moved<void>(to, part.columns * 2), 0, part.columns % 2 * 2);
}

}  // namespace

FloatMatrix to_floats(const TileFunctions& tiles, const MatrixPart& part, float* scratch) {
  FloatMatrix matrix{scratch, part.rows, part.columns, part.columns * 4, 4};
  if (part.type == DataType::f32)
    return {static_cast<const float*>(part.data), part.rows, part.columns, part.row * 4,
            part.column * 4};
  const auto widen = tiles.widen[TileFunctions::index_of(part.type)];
  if (part.column == 1 || part.columns == 1) {
    const TileRows rows{part.data,        part.row * 2, scratch,
                        part.columns * 4, part.rows,    part.columns};
    widen(&rows);
  } else if (part.row == 1) {
    const TileRows rows{part.data,     part.column * 2, scratch,
                        part.rows * 4, part.columns,    part.rows};
    widen(&rows);
    matrix.row = 4;
    matrix.column = part.rows * 4;
  } else {
    for (int64_t r = 0; r < part.rows; ++r)
      for (int64_t c = 0; c < part.columns; ++c)
        scratch[r * part.columns + c] = element(part, r, c);
  }
  return matrix;
}

FloatMatrix to_pairs(const TileFunctions& tiles, const MatrixPart& part, float* scratch) {
  const int64_t pairs = (part.columns + 1) / 2;
  if (has_pairs(part))
    return {static_cast<const float*>(part.data), part.rows, pairs, part.row * 2, 4};
  if (part.row == 1 || part.rows == 1) {
    const TileRows rows{part.data,     part.column * 2, scratch,
                        part.rows * 4, part.columns,    part.rows};
    tiles.pair_bf16(&rows);
    return {scratch, part.rows, pairs, 4, part.rows * 4};
  }
  for (int64_t r = 0; r < part.rows; ++r)
    copy_bf16(part, r, scratch + r * pairs);
  return {scratch, part.rows, pairs, pairs * 4, 4};
}

void pack_panels(const FloatMatrix& from, int64_t panel, float* to) {
  for (int64_t first = 0; first < from.rows; first += panel) {
    const int64_t rows = std::min(panel, from.rows - first);
    if (rows < panel) std::fill(to, to + from.columns * panel, 0.0F);
    const auto* const source = moved<const float>(from.data, first * from.row);
    if (from.column == 4) {
      transpose(source, from.row / 4, rows, from.columns, to, panel);
    } else {
      for (int64_t c = 0; c < from.columns; ++c)
        for (int64_t r = 0; r < rows; ++r)
          to[c * panel + r] = *moved<const float>(source, r * from.row + c * from.column);
    }
    to += from.columns * panel;
  }
}

void unpack_panels(const TileFunctions& tiles, const float* panels, const float* factors,
                   const MatrixPart& to, float* scratch) {
  const int64_t panel = tiles.columns;
  const bool direct = to.type == DataType::f32 && to.column == 1;
  float* const rows = direct ? static_cast<float*>(const_cast<void*>(to.data)) : scratch;
  const int64_t row = direct ? to.row : to.columns;
  for (int64_t first = 0; first < to.rows; first += panel) {
    const int64_t count = std::min(panel, to.rows - first);
    transpose(panels, panel, to.columns, count, rows + first * row, row);
    panels += to.columns * panel;
  }
  for (int64_t r = 0; r < to.rows; ++r)
    for (int64_t c = 0; c < to.columns; ++c)
      rows[r * row + c] *= factors[r];
  if (!direct) from_floats(tiles, rows, row, to);
}

void from_floats(const TileFunctions& tiles, const float* rows, int64_t row, const MatrixPart& to) {
  const bool is_narrow = to.type == DataType::bf16 || to.type == DataType::f16;
  if (is_narrow && (to.column == 1 || to.columns == 1)) {
    const TileRows narrowed{rows,       row * 4, const_cast<void*>(to.data),
                            to.row * 2, to.rows, to.columns};
    return tiles.narrow[TileFunctions::index_of(to.type)](&narrowed);
  }
  const int64_t bytes = bytes_of(to.type);
  if (to.type == DataType::f32 && to.column == 1) {
    for (int64_t r = 0; r < to.rows; ++r)
      std::memcpy(moved<void>(to.data, r * to.row * bytes), rows + r * row,
                  static_cast<size_t>(to.columns * bytes));
    return;
  }
  for (int64_t r = 0; r < to.rows; ++r)
    for (int64_t c = 0; c < to.columns; ++c) {
      const uint64_t bits =
          convert_bits(to.type, DataType::f32, bit_cast<uint32_t>(rows[r * row + c]));
      std::memcpy(moved<void>(to.data, (r * to.row + c * to.column) * bytes), &bits,
                  static_cast<size_t>(bytes));
    }
}

float element(const FloatMatrix& matrix, int64_t row, int64_t column) {
  return *moved<const float>(matrix.data, row * matrix.row + column * matrix.column);
}

void copy_rows(const FloatMatrix& from, int64_t wide, float* to) {
  for (int64_t r = 0; r < from.rows; ++r, to += wide) {
    for (int64_t c = 0; c < from.columns; ++c)
      to[c] = element(from, r, c);
    std::fill(to + from.columns, to + wide, 0.0F);
  }
}

float largest_magnitude(const FloatMatrix& matrix) {
  const bool by_rows = matrix.column <= matrix.row;
  const int64_t lines = by_rows ? matrix.rows : matrix.columns;
  const int64_t elements = by_rows ? matrix.columns : matrix.rows;
  const int64_t line = by_rows ? matrix.row : matrix.column;
  const int64_t step = by_rows ? matrix.column : matrix.row;
  const int64_t whole = step == 4 ? elements / kBlock * kBlock : 0;
  const __m128 sign = _mm_set1_ps(-0.0F);
  __m128 largest = _mm_setzero_ps();
  __m128 unordered = _mm_setzero_ps();
  for (int64_t l = 0; l < lines; ++l) {
    const auto* const from = moved<const float>(matrix.data, l * line);
    for (int64_t e = 0; e < whole; e += kBlock) {
      const __m128 x = _mm_loadu_ps(from + e);
      unordered = _mm_or_ps(unordered, _mm_cmpunord_ps(x, x));
      largest = _mm_max_ps(largest, _mm_andnot_ps(sign, x));
    }
    for (int64_t e = whole; e < elements; ++e) {
      const __m128 x = _mm_load_ss(moved<const float>(from, e * step));
      unordered = _mm_or_ps(unordered, _mm_cmpunord_ps(x, x));
      largest = _mm_max_ps(largest, _mm_andnot_ps(sign, x));
    }
  }
  if (_mm_movemask_ps(unordered) != 0) return std::numeric_limits<float>::quiet_NaN();
  float lanes[kBlock];
  _mm_storeu_ps(lanes, largest);
  return *std::max_element(lanes, lanes + kBlock);
}

}  // namespace iotadnn::impl
