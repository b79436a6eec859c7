// SPDX-License-Identifier: Apache-2.0
#include <cstring>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "codegen/max_ulp.h"
#include "codegen/pointwise_check.h"
#include "codegen/pointwise_programs.h"
#include "program/row_walk.h"
#include "support/layer_isa_param.h"
#include "support/random.h"
#include "support/strided.h"

namespace iotadnn::test {
namespace {

using impl::Isa;
using impl::Store;

class PointwiseWalk : public testing::TestWithParam<Isa> {};

INSTANTIATE_TEST_SUITE_P(Isas, PointwiseWalk, testing::ValuesIn(host_jit_isas()), isa_test_name);

TEST_P(PointwiseWalk, ComputesEveryOpcodeOfEveryType) {
  Random random;
  for (const TypedOpcode& typed : typed_opcodes()) {
    PointwiseCase c = one_instruction(typed, 531);
    fill_inputs(c, random);
    const auto kernel = compile_pointwise(c, GetParam(), Store::normal);
    ASSERT_NE(kernel, nullptr) << text_of(typed);
    EXPECT_TRUE(kernel_agrees(*kernel, c, 0, -1, impl::max_ulp(typed.op, typed.type)))
        << text_of(typed);
  }
}

// The number of lanes of a vector, of two and four, and what is next to them.
std::vector<int64_t> row_lengths() {
  std::vector<int64_t> lengths;
  for (int64_t length = 1; length <= 35; ++length)
    lengths.push_back(length);
  for (const int64_t length : {63, 64, 65, 127, 128, 129, 255, 256, 257, 1000, 8191, 8193, 20000})
    lengths.push_back(length);
  return lengths;
}

constexpr const char* kCausal = R"(
program rank=2 width=4 scalars=0 inputs=f32 outputs=f32
predicate p0: c1 in [0, c0 + 1)
body 0: v0 = constant f32 0xff800000; store v0
body 1: v0 = load f32 i0; store v0
)";

constexpr const char* kScaledBand = R"(
program rank=2 width=4 scalars=1 inputs=f32 outputs=f32
predicate p0: c1 in [c0 + c0, 390)
body 0: v0 = constant f32 0xff800000; store v0
body 1: v0 = load f32 i0; v1 = scalar f32 s0; v2 = multiply f32 v0 v1; store v2
)";

constexpr const char* kScaled = R"(
program rank=2 width=8 scalars=1 inputs=f32 outputs=f64,f32,u8
body 0: v0 = load f32 i0; v1 = convert f64 v0; v2 = convert u8 v0; store v1, v0, v2
)";

constexpr const char* kNarrow = R"(
program rank=2 width=2 scalars=1 inputs=bf16,u8 outputs=bf16,u8
predicate p0: c1 in [c0, 40)
body 0: v0 = load bf16 i0; v1 = add bf16 v0 v0; v2 = load u8 i1; store v1, v2
body 1: v0 = constant bf16 0xff80; v1 = coord u8 c1; v2 = load u8 i1; v3 = add u8 v1 v2; store v0, v3
)";

// Two results that are copies of each other's input.
constexpr const char* kSwap = R"(
program rank=2 width=4 scalars=0 inputs=f32,f32 outputs=f32,f32
body 0: v0 = load f32 i0; v1 = load f32 i1; store v1, v0
)";

constexpr const char* kBroadcast =
    "program rank=2 width=8 scalars=0 inputs=f16,boolean,s64,u8 outputs=s64\n"
    "body 0: v0 = load f16 i0; v1 = convert s64 v0; v2 = load boolean i1; v3 = load s64 i2; "
    "v4 = select s64 v2 v1 v3; v5 = load u8 i3; v6 = convert s64 v5; v7 = subtract s64 v4 v6; "
    "store v7\n";

TEST_P(PointwiseWalk, WritesSegmentsOfEveryLength) {
  Random random;
  for (const char* text : {kCausal, kScaledBand, kNarrow, kSwap})
    for (const Store store : {Store::normal, Store::nontemporal})
      for (const int64_t columns : row_lengths()) {
        PointwiseCase c = dense_case(parsed(text), {7, columns}, random);
        const auto kernel = compile_pointwise(c, GetParam(), store);
        ASSERT_NE(kernel, nullptr);
        ASSERT_TRUE(kernel_agrees(*kernel, c)) << text;
        c.in_place.assign(c.outputs.size(), -1);
        c.in_place[0] = 0;
        if (c.inputs.size() > 1) c.in_place[1] = 1;
        ASSERT_TRUE(kernel_agrees(*kernel, c)) << text << "in place";
      }
}

// Longer rows than others, so that there are whole lines at every place of a line.
TEST_P(PointwiseWalk, WritesPastTheCachesFromAnyPlaceOfALine) {
  Random random;
  for (const char* text : {kCausal, kScaledBand, kScaled})
    for (int64_t columns = 400; columns < 417; ++columns) {
      const PointwiseCase c = dense_case(parsed(text), {40, columns}, random);
      const auto kernel = compile_pointwise(c, GetParam(), Store::nontemporal);
      ASSERT_NE(kernel, nullptr);
      ASSERT_TRUE(kernel_agrees(*kernel, c)) << text;
    }
}

