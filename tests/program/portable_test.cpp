// SPDX-License-Identifier: Apache-2.0
#include "program/portable.h"

#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "program/programs.h"
#include "program/text.h"
#include "support/guarded_buffer.h"
#include "support/strided.h"

namespace iotadnn::test {
namespace {

using impl::RunArgs;

constexpr int64_t kMin = std::numeric_limits<int64_t>::min();
constexpr int64_t kMax = std::numeric_limits<int64_t>::max();

// 128-bit sums cannot overflow here, so clamping after each step is the definition itself.
int64_t saturating_sum(const Bound& bound, const std::vector<int64_t>& coords,
                       const std::vector<int64_t>& scalars) {
  __extension__ using Wide = __int128;
  const auto clamp = [](Wide x) { return x < kMin ? Wide{kMin} : x > kMax ? Wide{kMax} : x; };
  Wide sum = 0;
  for (const Term& term : bound.terms) {
    const Wide value = term.kind == Term::Kind::coord ? coords[term.index] : scalars[term.index];
    sum = clamp(term.negated ? sum - value : sum + value);
  }
  return static_cast<int64_t>(clamp(sum + bound.imm));
}

// The bits that program.h promises for one element.
uint64_t expected_bits(const RowProgram& program, const std::vector<int64_t>& coords,
                       const std::vector<int64_t>& scalars) {
  size_t truths = 0;
  for (size_t p = 0; p < program.predicates.size(); ++p) {
    const Predicate& predicate = program.predicates[p];
    const int64_t x = coords[predicate.axis];
    if (saturating_sum(predicate.lo, coords, scalars) <= x &&
        x < saturating_sum(predicate.hi, coords, scalars)) {
      truths |= size_t{1} << p;
    }
  }
  const Inst& inst = program.bodies[truths].insts.back();
  const uint64_t bits =
      inst.op == Opcode::coord ? static_cast<uint64_t>(coords[inst.imm]) : inst.imm;
  const int unused = 64 - 8 * program.elem_bytes;
  return bits << unused >> unused;
}

uint64_t load_bits(const char* base, int64_t offset, int elem_bytes) {
  uint64_t bits = 0;  // little endian, as is every machine this runs on
  std::memcpy(&bits, base + offset * elem_bytes, static_cast<size_t>(elem_bytes));
  return bits;
}

struct Case {
  RowProgram program;
  std::vector<int64_t> dims;
  std::vector<int64_t> strides;
  std::vector<int64_t> scalars;

  std::string text() const {
    return to_text(program) + "dims " + dims_text(dims) + " strides " + dims_text(strides) +
           " scalars " + dims_text(scalars, ",");
  }

