// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstring>
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

class RingWalk : public testing::TestWithParam<KernelTestParam> {
 protected:
  Isa isa() const { return std::get<0>(GetParam()); }

  int width() const { return std::get<1>(GetParam()); }

  Store store() const { return std::get<2>(GetParam()); }

  KernelCase dense_case(const RowProgram& program, const std::vector<int64_t>& dims,
                        const std::vector<int64_t>& scalars = {}) const {
    return {program, dims, dense_strides(dims), scalars};
  }

  std::shared_ptr<const impl::Kernel> ring_kernel(const RowProgram& program) const {
    return compile(program, isa(), Walk::ring, store());
  }

  // False when lanes of this width cannot hold the coordinates; then nothing is run.
  bool expect_all(const impl::Kernel& kernel, const KernelCase& c) {
    if (!impl::walk_fits(c.program, Walk::ring, c.dims.data(), c.strides.data())) return false;
    EXPECT_TRUE(kernel_writes_all(kernel, Walk::ring, c));
    return true;
  }

  bool expect_all(const KernelCase& c) {
    const auto kernel = ring_kernel(c.program);
    return kernel != nullptr && expect_all(*kernel, c);
  }
};

TEST_P(RingWalk, CountsLastAxisOfAnyExtent) {
  const RowProgram program = gen_index_program(2, 1, width());
  const auto kernel = ring_kernel(program);
  ASSERT_NE(kernel, nullptr);
  for (int64_t extent = 1; extent <= 70; extent++)
    EXPECT_TRUE(expect_all(*kernel, dense_case(program, {900 / extent + 3, extent})));
  for (const int64_t extent : {100, 127, 128})
    EXPECT_TRUE(expect_all(*kernel, dense_case(program, {11, extent})));
  EXPECT_EQ(expect_all(*kernel, dense_case(program, {7, 129})), width() > 1);
  EXPECT_EQ(expect_all(*kernel, dense_case(program, {2, 33000})), width() > 2);
}

TEST_P(RingWalk, WritesEveryLengthOfStream) {
  const RowProgram program = gen_index_program(1, 0, width());
  const auto kernel = ring_kernel(program);
  ASSERT_NE(kernel, nullptr);
  for (int64_t length = 1; length <= 18 * 64 / width(); length += (length < 140 ? 1 : 13))
    EXPECT_TRUE(expect_all(*kernel, dense_case(program, {length})));
}

TEST_P(RingWalk, CountsMiddleAndOuterAxes) {
  for (const std::vector<int64_t>& dims :
       {std::vector<int64_t>{5, 3, 2}, {4, 17, 5}, {6, 1, 3}, {3, 5, 1}, {2, 3, 40}, {90, 2, 2}})
    for (int axis = 0; axis < 3; axis++)
      EXPECT_TRUE(expect_all(dense_case(gen_index_program(3, axis, width()), dims)));
  EXPECT_TRUE(expect_all(dense_case(gen_index_program(5, 3, width()), {2, 2, 2, 7, 3})));
  EXPECT_TRUE(expect_all(dense_case(gen_index_program(5, 2, width()), {3, 2, 9, 2, 2})));
}

TEST_P(RingWalk, WritesSmallIdentities) {
  const RowProgram program = eye_program(3, width(), 0, 0x8182838485868788u);
  const auto kernel = ring_kernel(program);
  ASSERT_NE(kernel, nullptr);
  for (const std::vector<int64_t>& dims : {std::vector<int64_t>{100, 3, 3},
                                           {77, 4, 4},
                                           {9, 16, 16},
                                           {30, 2, 5},
                                           {30, 5, 2},
                                           {300, 1, 1},
                                           {1, 20, 20}})
    for (const int64_t k : {int64_t{0}, int64_t{1}, int64_t{-1}, int64_t{-4}, int64_t{5}, kMin,
                            kMin + 1, kMax - 1, kMax})
      EXPECT_TRUE(expect_all(*kernel, dense_case(program, dims, {k})));
  EXPECT_EQ(expect_all(*kernel, dense_case(program, {2, 100, 100}, {0})), width() > 1);
}

TEST_P(RingWalk, DoesAnyRangeOfElements) {
  const KernelCase c = dense_case(gen_index_program(3, 1, width()), {5, 7, 3});
  const auto kernel = ring_kernel(c.program);
  ASSERT_NE(kernel, nullptr);
  for (int64_t begin = 0; begin <= 105; begin += 3)
    for (int64_t end = begin; end <= 105; end += 4)
      ASSERT_TRUE(kernel_writes(*kernel, Walk::ring, c, begin, end));
  const KernelCase large = dense_case(c.program, {30, 17, 5});
  for (const int64_t begin : {0, 1, 13, 85, 1000})
    for (const int64_t end : {2550, 2549, 2491, 2000, 1001})
      ASSERT_TRUE(kernel_writes(*kernel, Walk::ring, large, begin, end));
}

