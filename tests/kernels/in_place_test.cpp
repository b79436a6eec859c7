// SPDX-License-Identifier: Apache-2.0
// Outputs in the memory of inputs, where get_inplace_ports() offers it. A buffer ends with the last
// element: the padding of the last row is not part of it.
#include <vector>

#include <gtest/gtest.h>

#include "iotadnn/graph.hpp"

#include "support/guarded_buffer.h"
#include "support/isa_param.h"

namespace iotadnn::test {
namespace {

using namespace graph;  // NOLINT(google-build-using-namespace): the API under test

class InPlace : public testing::TestWithParam<NamedIsa> {};

TEST_P(InPlace, PaddedRowsPlusAnIdentity) {
  const ScopedMaxCpuIsa cap(GetParam().isa);
  const engine cpu(engine::kind::cpu, 0);
  constexpr int64_t kRows = 3;
  constexpr int64_t kColumns = 5;
  constexpr int64_t kStep = 8;
  const std::vector<int64_t> dims = {kRows, kColumns};
  const auto f32 = logical_tensor::data_type::f32;
  const logical_tensor eye_out(0, f32, dims, logical_tensor::layout_type::strided);
  const logical_tensor in(1, f32, dims, std::vector<int64_t>{kStep, 1});
  const logical_tensor out(2, f32, dims, std::vector<int64_t>{kStep, 1});
  op eye(0, op::kind::Eye, {}, {eye_out}, "eye");
  eye.set_attr<std::vector<int64_t>>(op::attr::shape, dims);
  graph::graph g(engine::kind::cpu);
  g.add_op(eye);
  g.add_op(op(1, op::kind::Add, {in, eye_out}, {out}, "add"));
  g.finalize();
  const auto compiled = g.get_partitions().front().compile({in}, {out}, cpu);
  EXPECT_EQ(compiled.get_impl(), GetParam().impl);
  if (compiled.get_inplace_ports().empty()) {
    EXPECT_EQ(GetParam().isa, iotadnn_cpu_isa_reference);
    return;
  }
  for (const Placement placement : kPlacements) {
    const GuardedBuffer memory((kStep * (kRows - 1) + kColumns) * sizeof(float), placement);
    auto* const data = memory.as<float>();
    for (int64_t r = 0; r < kRows; ++r)
      for (int64_t c = 0; c < kColumns; ++c)
        data[r * kStep + c] = static_cast<float>(10 * r + c);
    stream s(cpu);
    compiled.execute(s, {{in, cpu, data}}, {{out, cpu, data}});
    s.wait();
    EXPECT_TRUE(memory.gaps_intact(dims, {kStep, 1}, sizeof(float)));
    for (int64_t r = 0; r < kRows; ++r)
      for (int64_t c = 0; c < kColumns; ++c)
        EXPECT_EQ(data[r * kStep + c], static_cast<float>(10 * r + c + (r == c ? 1 : 0)));
  }
}

// z + ReduceSum(Select(I, a, s)): with s other than 0, which no program takes it for, the region
// runs op by op, on a copy of z.
TEST_P(InPlace, PaddedRowsPlusASumThatRunsOpByOp) {
  const ScopedMaxCpuIsa cap(GetParam().isa);
  const engine cpu(engine::kind::cpu, 0);
  constexpr int64_t kRows = 2;
  constexpr int64_t kColumns = 5;
  constexpr int64_t kStep = 8;
  const auto s32 = logical_tensor::data_type::s32;
  const auto strided = logical_tensor::layout_type::strided;
  const std::vector<int64_t> dims = {kRows, kColumns};
  const logical_tensor mask(0, logical_tensor::data_type::boolean, {kColumns, kColumns}, strided);
  const logical_tensor a(1, s32, {kRows, kColumns, kColumns}, strided);
  const logical_tensor other(2, s32, 0, strided, logical_tensor::property_type::host_scalar);
  const logical_tensor picked(3, s32, {kRows, kColumns, kColumns}, strided);
  const logical_tensor sums(4, s32, dims, strided);
  const logical_tensor z(5, s32, dims, std::vector<int64_t>{kStep, 1});
  const logical_tensor out(6, s32, dims, std::vector<int64_t>{kStep, 1});
  op eye(0, op::kind::Eye, {}, {mask}, "eye");
  eye.set_attr<std::vector<int64_t>>(op::attr::shape, {kColumns, kColumns});
  op sum(2, op::kind::ReduceSum, {picked}, {sums}, "sum");
  sum.set_attr<std::vector<int64_t>>(op::attr::axes, {-1});
  graph::graph g(engine::kind::cpu);
  g.add_op(eye);
  g.add_op(op(1, op::kind::Select, {mask, a, other}, {picked}, "select"));
  g.add_op(sum);
  g.add_op(op(3, op::kind::Add, {z, sums}, {out}, "add"));
  g.finalize();
  const auto partitions = g.get_partitions();
  ASSERT_EQ(partitions.size(), 1u) << partitions[1].get_reason();
  const auto compiled = partitions.front().compile({a, other, z}, {out}, cpu);
  const bool in_place = !compiled.get_inplace_ports().empty();
  EXPECT_EQ(in_place, GetParam().isa != iotadnn_cpu_isa_reference);
  std::vector<int32_t> numbers(kRows * kColumns * kColumns);
  for (size_t i = 0; i < numbers.size(); ++i)
    numbers[i] = static_cast<int32_t>(i * i);
  for (int32_t filler : {0, 2}) {
    const size_t bytes = (kStep * (kRows - 1) + kColumns) * sizeof(int32_t);
    const GuardedBuffer memory(bytes, Placement::end_flush);
    const GuardedBuffer apart(bytes, Placement::end_flush);
    auto* const data = memory.as<int32_t>();
    for (int64_t r = 0; r < kRows; ++r)
      for (int64_t c = 0; c < kColumns; ++c)
        data[r * kStep + c] = static_cast<int32_t>(1000 * r + c);
    auto* const to = in_place ? data : apart.as<int32_t>();
    stream s(cpu);
    compiled.execute(
        s, {{a, cpu, numbers.data()}, tensor::make_scalar_tensor(other, &filler), {z, cpu, data}},
        {{out, cpu, to}});
    s.wait();
    for (int64_t r = 0; r < kRows; ++r)
      for (int64_t c = 0; c < kColumns; ++c)
        EXPECT_EQ(to[r * kStep + c],
                  1000 * r + c + numbers[static_cast<size_t>((r * kColumns + c) * kColumns + c)] +
                      filler * (kColumns - 1));
  }
}

INSTANTIATE_TEST_SUITE_P(Isa, InPlace, testing::ValuesIn(host_named_isas()), named_isa_test_name);

}  // namespace
}  // namespace iotadnn::test
