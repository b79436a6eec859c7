// SPDX-License-Identifier: Apache-2.0
// MatMul with an identity, sums of a matrix times an identity: exact for what is not finite. The
// expected values are sums of products in long double, term by term, as IEEE 754 has them.
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "iotadnn/graph.hpp"

#include "support/guarded_buffer.h"
#include "support/isa_param.h"
#include "support/numbers.h"
#include "support/oracle.h"
#include "support/random.h"

namespace iotadnn::test {
namespace {

using namespace graph;  // NOLINT(google-build-using-namespace): the API under test
using Mode = graph::graph::math_mode;

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

struct Matrix {
  int64_t rows = 0;
  int64_t columns = 0;
  std::vector<float> elements;

  float at(int64_t r, int64_t c) const { return elements[static_cast<size_t>(r * columns + c)]; }
};

Matrix identity(int64_t rows, int64_t columns, int64_t k) {
  Matrix eye{rows, columns, std::vector<float>(static_cast<size_t>(rows * columns), 0)};
  for (int64_t r = 0; r < rows; ++r)
    if (r + k >= 0 && r + k < columns) eye.elements[static_cast<size_t>(r * columns + r + k)] = 1;
  return eye;
}

Matrix product(const Matrix& a, const Matrix& b) {
  Matrix c{a.rows, b.columns, {}};
  for (int64_t r = 0; r < a.rows; ++r)
    for (int64_t n = 0; n < b.columns; ++n) {
      long double sum = 0;
      for (int64_t j = 0; j < a.columns; ++j)
        sum += static_cast<long double>(a.at(r, j)) * static_cast<long double>(b.at(j, n));
      c.elements.push_back(static_cast<float>(sum));
    }
  return c;
}

Matrix transposed(const Matrix& m) {
  Matrix turned{m.columns, m.rows, {}};
  for (int64_t r = 0; r < turned.rows; ++r)
    for (int64_t c = 0; c < turned.columns; ++c)
      turned.elements.push_back(m.at(c, r));
  return turned;
}

op eye_op(const logical_tensor& out, int64_t rows, int64_t columns, int64_t k) {
  op eye(0, op::kind::Eye, {}, {out}, "eye");
  eye.set_attr<std::vector<int64_t>>(op::attr::shape, {rows, columns});
  eye.set_attr<int64_t>(op::attr::k, k);
  return eye;
}

// A matrix of small numbers with some of its elements replaced.
Matrix numbers(Random& random, int64_t rows, int64_t columns, const std::vector<float>& specials) {
  Matrix m{rows, columns, {}};
  for (int64_t i = 0; i < rows * columns; ++i)
    m.elements.push_back(static_cast<float>(random.between(-64, 64)) / 4);
  for (const float special : specials)
    m.elements[static_cast<size_t>(random.between(0, rows * columns - 1))] = special;
  return m;
}

// Bit patterns of the type; what is finite in a matrix is exact in all of them.
std::vector<uint64_t> bits_of(int type, const Matrix& m) {
  std::vector<uint64_t> bits;
  for (const float element : m.elements)
    bits.push_back(from_real(type, static_cast<long double>(element)).bits);
  return bits;
}

class IdentitySum : public testing::TestWithParam<NamedIsa> {
 protected:
  logical_tensor tensor(size_t id, int type, const std::vector<int64_t>& dims) const {
    return {id, static_cast<logical_tensor::data_type>(type), dims,
            logical_tensor::layout_type::strided};
  }

  // The one partition of a graph of these ops.
  compiled_partition compile(const std::vector<op>& ops, Mode mode,
                             const std::vector<logical_tensor>& inputs,
                             const logical_tensor& output) {
    graph::graph g(engine::kind::cpu);
    g.set_math_mode(mode);
    for (const op& o : ops)
      g.add_op(o);
    g.finalize();
    const auto partitions = g.get_partitions();
    EXPECT_EQ(partitions.size(), 1u) << partitions.front().get_reason();
    EXPECT_TRUE(partitions.front().is_supported()) << partitions.front().get_reason();
    return partitions.front().compile(inputs, {output}, engine_);
  }

  std::vector<uint64_t> run(const compiled_partition& compiled, const logical_tensor& in,
                            const std::vector<uint64_t>& values, const logical_tensor& out,
                            size_t count, Placement placement) {
    EXPECT_EQ(compiled.get_impl(), GetParam().impl);
    const GuardedBuffer from(values.size() * bytes(in), placement);
    for (size_t i = 0; i < values.size(); ++i)
      std::memcpy(from.as<unsigned char>() + i * bytes(in), &values[i], bytes(in));
    const GuardedBuffer to(count * bytes(out), placement);
    stream s(engine_);
    compiled.execute(s, {{in, engine_, from.data()}}, {{out, engine_, to.data()}});
    s.wait();
    EXPECT_TRUE(to.margins_intact());
    std::vector<uint64_t> results(count, 0);
    for (size_t i = 0; i < count; ++i)
      std::memcpy(&results[i], to.as<unsigned char>() + i * bytes(out), bytes(out));
    return results;
  }

