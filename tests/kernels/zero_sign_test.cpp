// SPDX-License-Identifier: Apache-2.0
// In the default math mode the sign of a zero that is handed out may differ, but nothing that the
// region computes from one: quotients and powers of -0. Expected values from IEEE 754.
#include <cmath>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

#include "iotadnn/graph.hpp"

#include "support/isa_param.h"

namespace iotadnn::test {
namespace {

using namespace graph;  // NOLINT(google-build-using-namespace): the API under test
using type = logical_tensor::data_type;

constexpr float kInfinity = std::numeric_limits<float>::infinity();

logical_tensor tensor(size_t id, const std::vector<int64_t>& dims) {
  return {id, type::f32, dims, logical_tensor::layout_type::strided};
}

const std::vector<int64_t> kMatrix = {2, 3};

class ZeroSign : public testing::TestWithParam<NamedIsa> {
 protected:
  // last(made), where made is Eye(2x3) `op` the operand.
  std::vector<float> run(op::kind kind, const std::vector<int64_t>& dims,
                         std::vector<float> operand, op::kind last_kind) {
    const logical_tensor eye_out = tensor(0, kMatrix);
    const logical_tensor in = tensor(1, dims);
    const logical_tensor made = tensor(2, kMatrix);
    const logical_tensor out = tensor(3, kMatrix);
    op eye(0, op::kind::Eye, {}, {eye_out}, "eye");
    eye.set_attr<std::vector<int64_t>>(op::attr::shape, kMatrix);
    op last(2, last_kind, {made}, {out}, "last");
    if (last_kind == op::kind::Pow) last.set_attr<float>(op::attr::beta, -1);
    graph::graph g(engine::kind::cpu);
    g.add_op(eye);
    g.add_op(op(1, kind, {eye_out, in}, {made}, "maker"));
    g.add_op(last);
    g.finalize();
    const auto partitions = g.get_partitions();
    EXPECT_EQ(partitions.size(), 1u);
    const auto compiled = partitions.front().compile({in}, {out}, engine_);
    EXPECT_EQ(compiled.get_impl(), GetParam().impl);
    std::vector<float> results(6, 0);
    stream s(engine_);
    compiled.execute(s, {{in, engine_, operand.data()}}, {{out, engine_, results.data()}});
    s.wait();
    return results;
  }

  engine engine_{engine::kind::cpu, 0};
  ScopedMaxCpuIsa cap_{GetParam().isa};
};

TEST_P(ZeroSign, ReciprocalOfAScaledIdentity) {
  const auto got = run(op::kind::Multiply, {1}, {-0.5f}, op::kind::Reciprocal);
  EXPECT_EQ(got, (std::vector<float>{-2, -kInfinity, -kInfinity, -kInfinity, -2, -kInfinity}));
}

TEST_P(ZeroSign, PowerOfAnIdentityPlusMinusZero) {
  const std::vector<float> zeros = {-0.0f, 0.0f, -0.0f, -0.0f, -0.0f, 0.0f};
  // 0 + -0 is 0.
  EXPECT_EQ(run(op::kind::Add, kMatrix, zeros, op::kind::Pow),
            (std::vector<float>{1, kInfinity, kInfinity, kInfinity, 1, kInfinity}));
  // 0 * -0 is -0.
  EXPECT_EQ(
      run(op::kind::Multiply, kMatrix, zeros, op::kind::Pow),
      (std::vector<float>{-kInfinity, kInfinity, -kInfinity, -kInfinity, -kInfinity, kInfinity}));
}

INSTANTIATE_TEST_SUITE_P(Isa, ZeroSign, testing::ValuesIn(host_named_isas()), named_isa_test_name);

}  // namespace
}  // namespace iotadnn::test
