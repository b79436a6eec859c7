// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "ops/reference_runner.h"

// MatMul: small integers, whose products and sums are exact in every type, multiplied here.
namespace iotadnn::impl {
namespace {

using test::elements_of;
using test::Filled;
using test::filled;
using test::gives;
using test::make_op;
using test::unknown_rank;

constexpr AttrId kTransposeA = 0x65;
constexpr AttrId kTransposeB = 0x66;

using List = std::vector<int64_t>;

Op matmul(const std::vector<Filled>& inputs, DataType out, bool a = false, bool b = false) {
  std::vector<LogicalTensor> ports;
  for (const Filled& input : inputs)
    ports.push_back(input.lt);
  return make_op("MatMul", 1, ports, {unknown_rank(9, out)}, {{kTransposeA, a}, {kTransposeB, b}});
}

// -3, ..., 3 in an order without a period that a shape has.
List numbers(int64_t count, int64_t seed) {
  List values;
  for (int64_t i = 0; i < count; ++i)
    values.push_back((i * i + seed * i + i / 5) % 7 - 3);
  return values;
}

// Rows of a by columns of b, both row-major.
List product(const List& a, const List& b, int64_t rows, int64_t inner, int64_t columns) {
  List out;
  for (int64_t i = 0; i < rows; ++i)
    for (int64_t n = 0; n < columns; ++n) {
      int64_t sum = 0;
      for (int64_t j = 0; j < inner; ++j)
        sum += a[static_cast<size_t>(i * inner + j)] * b[static_cast<size_t>(j * columns + n)];
      out.push_back(sum);
    }
  return out;
}

List transposed(const List& values, int64_t rows, int64_t columns) {
  List out;
  for (int64_t j = 0; j < columns; ++j)
    for (int64_t i = 0; i < rows; ++i)
      out.push_back(values[static_cast<size_t>(i * columns + j)]);
  return out;
}

TEST(MatMul, MatricesAndTheirTransposes) {
  for (const auto& [rows, inner, columns] :
       {std::tuple<int64_t, int64_t, int64_t>{3, 5, 4}, {1, 1, 1}, {2, 7, 300}, {2, 3, 256}}) {
    const List a = numbers(rows * inner, 3);
    const List b = numbers(inner * columns, 2);
    for (const DataType type : {DataType::f32, DataType::f64, DataType::f16, DataType::bf16,
                                DataType::s16, DataType::s64}) {
      const List out = product(a, b, rows, inner, columns);
      const std::vector<Filled> plain = {filled(0, type, {rows, inner}, elements_of(type, a)),
                                         filled(1, type, {inner, columns}, elements_of(type, b))};
      EXPECT_TRUE(gives(matmul(plain, type), plain, {rows, columns}, elements_of(type, out)));
      const std::vector<Filled> turned = {
          filled(0, type, {inner, rows}, elements_of(type, transposed(a, rows, inner)),
                 {rows + 2, 1}),
          filled(1, type, {columns, inner}, elements_of(type, transposed(b, inner, columns)))};
      EXPECT_TRUE(
          gives(matmul(turned, type, true, true), turned, {rows, columns}, elements_of(type, out)));
    }
  }
}

TEST(MatMul, BatchesAreBroadcastAndTheBiasIsAdded) {
  const auto f32 = DataType::f32;
  const List a = numbers(2 * 3 * 4, 1);
  const std::vector<Filled> inputs = {filled(0, f32, {2, 1, 3, 4}, elements_of(f32, a)),
                                      filled(1, f32, {2, 4, 2}, elements_of(f32, numbers(16, 5))),
                                      filled(2, f32, {2}, elements_of(f32, {10, 20}))};
  List out;
  const List second = numbers(16, 5);
  for (int64_t i = 0; i < 2; ++i)
    for (int64_t j = 0; j < 2; ++j) {
      const List left(a.begin() + i * 12, a.begin() + (i + 1) * 12);
      const List right(second.begin() + j * 8, second.begin() + (j + 1) * 8);
      const List one = product(left, right, 3, 4, 2);
      for (size_t n = 0; n < one.size(); ++n)
        out.push_back(one[n] + (n % 2 == 0 ? 10 : 20));
    }
  EXPECT_TRUE(gives(matmul(inputs, f32), inputs, {2, 2, 3, 2}, elements_of(f32, out)));
}

TEST(MatMul, VectorsHaveNoRowOrColumn) {
  const auto f32 = DataType::f32;
  const Filled vector = filled(0, f32, {3}, elements_of(f32, {1, 2, 3}));
  const Filled matrix = filled(1, f32, {3, 2}, elements_of(f32, {1, 0, 0, 1, 2, 2}));
  const Filled rows = filled(0, f32, {2, 3}, elements_of(f32, {1, 0, 2, 0, 1, 2}));
  Filled other = vector;
  other.lt.id = 1;
  EXPECT_TRUE(
      gives(matmul({vector, matrix}, f32), {vector, matrix}, {2}, elements_of(f32, {7, 8})));
  EXPECT_TRUE(gives(matmul({rows, other}, f32), {rows, other}, {2}, elements_of(f32, {7, 8})));
  EXPECT_TRUE(gives(matmul({vector, other}, f32), {vector, other}, {}, elements_of(f32, {14})));
}

// Sums of f32 are in f64: 2^24 + 1 - 2^24 is 1. Integers wrap.
TEST(MatMul, SumsAreWideAndIntegersWrap) {
  const auto f32 = DataType::f32;
  const std::vector<Filled> reals = {
      filled(0, f32, {1, 3}, elements_of(f32, {1 << 24, 1, -(1 << 24)})),
      filled(1, f32, {3, 1}, elements_of(f32, {1, 1, 1}))};
  EXPECT_TRUE(gives(matmul(reals, f32), reals, {1, 1}, elements_of(f32, {1})));
  const auto s16 = DataType::s16;
  const std::vector<Filled> integers = {filled(0, s16, {1, 2}, elements_of(s16, {300, 200})),
                                        filled(1, s16, {2, 1}, elements_of(s16, {200, 100}))};
  EXPECT_TRUE(gives(matmul(integers, s16), integers, {1, 1}, elements_of(s16, {80000 - 65536})));
}

TEST(MatMul, EmptySumsAreZero) {
  const auto f32 = DataType::f32;
  const std::vector<Filled> inputs = {filled(0, f32, {2, 0}, {}), filled(1, f32, {0, 2}, {})};
  EXPECT_TRUE(gives(matmul(inputs, f32), inputs, {2, 2}, elements_of(f32, {0, 0, 0, 0})));
}

}  // namespace
}  // namespace iotadnn::impl