  int64_t rows() const {
    int64_t rows = 1;
    for (size_t d = 0; d + 1 < dims.size(); ++d)
      rows *= dims[d];
    return rows;
  }
};

// Runs rows [begin, end) between guard pages and compares every element: those of the rows with the
// definition, all others with the canaries.
void check_rows(const Case& c, int64_t begin, int64_t end, Placement placement) {
  const int width = c.program.elem_bytes;
  GuardedBuffer out(static_cast<size_t>(span_of(c.dims, c.strides) * width), placement);
  std::vector<char> before(out.as<char>(), out.as<char>() + out.bytes());
  run_portable(c.program,
               RunArgs{out.data(), c.dims.data(), c.strides.data(), c.scalars.data(), begin, end});
  int64_t element = 0;
  for_each_element(c.dims, c.strides, [&](const std::vector<int64_t>& coords, int64_t offset) {
    const int64_t row = element++ / c.dims.back();
    const uint64_t expected = row >= begin && row < end
                                  ? expected_bits(c.program, coords, c.scalars)
                                  : load_bits(before.data(), offset, width);
    EXPECT_EQ(load_bits(out.as<char>(), offset, width), expected)
        << "at " << dims_text(coords, ",") << ", rows [" << begin << ", " << end << ")\n"
        << c.text();
    return !testing::Test::HasFailure();
  });
  EXPECT_TRUE(out.gaps_intact(c.dims, c.strides, width)) << c.text();
}

void check(const Case& c) {
  for (const Placement placement : kPlacements)
    check_rows(c, 0, c.rows(), placement);
}

Case eye_case(int64_t rows, int64_t columns, int64_t k, int elem_bytes = 4) {
  const std::vector<int64_t> dims = {rows, columns};
  return {eye_program(elem_bytes, 1), dims, dense_strides(dims), {k}};
}

TEST(Portable, EyeValues) {
  const Case c = eye_case(2, 3, 1);
  std::vector<uint32_t> out(6, 77);
  run_portable(c.program,
               RunArgs{out.data(), c.dims.data(), c.strides.data(), c.scalars.data(), 0, 2});
  EXPECT_EQ(out, (std::vector<uint32_t>{0, 1, 0, 0, 0, 1}));
}

TEST(Portable, IndexValuesAlongEachAxis) {
  RowProgram program;
  program.rank = 2;
  const std::vector<int64_t> dims = {2, 3};
  const std::vector<int64_t> strides = dense_strides(dims);
  const std::vector<uint32_t> expected[] = {{0, 0, 0, 1, 1, 1}, {0, 1, 2, 0, 1, 2}};
  for (const uint64_t axis : {0u, 1u}) {
    program.bodies = {coord_body(axis)};
    std::vector<uint32_t> out(6, 77);
    run_portable(program, RunArgs{out.data(), dims.data(), strides.data(), nullptr, 0, 2});
    EXPECT_EQ(out, expected[axis]);
  }
}

TEST(Portable, OnlyTheLastValueIsStored) {
  RowProgram program;
  program.rank = 1;
  program.bodies = {constant_body(5)};
  program.bodies[0].insts.push_back({Opcode::coord, 0});
  check({program, {9}, {1}, {}});
}

TEST(Portable, DiagonalsAtEveryOffsetAndTheLimits) {
  for (int64_t k = -6; k <= 7; ++k)
    check(eye_case(5, 6, k));
  for (const int64_t k : {kMin, kMin + 1, kMin + 4, kMax, kMax - 1, kMax - 5}) {
    check(eye_case(5, 6, k));
  }
}

// Each step saturates on its own: -INT64_MIN does not exist, and INT64_MAX + 1 - 1 is not
// INT64_MAX.
TEST(Portable, SumsSaturateStepByStep) {
  RowProgram program;
  program.rank = 1;
  program.num_scalars = 2;
  program.bodies = {constant_body(1), constant_body(2)};
  const Bound bounds[] = {{{scalar(0)}, 0},
                          {{scalar(0, true)}, 0},
                          {{scalar(0), scalar(1)}, 3},
                          {{scalar(0, true), scalar(1, true)}, -2},
                          {{scalar(0), scalar(0), scalar(1, true)}, 2},
                          {{}, kMin},
                          {{}, kMax}};
  const int64_t values[] = {kMin, kMin + 1, -1, 0, 2, kMax - 1, kMax};
  for (const Bound& lo : bounds) {
    for (const Bound& hi : bounds) {
      program.predicates = {{0, lo, hi}};
      for (const int64_t s0 : values) {
        for (const int64_t s1 : values)
          check_rows({program, {5}, {1}, {s0, s1}}, 0, 1, Placement::end_flush);
      }
    }
  }
}

// Rows of 300 columns: narrow elements wrap, and the fills and ramps are long enough for vectors.
TEST(Portable, NarrowElementsWrap) {
  for (const int width : {1, 2, 4, 8}) {
    RowProgram program;
    program.rank = 2;
    program.elem_bytes = width;
    program.bodies = {coord_body(0)};
    check({program, {300, 7}, {7, 1}, {}});
    program.bodies = {coord_body(1)};
    check({program, {3, 70000}, {70000, 1}, {}});
    program.bodies = {constant_body(0x0123456789abcdef)};
    check({program, {3, 300}, {300, 1}, {}});
  }
}

TEST(Portable, AnyRangeOfRows) {
  RowProgram program = eye_program(2, 1);
  program.rank = 3;
  program.predicates[0].axis = 2;
  program.predicates[0].lo.terms[0] = program.predicates[0].hi.terms[0] = coord(1);
  const Case c{program, {3, 4, 5}, {20, 5, 1}, {1}};
  for (int64_t begin = 0; begin <= c.rows(); ++begin) {
    for (int64_t end = begin; end <= c.rows(); ++end) {
      check_rows(c, begin, end, Placement::end_flush);
    }
  }
}

TEST(Portable, UnalignedDestination) {
  const Case c = eye_case(3, 5, 0, 8);
  std::vector<char> bytes(3 * 5 * 8 + 3, 0x55);
  run_portable(c.program,
               RunArgs{bytes.data() + 3, c.dims.data(), c.strides.data(), c.scalars.data(), 0, 3});
  for (int64_t i = 0; i < 15; ++i) {
    EXPECT_EQ(load_bits(bytes.data() + 3, i, 8), i % 6 == 0 ? 1u : 0u) << i;
  }
  EXPECT_EQ(bytes[2], 0x55);
}

Case random_case(Random& random) {
  Case c;
  c.program = random_program(random, 5);
  int64_t elements = 1;
  std::vector<int> order;
  for (int d = 0; d < c.program.rank; ++d) {
    const int64_t dim = random.between(1, elements > 200 ? 3 : random.coin() ? 40 : 6);
    c.dims.push_back(dim);
    elements *= dim;
    order.insert(order.begin() + random.between(0, d), d);
  }
  c.strides =
      random.coin() ? dense_strides(c.dims) : permuted_strides(c.dims, order, random.between(0, 3));
  for (int s = 0; s < c.program.num_scalars; ++s)
    c.scalars.push_back(random_imm(random));
  return c;
}

TEST(Portable, RandomProgramsShapesAndStrides) {
  Random random;
  for (int i = 0; i < 1500 && !HasFailure(); ++i) {
    const Case c = random_case(random);
    check(c);
    const int64_t begin = random.between(0, c.rows());
    check_rows(c, begin, random.between(begin, c.rows()), Placement::start_flush);
  }
}

}  // namespace
}  // namespace iotadnn::test
