// SPDX-License-Identifier: Apache-2.0
#include "runtime/compiled_partition.h"

#include <vector>

#include <gtest/gtest.h>

#include "ops/op_table.h"
#include "runtime/settings.h"
#include "support/layer_isa_param.h"

namespace iotadnn::impl {
namespace {

LogicalTensor matrix(size_t id, DataType type, int64_t rows, int64_t columns) {
  LogicalTensor lt;
  lt.id = id;
  lt.type = type;
  lt.rank = 2;
  lt.dims = {rows, columns};
  lt.layout = LayoutType::strided;
  lt.strides = {columns, 1};
  if (columns == kUnknownDim) lt.strides = {kUnknownDim, kUnknownDim};
  return lt;
}

Partition eye_like(size_t source_id, size_t output_id, DataType type, int64_t rows,
                   int64_t columns) {
  Op op;
  op.id = 5;
  op.kind = find_op("EyeLike")->kind;
  op.name = "eye";
  op.inputs = {matrix(source_id, type, rows, columns)};
  op.outputs = {matrix(output_id, type, rows, columns)};
  EXPECT_TRUE(check_schema(op).ok());
  Graph graph(1);
  EXPECT_TRUE(graph.add_op(op).ok());
  EXPECT_TRUE(graph.finalize().ok());
  return make_partitions(graph, Policy::fusion).front();
}

Result<CompileOutcome> compiled(const Partition& partition) {
  return compile_partition(partition, {partition.inputs.data(), partition.inputs.size()},
                           {partition.outputs.data(), partition.outputs.size()});
}

Tensor tensor(const LogicalTensor& lt, void* data) {
  Tensor t;
  t.lt = lt;
  t.data = data;
  return t;
}

class CompiledPartitionOnIsa : public testing::TestWithParam<Isa> {
 protected:
  test::ScopedMaxIsa cap_{GetParam()};
};

TEST_P(CompiledPartitionOnIsa, ExecutesAndNamesWhatRan) {
  const Partition partition = eye_like(0, 1, DataType::f32, 2, 3);
  const auto outcome = compiled(partition);
  ASSERT_TRUE(outcome.ok()) << outcome.status().message();
  float out[6] = {9, 9, 9, 9, 9, 9};
  const Tensor in = tensor(partition.inputs[0], nullptr);
  const Tensor result = tensor(partition.outputs[0], out);
  const Tensor* ins[] = {&in};
  const Tensor* outs[] = {&result};
  ASSERT_TRUE(outcome->compiled->execute(ins, outs).ok());
  EXPECT_EQ(std::vector<float>(out, out + 6), (std::vector<float>{1, 0, 0, 0, 1, 0}));
  const bool jit = outcome->compiled->impl().rfind("jit:", 0) == 0;
  EXPECT_EQ(jit, GetParam() >= Isa::avx2) << outcome->compiled->impl();
}

TEST_P(CompiledPartitionOnIsa, RefusesTensorsThatDoNotFit) {
  const Partition partition = eye_like(0, 1, DataType::f32, 2, 3);
  const auto outcome = compiled(partition);
  ASSERT_TRUE(outcome.ok());
  float out[9] = {};
  const Tensor in = tensor(partition.inputs[0], nullptr);
  const Tensor good = tensor(partition.outputs[0], out);
  const Tensor null = tensor(partition.outputs[0], nullptr);
  const Tensor larger = tensor(matrix(1, DataType::f32, 3, 3), out);
  const Tensor typed = tensor(matrix(1, DataType::s32, 2, 3), out);
  const Tensor* ins[] = {&in, &in};
  const auto code = [&](size_t num_inputs, const Tensor& output, size_t num_outputs = 1) {
    const Tensor* outs[] = {&output, &output};
    return outcome->compiled->execute({ins, num_inputs}, {outs, num_outputs}).code();
  };
  EXPECT_EQ(code(1, good), StatusCode::success);
  EXPECT_EQ(code(0, good), StatusCode::invalid_arguments);
  EXPECT_EQ(code(2, good), StatusCode::invalid_arguments);
  EXPECT_EQ(code(1, good, 2), StatusCode::invalid_arguments);
  EXPECT_EQ(code(1, null), StatusCode::invalid_arguments);
  EXPECT_EQ(code(1, larger), StatusCode::invalid_shape);
  EXPECT_EQ(code(1, typed), StatusCode::invalid_data_type);
}

INSTANTIATE_TEST_SUITE_P(Isas, CompiledPartitionOnIsa, testing::ValuesIn(test::host_isas()),
                         test::isa_test_name);

TEST(CompilePartition, StructureEqualPartitionsShareOneEntry) {
  ASSERT_TRUE(set_partition_cache_capacity(0).ok());
  ASSERT_TRUE(set_partition_cache_capacity(1024).ok());
  EXPECT_FALSE(compiled(eye_like(0, 1, DataType::s8, 4, 4))->cache_hit);
  const auto other_ids = compiled(eye_like(70, 30, DataType::s8, 4, 4));
  EXPECT_TRUE(other_ids->cache_hit);
  EXPECT_EQ(other_ids->compiled->outputs()[0].id, 30u);
  EXPECT_FALSE(compiled(eye_like(0, 1, DataType::u8, 4, 4))->cache_hit);
  EXPECT_FALSE(compiled(eye_like(0, 1, DataType::s8, 4, 5))->cache_hit);
}

TEST(CompilePartition, MissingPortsAndOverlapsAreRefused) {
  const Partition partition = eye_like(0, 1, DataType::f32, 2, 3);
  const Span<const LogicalTensor> in(partition.inputs.data(), 1);
  EXPECT_EQ(compile_partition(partition, {}, {partition.outputs.data(), 1}).status().code(),
            StatusCode::invalid_arguments);
  EXPECT_EQ(compile_partition(partition, in, {}).status().code(), StatusCode::invalid_arguments);
  LogicalTensor overlapping = partition.outputs[0];
  overlapping.strides = {2, 1};
  EXPECT_EQ(compile_partition(partition, in, {&overlapping, 1}).status().code(),
            StatusCode::invalid_shape);
  LogicalTensor retyped = partition.outputs[0];
  retyped.type = DataType::s64;
  EXPECT_EQ(compile_partition(partition, in, {&retyped, 1}).status().code(),
            StatusCode::invalid_data_type);
}

TEST(CompilePartition, TheSourceOfAnIdentityMayLendItsBuffer) {
  const auto same = compiled(eye_like(3, 4, DataType::f32, 2, 3));
  ASSERT_EQ(same->compiled->inplace_pairs().size(), 1u);
  EXPECT_EQ(same->compiled->inplace_pairs()[0].input_id, 3u);
  EXPECT_EQ(same->compiled->inplace_pairs()[0].output_id, 4u);
}

}  // namespace
}  // namespace iotadnn::impl
