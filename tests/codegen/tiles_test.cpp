// SPDX-License-Identifier: Apache-2.0
#include "codegen/tiles.h"

#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

#include "base/float16.h"
#include "support/guarded_buffer.h"
#include "support/layer_isa_param.h"
#include "support/random.h"

namespace iotadnn::test {
namespace {

constexpr float kInf = std::numeric_limits<float>::infinity();

const impl::TileFunctions& functions_of(impl::Isa isa) {
  if (isa == impl::Isa::portable) return impl::portable_tile_functions();
  const auto functions = impl::tile_functions(isa);
  EXPECT_TRUE(functions.ok()) << functions.status().message();
  return **functions;
}

std::vector<impl::Isa> tile_isas() {
  std::vector<impl::Isa> isas = host_jit_isas();
  isas.push_back(impl::Isa::portable);
  return isas;
}

class Tiles : public testing::TestWithParam<impl::Isa> {
 protected:
  const impl::TileFunctions& tiles() const { return functions_of(GetParam()); }
};

float number(Random& random) {
  return static_cast<float>(random.between(-1000, 1000)) / 256;
}

// Every number of rows around the kernels' blocks, and depths from none on, with A by rows and by
// columns; nothing is read or written beyond the tiles.
TEST_P(Tiles, ProductsOfEveryNumberOfRows) {
  const auto columns = static_cast<size_t>(tiles().columns);
  Random random;
  for (size_t rows = 0; rows <= 27; ++rows)
    for (const size_t depth : {size_t{0}, size_t{1}, size_t{7}, size_t{64}})
      for (const bool by_columns : {false, true})
        for (const bool accumulates : {false, true}) {
          GuardedBuffer a(rows * depth * 4, Placement::end_flush);
          GuardedBuffer b(depth * columns * 4, Placement::end_flush);
          GuardedBuffer c(rows * columns * 4, Placement::end_flush);
          auto* as = static_cast<float*>(a.data());
          auto* bs = static_cast<float*>(b.data());
          auto* cs = static_cast<float*>(c.data());
          for (size_t i = 0; i < rows * depth; ++i)
            as[i] = number(random);
          for (size_t i = 0; i < depth * columns; ++i)
            bs[i] = number(random);
          std::vector<double> before(rows * columns);
          for (size_t i = 0; i < rows * columns; ++i)
            before[i] = cs[i] = accumulates ? number(random) : std::nanf("");
          std::vector<float> factors(columns);
          for (float& f : factors)
            f = number(random);
          impl::TileProduct t;
          t.a = as;
          t.a_row = static_cast<int64_t>(by_columns ? 4 : 4 * depth);
          t.a_step = static_cast<int64_t>(by_columns ? 4 * rows : 4);
          t.b = bs;
          t.b_step = static_cast<int64_t>(4 * columns);
          t.c = cs;
          t.c_row = static_cast<int64_t>(4 * columns);
          t.rows = static_cast<int64_t>(rows);
          t.depth = static_cast<int64_t>(depth);
          t.factors = factors.data();
          (accumulates ? tiles().accumulate : tiles().product)(&t);
          for (size_t r = 0; r < rows; ++r)
            for (size_t i = 0; i < columns; ++i) {
              double sum = 0;
              for (size_t k = 0; k < depth; ++k)
                sum += double{as[by_columns ? k * rows + r : r * depth + k]} *
                       double{bs[k * columns + i]};
              const double expected = accumulates
                                          ? before[r * columns + i] * double{factors[i]} + sum
                                          : sum * double{factors[i]};
              ASSERT_NEAR(double{cs[r * columns + i]}, expected, 1e-5 * (1 + std::fabs(expected)))
                  << rows << " rows, depth " << depth;
            }
        }
}

struct Columns {
  explicit Columns(size_t n) : largest(n, -kInf), sum(n, 0), factors(n, -1) {}

