// SPDX-License-Identifier: Apache-2.0
#include <cstdint>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "api/api_test_util.h"

namespace iotadnn::test {
namespace {

using graph::partition;

// oneDNN's APIPartition.UnsupportedPartitions and CompileWildcardPartition.
TEST(Partition, WildcardAndEndAreUnsupported) {
  graph::graph g(engine::kind::cpu);
  const Lt a = strided(0, DataType::f32, {4});
  const Lt b = strided(1, DataType::f32, {4});
  g.add_op(Op(0, Op::kind::Wildcard, {a}, {b}));
  g.add_op(Op(1, Op::kind::End, {b}, {}));
  g.finalize();
  const auto partitions = g.get_partitions();
  ASSERT_EQ(partitions.size(), 2u);
  for (const partition& p : partitions) {
    EXPECT_FALSE(p.is_supported());
    EXPECT_FALSE(p.get_reason().empty());
    expect_error(iotadnn_invalid_arguments, [&] { (void)p.compile({a}, {b}, cpu_engine()); });
  }
  EXPECT_EQ(partitions[0].get_ops(), std::vector<size_t>{0});
}

// oneDNN's CAPI.CompileWildcard: the C function refuses too.
TEST(Partition, CompileOfUnsupportedThroughC) {
  const Lt a = strided(0, DataType::f32, {4});
  const Lt b = strided(1, DataType::f32, {4});
  const partition p = partition_of(Op(0, Op::kind::Wildcard, {a}, {b}));
  iotadnn_graph_compiled_partition_t compiled = nullptr;
  ASSERT_EQ(iotadnn_graph_compiled_partition_create(&compiled, p.get()), iotadnn_success);
  const iotadnn_graph_logical_tensor_t* inputs[] = {&a.get()};
  const iotadnn_graph_logical_tensor_t* outputs[] = {&b.get()};
  const engine eng = cpu_engine();
  EXPECT_IOTADNN(
      iotadnn_invalid_arguments,
      iotadnn_graph_partition_compile(p.get(), compiled, 1, inputs, 1, outputs, eng.get()));
  iotadnn_graph_compiled_partition_destroy(compiled);
}

// Every kind of oneDNN's is accepted by the graph; ours are claimed, the others have a reason.
TEST(Partition, EveryKindIsOursOrHasAReason) {
  for (int number = 0; number < static_cast<int>(Op::kind::LastSymbol); ++number) {
    const auto kind = static_cast<Op::kind>(number);
    if (kind == Op::kind::GenIndex) continue;
    graph::graph g(engine::kind::cpu);
    // Ops with a schema may refuse these ports; then they are not in a graph at all.
    const Op op(0, kind, {strided(0, DataType::f32, {4})}, {strided(1, DataType::f32, {4})});
    if (g.add_op(op, false) != graph::status::success) {
      EXPECT_STRNE(iotadnn_get_last_error(), "") << number;
      continue;
    }
    g.finalize();
    const auto partitions = g.get_partitions();
    ASSERT_EQ(partitions.size(), 1u) << number;
    EXPECT_FALSE(partitions[0].is_supported()) << number;
    EXPECT_FALSE(partitions[0].get_reason().empty()) << number;
  }
}

TEST(Partition, SupportedOnesHaveNoReason) {
  const partition p = partition_of(eye_op(strided(1, DataType::f32, {4, 4}), {4, 4}, 0, 9));
  EXPECT_TRUE(p.is_supported());
  EXPECT_EQ(p.get_reason(), "");
  EXPECT_EQ(p.get_engine_kind(), engine::kind::cpu);
  EXPECT_EQ(p.get_ops_num(), 1u);
  EXPECT_EQ(p.get_ops(), std::vector<size_t>{9});
  EXPECT_TRUE(p.get_input_ports().empty());
  ASSERT_EQ(p.get_output_ports().size(), 1u);
  EXPECT_EQ(p.get_output_ports()[0].get_id(), 1u);
}

TEST(Partition, OfOneOpChecksTheSchema) {
  const Op op(1, Op::kind::GenIndex, {strided(0, DataType::f32, {4})},
              {strided(1, DataType::s32, {4})});
  expect_error(iotadnn_invalid_graph_op, [&] { partition(op, engine::kind::cpu); });
  expect_error(iotadnn_invalid_arguments, [&] { partition(op, engine::kind::gpu); });
}

TEST(Partition, PortCountsMustFit) {
  const partition p =
      partition_of(gen_index_op(strided(0, DataType::f32, {4}), strided(1, DataType::s32, {4}), 0));
  iotadnn_graph_logical_tensor_t ports[2];
  size_t ids[2];
  EXPECT_IOTADNN(iotadnn_invalid_arguments,
                 iotadnn_graph_partition_get_input_ports(p.get(), 2, ports));
  EXPECT_IOTADNN(iotadnn_invalid_arguments,
                 iotadnn_graph_partition_get_output_ports(p.get(), 0, ports));
  EXPECT_IOTADNN(iotadnn_invalid_arguments, iotadnn_graph_partition_get_ops(p.get(), 2, ids));
  EXPECT_IOTADNN(iotadnn_success, iotadnn_graph_partition_get_input_ports(p.get(), 1, ports));
  EXPECT_EQ(ports[0].id, 0u);
  const partition no_inputs = partition_of(eye_op(strided(1, DataType::f32, {4, 4}), {4, 4}, 0));
  EXPECT_IOTADNN(iotadnn_success,
                 iotadnn_graph_partition_get_input_ports(no_inputs.get(), 0, nullptr));
}

TEST(Compile, MatchesPortsByIdInAnyOrder) {
  const Lt rows = host_scalar_lt(0);
  const Lt cols = host_scalar_lt(1);
  const Lt k = host_scalar_lt(2);
  const Lt dst = strided(3, DataType::f32, {2, 2});
  const partition p = partition_of(Op(0, Op::kind::Eye, {rows, cols, k}, {dst}));
  const engine eng = cpu_engine();
  EXPECT_NO_THROW((void)p.compile({k, rows, cols}, {dst}, eng));
  expect_error(iotadnn_invalid_arguments, [&] { (void)p.compile({rows, cols}, {dst}, eng); });
  expect_error(iotadnn_invalid_arguments, [&] { (void)p.compile({rows, cols, k}, {}, eng); });
}

// One tensor at two ports: oneDNN lists it twice and accepts it once or twice.
TEST(Compile, RepeatedPorts) {
  const Lt n = host_scalar_lt(0);
  const Lt k = host_scalar_lt(2);
  const Lt dst = strided(3, DataType::s32, {3, 3});
  const partition p = partition_of(Op(0, Op::kind::Eye, {n, n, k}, {dst}));
  ASSERT_EQ(p.get_input_ports().size(), 3u);
  const engine eng = cpu_engine();
  stream str(eng);
  const int64_t size = 3;
  const int64_t diagonal = 1;
  const auto n_tensor = graph::tensor::make_scalar_tensor(n, &size);
  const auto k_tensor = graph::tensor::make_scalar_tensor(k, &diagonal);
  const std::vector<int32_t> expected = {0, 1, 0, 0, 0, 1, 0, 0, 0};
  std::vector<int32_t> result(9, -1);
  const graph::tensor out(dst, eng, result.data());
  p.compile({n, k}, {dst}, eng).execute(str, {n_tensor, k_tensor}, {out});
  EXPECT_EQ(result, expected);
  result.assign(9, -1);
  p.compile({n, n, k}, {dst}, eng).execute(str, {n_tensor, n_tensor, k_tensor}, {out});
  EXPECT_EQ(result, expected);
}

TEST(Compile, ShapesMustAgree) {
  const Lt src = strided(0, DataType::f32, {2, 3});
  const Lt dst = Lt(1, DataType::s32, 2, Layout::strided);
  const partition p = partition_of(gen_index_op(src, dst, 0));
  const engine eng = cpu_engine();
  expect_error(iotadnn_invalid_shape, [&] {
    (void)p.compile({src}, {strided(1, DataType::s32, {2, 4})}, eng);
  });
  const auto compiled = p.compile({src}, {dst}, eng);
  EXPECT_EQ(compiled.query_logical_tensor(1).get_dims(), (Lt::dims{2, 3}));
  EXPECT_EQ(compiled.query_logical_tensor(1).get_strides(), (Lt::dims{3, 1}));
}

TEST(Compile, ALayoutOfTheLibrarysChoiceIsDense) {
  const Lt src = strided(0, DataType::f32, {2, 3});
  const Lt any(1, DataType::s32, Lt::dims{2, 3}, Layout::any);
  const auto compiled = partition_of(gen_index_op(src, any, 0)).compile({src}, {any}, cpu_engine());
  const Lt chosen = compiled.query_logical_tensor(1);
  EXPECT_EQ(chosen.get_layout_type(), Layout::strided);
  EXPECT_EQ(chosen.get_strides(), (Lt::dims{3, 1}));
}

}  // namespace
}  // namespace iotadnn::test
