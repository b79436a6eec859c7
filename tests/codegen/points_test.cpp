// SPDX-License-Identifier: Apache-2.0
#include <cstring>
#include <vector>

#include <gtest/gtest.h>

#include "codegen/kernel_check.h"
#include "support/layer_isa_param.h"
#include "support/sizes.h"
#include "support/strided.h"

namespace iotadnn::test {
namespace {

using impl::Isa;
using impl::Store;
using impl::Walk;

class PointsWalk : public testing::TestWithParam<KernelTestParam> {
 protected:
  Isa isa() const { return std::get<0>(GetParam()); }

  int width() const { return std::get<1>(GetParam()); }

  Store store() const { return std::get<2>(GetParam()); }

  impl::RowProgram eye(int rank, uint64_t zero = 0) const {
    return eye_program(rank, width(), zero, 0x8182838485868788u);
  }

  KernelCase eye_case(const std::vector<int64_t>& dims, int64_t k, uint64_t zero = 0) const {
    return {eye(static_cast<int>(dims.size()), zero), dims, dense_strides(dims), {k}};
  }

  std::shared_ptr<const impl::Kernel> points_kernel(const impl::RowProgram& program) const {
    return compile(program, isa(), Walk::points, store());
  }

  void expect_all(const KernelCase& c) {
    const auto kernel = points_kernel(c.program);
    ASSERT_NE(kernel, nullptr);
    EXPECT_TRUE(kernel_writes_all(*kernel, Walk::points, c));
  }
};

TEST_P(PointsWalk, WritesOneMatrixOfAnySize) {
  const auto kernel = points_kernel(eye(2));
  ASSERT_NE(kernel, nullptr);
  std::vector<int64_t> sizes = vector_edges_of_type(width());
  sizes.erase(sizes.begin());
  for (const int64_t columns : sizes)
    for (const int64_t rows : {1, 2, 5, 40})
      for (const int64_t k : {int64_t{0}, int64_t{-1}, columns / 2})
        EXPECT_TRUE(kernel_writes_all(*kernel, Walk::points, eye_case({rows, columns}, k)));
}

TEST_P(PointsWalk, WritesOnlyTheConstantForExtremeOffsets) {
  for (const int64_t k :
       {kMin, kMin + 1, int64_t{-6}, int64_t{-5}, int64_t{99}, int64_t{100}, kMax - 1, kMax})
    expect_all(eye_case({6, 100}, k));
}

TEST_P(PointsWalk, RepeatsMatrices) {
  for (const int64_t k : {-3, 0, 2}) {
    expect_all(eye_case({5, 7, 40}, k));
    expect_all(eye_case({2, 3, 40, 7}, k));
    expect_all(eye_case({30, 3, 3}, k));
    expect_all(eye_case({40, 1, 1}, k));
    expect_all(eye_case({30, 9, 1}, k));
  }
}

TEST_P(PointsWalk, TakesAnyConstants) {
  expect_all(eye_case({20, 33}, 1, 0x0101010101010101u));
  expect_all(eye_case({20, 33}, 1, 0x123456789abcdef1u));
}

TEST_P(PointsWalk, DoesAnyRangeOfElements) {
  const KernelCase c = eye_case({3, 4, 9}, 1);
  const auto kernel = points_kernel(c.program);
  ASSERT_NE(kernel, nullptr);
  for (int64_t begin = 0; begin <= 108; begin += 5)
    for (int64_t end = begin; end <= 108; end += 3)
      ASSERT_TRUE(kernel_writes(*kernel, Walk::points, c, begin, end));
  const KernelCase large = eye_case({70, 90}, -2);
  const auto large_kernel = points_kernel(large.program);
  for (const int64_t begin : {0, 1, 17, 90, 179, 1000, 6299})
    for (const int64_t end : {6300, 6299, 6289, 6111, 4444})
      ASSERT_TRUE(kernel_writes(*large_kernel, Walk::points, large, begin, std::max(begin, end)));
}

TEST_P(PointsWalk, CrossesBlocks) {
  const int64_t rows = 600;
  const int64_t columns = 1600 / width();
  expect_all(eye_case({rows, columns}, 3));
  expect_all(eye_case({2, rows / 2, columns}, -5));
}

TEST_P(PointsWalk, WritesToAddressesThatAreNotAlignedToAnElement) {
  const impl::RowProgram program = eye(2);
  const auto kernel = points_kernel(program);
  ASSERT_NE(kernel, nullptr);
  const int64_t n = 100;
  std::vector<uint8_t> out(static_cast<size_t>(n * n * width() + 2), 0xee);
  const int64_t extents[] = {n, n};
  const int64_t strides[] = {n, 1};
  const int64_t k = 0;
  impl::RunArgs args;
  args.dst = out.data() + 1;
  args.extents = extents;
  args.strides = strides;
  args.scalars = &k;
  args.end = n * n;
  kernel->run(args);
  EXPECT_EQ(out.front(), 0xee);
  EXPECT_EQ(out.back(), 0xee);
  const uint64_t one = 0x8182838485868788u;
  for (int64_t i = 0; i < n * n; i++) {
    const uint64_t want = i % (n + 1) == 0 ? one : 0;
    ASSERT_EQ(std::memcmp(out.data() + 1 + i * width(), &want, static_cast<size_t>(width())), 0)
        << "element " << i;
  }
}

TEST(PointsWalkApplies, ToADiagonalOfConstantsOnly) {
  impl::RowProgram program = eye_program(3, 4, 0, 1);
  EXPECT_TRUE(impl::walk_applies(program, Walk::points));
  program.predicates[0].hi.imm = 2;
  EXPECT_FALSE(impl::walk_applies(program, Walk::points)) << "two columns wide";
  program = eye_program(3, 4, 0, 1);
  program.predicates[0].lo.terms[0].index = program.predicates[0].hi.terms[0].index = 0;
  EXPECT_FALSE(impl::walk_applies(program, Walk::points)) << "follows another coordinate";
  program = eye_program(3, 4, 0, 1);
  program.bodies[1].insts[0] = {impl::Opcode::coord, 2};
  EXPECT_FALSE(impl::walk_applies(program, Walk::points)) << "points are not constant";
  EXPECT_FALSE(impl::walk_applies(gen_index_program(2, 1, 4), Walk::points));
}

TEST(PointsWalkFits, DenseOutputsOnly) {
  const impl::RowProgram program = eye_program(3, 4, 0, 1);
  const int64_t extents[] = {4, 1, 9};
  const int64_t dense[] = {9, 9, 1};
  const int64_t any_for_extent_one[] = {9, 77, 1};
  const int64_t padded[] = {10, 10, 1};
  const int64_t permuted[] = {1, 4, 4};
  EXPECT_TRUE(impl::walk_fits(program, Walk::points, extents, dense));
  EXPECT_TRUE(impl::walk_fits(program, Walk::points, extents, any_for_extent_one));
  EXPECT_FALSE(impl::walk_fits(program, Walk::points, extents, padded));
  EXPECT_FALSE(impl::walk_fits(program, Walk::points, extents, permuted));
}

INSTANTIATE_TEST_SUITE_P(
    All, PointsWalk,
    testing::Combine(testing::ValuesIn(host_jit_isas()), testing::Values(1, 2, 4, 8),
                     testing::Values(Store::normal, Store::nontemporal, Store::rep)),
    kernel_test_name);
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(PointsWalk);

}  // namespace
}  // namespace iotadnn::test