TEST_P(PointwiseWalk, ReadsInputsThatAreConstantAlongARow) {
  Random random;
  for (const int64_t columns : {1, 5, 8, 100}) {
    PointwiseCase c = dense_case(parsed(kBroadcast), {9, columns}, random);
    for (size_t i = 0; i < 4; ++i)
      c.inputs[i].strides = {1, 0};
    fill_inputs(c, random);
    const auto kernel = compile_pointwise(c, GetParam(), Store::normal);
    ASSERT_NE(kernel, nullptr);
    EXPECT_TRUE(kernel_agrees(*kernel, c));
  }
}

TEST_P(PointwiseWalk, NeedsNothingOfAProgramThatLeavesAllInPlace) {
  Random random;
  PointwiseCase c = dense_case(parsed(R"(
program rank=2 width=4 scalars=0 inputs=f32 outputs=f32
body 0: v0 = load f32 i0; store v0
)"),
                               {3, 40}, random);
  c.in_place = {0};
  const auto kernel = compile_pointwise(c, GetParam(), Store::normal);
  ASSERT_NE(kernel, nullptr);
  EXPECT_TRUE(kernel_agrees(*kernel, c));
}

// More values than registers, each of them needed again, and more code than most programs have.
TEST_P(PointwiseWalk, SpillsValuesOfLongBodies) {
  Random random;
  impl::RowProgram program;
  program.inputs = {impl::DataType::bf16};
  program.outputs = {impl::DataType::bf16};
  program.elem_bytes = 2;
  impl::Predicate predicate;
  predicate.hi.imm = 10;
  program.predicates = {predicate, predicate, predicate, predicate};
  for (uint64_t b = 0; b < 16; ++b) {
    impl::Body body;
    body.insts = {{impl::Opcode::load, 0, impl::DataType::bf16},
                  {impl::Opcode::constant, 0x3f80 + b, impl::DataType::bf16}};
    for (uint16_t i = 2; i < 130; ++i)
      body.insts.push_back({impl::Opcode::add,
                            0,
                            impl::DataType::bf16,
                            {static_cast<uint16_t>(i - 1), static_cast<uint16_t>(i % 2)}});
    for (uint16_t i = 130; i < impl::kMaxInsts; ++i)
      body.insts.push_back({impl::Opcode::subtract,
                            0,
                            impl::DataType::bf16,
                            {static_cast<uint16_t>(i - 1), static_cast<uint16_t>(258 - i)}});
    body.results = {impl::kMaxInsts - 1};
    program.bodies.push_back(body);
  }
  const PointwiseCase c = dense_case(program, {75}, random);
  const auto kernel = compile_pointwise(c, GetParam(), Store::normal);
  ASSERT_NE(kernel, nullptr);
  EXPECT_TRUE(kernel_agrees(*kernel, c));
}

// All 16-bit numbers, and as many of f32, spread over all of them.
TEST_P(PointwiseWalk, StaysWithinTheStatedErrors) {
  constexpr int64_t kNumbers = 65536;
  for (const impl::MathError& function : impl::kMathErrors)
    for (const impl::DataType type :
         {impl::DataType::f32, impl::DataType::bf16, impl::DataType::f16}) {
      PointwiseCase c = one_instruction({function.op, type, type}, kNumbers);
      const auto width = static_cast<size_t>(impl::bytes_of(type));
      c.inputs[0].bytes.resize(kNumbers * width);
      for (uint64_t i = 0; i < kNumbers; ++i) {
        const uint64_t bits = width == 2 ? i : i << 16 | (i * 40503 & 0xffff);
        std::memcpy(c.inputs[0].bytes.data() + i * width, &bits, width);
      }
      const auto kernel = compile_pointwise(c, GetParam(), Store::normal);
      ASSERT_NE(kernel, nullptr);
      EXPECT_TRUE(kernel_agrees(*kernel, c, 0, -1, impl::max_ulp(function.op, type)));
    }
}

TEST_P(PointwiseWalk, ComputesRandomPrograms) {
  Random random;
  for (int i = 0; i < 1500; ++i) {
    const PointwiseCase c = random_case(random);
    const auto kernel =
        compile_pointwise(c, GetParam(), random.coin() ? Store::normal : Store::nontemporal);
    ASSERT_NE(kernel, nullptr);
    const int64_t units = impl::pointwise_units(c.dims.data(), c.program.rank);
    const int64_t begin = random.coin() ? 0 : random.between(0, units);
    const int64_t end = random.coin() ? units : random.between(begin, units);
    ASSERT_TRUE(kernel_agrees(*kernel, c, begin, end, 2));
  }
}

}  // namespace
}  // namespace iotadnn::test
