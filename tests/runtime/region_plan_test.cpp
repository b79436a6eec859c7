// SPDX-License-Identifier: Apache-2.0
#include "runtime/region_plan.h"

#include <cmath>
#include <string>

#include <gtest/gtest.h>

#include "base/cpu.h"
#include "program/text.h"
#include "support/layer_isa_param.h"

namespace iotadnn::impl {
namespace {

class RegionPlanOnIsa : public testing::TestWithParam<Isa> {};

INSTANTIATE_TEST_SUITE_P(Isas, RegionPlanOnIsa, testing::ValuesIn(test::host_jit_isas()),
                         test::isa_test_name);

// The plan of a causal mask that reads and writes `bytes` each, on one thread.
RegionPlan causal_plan(int64_t bytes, Isa isa) {
  RegionProgram region;
  region.program = *parse_program(R"(
program rank=2 width=4 scalars=0 inputs=f32 outputs=f32
predicate p0: c1 in [0, c0 + 1)
body 0: v0 = constant f32 0xff800000; store v0
body 1: v0 = load f32 i0; store v0
)");
  RegionInput scores;
  scores.rank = 2;
  scores.axes[1] = 1;
  region.inputs = {scores};
  LogicalTensor matrix;
  matrix.type = DataType::f32;
  matrix.layout = LayoutType::strided;
  matrix.rank = 2;
  const auto side = static_cast<int64_t>(std::sqrt(static_cast<double>(bytes / 4)));
  matrix.dims[0] = matrix.dims[1] = matrix.strides[0] = side;
  matrix.strides[1] = 1;
  ForcedStrategy forced;
  forced.threads = 1;
  auto plan = make_region_plan(region, {&matrix}, {&matrix}, {}, {}, isa, forced);
  EXPECT_TRUE(plan.ok()) << plan.status().message();
  return plan.ok() ? std::move(*plan) : RegionPlan();
}

bool bypasses_caches(const Kernel& kernel) {
  return kernel.name().find("_nt") != std::string::npos;
}

// Of two matrices that do not stay in the last-level cache together, one may when it is both.
TEST_P(RegionPlanOnIsa, InPlaceCountsWhatIsWritten) {
  const int64_t last = cache_sizes().last;
  const RegionPlan small = causal_plan(last / 16, GetParam());
  ASSERT_NE(small.kernel, nullptr);
  EXPECT_FALSE(bypasses_caches(*small.kernel));
  EXPECT_EQ(small.in_place_kernel, nullptr);
  const RegionPlan middle = causal_plan(last / 4, GetParam());
  ASSERT_NE(middle.kernel, nullptr);
  EXPECT_TRUE(bypasses_caches(*middle.kernel));
  ASSERT_NE(middle.in_place_kernel, nullptr);
  EXPECT_FALSE(bypasses_caches(*middle.in_place_kernel));
  const RegionPlan large = causal_plan(last, GetParam());
  ASSERT_NE(large.kernel, nullptr);
  EXPECT_TRUE(bypasses_caches(*large.kernel));
  EXPECT_EQ(large.in_place_kernel, nullptr);
}

}  // namespace
}  // namespace iotadnn::impl
