// SPDX-License-Identifier: Apache-2.0
// What tiles have for bf16, on processors that multiply it.
#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

#include "codegen/tiles.h"
#include "support/guarded_buffer.h"
#include "support/layer_isa_param.h"
#include "support/numbers.h"
#include "support/random.h"

namespace iotadnn::test {
namespace {

using impl::Isa;

constexpr int kBf16 = static_cast<int>(impl::DataType::bf16);

const impl::TileFunctions& functions_of(Isa isa) {
  const auto functions = impl::tile_functions(isa);
  EXPECT_TRUE(functions.ok()) << functions.status().message();
  return **functions;
}

uint16_t bf16_of(double value) {
  return static_cast<uint16_t>(from_real(kBf16, static_cast<long double>(value)).bits);
}

double value_of(uint16_t bits) {
  return static_cast<double>(real_of({kBf16, bits}));
}

// An array of bf16 that ends where memory does.
class Numbers {
 public:
  explicit Numbers(size_t count) : buffer_(count * 2, Placement::end_flush) {}

  void set(size_t i, double value) {
    const uint16_t bits = bf16_of(value);
    std::memcpy(buffer_.as<unsigned char>() + i * 2, &bits, 2);
  }

  double operator[](size_t i) const {
    uint16_t bits = 0;
    std::memcpy(&bits, buffer_.as<unsigned char>() + i * 2, 2);
    return value_of(bits);
  }

  void* data() const { return buffer_.data(); }

 private:
  GuardedBuffer buffer_;
};

TEST(TileBf16, OnlyWhereTheIsaMultipliesIt) {
  EXPECT_EQ(impl::portable_tile_functions().product_bf16, nullptr);
  for (const Isa isa : host_jit_isas()) {
    const impl::TileFunctions& tiles = functions_of(isa);
    const bool has = isa == Isa::avx512_core_bf16;
    EXPECT_EQ(tiles.product_bf16 != nullptr, has) << impl::name_of(isa);
    EXPECT_EQ(tiles.accumulate_bf16 != nullptr, has) << impl::name_of(isa);
    EXPECT_EQ(tiles.pair_bf16 != nullptr, has) << impl::name_of(isa);
    EXPECT_EQ(tiles.pair_f32 != nullptr, has) << impl::name_of(isa);
  }
}

class TilesOfBf16 : public testing::Test {
 protected:
  void SetUp() override {
    const auto best = impl::effective_isa();
    if (!best.ok() || *best < Isa::avx512_core_bf16)
      GTEST_SKIP() << "the processor does not multiply bf16, or may not";
    tiles_ = &functions_of(Isa::avx512_core_bf16);
  }

  size_t columns() const { return static_cast<size_t>(tiles_->columns); }

  double number() { return static_cast<double>(random_.between(-256, 256)) / 64; }

  // A row of a panel: one pair times a pair of each column, times the factor.
  std::vector<float> product_of_a_pair(Numbers& a, Numbers& b, float factor) const {
    const std::vector<float> factors(columns(), factor);
    std::vector<float> sums(columns());
    impl::TileProduct t;
    t.a = a.data();
    t.b = b.data();
    t.c = sums.data();
    t.rows = 1;
    t.depth = 1;
    t.factors = factors.data();
    tiles_->product_bf16(&t);
    return sums;
  }

  // C of so many rows from pairs, A by rows or by columns of pairs.
  void check_product(size_t rows, size_t pairs, bool by_columns, bool accumulates) {
    Numbers a(rows * pairs * 2);
    Numbers b(pairs * columns() * 2);
    GuardedBuffer c(rows * columns() * 4, Placement::end_flush);
    for (size_t i = 0; i < rows * pairs * 2; ++i)
      a.set(i, number());
    for (size_t i = 0; i < pairs * columns() * 2; ++i)
      b.set(i, number());
    std::vector<float> before(rows * columns());
    for (float& x : before)
      x = accumulates ? static_cast<float>(number()) : std::nanf("");
    if (!before.empty()) std::memcpy(c.data(), before.data(), before.size() * 4);
    std::vector<float> factors(columns());
    for (float& f : factors)
      f = static_cast<float>(number());
    impl::TileProduct t;
    t.a = a.data();
    t.a_row = static_cast<int64_t>(by_columns ? 4 : 4 * pairs);
    t.a_step = static_cast<int64_t>(by_columns ? 4 * rows : 4);
    t.b = b.data();
    t.b_step = static_cast<int64_t>(4 * columns());
    t.c = c.as<float>();
    t.c_row = static_cast<int64_t>(4 * columns());
    t.rows = static_cast<int64_t>(rows);
    t.depth = static_cast<int64_t>(pairs);
    t.factors = factors.data();
    (accumulates ? tiles_->accumulate_bf16 : tiles_->product_bf16)(&t);
    for (size_t r = 0; r < rows; ++r)
      for (size_t i = 0; i < columns(); ++i) {
        double sum = 0;
        for (size_t k = 0; k < pairs * 2; ++k) {
          const size_t pair = by_columns ? k / 2 * rows + r : r * pairs + k / 2;
          sum += a[pair * 2 + k % 2] * b[(k / 2 * columns() + i) * 2 + k % 2];
        }
        const double factor = static_cast<double>(factors[i]);
        const double expected = accumulates
                                    ? static_cast<double>(before[r * columns() + i]) * factor + sum
                                    : sum * factor;
        ASSERT_NEAR(static_cast<double>(c.as<float>()[r * columns() + i]), expected,
                    1e-5 * (1 + std::fabs(expected)))
            << rows << " rows, " << pairs << " pairs";
      }
  }

