// SPDX-License-Identifier: Apache-2.0
// Rows that are walked over together: where predicates hold there, and what little is moved.
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "codegen/pointwise_check.h"
#include "program/row_walk.h"
#include "support/layer_isa_param.h"
#include "support/random.h"

namespace iotadnn::test {
namespace {

// Under sanitizers a few of the cases: machine code is none of theirs, only what runs it.
#ifdef IOTADNN_QUICK_TESTS
constexpr int64_t kStep = 29;
const std::vector<int64_t> kUniformColumns = {65};
#else
constexpr int64_t kStep = 1;
const std::vector<int64_t> kUniformColumns = {1, 63, 64, 65, 200, 9000};
#endif

using impl::Isa;
using impl::Store;

class PointwiseRows : public testing::TestWithParam<Isa> {};

INSTANTIATE_TEST_SUITE_P(Isas, PointwiseRows, testing::ValuesIn(host_jit_isas()), isa_test_name);

// `text` with every $T a type and every $W the bytes of its elements.
std::string typed_text(std::string text, const char* type, int bytes) {
  const auto replace = [&text](const std::string& name, const std::string& with) {
    for (size_t at = text.find(name); at != std::string::npos; at = text.find(name))
      text.replace(at, name.size(), with);
  };
  replace("$T", type);
  replace("$W", std::to_string(bytes));
  return text;
}

struct Width {
  const char* type;
  int bytes;
};

constexpr Width kWidths[] = {{"u8", 1}, {"bf16", 2}, {"f32", 4}, {"s64", 8}};

// A program whose predicate is `where`; in the columns where it holds not, body 0, else body 1.
impl::RowProgram program_of(const Width& width, const std::string& where,
                            const std::string& outside, const std::string& inside) {
  return parsed(
      typed_text("program rank=2 width=$W scalars=2 inputs=$T,$T outputs=$T\n"
                 "predicate p0: " +
                     where + "\nbody 0: " + outside + "\nbody 1: " + inside + "\n",
                 width.type, width.bytes));
}

const std::string kLoad = "v0 = load $T i0; store v0";
const std::string kOther = "v0 = load $T i1; store v0";
const std::string kConstant = "v0 = constant $T 0x41; store v0";
const std::string kScalar = "v0 = scalar $T s0; store v0";
const std::string kSum = "v0 = load $T i0; v1 = scalar $T s0; v2 = add $T v0 v1; store v2";
const std::string kDoubled = "v0 = load $T i0; v1 = add $T v0 v0; store v1";
const std::string kBoth = "v0 = load $T i0; v1 = load $T i1; v2 = add $T v0 v1; store v2";

// Rows with gaps behind them.
void pad_rows(std::vector<PointwiseTensor>& tensors, int64_t columns) {
  for (PointwiseTensor& tensor : tensors)
    tensor.strides[tensor.strides.size() - 2] = columns + 3;
}

// The kernel agrees with the portable path, in place and not.
void expect_agreement(const impl::Kernel& kernel, PointwiseCase c) {
  ASSERT_TRUE(kernel_agrees(kernel, c));
  c.in_place = {0};
  ASSERT_TRUE(kernel_agrees(kernel, c)) << "in place";
}

TEST_P(PointwiseRows, MovesSegmentsOfEveryLength) {
  Random random;
  const std::string bodies[][2] = {
      {kConstant, kLoad}, {kLoad, kScalar}, {kOther, kLoad}, {kScalar, kConstant}, {kLoad, kOther}};
  for (const Width& width : kWidths)
    for (const auto& body : bodies)
      for (const Store store : {Store::normal, Store::nontemporal}) {
        const auto program = program_of(width, "c1 in [0, c0 + 1)", body[0], body[1]);
        const auto kernel =
            compile_pointwise(dense_case(program, {1, 2}, random), GetParam(), store);
        ASSERT_NE(kernel, nullptr);
        for (int64_t columns = 1; columns <= 130; columns += kStep) {
          PointwiseCase c =
              dense_case(program, {columns % 16 == 1 ? columns + 1 : 5, columns}, random);
          if (columns % 2 == 0) {
            pad_rows(c.inputs, columns);
            pad_rows(c.outputs, columns);
            fill_inputs(c, random);
          }
          expect_agreement(*kernel, c);
        }
      }
}

// Intervals of one column, which gathered elements are computed for, and wider ones.
const char* const kIntervals[] = {
    "c1 in [c0 + s1, c0 + s1 + 1)", "c1 in [s1, s1 + 1)",
    "c1 in [s1 - c0, s1 - c0 + 1)", "c1 in [c0 + s1, c0 + s1 + 2)",
    "c1 in [s1 + c0, s1 - c0)",     "c1 in [c0 + c0 + s1, c0 + c0 + s1 + 1)",
    "c1 in [c0 + 3, s1)",           "c1 in [2, s1 + 2)"};

std::vector<int64_t> offsets() {
  using Limits = std::numeric_limits<int64_t>;
  std::vector<int64_t> all = {
      Limits::min(),     Limits::min() + 1, Limits::max(), Limits::max() - 1,
      Limits::max() - 7, Limits::min() + 7, 1000,          -1000};
  for (int64_t k = -13; k <= 30; k += kStep)
    all.push_back(k);
  return all;
}

TEST_P(PointwiseRows, FindsIntervalsWhereverTheyAre) {
  Random random;
  for (const Width& width : kWidths)
    for (const char* where : kIntervals)
      for (const std::string& inside : {kSum, kDoubled, kBoth, kConstant}) {
        const auto program = program_of(width, where, kLoad, inside);
        PointwiseCase c = dense_case(program, {11, 19}, random);
        const auto kernel = compile_pointwise(c, GetParam(), Store::normal);
        ASSERT_NE(kernel, nullptr);
        for (const int64_t k : offsets()) {
          c.scalars[1] = k;
          expect_agreement(*kernel, c);
        }
      }
}

// More elements than are gathered at a time.
TEST_P(PointwiseRows, ComputesLongDiagonals) {
  Random random;
  for (const Width& width : kWidths)
    for (const char* where : {kIntervals[0], kIntervals[1], kIntervals[2]})
      for (const int64_t rows : {127, 128, 129, 300}) {
        PointwiseCase c = dense_case(program_of(width, where, kLoad, kBoth), {rows, 201}, random);
        c.scalars[1] = 200;
        if (rows == 300) pad_rows(c.inputs, 201);
        if (rows == 300) c.outputs[0].strides = c.inputs[0].strides;
        fill_inputs(c, random);
        const auto kernel = compile_pointwise(c, GetParam(), Store::normal);
        ASSERT_NE(kernel, nullptr);
        expect_agreement(*kernel, c);
      }
}

// What is the same all along a row is not along a diagonal.
TEST_P(PointwiseRows, KnowsWhatChangesAlongADiagonal) {
  Random random;
  const std::string sums[] = {
      "v0 = load s32 i0; v1 = coord s32 c0; v2 = add s32 v0 v1; store v2",
      "v0 = load s32 i0; v1 = coord s32 c1; v2 = add s32 v0 v1; store v2",
      "v0 = load s32 i0; v1 = load s32 i1; v2 = multiply s32 v0 v1; store v2",
      "v0 = coord s32 c0; store v0", "v0 = load s32 i1; store v0"};
  const std::vector<std::vector<int64_t>> strides = {{1, 0}, {0, 0}, {0, 1}, {2, 2}};
  for (const char* where : kIntervals)
    for (const std::string& sum : sums)
      for (const auto& stride : strides) {
        PointwiseCase c = dense_case(program_of({"s32", 4}, where, kLoad, sum), {40, 33}, random);
        c.inputs[1].strides = stride;
        c.scalars[1] = 5;
        fill_inputs(c, random);
        const auto kernel = compile_pointwise(c, GetParam(), Store::normal);
        ASSERT_NE(kernel, nullptr);
        expect_agreement(*kernel, c);
      }
}

constexpr const char* kBatched = R"(
program rank=3 width=4 scalars=2 inputs=s32 outputs=s32
predicate p0: c2 in [c0, c1 + s1)
predicate p1: c1 in [c0 + c0 + 1, s1 + 4)
predicate p2: c0 in [1, s1)
body 0: v0 = load s32 i0; store v0
body 1: v0 = constant s32 0x3f800000; store v0
body 2: v0 = load s32 i0; v1 = add s32 v0 v0; store v1
body 3: v0 = load s32 i0; store v0
body 4: v0 = scalar s32 s0; store v0
body 5: v0 = coord s32 c1; store v0
body 6: v0 = load s32 i0; store v0
body 7: v0 = load s32 i0; store v0
)";

constexpr const char* kRowOfOther = R"(
program rank=3 width=4 scalars=2 inputs=f32 outputs=f32
predicate p0: c0 in [c1 + s1, 7)
predicate p1: c2 in [0, c1)
body 0: v0 = load f32 i0; store v0
body 1: v0 = constant f32 0x3f800000; store v0
body 2: v0 = scalar f32 s0; store v0
body 3: v0 = load f32 i0; v1 = add f32 v0 v0; store v1
)";