  static size_t bytes(const logical_tensor& t) {
    return static_cast<size_t>(type_bytes(static_cast<int>(t.get_data_type())));
  }

  // Equal under ==, NaN where it is NaN; bit for bit when strict.
  static void expect_equal(int type, const Matrix& want, const std::vector<uint64_t>& got,
                           bool strict, const std::string& what) {
    for (size_t i = 0; i < got.size(); ++i) {
      const long double expected = static_cast<long double>(want.elements[i]);
      const long double actual = real_of({type, got[i]});
      if (std::isnan(expected)) {
        ASSERT_TRUE(std::isnan(actual)) << what << " element " << i << " is " << actual;
        continue;
      }
      ASSERT_EQ(actual, expected) << what << " element " << i;
      if (strict && std::signbit(actual) != std::signbit(expected))
        FAIL() << what << " element " << i << " has the wrong sign";
    }
  }

  engine engine_{engine::kind::cpu, 0};
  ScopedMaxCpuIsa cap_{GetParam().isa};
};

const std::vector<std::vector<float>> kSpecials = {
    {},
    {-0.0f, -0.0f, -0.0f, 0.0f},
    {kInfinity},
    {-kInfinity},
    {kNan},
    {kInfinity, -kInfinity},
    {kNan, kInfinity, kInfinity},
    {1e-40f, -1e-40f, std::numeric_limits<float>::max()},
};

struct Product {
  int64_t rows;
  int64_t inner;
  int64_t columns;
  int64_t k;
};

constexpr Product kProducts[] = {
    {5, 7, 7, 0},     {5, 7, 9, 2},         {5, 9, 7, -2}, {1, 1, 3, 1},
    {4, 6, 6, 6},     {4, 6, 6, 5},         {4, 6, 6, -6}, {3, 40, 70, 17},
    {70, 33, 33, -1}, {2, 6, 5, INT64_MAX}, {3, 1, 2, 1},
};

TEST_P(IdentitySum, AMatrixTimesAnIdentity) {
  Random random;
  for (const Mode mode : {Mode::standard, Mode::strict_bits})
    for (const Product& p : kProducts)
      for (const auto& specials : kSpecials)
        for (const Placement placement : kPlacements) {
          const logical_tensor a = tensor(0, iotadnn_f32, {p.rows, p.inner});
          const logical_tensor i = tensor(1, iotadnn_f32, {p.inner, p.columns});
          const logical_tensor c = tensor(2, iotadnn_f32, {p.rows, p.columns});
          const op eye = eye_op(i, p.inner, p.columns, p.k);
          const op matmul(1, op::kind::MatMul, {a, i}, {c}, "matmul");
          const Matrix values = numbers(random, p.rows, p.inner, specials);
          const int64_t k = p.k == INT64_MAX ? p.columns : p.k;
          const Matrix want = product(values, identity(p.inner, p.columns, k));
          const auto got =
              run(compile({eye, matmul}, mode, {a}, c), a, bits_of(iotadnn_f32, values), c,
                  static_cast<size_t>(p.rows * p.columns), placement);
          expect_equal(iotadnn_f32, want, got, mode == Mode::strict_bits,
                       "k " + std::to_string(p.k));
        }
}

// The matrix is transposed, and its extents come with the tensors: one compiled partition for all.
TEST_P(IdentitySum, AMatrixOfExtentsThatAreUnknownAtCompile) {
  Random random;
  for (const Product& p : kProducts)
    for (const auto& specials : kSpecials) {
      constexpr int64_t kUnknown = IOTADNN_GRAPH_UNKNOWN_DIM;
      const logical_tensor unknown = tensor(0, iotadnn_f32, {kUnknown, kUnknown});
      const logical_tensor i = tensor(1, iotadnn_f32, {p.inner, p.columns});
      const logical_tensor c = tensor(2, iotadnn_f32, {p.rows, p.columns});
      const op eye = eye_op(i, p.inner, p.columns, p.k);
      op matmul(1, op::kind::MatMul, {unknown, i}, {c}, "matmul");
      matmul.set_attr<bool>(op::attr::transpose_a, true);
      const compiled_partition compiled = compile({eye, matmul}, Mode::standard, {unknown}, c);
      const Matrix values = numbers(random, p.inner, p.rows, specials);
      const int64_t k = p.k == INT64_MAX ? p.columns : p.k;
      const Matrix want = product(transposed(values), identity(p.inner, p.columns, k));
      const auto got =
          run(compiled, tensor(0, iotadnn_f32, {p.inner, p.rows}), bits_of(iotadnn_f32, values), c,
              static_cast<size_t>(p.rows * p.columns), Placement::start_flush);
      expect_equal(iotadnn_f32, want, got, false, "k " + std::to_string(p.k));
    }
}

TEST_P(IdentitySum, AnIdentityTimesATransposedMatrix) {
  Random random;
  for (const int type : {int{iotadnn_bf16}, int{iotadnn_f16}, int{iotadnn_f64}})
    for (const Product& p : kProducts)
      for (const auto& specials : kSpecials) {
        if (specials.size() == 3 && specials[0] == 1e-40f) continue;  // not in every type
        const logical_tensor i = tensor(1, type, {p.rows, p.inner});
        const logical_tensor b = tensor(0, type, {p.columns, p.inner});
        const logical_tensor c = tensor(2, type, {p.rows, p.columns});
        const op eye = eye_op(i, p.rows, p.inner, p.k);
        op matmul(1, op::kind::MatMul, {i, b}, {c}, "matmul");
        matmul.set_attr<bool>(op::attr::transpose_b, true);
        const Matrix values = numbers(random, p.columns, p.inner, specials);
        const int64_t k = p.k == INT64_MAX ? p.inner : p.k;
        const Matrix want = product(identity(p.rows, p.inner, k), transposed(values));
        const auto got =
            run(compile({eye, matmul}, Mode::standard, {b}, c), b, bits_of(type, values), c,
                static_cast<size_t>(p.rows * p.columns), Placement::end_flush);
        expect_equal(type, want, got, false, "k " + std::to_string(p.k));
      }
}

// The sum over the columns of A * I: 0 times what is not finite counts, too.
TEST_P(IdentitySum, TheDiagonalBySum) {
  Random random;
  for (const bool both : {false, true})
    for (const Product& p : kProducts)
      for (const auto& specials : kSpecials) {
        // Of a single column the diagonal alone says which row is picked: that is not fused.
        if (both && p.inner == 1) continue;
        const logical_tensor a = tensor(0, iotadnn_f32, {p.rows, p.inner});
        const logical_tensor i = tensor(1, iotadnn_f32, {p.rows, p.inner});
        const logical_tensor x = tensor(2, iotadnn_f32, {p.rows, p.inner});
        std::vector<int64_t> shape = {p.rows};
        if (both) shape = {1, 1};
        const logical_tensor d = tensor(3, iotadnn_f32, shape);
        const op eye = eye_op(i, p.rows, p.inner, p.k);
        const op multiply(1, op::kind::Multiply, {a, i}, {x}, "multiply");
        op sum(2, op::kind::ReduceSum, {x}, {d}, "sum");
        sum.set_attr<std::vector<int64_t>>(
            op::attr::axes, both ? std::vector<int64_t>{0, -1} : std::vector<int64_t>{1});
        sum.set_attr<bool>(op::attr::keep_dims, both);
        const Matrix values = numbers(random, p.rows, p.inner, specials);
        const int64_t k = p.k == INT64_MAX ? p.inner : p.k;
        const Matrix eyes = identity(p.rows, p.inner, k);
        Matrix want{both ? 1 : p.rows, 1, {}};
        long double total = 0;
        for (int64_t r = 0; r < p.rows; ++r) {
          long double row = 0;
          for (int64_t j = 0; j < p.inner; ++j)
            row += static_cast<long double>(values.at(r, j) * eyes.at(r, j));
          if (!both) want.elements.push_back(static_cast<float>(row));
          total += row;
        }
        if (both) want.elements.push_back(static_cast<float>(total));
        // A sum may be exact in long double and not in f64.
        if (both && specials.size() == 3 && specials[0] == 1e-40f) continue;
        const auto got =
            run(compile({eye, multiply, sum}, Mode::standard, {a}, d), a,
                bits_of(iotadnn_f32, values), d, want.elements.size(), Placement::start_flush);
        expect_equal(iotadnn_f32, want, got, false, "k " + std::to_string(p.k));
      }
}

// Under the promise of finite values the rest of the matrix is not even read.
TEST_P(IdentitySum, FiniteModeReadsTheDiagonalOnly) {
  const logical_tensor a = tensor(0, iotadnn_f32, {6, 6});
  const logical_tensor i = tensor(1, iotadnn_f32, {6, 6});
  const logical_tensor c = tensor(2, iotadnn_f32, {6, 6});
  op eye(0, op::kind::Eye, {}, {i}, "eye");
  eye.set_attr<std::vector<int64_t>>(op::attr::shape, {6, 6});
  const op multiply(1, op::kind::Multiply, {a, i}, {c}, "multiply");
  Matrix values{6, 6, std::vector<float>(36, kNan)};
  Matrix want = identity(6, 6, 0);
  for (int64_t d = 0; d < 6; ++d)
    values.elements[static_cast<size_t>(7 * d)] = want.elements[static_cast<size_t>(7 * d)] =
        static_cast<float>(d) - 2.5f;
  const auto fast = run(compile({eye, multiply}, Mode::finite, {a}, c), a,
                        bits_of(iotadnn_f32, values), c, 36, Placement::end_flush);
  // Reference and the promise's other users may do as they like with what is not finite.
  if (GetParam().isa == iotadnn_cpu_isa_reference) return;
  expect_equal(iotadnn_f32, want, fast, false, "finite");
}

INSTANTIATE_TEST_SUITE_P(Isa, IdentitySum, testing::ValuesIn(host_named_isas()),
                         named_isa_test_name);

}  // namespace
}  // namespace iotadnn::test
