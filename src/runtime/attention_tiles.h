// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <utility>

#include "base/data_type.h"
#include "codegen/tiles.h"

namespace iotadnn::impl {

// Part of a tensor of f32, bf16 or f16; strides in elements.
struct MatrixPart {
  const void* data = nullptr;
  DataType type = DataType::f32;
  int64_t rows = 0;
  int64_t columns = 0;
  int64_t row = 0;
  int64_t column = 0;
};

// The same as f32; distances in bytes.
struct FloatMatrix {
  const float* data = nullptr;
  int64_t rows = 0;
  int64_t columns = 0;
  int64_t row = 0;
  int64_t column = 0;
};

// As f32 where it is, or converted to `scratch`, which has room for it.
FloatMatrix to_floats(const TileFunctions& tiles, const MatrixPart& part, float* scratch);

// A matrix with its rows as columns.
template <class Matrix>
Matrix transposed(Matrix matrix) {
  std::swap(matrix.rows, matrix.columns);
  std::swap(matrix.row, matrix.column);
  return matrix;
}

// Columns of bf16 two by two, as the pairs that codegen/tiles.h describes, each in the place of a
// float: where they are, or put together in `scratch`, an odd last one with a zero.
FloatMatrix to_pairs(const TileFunctions& tiles, const MatrixPart& part, float* scratch);

// Rows as the columns of panels: [panel][column][row in the panel], zeros behind the last row.
void pack_panels(const FloatMatrix& from, int64_t panel, float* to);

// Panels [panel][column][row in the panel], each row times its factor, as rows of the part, which
// is written.
void unpack_panels(const TileFunctions& tiles, const float* panels, const float* factors,
                   const MatrixPart& to, float* scratch);

// Rows of adjacent floats, `row` floats apart, to the part, which is written.
void from_floats(const TileFunctions& tiles, const float* rows, int64_t row, const MatrixPart& to);

// Rows of `wide` floats, zeros behind those of the matrix.
void copy_rows(const FloatMatrix& from, int64_t wide, float* to);

float element(const FloatMatrix& matrix, int64_t row, int64_t column);

// The largest magnitude; not finite where an element is not.
float largest_magnitude(const FloatMatrix& matrix);

}  // namespace iotadnn::impl
