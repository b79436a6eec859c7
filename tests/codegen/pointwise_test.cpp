// SPDX-License-Identifier: Apache-2.0
#include <vector>

#include <gtest/gtest.h>

#include "codegen/pointwise_check.h"
#include "codegen/pointwise_programs.h"
#include "program/row_walk.h"
#include "support/layer_isa_param.h"
#include "support/random.h"

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
    EXPECT_TRUE(kernel_agrees(*kernel, c)) << text_of(typed);
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
    ASSERT_TRUE(kernel_agrees(*kernel, c, begin, end));
  }
}

}  // namespace
}  // namespace iotadnn::test