// Predicates on outer coordinates change their truth between rows; parts begin and end anywhere.
TEST_P(PointwiseRows, StopsWhereOuterPredicatesChange) {
  Random random;
  for (const char* text : {kBatched, kRowOfOther}) {
    PointwiseCase c = dense_case(parsed(text), {3, 8, 21}, random);
    const auto kernel = compile_pointwise(c, GetParam(), Store::normal);
    ASSERT_NE(kernel, nullptr);
    for (const int64_t k : offsets()) {
      c.scalars[1] = k;
      expect_agreement(*kernel, c);
    }
    c.scalars[1] = 2;
    for (int64_t begin = 0; begin <= 24; ++begin)
      for (int64_t end = begin; end <= 24; end += kStep)
        ASSERT_TRUE(kernel_agrees(*kernel, c, begin, end));
  }
}

// Rows of several units: those of which all are asked for, and parts of others.
TEST_P(PointwiseRows, BeginsAndEndsInsideLongRows) {
  Random random;
  for (const std::string& inside : {kSum, kConstant}) {
    const auto program = program_of(kWidths[1], "c1 in [c0 + s1, c0 + s1 + 1)", kLoad, inside);
    for (const int64_t columns : {2 * impl::kColumnsPerUnit, 2 * impl::kColumnsPerUnit + 5}) {
      PointwiseCase c = dense_case(program, {3, columns}, random);
      c.scalars[1] = impl::kColumnsPerUnit - 2;
      const auto kernel = compile_pointwise(c, GetParam(), Store::normal);
      ASSERT_NE(kernel, nullptr);
      const int64_t units = impl::pointwise_units(c.dims.data(), 2);
      for (const bool in_place : {false, true}) {
        if (in_place) c.in_place = {0};
        for (int64_t begin = 0; begin <= units; ++begin)
          for (int64_t end = begin; end <= units; ++end)
            ASSERT_TRUE(kernel_agrees(*kernel, c, begin, end));
      }
    }
  }
}