TEST_P(RingWalk, EvaluatesIntervalsPerLane) {
  Random random;
  for (int i = 0; i < 60; i++) {
    RowProgram program;
    program.rank = 3;
    program.elem_bytes = width();
    program.num_scalars = 2;
    const int64_t predicates = random.between(1, 2);
    for (int64_t p = 0; p < predicates; p++) {
      impl::Predicate predicate;
      predicate.axis = static_cast<uint8_t>(random.coin() ? 2 : random.between(0, 2));
      for (impl::Bound* bound : {&predicate.lo, &predicate.hi}) {
        for (uint8_t c = 0; c < 2; c++)
          if (c != predicate.axis && random.coin())
            bound->terms.push_back({impl::Term::Kind::coord, c, random.coin()});
        if (random.coin())
          bound->terms.push_back({impl::Term::Kind::scalar,
                                  static_cast<uint8_t>(random.between(0, 1)), random.coin()});
        bound->imm = random.between(-3, 3);
      }
      program.predicates.push_back(predicate);
    }
    for (int64_t b = 0; b < int64_t{1} << predicates; b++)
      program.bodies.push_back(
          {{random.coin()
                ? impl::Inst{Opcode::constant, static_cast<uint64_t>(b)}
                : impl::Inst{Opcode::coord, static_cast<uint64_t>(random.between(0, 2))}}});
    ASSERT_TRUE(impl::walk_applies(program, Walk::ring));
    const KernelCase c =
        dense_case(program, {random.between(1, 9), random.between(1, 9), random.between(1, 20)},
                   {random.pick<int64_t>({0, 2, -5, kMin, kMax}), random.between(-12, 12)});
    EXPECT_TRUE(expect_all(c));
  }
}

// Expectations from the definition, in a stream long enough for many rounds of all carries.
TEST_P(RingWalk, CountsCoordinatesOfALongStream) {
  const int64_t extents[] = {40, 11, 6, 7};
  const int64_t strides[] = {462, 42, 7, 1};
  const int64_t total = 40 * 462;
  std::vector<uint8_t> out(static_cast<size_t>(total * width()));
  for (int axis = 1; axis < 4; axis++) {
    const auto kernel = ring_kernel(gen_index_program(4, axis, width()));
    ASSERT_NE(kernel, nullptr);
    impl::RunArgs args;
    args.dst = out.data();
    args.extents = extents;
    args.strides = strides;
    args.end = total;
    kernel->run(args);
    for (int64_t i = 0; i < total; i++) {
      const int64_t want = i / strides[axis] % extents[axis];
      ASSERT_EQ(std::memcmp(out.data() + i * width(), &want, static_cast<size_t>(width())), 0)
          << "axis " << axis << ", element " << i;
    }
  }
}

TEST_P(RingWalk, WritesToAddressesThatAreNotAlignedToAnElement) {
  const auto kernel = ring_kernel(gen_index_program(2, 1, width()));
  ASSERT_NE(kernel, nullptr);
  const int64_t extents[] = {300, 7};
  const int64_t strides[] = {7, 1};
  std::vector<uint8_t> out(static_cast<size_t>(2100 * width() + 2), 0xee);
  impl::RunArgs args;
  args.dst = out.data() + 1;
  args.extents = extents;
  args.strides = strides;
  args.end = 2100;
  kernel->run(args);
  EXPECT_EQ(out.front(), 0xee);
  EXPECT_EQ(out.back(), 0xee);
  for (int64_t i = 0; i < 2100; i++) {
    const int64_t want = i % 7;
    ASSERT_EQ(std::memcmp(out.data() + 1 + i * width(), &want, static_cast<size_t>(width())), 0)
        << "element " << i;
  }
}

TEST(RingWalkApplies, ToFewDigitsAndPredicates) {
  EXPECT_TRUE(impl::walk_applies(gen_index_program(12, 9, 4), Walk::ring));
  EXPECT_FALSE(impl::walk_applies(gen_index_program(12, 8, 4), Walk::ring));
  RowProgram program = eye_program(2, 4, 0, 1);
  EXPECT_TRUE(impl::walk_applies(program, Walk::ring));
  program.predicates[0].lo.imm = kMin;
  EXPECT_FALSE(impl::walk_applies(program, Walk::ring)) << "a sum that saturates on its way";
  impl::KernelConfig config;
  config.walk = Walk::ring;
  EXPECT_EQ(impl::compile_kernel(program, config).status().code(), impl::StatusCode::unimplemented);
}

TEST(RingWalkFits, DenseOutputsWhoseCoordinatesFitLanes) {
  const RowProgram program = gen_index_program(2, 1, 4);
  const int64_t dense[] = {7, 1};
  const int64_t padded[] = {8, 1};
  const int64_t extents[] = {5, 7};
  EXPECT_TRUE(impl::walk_fits(program, Walk::ring, extents, dense));
  EXPECT_FALSE(impl::walk_fits(program, Walk::ring, extents, padded));
  const int64_t large = int64_t{1} << 32;
  const int64_t large_extents[] = {2, large};
  const int64_t large_strides[] = {large, 1};
  EXPECT_FALSE(impl::walk_fits(program, Walk::ring, large_extents, large_strides));
  EXPECT_TRUE(
      impl::walk_fits(gen_index_program(2, 1, 8), Walk::ring, large_extents, large_strides));
}

INSTANTIATE_TEST_SUITE_P(All, RingWalk,
                         testing::Combine(testing::ValuesIn(host_jit_isas()),
                                          testing::Values(1, 2, 4, 8),
                                          testing::Values(Store::normal, Store::nontemporal)),
                         kernel_test_name);
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(RingWalk);

}  // namespace
}  // namespace iotadnn::test
