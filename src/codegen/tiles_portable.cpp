// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "base/float16.h"
#include "codegen/tiles.h"

namespace iotadnn::impl {
namespace {

constexpr int64_t kColumns = 16;

template <class To, class From>
To* moved(From* at, int64_t bytes) {
  return reinterpret_cast<To*>(reinterpret_cast<uintptr_t>(at) + static_cast<uintptr_t>(bytes));
}

template <bool accumulates>
void multiply(const TileProduct* t) {
  for (int64_t r = 0; r < t->rows; ++r) {
    float sums[kColumns] = {};
    for (int64_t k = 0; k < t->depth; ++k) {
      float a = 0;
      std::memcpy(&a, moved<const void>(t->a, r * t->a_row + k * t->a_step), sizeof(a));
      const auto* const b = moved<const float>(t->b, k * t->b_step);
      for (int64_t i = 0; i < kColumns; ++i)
        sums[i] += a * b[i];
    }
    float* c = moved<float>(t->c, r * t->c_row);
    for (int64_t i = 0; i < kColumns; ++i)
      c[i] = accumulates ? c[i] * t->factors[i] + sums[i] : sums[i] * t->factors[i];
  }
}

void softmax(const TileSoftmax* t) {
  for (int64_t i = 0; i < kColumns; ++i) {
    float largest = t->largest[i];
    for (int64_t r = 0; r < t->rows; ++r)
      largest = std::max(largest, moved<const float>(t->s, r * t->s_row)[i]);  // a NaN is passed
    const float shift = std::max(largest, -std::numeric_limits<float>::max());
    t->factors[i] = std::exp(t->largest[i] - shift);
    t->largest[i] = largest;
    t->sum[i] *= t->factors[i];
    for (int64_t r = 0; r < t->rows; ++r) {
      float& s = moved<float>(t->s, r * t->s_row)[i];
      s = std::exp(s - shift);
      t->sum[i] += s;
    }
  }
}

template <DataType type>
void widen(const TileRows* t) {
  for (int64_t r = 0; r < t->rows; ++r)
    for (int64_t c = 0; c < t->columns; ++c) {
      uint16_t bits = 0;
      std::memcpy(&bits, moved<const void>(t->from, r * t->from_row + c * 2), sizeof(bits));
      moved<float>(t->to, r * t->to_row)[c] =
          type == DataType::bf16 ? bf16_to_f32(bits) : f16_to_f32(bits);
    }
}

template <DataType type>
void narrow(const TileRows* t) {
  for (int64_t r = 0; r < t->rows; ++r)
    for (int64_t c = 0; c < t->columns; ++c) {
      const float value = moved<const float>(t->from, r * t->from_row)[c];
      const uint16_t bits = type == DataType::bf16 ? f32_to_bf16(value) : f32_to_f16(value);
      std::memcpy(moved<void>(t->to, r * t->to_row + c * 2), &bits, sizeof(bits));
    }
}

template <DataType type>
float element(const TileVectors* t, int64_t row, int64_t column) {
  const int64_t fours = std::min(row, t->count / 4 * 4) / 4;
  const auto* const at = moved<const void>(t->rows, fours * t->four + (row - fours * 4) * t->row);
  if (type == DataType::f32) {
    float value = 0;
    std::memcpy(&value, moved<const void>(at, column * 4), sizeof(value));
    return value;
  }
  uint16_t bits = 0;
  std::memcpy(&bits, moved<const void>(at, column * 2), sizeof(bits));
  return type == DataType::bf16 ? bf16_to_f32(bits) : f16_to_f32(bits);
}

template <DataType type>
void dots(const TileVectors* t) {
  for (int64_t v = 0; v < t->vectors; ++v) {
    const auto* const by_columns = moved<const float>(t->by_columns, v * t->by_columns_vector);
    auto* const by_rows = moved<float>(t->by_rows, v * t->by_rows_vector);
    for (int64_t r = 0; r < t->count; ++r) {
      float sum = 0;
      for (int64_t c = 0; c < t->columns; ++c)
        sum += by_columns[c] * element<type>(t, r, c);
      by_rows[r] = sum * t->factor;
    }
  }
}

template <DataType type>
void weigh(const TileVectors* t) {
  for (int64_t v = 0; v < t->vectors; ++v) {
    auto* const by_columns = moved<float>(t->by_columns, v * t->by_columns_vector);
    const auto* const by_rows = moved<const float>(t->by_rows, v * t->by_rows_vector);
    for (int64_t c = 0; c < t->columns; ++c) {
      float sum = by_columns[c];
      for (int64_t r = 0; r < t->count; ++r)
        sum += by_rows[r] * element<type>(t, r, c);
      by_columns[c] = sum;
    }
  }
}

}  // namespace

const TileFunctions& portable_tile_functions() {
  static constexpr TileFunctions kPortable = {
      kColumns,
      multiply<false>,
      multiply<true>,
      softmax,
      {widen<DataType::bf16>, widen<DataType::f16>},
      {narrow<DataType::bf16>, narrow<DataType::f16>},
      1,
      {dots<DataType::bf16>, dots<DataType::f16>, dots<DataType::f32>},
      {weigh<DataType::bf16>, weigh<DataType::f16>, weigh<DataType::f32>},
  };
  return kPortable;
}

}  // namespace iotadnn::impl