// Addresses that are not multiples of the element's width: then vectors of a pattern that are moved
// to where a line begins do not begin with an element.
TEST_P(PointwiseRows, FillsFromAnyAddress) {
  Random random;
  constexpr int64_t kColumns = 600;
  for (const Width& width : kWidths)
    for (const Store store : {Store::normal, Store::nontemporal}) {
      const auto program = program_of(width, "c1 in [0, c0 + 1)", kScalar, kLoad);
      PointwiseCase c = dense_case(program, {2, kColumns}, random);
      const auto kernel = compile_pointwise(c, GetParam(), store);
      ASSERT_NE(kernel, nullptr);
      const auto bytes = static_cast<size_t>(width.bytes);
      const int64_t scalar = 0x0807060504030201;
      for (size_t shift = 0; shift < 70; shift += size_t{kStep}) {
        std::vector<uint8_t> memory(shift + 2 * kColumns * bytes + 1, 0xee);
        void* const dst = memory.data() + shift;
        const void* const srcs[] = {c.inputs[0].bytes.data(), c.inputs[1].bytes.data()};
        const int64_t strides[] = {kColumns, 1, kColumns, 1};
        impl::RunArgs args;
        args.extents = c.dims.data();
        args.scalars = &scalar;
        args.end = 2;
        args.srcs = srcs;
        args.src_strides = strides;
        args.dsts = &dst;
        args.dst_strides = strides;
        kernel->run(args);
        for (size_t row = 0; row < 2; ++row)
          for (size_t at = (row + 1) * bytes; at < kColumns * bytes; ++at)
            ASSERT_EQ(memory[shift + row * kColumns * bytes + at], at % bytes + 1)
                << width.type << " at shift " << shift << ", row " << row << ", byte " << at;
        ASSERT_EQ(memory.back(), 0xee);
        ASSERT_TRUE(shift == 0 || memory[shift - 1] == 0xee);
      }
    }
}

// Bodies whose inputs are one element a row are computed once and filled; short rows are not.
TEST_P(PointwiseRows, RowsOfOneComputedValue) {
  Random random;
  for (const Width& width : kWidths)
    for (const Store store : {Store::normal, Store::nontemporal})
      for (const int64_t columns : kUniformColumns) {
        PointwiseCase c =
            dense_case(program_of(width, "c1 in [c0 + s1, c0 + s1 + 70)", kDoubled, kBoth),
                       {5, columns}, random);
        for (PointwiseTensor& input : c.inputs)
          input.strides = {1, 0};
        fill_inputs(c, random);
        c.scalars[1] = random.between(-70, columns);
        const auto kernel = compile_pointwise(c, GetParam(), store);
        ASSERT_NE(kernel, nullptr);
        SCOPED_TRACE(std::string(width.type) + ", " + std::to_string(columns) + " columns");
        ASSERT_TRUE(kernel_agrees(*kernel, c));
        pad_rows(c.outputs, columns);
        ASSERT_TRUE(kernel_agrees(*kernel, c));
        c.outputs[0].strides = {2 * columns + 1, 2};
        ASSERT_TRUE(kernel_agrees(*kernel, c)) << "stepped";
      }
}

}  // namespace
}  // namespace iotadnn::test
