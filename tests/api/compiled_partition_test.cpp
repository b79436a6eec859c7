// SPDX-License-Identifier: Apache-2.0
#include <cstdint>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "api/api_test_util.h"
#include "support/isa_param.h"

namespace iotadnn::test {
namespace {

using graph::compiled_partition;
using graph::tensor;

struct Compiled {
  engine eng = cpu_engine();
  stream str{eng};
  compiled_partition cp;
};

Compiled compile_gen_index(const Lt& src, const Lt& dst, int64_t axis) {
  Compiled result;
  result.cp = partition_of(gen_index_op(src, dst, axis)).compile({src}, {dst}, result.eng);
  return result;
}

TEST(CompiledPartition, ExecutesGenIndexWithoutSourceData) {
  const Lt src = strided(0, DataType::f32, {2, 3});
  const Lt dst = strided(1, DataType::s32, {2, 3});
  Compiled c = compile_gen_index(src, dst, 1);
  std::vector<int32_t> result(6, -1);
  c.cp.execute(c.str, {tensor(src, c.eng, nullptr)}, {tensor(dst, c.eng, result.data())});
  EXPECT_EQ(result, (std::vector<int32_t>{0, 1, 2, 0, 1, 2}));
}

TEST(CompiledPartition, QueryOfAnUnknownIdIsAnError) {
  const Lt src = strided(0, DataType::f32, {2, 3});
  const Lt dst = strided(1, DataType::s32, {2, 3});
  const Compiled c = compile_gen_index(src, dst, 1);
  EXPECT_TRUE(c.cp.query_logical_tensor(0).is_equal(src));
  EXPECT_TRUE(c.cp.query_logical_tensor(1).is_equal(dst));
  expect_error(iotadnn_invalid_arguments, [&] { (void)c.cp.query_logical_tensor(2); });
}

TEST(CompiledPartition, Scratchpad) {
  const Lt src = strided(0, DataType::f32, {2, 3});
  const Lt dst = strided(1, DataType::s32, {2, 3});
  Compiled c = compile_gen_index(src, dst, 0);
  const Lt scratch = c.cp.get_scratchpad_logical_tensor();
  EXPECT_EQ(scratch.get_id(), SIZE_MAX);
  EXPECT_EQ(scratch.get_data_type(), DataType::u8);
  EXPECT_EQ(scratch.get_property_type(), Property::variable);
  ASSERT_EQ(scratch.get_dims().size(), 1u);
  EXPECT_EQ(scratch.get_mem_size(), static_cast<size_t>(scratch.get_dims()[0]));
  std::vector<int32_t> result(6, -1);
  c.cp.execute(c.str, {tensor(src, c.eng, nullptr)}, {tensor(dst, c.eng, result.data())},
               tensor(scratch, c.eng));
  EXPECT_EQ(result, (std::vector<int32_t>{0, 0, 0, 1, 1, 1}));
}

// An input that is never read may lend its buffer.
TEST(CompiledPartition, InPlace) {
  const Lt src = strided(0, DataType::f32, {2, 3});
  const Lt dst = strided(1, DataType::s32, {2, 3});
  Compiled c = compile_gen_index(src, dst, 1);
  const auto pairs = c.cp.get_inplace_ports();
  ASSERT_EQ(pairs.size(), 1u);
  EXPECT_EQ(pairs[0], (std::pair<size_t, size_t>{0, 1}));
  std::vector<int32_t> buffer(6, -1);
  c.cp.execute(c.str, {tensor(src, c.eng, buffer.data())}, {tensor(dst, c.eng, buffer.data())});
  EXPECT_EQ(buffer, (std::vector<int32_t>{0, 1, 2, 0, 1, 2}));
}

TEST(CompiledPartition, OneCompilationServesEverySize) {
  const Lt src = strided(0, DataType::f32, {kUnknown, kUnknown});
  const Lt dst = strided(1, DataType::s32, {kUnknown, kUnknown});
  Compiled c = compile_gen_index(src, dst, -1);
  EXPECT_EQ(c.cp.query_logical_tensor(1).get_dims(), (Lt::dims{kUnknown, kUnknown}));
  for (const int64_t cols : {1, 5, 33}) {
    const Lt src_now = strided(0, DataType::f32, {2, cols});
    const tensor src_tensor(src_now, c.eng, nullptr);
    const auto shapes = c.cp.infer_shapes({src_tensor});
    ASSERT_EQ(shapes.size(), 1u);
    EXPECT_EQ(shapes[0].get_id(), 1u);
    EXPECT_EQ(shapes[0].get_dims(), (Lt::dims{2, cols}));
    const tensor out(shapes[0], c.eng);
    c.cp.execute(c.str, {src_tensor}, {out});
    const auto* data = static_cast<const int32_t*>(out.get_data_handle());
    for (int64_t i = 0; i < 2 * cols; ++i)
      ASSERT_EQ(data[i], i % cols) << cols;
  }
}

TEST(CompiledPartition, InferShapesReadsHostScalars) {
  const Lt rows = host_scalar_lt(0, DataType::s32);
  const Lt cols = host_scalar_lt(1);
  const Lt k = host_scalar_lt(2);
  const Lt dst(3, DataType::u8, 2, Layout::strided);
  const engine eng = cpu_engine();
  const auto cp = partition_of(Op(0, Op::kind::Eye, {rows, cols, k}, {dst}))
                      .compile({rows, cols, k}, {dst}, eng);
  const int32_t r = 2;
  const int64_t c = 5;
  const int64_t d = -1;
  const std::vector<tensor> inputs = {tensor::make_scalar_tensor(rows, &r),
                                      tensor::make_scalar_tensor(cols, &c),
                                      tensor::make_scalar_tensor(k, &d)};
  const Lt shape = cp.infer_shapes(inputs).front();
  EXPECT_EQ(shape.get_dims(), (Lt::dims{2, 5}));
  EXPECT_EQ(shape.get_strides(), (Lt::dims{5, 1}));
  const tensor out(shape, eng);
  stream str(eng);
  cp.execute(str, inputs, {out});
  const auto* data = static_cast<const uint8_t*>(out.get_data_handle());
  EXPECT_EQ(std::vector<uint8_t>(data, data + 10),
            (std::vector<uint8_t>{0, 0, 0, 0, 0, 1, 0, 0, 0, 0}));
  expect_error(iotadnn_invalid_arguments, [&] { (void)cp.infer_shapes(inputs, 2); });
  expect_error(iotadnn_invalid_arguments, [&] { (void)cp.infer_shapes({inputs[0]}); });
}

TEST(CompiledPartition, ExecuteChecksItsTensors) {
  const Lt src = strided(0, DataType::f32, {2, 3});
  const Lt dst = strided(1, DataType::s32, {2, 3});
  Compiled c = compile_gen_index(src, dst, 1);
  std::vector<int32_t> result(8, -1);
  const tensor in(src, c.eng, nullptr);
  const tensor out(dst, c.eng, result.data());
  const auto run = [&](const std::vector<tensor>& ins, const std::vector<tensor>& outs) {
    c.cp.execute(c.str, ins, outs);
  };
  expect_error(iotadnn_invalid_arguments, [&] { run({}, {out}); });
  expect_error(iotadnn_invalid_arguments, [&] { run({in, in}, {out}); });
  expect_error(iotadnn_invalid_arguments, [&] { run({in}, {}); });
  expect_error(iotadnn_invalid_arguments, [&] { run({in}, {tensor(dst, c.eng, nullptr)}); });
  expect_error(iotadnn_invalid_shape, [&] {
    run({in}, {tensor(strided(1, DataType::s32, {2, 4}), c.eng, result.data())});
  });
  expect_error(iotadnn_invalid_shape, [&] {
    run({tensor(strided(0, DataType::f32, {2, 4}), c.eng, nullptr)}, {out});
  });
  expect_error(iotadnn_invalid_data_type, [&] {
    run({in}, {tensor(strided(1, DataType::f32, {2, 3}), c.eng, result.data())});
  });
  EXPECT_EQ(result, std::vector<int32_t>(8, -1));
  // More tensors than the inline list holds.
  expect_error(iotadnn_invalid_arguments, [&] { run(std::vector<tensor>(40, in), {out}); });
}

// oneDNN's APIPartition.UseMultipleEngines: a stream of another engine is refused.
TEST(CompiledPartition, UseMultipleEngines) {
  const Lt src = strided(0, DataType::f32, {2, 3});
  const Lt dst = strided(1, DataType::s32, {2, 3});
  Compiled first = compile_gen_index(src, dst, 1);
  Compiled second = compile_gen_index(src, dst, 1);
  std::vector<int32_t> result(6);
  const tensor in(src, first.eng, nullptr);
  const tensor out(dst, first.eng, result.data());
  EXPECT_NO_THROW(first.cp.execute(first.str, {in}, {out}));
  EXPECT_NO_THROW(second.cp.execute(second.str, {in}, {out}));
  expect_error(iotadnn_invalid_arguments, [&] { first.cp.execute(second.str, {in}, {out}); });
}

TEST(CompiledPartition, AnEmptyShellRefusesEverything) {
  const auto p = partition_of(eye_op(strided(1, DataType::f32, {4, 4}), {4, 4}, 0));
  iotadnn_graph_compiled_partition_t raw = nullptr;
  ASSERT_EQ(iotadnn_graph_compiled_partition_create(&raw, p.get()), iotadnn_success);
  const compiled_partition shell(raw);
  const engine eng = cpu_engine();
  stream str(eng);
  expect_error(iotadnn_invalid_arguments, [&] { shell.execute(str, {}, {}); });
  expect_error(iotadnn_invalid_arguments, [&] { (void)shell.get_impl(); });
  expect_error(iotadnn_invalid_arguments, [&] { (void)shell.get_program_text(); });
  expect_error(iotadnn_invalid_arguments, [&] { (void)shell.get_kernels(); });
  expect_error(iotadnn_invalid_arguments, [&] { (void)shell.query_logical_tensor(1); });
  expect_error(iotadnn_invalid_arguments, [&] { (void)shell.get_inplace_ports(); });
  expect_error(iotadnn_invalid_arguments, [&] { (void)shell.get_scratchpad_logical_tensor(); });
  expect_error(iotadnn_invalid_arguments, [&] { (void)shell.infer_shapes({}); });
}

// Eight threads run one compiled partition into outputs of their own; one k per partition.
TEST(CompiledPartition, ManyThreads) {
  constexpr int kThreads = 8;
  constexpr int64_t kSize = 67;
  const Lt dst = strided(1, DataType::f32, {kUnknown, kUnknown});
  const Lt rows = host_scalar_lt(2);
  const Lt cols = host_scalar_lt(3);
  const Lt k = host_scalar_lt(4);
  const engine eng = cpu_engine();
  const auto cp = partition_of(Op(0, Op::kind::Eye, {rows, cols, k}, {dst}))
                      .compile({rows, cols, k}, {dst}, eng);
  std::vector<int> wrong(kThreads, 0);
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t)
    threads.emplace_back([&, t] {
      stream str(eng);
      for (int64_t round = 0; round < 50; ++round) {
        const int64_t n = kSize + t;
        const int64_t diagonal = round % 9 - 4;
        const std::vector<tensor> inputs = {tensor::make_scalar_tensor(rows, &n),
                                            tensor::make_scalar_tensor(cols, &n),
                                            tensor::make_scalar_tensor(k, &diagonal)};
        std::vector<float> result(static_cast<size_t>(n * n), -1.0f);
        cp.execute(str, inputs, {tensor(strided(1, DataType::f32, {n, n}), eng, result.data())});
        for (int64_t i = 0; i < n * n; ++i)
          wrong[t] += result[i] != (i % n == i / n + diagonal ? 1.0f : 0.0f);
      }
    });
  for (std::thread& thread : threads)
    thread.join();
  EXPECT_EQ(wrong, std::vector<int>(kThreads, 0));
}

class CompiledPartitionIsa : public testing::TestWithParam<NamedIsa> {};

TEST_P(CompiledPartitionIsa, ImplNamesWhatRuns) {
  const Lt src = strided(0, DataType::f32, {8, 8});
  const Lt dst = strided(1, DataType::s32, {8, 8});
  compiled_partition before = compile_gen_index(src, dst, 1).cp;
  const std::string impl_before = before.get_impl();
  const ScopedMaxCpuIsa cap(GetParam().isa);
  EXPECT_EQ(iotadnn_get_effective_cpu_isa(), GetParam().isa);
  Compiled c = compile_gen_index(src, dst, 1);
  EXPECT_EQ(c.cp.get_impl(), GetParam().impl);
  EXPECT_EQ(before.get_impl(), impl_before) << "what is compiled keeps its instruction set";
  std::vector<int32_t> result(64, -1);
  c.cp.execute(c.str, {tensor(src, c.eng, nullptr)}, {tensor(dst, c.eng, result.data())});
  for (int i = 0; i < 64; ++i)
    ASSERT_EQ(result[i], i % 8);
}

INSTANTIATE_TEST_SUITE_P(Isas, CompiledPartitionIsa, testing::ValuesIn(host_named_isas()),
                         named_isa_test_name);

}  // namespace
}  // namespace iotadnn::test