  // Words of what every two rows become.
  template <class Element>
  std::vector<uint16_t> expected_pairs(const Element& element, size_t rows, size_t columns) {
    std::vector<uint16_t> words;
    for (size_t r = 0; r < rows; r += 2)
      for (size_t c = 0; c < columns; ++c) {
        words.push_back(element(r, c));
        words.push_back(r + 1 < rows ? element(r + 1, c) : uint16_t{0});
      }
    return words;
  }

  Random random_;
  const impl::TileFunctions* tiles_ = nullptr;
};

TEST_F(TilesOfBf16, ProductsOfEveryNumberOfRows) {
  for (size_t rows = 0; rows <= 38; ++rows)
    for (const size_t pairs : {size_t{0}, size_t{1}, size_t{2}, size_t{7}, size_t{32}})
      for (const bool by_columns : {false, true})
        for (const bool accumulates : {false, true}) {
          check_product(rows, pairs, by_columns, accumulates);
          if (HasFatalFailure()) return;
        }
}

// Neither of these would vanish in a product of f32.
TEST_F(TilesOfBf16, DenormalsAreZeros) {
  struct Case {
    double a, b, expected;
  };

  for (const Case& c : {Case{std::ldexp(1, -130), std::ldexp(1, 100), 0},
                        Case{std::ldexp(1, -70), std::ldexp(1, -70), 0},
                        Case{std::ldexp(1, -60), std::ldexp(1, -60), std::ldexp(2, -20)}}) {
    Numbers a(2);
    Numbers b(columns() * 2);
    for (size_t i = 0; i < 2; ++i)
      a.set(i, c.a);
    for (size_t i = 0; i < columns() * 2; ++i)
      b.set(i, c.b);
    for (const float sum : product_of_a_pair(a, b, std::ldexp(1.0F, 100)))
      EXPECT_EQ(static_cast<double>(sum), c.expected);
  }
}

TEST_F(TilesOfBf16, NotANumberAndInfinitySpread) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  for (const double special : {kInfinity, std::nan("")})
    for (const size_t place : {size_t{0}, size_t{1}}) {
      Numbers a(2);
      Numbers b(columns() * 2);
      for (size_t i = 0; i < 2; ++i)
        a.set(i, i == place ? special : 1);
      for (size_t i = 0; i < columns() * 2; ++i)
        b.set(i, i < 2 ? 0 : 1);
      const std::vector<float> sums = product_of_a_pair(a, b, 1);
      EXPECT_TRUE(std::isnan(sums[0]));  // times 0
      EXPECT_EQ(std::isnan(sums[1]), std::isnan(special));
      EXPECT_EQ(std::isinf(sums[1]), std::isinf(special));
    }
}

// Rows of bf16 at a distance that is no multiple of a pair, up to the end of memory.
TEST_F(TilesOfBf16, PairsOfRows) {
  for (size_t rows = 0; rows <= 5; ++rows)
    for (size_t wide = 1; wide <= 50; ++wide)
      for (const size_t gap : {size_t{0}, size_t{3}}) {
        const size_t all = rows == 0 ? 0 : rows * wide + (rows - 1) * gap;
        GuardedBuffer from(all * 2, Placement::end_flush);
        auto* const elements = from.as<uint16_t>();
        for (size_t i = 0; i < all; ++i)
          elements[i] = static_cast<uint16_t>(random_.between(0, 65535));
        const auto expected = expected_pairs(
            [&](size_t r, size_t c) { return elements[r * (wide + gap) + c]; }, rows, wide);
        GuardedBuffer to(expected.size() * 2, Placement::end_flush);
        const impl::TileRows t{from.data(),
                               static_cast<int64_t>((wide + gap) * 2),
                               to.data(),
                               static_cast<int64_t>(wide * 4),
                               static_cast<int64_t>(rows),
                               static_cast<int64_t>(wide)};
        tiles_->pair_bf16(&t);
        ASSERT_TRUE(expected.empty() ||
                    std::memcmp(to.data(), expected.data(), expected.size() * 2) == 0)
            << rows << " rows of " << wide;
        ASSERT_TRUE(to.margins_intact());
      }
}

// To other memory and in place; behind the pairs of each row is what was there.
TEST_F(TilesOfBf16, PairsOfRowsThatAreRounded) {
  for (size_t rows = 0; rows <= 5; ++rows)
    for (const size_t wide : {size_t{1}, size_t{15}, size_t{16}, size_t{17}, size_t{32}})
      for (const bool in_place : {false, true}) {
        std::vector<float> from(rows * wide);
        for (size_t i = 0; i < from.size(); ++i)
          from[i] = static_cast<float>(number() * std::ldexp(1.2345, static_cast<int>(i % 9)));
        if (!from.empty()) from[0] = 1 + std::ldexp(1.0F, -8);  // between two: the even one
        const auto expected = expected_pairs(
            [&](size_t r, size_t c) { return bf16_of(static_cast<double>(from[r * wide + c])); },
            rows, wide);
        GuardedBuffer to((in_place ? rows : (rows + 1) / 2) * wide * 4, Placement::end_flush);
        if (in_place && rows > 0) std::memcpy(to.data(), from.data(), from.size() * 4);
        const impl::TileRows t{in_place ? to.data() : from.data(),
                               static_cast<int64_t>(wide * 4),
                               to.data(),
                               static_cast<int64_t>(wide * 4),
                               static_cast<int64_t>(rows),
                               static_cast<int64_t>(wide)};
        tiles_->pair_f32(&t);
        ASSERT_TRUE(expected.empty() ||
                    std::memcmp(to.data(), expected.data(), expected.size() * 2) == 0)
            << rows << " rows of " << wide;
      }
}

}  // namespace
}  // namespace iotadnn::test