  std::vector<float> largest;
  std::vector<float> sum;
  std::vector<float> factors;
};

void step(const impl::TileFunctions& tiles, std::vector<float>& s, Columns& columns) {
  impl::TileSoftmax t;
  t.s = s.data();
  t.s_row = 4 * tiles.columns;
  t.rows = static_cast<int64_t>(s.size()) / tiles.columns;
  t.largest = columns.largest.data();
  t.sum = columns.sum.data();
  t.factors = columns.factors.data();
  tiles.softmax(&t);
}

// Two steps against exp in double: weights, their sum, and what the first step's are multiplied by.
TEST_P(Tiles, SoftmaxInTwoSteps) {
  const auto columns = static_cast<size_t>(tiles().columns);
  Random random;
  for (const double spread : {1.0, 20.0, 300.0}) {
    std::vector<float> first(columns * 13);
    std::vector<float> second(columns * 5);
    for (auto* s : {&first, &second})
      for (float& x : *s)
        x = static_cast<float>(spread * double{number(random)});
    const std::vector<float> s1 = first;
    const std::vector<float> s2 = second;
    Columns state(columns);
    step(tiles(), first, state);
    const std::vector<float> largest = state.largest;
    for (size_t i = 0; i < columns; ++i)
      EXPECT_EQ(state.factors[i], 0);
    step(tiles(), second, state);
    for (size_t i = 0; i < columns; ++i) {
      double sum = 0;
      for (size_t k = i; k < s1.size(); k += columns) {
        const double weight = std::exp(double{s1[k] - largest[i]});
        ASSERT_NEAR(double{first[k]}, weight, 2.5e-7 * weight + 1e-37);
        sum += std::exp(double{s1[k]} - double{state.largest[i]});
      }
      for (size_t k = i; k < s2.size(); k += columns) {
        ASSERT_GE(state.largest[i], s2[k]);
        const double weight = std::exp(double{s2[k] - state.largest[i]});
        ASSERT_NEAR(double{second[k]}, weight, 2.5e-7 * weight + 1e-37);
        sum += weight;
      }
      const double factor = std::exp(double{largest[i] - state.largest[i]});
      EXPECT_NEAR(double{state.factors[i]}, factor, 2.5e-7 * factor + 1e-37);
      EXPECT_NEAR(double{state.sum[i]}, sum, 1e-6 * sum);
    }
  }
}

// The error of the weights over all that they can be: 2 ulp.
TEST_P(Tiles, WeightsWithinTwoUlp) {
  const auto columns = static_cast<size_t>(tiles().columns);
  std::vector<float> s(columns * 4096);
  for (size_t k = 0; k < s.size(); ++k)
    s[k] = -85.9F * static_cast<float>(k) / static_cast<float>(s.size());
  for (size_t i = 0; i < columns; ++i)
    s[i] = 0;
  const std::vector<float> x = s;
  Columns state(columns);
  step(tiles(), s, state);
  double worst = 0;
  for (size_t k = 0; k < s.size(); ++k) {
    const double weight = std::exp(double{x[k]});
    const auto near = static_cast<float>(weight);
    const double ulp = double{std::nextafter(near, kInf) - near};
    worst = std::max(worst, std::fabs(double{s[k]} - weight) / ulp);
  }
  EXPECT_LE(worst, 2.0);
}

TEST_P(Tiles, SoftmaxOfNoNumbers) {
  const auto columns = static_cast<size_t>(tiles().columns);
  const float nan = std::nanf("");
  std::vector<float> s(columns * 2, -kInf);
  s[1] = nan;                       // column 1: NaN, -inf
  s[2] = kInf, s[columns + 2] = 1;  // column 2: inf, 1
  s[3] = -6e4F, s[columns + 3] = 6e4F;
  s[columns + 4] = 5;  // column 4: -inf, 5
  Columns state(columns);
  step(tiles(), s, state);
  EXPECT_EQ(s[0], 0);  // column 0: nothing but -inf
  EXPECT_EQ(state.sum[0], 0);
  EXPECT_EQ(state.largest[0], -kInf);
  EXPECT_TRUE(std::isnan(state.sum[1]));
  EXPECT_TRUE(std::isnan(state.sum[2]));
  EXPECT_EQ(s[columns + 2], 0);
  EXPECT_EQ(s[3], 0);
  EXPECT_EQ(s[columns + 3], 1);
  EXPECT_EQ(s[4], 0);
  EXPECT_EQ(s[columns + 4], 1);
  std::vector<float> nothing;
  step(tiles(), nothing, state);
  EXPECT_EQ(state.sum[4], 1);
  EXPECT_EQ(state.factors[4], 1);
}

bool same_number(uint16_t a, uint16_t b, float value) {
  return a == b || (std::isnan(value) && (a & 0x7c00) == 0x7c00 && (b & 0x7c00) == 0x7c00);
}

// All 65536 patterns to f32 and back, in rows that leave single elements.
TEST_P(Tiles, WidensAndNarrows) {
  constexpr int64_t kRows = 64;
  constexpr int64_t kColumns = 1024 - 3;
  for (const auto type : {impl::DataType::bf16, impl::DataType::f16}) {
    std::vector<uint16_t> from(65536);
    for (size_t i = 0; i < from.size(); ++i)
      from[i] = static_cast<uint16_t>(i);
    GuardedBuffer wide(kRows * kColumns * 4, Placement::end_flush);
    auto* floats = static_cast<float*>(wide.data());
    const size_t i = impl::TileFunctions::index_of(type);
    const impl::TileRows there{from.data(), 2048, floats, kColumns * 4, kRows, kColumns};
    tiles().widen[i](&there);
    GuardedBuffer narrow(kRows * kColumns * 2, Placement::end_flush);
    auto* back = static_cast<uint16_t*>(narrow.data());
    const impl::TileRows again{floats, kColumns * 4, back, kColumns * 2, kRows, kColumns};
    tiles().narrow[i](&again);
    for (int64_t r = 0; r < kRows; ++r)
      for (int64_t c = 0; c < kColumns; ++c) {
        const uint16_t bits = from[static_cast<size_t>(r * 1024 + c)];
        const float value =
            type == impl::DataType::bf16 ? impl::bf16_to_f32(bits) : impl::f16_to_f32(bits);
        const float wide_value = floats[r * kColumns + c];
        ASSERT_TRUE(std::memcmp(&value, &wide_value, 4) == 0 || std::isnan(value)) << bits;
        ASSERT_TRUE(same_number(back[r * kColumns + c], bits, value)) << bits;
      }
  }
}

// Numbers that lie between two of 16 bits.
TEST_P(Tiles, NarrowsToNearestEven) {
  Random random;
  std::vector<float> from(1003);
  for (float& x : from)
    x = number(random) * std::ldexp(1.0F, static_cast<int>(random.between(-15, 14))) * 1.2345F;
  std::vector<uint16_t> to(from.size());
  for (const auto type : {impl::DataType::bf16, impl::DataType::f16}) {
    const impl::TileRows t{from.data(), 0, to.data(), 0, 1, static_cast<int64_t>(from.size())};
    tiles().narrow[impl::TileFunctions::index_of(type)](&t);
    for (size_t k = 0; k < from.size(); ++k)
      ASSERT_EQ(to[k], type == impl::DataType::bf16 ? impl::f32_to_bf16(from[k])
                                                    : impl::f32_to_f16(from[k]));
  }
}

// Rows times a vector, and a sum of rows, against double; nothing is read behind the rows.
TEST_P(Tiles, RowsTimesVectors) {
  Random random;
  for (const auto type : {impl::DataType::f32, impl::DataType::bf16, impl::DataType::f16})
    for (const int64_t count : {0, 1, 3, 4, 5, 130})
      for (const int64_t multiple : {1, 7, 8, 17})
        for (const int64_t vectors : {1, 2, 3, 8}) {
          const int64_t columns = multiple * tiles().vector;
          const int64_t bytes = impl::bytes_of(type);
          GuardedBuffer rows(static_cast<size_t>(count * columns * bytes), Placement::end_flush);
          std::vector<double> values;
          for (int64_t i = 0; i < count * columns; ++i) {
            const float value = number(random);
            const uint16_t narrow =
                type == impl::DataType::bf16 ? impl::f32_to_bf16(value) : impl::f32_to_f16(value);
            auto* const to = rows.as<unsigned char>() + i * bytes;
            if (type == impl::DataType::f32)
              std::memcpy(to, &value, 4);
            else
              std::memcpy(to, &narrow, 2);
            values.push_back(static_cast<double>(type == impl::DataType::f32 ? value
                                                 : type == impl::DataType::bf16
                                                     ? impl::bf16_to_f32(narrow)
                                                     : impl::f16_to_f32(narrow)));
          }
          // All end where memory ends.
          GuardedBuffer by_columns(static_cast<size_t>(vectors * columns * 4),
                                   Placement::end_flush);
          GuardedBuffer by_rows(static_cast<size_t>(vectors * count * 4), Placement::end_flush);
          std::vector<float> before;
          for (int64_t i = 0; i < vectors * columns; ++i)
            before.push_back(by_columns.as<float>()[i] = number(random));
          impl::TileVectors t;
          t.rows = rows.data();
          // In the order of memory, or from four places.
          const bool streams = count % 4 == 0 && random.coin();
          t.row = columns * bytes * (streams ? count / 4 : 1);
          t.four = columns * bytes * (streams ? 1 : 4);
          t.count = count;
          const auto place_of = [&](int64_t r) {
            return (streams ? r / 4 + r % 4 * (count / 4) : r) * columns;
          };
          t.columns = columns;
          t.ahead = 4096;
          t.vectors = vectors;
          t.by_rows = by_rows.as<float>();
          t.by_rows_vector = count * 4;
          t.by_columns = by_columns.as<float>();
          t.by_columns_vector = columns * 4;
          t.factor = number(random);
          const size_t index = impl::TileFunctions::index_of(type);
          tiles().dots[index](&t);
          for (int64_t v = 0; v < vectors; ++v)
            for (int64_t r = 0; r < count; ++r) {
              double sum = 0;
              double magnitudes = 0;
              for (int64_t c = 0; c < columns; ++c) {
                const double product =
                    values[static_cast<size_t>(place_of(r) + c)] *
                    static_cast<double>(before[static_cast<size_t>(v * columns + c)]) *
                    static_cast<double>(t.factor);
                sum += product;
                magnitudes += std::fabs(product);
              }
              ASSERT_NEAR(static_cast<double>(t.by_rows[v * count + r]), sum, 1e-5 * magnitudes);
            }
          tiles().weigh[index](&t);
          for (int64_t v = 0; v < vectors; ++v)
            for (int64_t c = 0; c < columns; ++c) {
              auto sum = static_cast<double>(before[static_cast<size_t>(v * columns + c)]);
              double magnitudes = std::fabs(sum);
              for (int64_t r = 0; r < count; ++r) {
                const double product = static_cast<double>(t.by_rows[v * count + r]) *
                                       values[static_cast<size_t>(place_of(r) + c)];
                sum += product;
                magnitudes += std::fabs(product);
              }
              ASSERT_NEAR(static_cast<double>(t.by_columns[v * columns + c]), sum,
                          1e-5 * magnitudes);
            }
        }
}

INSTANTIATE_TEST_SUITE_P(Isas, Tiles, testing::ValuesIn(tile_isas()), isa_test_name);

}  // namespace
}  // namespace iotadnn::test
