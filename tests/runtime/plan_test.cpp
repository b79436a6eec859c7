// SPDX-License-Identifier: Apache-2.0
#include "runtime/plan.h"

#include <vector>

#include <gtest/gtest.h>

#include "codegen/exec_memory.h"
#include "program/text.h"
#include "runtime/kernel_cache.h"
#include "support/layer_isa_param.h"

namespace iotadnn::impl {
namespace {

RowProgram ramp_s32() {
  return *parse_program("program rank=2 width=4 scalars=0\nbody 0: v0 = coord c1\n");
}

Dims dims_of(int64_t rows, int64_t columns) {
  return Dims{rows, columns};
}

void expect_ramp(const Plan& plan, int64_t rows, int64_t columns) {
  std::vector<int32_t> out(static_cast<size_t>(rows * columns), -1);
  run_plan(plan, out.data(), nullptr);
  for (size_t i = 0; i < out.size(); ++i)
    ASSERT_EQ(out[i], static_cast<int32_t>(static_cast<int64_t>(i) % columns)) << i;
}

class ScopedRefusal {
 public:
  ScopedRefusal() { set_exec_memory_for_test(ExecMemory::refused); }

  ~ScopedRefusal() { set_exec_memory_for_test(ExecMemory::automatic); }

  ScopedRefusal(const ScopedRefusal&) = delete;
  ScopedRefusal& operator=(const ScopedRefusal&) = delete;
};

class PlanOnIsa : public testing::TestWithParam<Isa> {};

TEST_P(PlanOnIsa, RunsWhatItsNameSays) {
  const auto plan = make_plan(ramp_s32(), dims_of(33, 50), dims_of(50, 1), GetParam(), {});
  ASSERT_TRUE(plan.ok()) << plan.status().message();
  EXPECT_EQ(plan->kernel != nullptr, GetParam() >= Isa::avx2);
  EXPECT_EQ(impl_name(plan->kernel.get(), GetParam()).rfind("jit:", 0) == 0,
            GetParam() >= Isa::avx2);
  expect_ramp(*plan, 33, 50);
}

INSTANTIATE_TEST_SUITE_P(Isas, PlanOnIsa, testing::ValuesIn(test::host_isas()),
                         test::isa_test_name);

TEST(Plan, RunsPortablyWhereExecutableMemoryIsRefused) {
  if (test::host_jit_isas().empty()) GTEST_SKIP() << "this host has no ISA that code is made for";
  const ScopedRefusal refusal;
  // A program that no other test of this process compiles: its kernel is in no cache.
  const RowProgram program =
      *parse_program("program rank=2 width=4 scalars=0\nbody 0: v0 = constant 0x123\n");
  const auto plan = make_plan(program, dims_of(3, 5), dims_of(8, 1), Isa::avx2, {});
  ASSERT_TRUE(plan.ok()) << plan.status().message();
  EXPECT_EQ(plan->kernel, nullptr);
  EXPECT_EQ(impl_name(plan->kernel.get(), Isa::avx2), "portable");
  std::vector<int32_t> out(24, -1);
  run_plan(*plan, out.data(), nullptr);
  for (int i = 0; i < 21; ++i)
    EXPECT_EQ(out[static_cast<size_t>(i)], i % 8 < 5 ? 0x123 : -1) << i;
}

}  // namespace
}  // namespace iotadnn::impl
