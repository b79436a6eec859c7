// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstring>
#include <numeric>
#include <tuple>
#include <vector>

#include <gtest/gtest.h>

#include "codegen/kernel_check.h"
#include "support/layer_isa_param.h"
#include "support/random.h"
#include "support/sizes.h"
#include "support/strided.h"

namespace iotadnn::test {
namespace {

using impl::Isa;
using impl::Opcode;
using impl::RowProgram;
using impl::Store;
using impl::Walk;

// Every ISA x element width x way to store.
class RowsWalk : public testing::TestWithParam<std::tuple<Isa, int, Store>> {
 protected:
  Isa isa() const { return std::get<0>(GetParam()); }

  int width() const { return std::get<1>(GetParam()); }

  Store store() const { return std::get<2>(GetParam()); }

  // All ones in the upper bytes too, so that a wrong width shows.
  uint64_t one() const { return 0x8182838485868788u; }

  std::shared_ptr<const impl::Kernel> rows_kernel(const RowProgram& program) const {
    return compile(program, isa(), Walk::rows, store());
  }

  std::vector<int64_t> row_lengths() const {
    std::vector<int64_t> lengths = vector_edges_of_type(width());
    lengths.erase(lengths.begin());  // kernels are not run on empty outputs
    for (const int64_t length : {6 * 64 / width() + 1, 1000})
      lengths.push_back(length);
    return lengths;
  }

  void expect_all(const impl::Kernel& kernel, const KernelCase& c) {
    EXPECT_TRUE(kernel_writes_all(kernel, Walk::rows, c));
  }
};

TEST_P(RowsWalk, NamesTheKernelInWords) {
  const auto kernel = rows_kernel(eye_program(2, width(), 0, one()));
  ASSERT_NE(kernel, nullptr);
  EXPECT_EQ(kernel->name(), "iotadnn_rows_r2_w" + std::to_string(width()) + "_p1" +
                                (store() == Store::nontemporal ? "_nt" : ""));
  EXPECT_GT(kernel->code().size, 0u);
}

TEST_P(RowsWalk, WritesTheDiagonalWithinEveryRowLength) {
  const auto kernel = rows_kernel(eye_program(2, width(), 0, one()));
  ASSERT_NE(kernel, nullptr);
  for (const int64_t columns : row_lengths())
    for (const int64_t k : {int64_t{0}, int64_t{1}, int64_t{-2}, columns - 3})
      expect_all(*kernel, {eye_program(2, width(), 0, one()), {5, columns}, {columns, 1}, {k}});
}

TEST_P(RowsWalk, WritesNothingButTheDiagonalForExtremeOffsets) {
  const auto kernel = rows_kernel(eye_program(2, width(), 0, one()));
  ASSERT_NE(kernel, nullptr);
  for (const int64_t k : {kMin, kMin + 1, int64_t{-3}, int64_t{-4}, int64_t{69}, int64_t{70},
                          kMax - 2, kMax - 1, kMax})
    expect_all(*kernel, {eye_program(2, width(), 0, one()), {4, 70}, {70, 1}, {k}});
}

TEST_P(RowsWalk, LeavesGapsBetweenRowsAlone) {
  const auto kernel = rows_kernel(eye_program(2, width(), one(), 7));
  ASSERT_NE(kernel, nullptr);
  for (const int64_t columns : row_lengths())
    for (const int64_t gap : {1, 3})
      expect_all(*kernel,
                 {eye_program(2, width(), one(), 7), {4, columns}, {columns + gap, 1}, {1}});
}

TEST_P(RowsWalk, FollowsAnyStrideOfTheLastDimension) {
  const auto kernel = rows_kernel(eye_program(2, width(), 0, one()));
  ASSERT_NE(kernel, nullptr);
  expect_all(*kernel, {eye_program(2, width(), 0, one()), {4, 37}, {1, 4}, {2}});
  expect_all(*kernel, {eye_program(2, width(), 0, one()), {37, 4}, {2, 75}, {-1}});
  expect_all(*kernel, {eye_program(2, width(), 0, one()), {9, 1}, {2, 55}, {-1}});
}

TEST_P(RowsWalk, WritesTheCoordinateOfEveryAxis) {
  const std::vector<int64_t> dims = {3, 2, 5, 70};
  for (int axis = 0; axis < 4; axis++) {
    const RowProgram program = gen_index_program(4, axis, width());
    const auto kernel = rows_kernel(program);
    ASSERT_NE(kernel, nullptr);
    expect_all(*kernel, {program, dims, dense_strides(dims), {}});
    expect_all(*kernel, {program, dims, permuted_strides(dims, {2, 0, 1, 3}, 2), {}});
    expect_all(*kernel, {program, dims, permuted_strides(dims, {3, 1, 0, 2}, 1), {}});
  }
}

// Expectations from the definition, not from the interpreter.
TEST_P(RowsWalk, RampWrapsInTheElementWidth) {
  const int64_t columns = 70000;
  const RowProgram program = gen_index_program(1, 0, width());
  const auto kernel = rows_kernel(program);
  ASSERT_NE(kernel, nullptr);
  std::vector<uint8_t> out(static_cast<size_t>(columns * width()));
  const int64_t stride = 1;
  impl::RunArgs args;
  args.dst = out.data();
  args.extents = &columns;
  args.strides = &stride;
  args.end = 1;
  kernel->run(args);
  for (int64_t i = 0; i < columns; i++)
    ASSERT_EQ(std::memcmp(out.data() + i * width(), &i, static_cast<size_t>(width())), 0)
        << "column " << i;
}

TEST_P(RowsWalk, DoesAnyRangeOfRows) {
  const RowProgram program = gen_index_program(3, 1, width());
  const auto kernel = rows_kernel(program);
  ASSERT_NE(kernel, nullptr);
  const std::vector<int64_t> dims = {3, 4, 9};
  const KernelCase c = {program, dims, dense_strides(dims), {}};
  for (int64_t begin = 0; begin <= 12; begin++)
    for (int64_t end = begin; end <= 12; end++)
      ASSERT_TRUE(kernel_writes(*kernel, Walk::rows, c, begin, end));
}

TEST_P(RowsWalk, RunsRankTwelve) {
  const std::vector<int64_t> dims = {2, 1, 2, 1, 3, 1, 1, 2, 1, 2, 2, 5};
  for (const int axis : {0, 4, 10, 11}) {
    const RowProgram program = gen_index_program(12, axis, width());
    const auto kernel = rows_kernel(program);
    ASSERT_NE(kernel, nullptr);
    const KernelCase c = {program, dims, dense_strides(dims), {}};
    expect_all(*kernel, c);
    EXPECT_TRUE(kernel_writes(*kernel, Walk::rows, c, 17, 83));
  }
}

TEST_P(RowsWalk, WritesToAddressesThatAreNotAlignedToAnElement) {
  const RowProgram program = eye_program(2, width(), 0, one());
  const auto kernel = rows_kernel(program);
  ASSERT_NE(kernel, nullptr);
  const int64_t n = 300;
  std::vector<uint8_t> out(static_cast<size_t>(n * n * width() + 2), 0xee);
  const int64_t extents[] = {n, n};
  const int64_t strides[] = {n, 1};
  const int64_t k = 0;
  impl::RunArgs args;
  args.dst = out.data() + 1;
  args.extents = extents;
  args.strides = strides;
  args.scalars = &k;
  args.end = n;
  kernel->run(args);
  EXPECT_EQ(out.front(), 0xee);
  EXPECT_EQ(out.back(), 0xee);
  for (int64_t i = 0; i < n * n; i++) {
    const uint64_t want = i % (n + 1) == 0 ? one() : 0;
    ASSERT_EQ(std::memcmp(out.data() + 1 + i * width(), &want, static_cast<size_t>(width())), 0)
        << "element " << i;
  }
}

// Random programs of up to four predicates, over any coordinate, with bodies of every kind.
class RandomProgram {
 public:
  explicit RandomProgram(Random& random) : random_(random) {}

