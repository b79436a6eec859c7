// SPDX-License-Identifier: Apache-2.0
// MatMul on a primitive of oneDNN, alone and with what follows it, on every ISA against loops in
// double.
#include <cmath>
#include <limits>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "primitive_runner.h"
#include "support/isa_param.h"
#include "support/random.h"

namespace iotadnn::test {
namespace {

using graph::op;

constexpr double kTolerance = 1e-5;

class PrimitiveMatMul : public testing::TestWithParam<NamedIsa> {
 protected:
  std::string alone() const {
    return GetParam().isa == iotadnn_cpu_isa_reference ? "reference" : "onednn";
  }

  std::string with_epilogue() const {
    if (GetParam().isa == iotadnn_cpu_isa_reference) return "reference";
    return std::string("onednn+") + GetParam().impl;
  }

  Random random_;
  ScopedMaxCpuIsa cap_{GetParam().isa};
};

struct Product {
  std::vector<double> a, b, out;  // [batch, m, k], [batch or 1, k, n], [batch, m, n]
};

// b has one matrix for all of the batch where that says so.
Product product_of(int64_t batch, int64_t m, int64_t n, int64_t k, bool shared, Random& random) {
  Product p;
  p.a = random_values(batch * m * k, random);
  p.b = random_values((shared ? 1 : batch) * k * n, random);
  for (int64_t i = 0; i < batch * m * n; ++i) {
    const int64_t row = i / n;
    const int64_t first = (shared ? 0 : row / m) * k * n + i % n;
    double sum = 0;
    for (int64_t j = 0; j < k; ++j)
      sum += p.a[static_cast<size_t>(row * k + j)] * p.b[static_cast<size_t>(first + j * n)];
    p.out.push_back(sum);
  }
  return p;
}

// [batch, rows, columns] with its matrices transposed.
std::vector<double> transposed(const std::vector<double>& values, int64_t rows, int64_t columns) {
  std::vector<double> result(values.size());
  for (size_t i = 0; i < values.size(); ++i) {
    const auto at = static_cast<int64_t>(i);
    const int64_t matrix = at / (rows * columns);
    const int64_t row = at / columns % rows;
    result[static_cast<size_t>((matrix * columns + at % columns) * rows + row)] = values[i];
  }
  return result;
}

TEST_P(PrimitiveMatMul, EveryFormOfOperands) {
  for (const int64_t m : {1, 5, 33})
    for (const int64_t n : {1, 7, 40})
      for (const int64_t k : {1, 3, 65})
        for (const int form : {0, 1, 2, 3, 4, 5}) {
          const bool transpose_a = (form & 1) != 0;
          const bool transpose_b = (form & 2) != 0;
          const bool shared = form == 4;  // the second operand lacks the batch
          const Product p = product_of(6, m, n, k, shared, random_);
          AttentionBuilder b(form == 5);
          const auto x = transpose_a ? b.input({2, 3, k, m}, data_type::f32, transposed(p.a, m, k))
                                     : b.input({2, 3, m, k}, data_type::f32, p.a, true);
          const auto y = shared ? b.input({k, n}, data_type::f32, p.b)
                         : transpose_b
                             ? b.input({2, 3, n, k}, data_type::f32, transposed(p.b, k, n))
                             : b.input({2, 3, k, n}, data_type::f32, p.b, true);
          op& matmul =
              b.add(op::kind::MatMul, {x, y}, {b.output({2, 3, m, n}, data_type::f32, true)});
          matmul.set_attr<bool>(op::attr::transpose_a, transpose_a);
          matmul.set_attr<bool>(op::attr::transpose_b, transpose_b);
          // A sum of one term is a program like others.
          const std::string impl = run_as_one(b);
          ASSERT_EQ(impl, k == 1 ? GetParam().impl : alone());
          expect_near(b.elements(0), p.out, kTolerance,
                      "form " + std::to_string(form) + ", " + std::to_string(m) + "x" +
                          std::to_string(n) + "x" + std::to_string(k));
          if (HasFatalFailure()) return;
        }
}

TEST_P(PrimitiveMatMul, Vectors) {
  const Product p = product_of(1, 1, 9, 17, false, random_);
  AttentionBuilder row(false);
  row.add(op::kind::MatMul,
          {row.input({17}, data_type::f32, p.a), row.input({17, 9}, data_type::f32, p.b)},
          {row.output({9}, data_type::f32, false)});
  EXPECT_EQ(run_as_one(row), alone());
  expect_near(row.elements(0), p.out, kTolerance, "a vector by a matrix");
  AttentionBuilder column(false);
  op& matmul = column.add(
      op::kind::MatMul,
      {column.input({17, 9}, data_type::f32, p.b), column.input({17}, data_type::f32, p.a)},
      {column.output({9}, data_type::f32, false)});
  matmul.set_attr<bool>(op::attr::transpose_a, true);
  EXPECT_EQ(run_as_one(column), alone());
  expect_near(column.elements(0), p.out, kTolerance, "a matrix by a vector");
}

TEST_P(PrimitiveMatMul, BiasThenReLUInPlace) {
  const Product p = product_of(2, 30, 19, 8, true, random_);
  const std::vector<double> bias = random_values(19, random_);
  AttentionBuilder b(false);
  const auto sum =
      b.apply(op::kind::MatMul,
              {b.input({2, 30, 8}, data_type::f32, p.a), b.input({8, 19}, data_type::f32, p.b),
               b.input({19}, data_type::f32, bias)},
              {2, 30, 19}, data_type::f32);
  b.add(op::kind::ReLU, {sum}, {b.output({2, 30, 19}, data_type::f32, false)});
  EXPECT_EQ(run_as_one(b), with_epilogue());
  std::vector<double> want;
  for (size_t i = 0; i < p.out.size(); ++i)
    want.push_back(std::max(0.0, p.out[i] + bias[i % 19]));
  expect_near(b.elements(0), want, kTolerance, "bias and ReLU");
}

// The mask's GenIndex reads the result, too; the product itself is handed out beside it.
TEST_P(PrimitiveMatMul, CausalMaskAndTheProductItself) {
  for (const bool hands_out : {false, true}) {
    const Product p = product_of(3, 21, 25, 11, false, random_);
    AttentionBuilder b(false);
    const auto x = b.input({3, 21, 11}, data_type::f32, p.a);
    const auto y = b.input({3, 11, 25}, data_type::f32, p.b);
    const dims d{3, 21, 25};
    const auto product =
        hands_out ? b.output(d, data_type::f32, false) : b.value(d, data_type::f32);
    b.add(op::kind::MatMul, {x, y}, {product});
    const auto keeps = b.apply(op::kind::GreaterEqual, {b.index(product, -2), b.index(product, -1)},
                               d, data_type::boolean);
    const auto masked = b.input({1}, data_type::f32, {-std::numeric_limits<double>::infinity()});
    const auto result = b.output(d, data_type::f32, false);
    b.add(op::kind::Select, {keeps, product, masked}, {result});
    if (hands_out) b.add(op::kind::End, {product}, {});
    EXPECT_EQ(run_as_one(b, hands_out ? 1 : 0), with_epilogue());
    std::vector<double> want;
    for (size_t i = 0; i < p.out.size(); ++i)
      want.push_back(i / 25 % 21 >= i % 25 ? p.out[i] : -std::numeric_limits<double>::infinity());
    expect_near(b.elements(hands_out ? 1 : 0), want, kTolerance, "causal mask");
    if (hands_out) expect_near(b.elements(0), p.out, kTolerance, "the product");
  }
}

// Where the result is read elsewhere than what is written, it needs memory of its own.
TEST_P(PrimitiveMatMul, ResultThatCannotBeInPlace) {
  const Product p = product_of(1, 13, 13, 6, false, random_);
  AttentionBuilder b(false);
  const dims d{13, 13};
  const auto product =
      b.apply(op::kind::MatMul,
              {b.input({13, 6}, data_type::f32, p.a), b.input({6, 13}, data_type::f32, p.b)}, d,
              data_type::f32);
  const auto turned = b.value(d, data_type::f32);
  b.add(op::kind::StaticTranspose, {product}, {turned})
      .set_attr<std::vector<int64_t>>(op::attr::order, {1, 0});
  b.add(op::kind::Add, {product, turned}, {b.output(d, data_type::f32, false)});
  EXPECT_EQ(run_as_one(b), with_epilogue());
  const std::vector<double> other = transposed(p.out, 13, 13);
  std::vector<double> want;
  for (size_t i = 0; i < other.size(); ++i)
    want.push_back(p.out[i] + other[i]);
  expect_near(b.elements(0), want, 2 * kTolerance, "a product and its transpose");
}

TEST_P(PrimitiveMatMul, ResultOfOneElementIsNoScalar) {
  AttentionBuilder b(false);
  const auto product =
      b.apply(op::kind::MatMul,
              {b.input({1, 2}, data_type::f32, {3, 4}), b.input({2, 1}, data_type::f32, {5, 6})},
              {1, 1}, data_type::f32);
  b.add(op::kind::Exp, {b.apply(op::kind::Log, {product}, {1, 1}, data_type::f32)},
        {b.output({1, 1}, data_type::f32, false)});
  EXPECT_EQ(run_as_one(b), with_epilogue());
  expect_near(b.elements(0), {39}, 1e-3, "one element");
}

TEST_P(PrimitiveMatMul, NothingToSumOrToWrite) {
  AttentionBuilder b(false);
  b.add(op::kind::MatMul,
        {b.input({2, 0}, data_type::f32, {}), b.input({0, 3}, data_type::f32, {})},
        {b.output({2, 3}, data_type::f32, false)});
  EXPECT_EQ(run_as_one(b), "reference");
  EXPECT_EQ(b.elements(0), std::vector<double>(6, 0.0));
  AttentionBuilder empty(false);
  empty.add(op::kind::MatMul,
            {empty.input({0, 4}, data_type::f32, {}),
             empty.input({4, 3}, data_type::f32, std::vector<double>(12, 1))},
            {empty.output({0, 3}, data_type::f32, false)});
  run_as_one(empty);
}

// Shapes that come with the tensors: one compiled partition, several shapes and threads at once.
TEST_P(PrimitiveMatMul, ShapesAtRunOnManyThreads) {
  const auto strided = graph::logical_tensor::layout_type::strided;
  const graph::logical_tensor x(0, data_type::f32, 2, strided);
  const graph::logical_tensor y(1, data_type::f32, 2, strided);
  const graph::logical_tensor z(2, data_type::f32, 2, strided);
  const graph::logical_tensor out(3, data_type::f32, 2, strided);
  graph::graph g(graph::engine::kind::cpu);
  g.add_op(op(0, op::kind::MatMul, {x, y}, {z}, "matmul"));
  g.add_op(op(1, op::kind::ReLU, {z}, {out}, "relu"));
  g.finalize();
  const auto partitions = g.get_partitions();
  ASSERT_EQ(partitions.size(), 1u);
  const graph::engine eng(graph::engine::kind::cpu, 0);
  const auto compiled = partitions[0].compile({x, y}, {out}, eng);
  std::vector<Product> products;
  for (const int64_t n : {3, 8, 21, 50})
    products.push_back(product_of(1, n, n + 1, 2 * n, false, random_));
  const auto run = [&](const Product& p, int64_t n) {
    AttentionBuilder b(false);
    b.input({n, 2 * n}, data_type::f32, p.a);
    b.input({2 * n, n + 1}, data_type::f32, p.b);
    b.output({n, n + 1}, data_type::f32, false);
    graph::stream st(eng);
    for (int i = 0; i < 20; ++i)
      compiled.execute(st, b.in_tensors, b.out_tensors);
    std::vector<double> want;
    for (const double value : p.out)
      want.push_back(std::max(0.0, value));
    expect_near(b.elements(0), want, kTolerance, "extent " + std::to_string(n));
  };
  std::vector<std::thread> threads;
  for (size_t t = 0; t < 8; ++t)
    threads.emplace_back([&, t] {
      const int64_t extents[] = {3, 8, 21, 50};
      run(products[t % 4], extents[t % 4]);
    });
  for (std::thread& thread : threads)
    thread.join();
}

// f16 has no primitive: the op stays with the host, with a sentence.
TEST_P(PrimitiveMatMul, TypesWithoutAPrimitive) {
  AttentionBuilder b(false);
  const std::vector<double> ones(4, 1);
  b.add(op::kind::MatMul,
        {b.input({2, 2}, data_type::f16, ones), b.input({2, 2}, data_type::f16, ones)},
        {b.output({2, 2}, data_type::f16, false)});
  const auto partitions = graph_of(b).get_partitions();
  ASSERT_EQ(partitions.size(), 1u);
  EXPECT_FALSE(partitions[0].is_supported());
  EXPECT_EQ(partitions[0].get_reason(),
            "MatMul 'op0': input 0 (src) is f16, and oneDNN's primitives are used for f32 and bf16 "
            "only, so it stays with the host");
}

// Where the processor's oneDNN has bf16; elsewhere it is refused with a sentence.
TEST_P(PrimitiveMatMul, Bf16WhereThereIsAPrimitive) {
  const Product p = product_of(1, 20, 24, 16, false, random_);
  std::vector<double> a, c;
  for (const double value : p.a)
    a.push_back(rounded(data_type::bf16, value));
  for (const double value : p.b)
    c.push_back(rounded(data_type::bf16, value));
  AttentionBuilder b(false);
  b.add(op::kind::MatMul,
        {b.input({20, 16}, data_type::bf16, a), b.input({16, 24}, data_type::bf16, c)},
        {b.output({20, 24}, data_type::bf16, false)});
  const auto partitions = graph_of(b).get_partitions();
  if (!partitions[0].is_supported()) {
    EXPECT_NE(partitions[0].get_reason().find("no bf16 on this processor"), std::string::npos)
        << partitions[0].get_reason();
    return;
  }
  run_as_one(b);
  std::vector<double> want;
  for (int64_t i = 0; i < 20 * 24; ++i) {
    double sum = 0;
    for (int64_t j = 0; j < 16; ++j)
      sum += a[static_cast<size_t>(i / 24 * 16 + j)] * c[static_cast<size_t>(j * 24 + i % 24)];
    want.push_back(sum);
  }
  expect_near(b.elements(0), want, 0.1, "bf16");
}

INSTANTIATE_TEST_SUITE_P(Isas, PrimitiveMatMul, testing::ValuesIn(host_named_isas()),
                         named_isa_test_name);

}  // namespace
}  // namespace iotadnn::test