  RowProgram make(int rank, int width) {
    RowProgram program;
    program.rank = rank;
    program.elem_bytes = width;
    program.num_scalars = 2;
    const int64_t predicates = random_.between(0, impl::kMaxPredicates);
    for (int64_t p = 0; p < predicates; p++)
      program.predicates.push_back(predicate(rank));
    for (int64_t b = 0; b < int64_t{1} << predicates; b++)
      program.bodies.push_back(body(rank));
    return program;
  }

 private:
  impl::Predicate predicate(int rank) {
    impl::Predicate p;
    p.axis = static_cast<uint8_t>(random_.coin() ? rank - 1 : random_.between(0, rank - 1));
    p.lo = bound(rank, p.axis);
    p.hi = bound(rank, p.axis);
    return p;
  }

  impl::Bound bound(int rank, int axis) {
    impl::Bound b;
    for (int64_t terms = random_.between(0, 3); terms > 0; terms--) {
      impl::Term t;
      t.kind = random_.coin() ? impl::Term::Kind::coord : impl::Term::Kind::scalar;
      if (rank == 1) t.kind = impl::Term::Kind::scalar;
      t.index = static_cast<uint8_t>(
          t.kind == impl::Term::Kind::coord ? random_.between(0, rank - 2) : random_.between(0, 1));
      t.negated = random_.coin();
      if (t.kind == impl::Term::Kind::coord && t.index == axis) continue;
      b.terms.push_back(t);
    }
    b.imm = random_.pick<int64_t>({0, 1, 5, -3, 20, kMin, kMax});
    return b;
  }

  impl::Body body(int rank) {
    if (random_.coin()) return {{{Opcode::constant, static_cast<uint64_t>(random_.between(0, 3))}}};
    return {{{Opcode::coord, static_cast<uint64_t>(random_.between(0, rank - 1))}}};
  }

  Random& random_;
};

TEST_P(RowsWalk, RunsRandomProgramsAsTheInterpreterDoes) {
  Random random;
  RandomProgram programs(random);
  for (int i = 0; i < 60; i++) {
    const int rank = static_cast<int>(random.between(1, 4));
    KernelCase c;
    c.program = programs.make(rank, width());
    for (int d = 0; d < rank - 1; d++)
      c.dims.push_back(random.between(1, 4));
    c.dims.push_back(random.pick(row_lengths()) % 300 + 1);
    std::vector<int> order(static_cast<size_t>(rank));
    std::iota(order.begin(), order.end(), 0);
    if (random.coin()) std::shuffle(order.begin(), order.end(), random.engine());
    c.strides = permuted_strides(c.dims, order, random.between(0, 1));
    c.scalars = {random.pick<int64_t>({0, 3, -7, 40, kMin, kMax}), random.between(-50, 50)};
    const auto kernel = rows_kernel(c.program);
    ASSERT_NE(kernel, nullptr);
    ASSERT_TRUE(kernel_writes_all(*kernel, Walk::rows, c));
  }
}

INSTANTIATE_TEST_SUITE_P(All, RowsWalk,
                         testing::Combine(testing::ValuesIn(host_jit_isas()),
                                          testing::Values(1, 2, 4, 8),
                                          testing::Values(Store::normal, Store::nontemporal)),
                         kernel_test_name);
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(RowsWalk);

}  // namespace
}  // namespace iotadnn::test
