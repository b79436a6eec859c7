// SPDX-License-Identifier: Apache-2.0
// Every allocation of every step from op to result fails once: the step answers out_of_memory, has
// no effect, and works when it is tried again. The operators below serve the library too.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <new>
#include <vector>

#include <gtest/gtest.h>

#include "api/api_test_util.h"

namespace {

// Allocations of this thread until one fails; negative: none fails.
thread_local int t_countdown = -1;

bool fails_now() {
  if (t_countdown < 0) return false;
  return t_countdown-- == 0;
}

void* allocate(size_t size, size_t alignment) {
  if (fails_now()) throw std::bad_alloc();
  void* p = nullptr;
  if (posix_memalign(&p, alignment, size == 0 ? 1 : size) != 0) throw std::bad_alloc();
  return p;
}

}  // namespace

void* operator new(size_t size) {
  return allocate(size, alignof(std::max_align_t));
}

void* operator new(size_t size, std::align_val_t alignment) {
  return allocate(size, static_cast<size_t>(alignment));
}

void operator delete(void* p) noexcept {
  std::free(p);
}

void operator delete(void* p, size_t) noexcept {
  std::free(p);
}

void operator delete(void* p, std::align_val_t) noexcept {
  std::free(p);
}

void operator delete(void* p, size_t, std::align_val_t) noexcept {
  std::free(p);
}

namespace iotadnn::test {
namespace {

// Repeats `call` with the first, second, ... allocation failing until all of them succeed. A call
// may do without an allocation that failed, and succeed; then `undo` makes it repeatable. Returns
// the number of allocations that failed.
template <class Call, class Undo>
int fail_each_allocation(const char* step, const Call& call, const Undo& undo) {
  for (int n = 0; n < 10000; ++n) {
    t_countdown = n;
    const iotadnn_status_t status = call();
    const bool fired = t_countdown < 0;
    t_countdown = -1;
    if (!fired) {
      EXPECT_EQ(status, iotadnn_success) << step << ": " << iotadnn_get_last_error();
      return n;
    }
    if (status == iotadnn_success) {
      undo();
      continue;
    }
    EXPECT_EQ(status, iotadnn_out_of_memory)
        << step << ", allocation " << n << ": " << iotadnn_get_last_error();
    EXPECT_STREQ(iotadnn_get_last_error(), "out of memory");
  }
  ADD_FAILURE() << step << " never succeeded";
  return 0;
}

const auto kNothingToUndo = [] { ADD_FAILURE() << "a failed allocation went unnoticed"; };

class AllocationFailure : public testing::Test {
 protected:
  void create_op() {
    EXPECT_GT(fail_each_allocation(
                  "op_create",
                  [&] {
                    return iotadnn_graph_op_create(
                        &op, 1, iotadnn_graph_op_gen_index,
                        "a name that is too long to be stored without an allocation");
                  },
                  kNothingToUndo),
              0);
    const int64_t axis = 1;
    EXPECT_GT(
        fail_each_allocation(
            "set_attr",
            [&] { return iotadnn_graph_op_set_attr_s64(op, iotadnn_graph_op_attr_axis, &axis, 1); },
            kNothingToUndo),
        0);
    EXPECT_GT(fail_each_allocation(
                  "add_input", [&] { return iotadnn_graph_op_add_input(op, &src.get()); },
                  kNothingToUndo),
              0);
    EXPECT_GT(fail_each_allocation(
                  "add_output", [&] { return iotadnn_graph_op_add_output(op, &dst.get()); },
                  kNothingToUndo),
              0);
  }

  void create_graph() {
    EXPECT_GT(fail_each_allocation(
                  "graph_create", [&] { return iotadnn_graph_graph_create(&graph, iotadnn_cpu); },
                  kNothingToUndo),
              0);
    EXPECT_GT(fail_each_allocation(
                  "add_op", [&] { return iotadnn_graph_add_op(graph, op); }, kNothingToUndo),
              0);
    EXPECT_GT(fail_each_allocation(
                  "finalize", [&] { return iotadnn_graph_graph_finalize(graph); }, kNothingToUndo),
              0);
    EXPECT_GT(fail_each_allocation(
                  "filter",
                  [&] {
                    return iotadnn_graph_graph_filter(graph, iotadnn_graph_partition_policy_fusion);
                  },
                  kNothingToUndo),
              0);
    EXPECT_GT(fail_each_allocation(
                  "get_partitions",
                  [&] { return iotadnn_graph_graph_get_partitions(graph, 1, &partition); },
                  kNothingToUndo),
              0);
  }

  void TearDown() override {
    iotadnn_graph_partition_destroy(partition);
    iotadnn_graph_graph_destroy(graph);
    iotadnn_graph_op_destroy(op);
  }

  const Lt src = strided(0, DataType::f32, {5, 7});
  const Lt dst = strided(1, DataType::s32, {5, 7});
  iotadnn_graph_op_t op = nullptr;
  iotadnn_graph_graph_t graph = nullptr;
  iotadnn_graph_partition_t partition = nullptr;
};

TEST_F(AllocationFailure, FromOpToResult) {
  create_op();
  create_graph();
  ASSERT_NE(partition, nullptr);
  const engine eng = cpu_engine();
  const stream str(eng);
  const iotadnn_graph_logical_tensor_t* ins[] = {&src.get()};
  const iotadnn_graph_logical_tensor_t* outs[] = {&dst.get()};
  iotadnn_graph_compiled_partition_t compiled = nullptr;
  ASSERT_EQ(iotadnn_graph_compiled_partition_create(&compiled, partition), iotadnn_success);
  const int capacity = graph::get_compiled_partition_cache_capacity();
  const auto forget = [&] {
    graph::set_compiled_partition_cache_capacity(0);
    graph::set_compiled_partition_cache_capacity(capacity);
  };
  EXPECT_GT(fail_each_allocation(
                "compile",
                [&] {
                  return iotadnn_graph_partition_compile(partition, compiled, 1, ins, 1, outs,
                                                         eng.get());
                },
                forget),
            0);
  size_t size = 0;
  EXPECT_GT(fail_each_allocation(
                "get_program_text",
                [&] {
                  return iotadnn_graph_compiled_partition_get_program_text(compiled, &size,
                                                                           nullptr);
                },
                kNothingToUndo),
            0);
  fail_each_allocation(
      "get_kernels",
      [&] { return iotadnn_graph_compiled_partition_get_kernels(compiled, &size, nullptr); },
      kNothingToUndo);
  std::vector<int32_t> result(35, -1);
  const graph::tensor in(src, eng, nullptr);
  const graph::tensor out(dst, eng, result.data());
  const_iotadnn_graph_tensor_t in_list[] = {in.get()};
  const_iotadnn_graph_tensor_t out_list[] = {out.get()};
  const bool is_reference = get_effective_cpu_isa() == cpu_isa::reference;
  const int allocations = fail_each_allocation(
      "execute",
      [&] {
        return iotadnn_graph_compiled_partition_execute(compiled, str.get(), 1, in_list, 1,
                                                        out_list);
      },
      kNothingToUndo);
  if (!is_reference) {
    EXPECT_EQ(allocations, 0) << "execute of a known shape needs no heap";
  }
  for (int i = 0; i < 35; ++i)
    ASSERT_EQ(result[i], i % 7);
  iotadnn_graph_compiled_partition_destroy(compiled);
}

// The shape arrives as data, or with the tensors; from its second execution on it is known.
TEST(AllocationFree, ExecutionsOfAShapeMetBefore) {
  if (get_effective_cpu_isa() == cpu_isa::reference)
    GTEST_SKIP() << "the reference may use the heap";
  const engine eng = cpu_engine();
  const stream str(eng);
  const Lt known = strided(3, DataType::f32, {4, 6});
  const Lt unknown(3, DataType::f32, 2, Layout::strided);
  const std::vector<Lt> scalars = {strided(0, DataType::s32, {1}), strided(1, DataType::s32, {1}),
                                   strided(2, DataType::s32, {1})};
  for (const Lt& dst : {known, unknown}) {
    const auto compiled =
        partition_of(Op(0, Op::kind::Eye, scalars, {dst}, "eye")).compile(scalars, {dst}, eng);
    int32_t rows = 4;
    int32_t columns = 6;
    int32_t diagonal = 1;
    std::vector<float> result(24);
    const graph::tensor in0(scalars[0], eng, &rows);
    const graph::tensor in1(scalars[1], eng, &columns);
    const graph::tensor in2(scalars[2], eng, &diagonal);
    const graph::tensor output(known, eng, result.data());
    const_iotadnn_graph_tensor_t ins[] = {in0.get(), in1.get(), in2.get()};
    const_iotadnn_graph_tensor_t outs[] = {output.get()};
    for (int execution = 0; execution < 4; ++execution) {
      t_countdown = execution == 0 ? -1 : 0;  // only the first may allocate
      const auto status =
          iotadnn_graph_compiled_partition_execute(compiled.get(), str.get(), 3, ins, 1, outs);
      t_countdown = -1;
      ASSERT_EQ(status, iotadnn_success) << iotadnn_get_last_error();
      for (int i = 0; i < 24; ++i)
        ASSERT_EQ(result[static_cast<size_t>(i)], i % 6 - i / 6 == diagonal ? 1.0f : 0.0f)
            << execution << ", " << i;
      ++diagonal;
    }
  }
}

// A + c * I of a shape that comes with the tensors. Where c is not finite, 0 * c is not 0, and
// another plan is needed.
TEST(AllocationFree, ExecutionsOfARegionOfAShapeMetBefore) {
  if (get_effective_cpu_isa() == cpu_isa::reference)
    GTEST_SKIP() << "the reference may use the heap";
  const engine eng = cpu_engine();
  const stream str(eng);
  const auto unknown = [](size_t id) { return Lt(id, DataType::f32, 2, Layout::strided); };
  const Lt c = host_scalar_lt(1, DataType::f32);
  graph::graph g(engine::kind::cpu);
  g.add_op(Op(0, Op::kind::EyeLike, {unknown(0)}, {unknown(2)}, "eye"));
  g.add_op(Op(1, Op::kind::Multiply, {unknown(2), c}, {unknown(3)}, "scale"));
  g.add_op(Op(2, Op::kind::Add, {unknown(0), unknown(3)}, {unknown(4)}, "add"));
  g.finalize();
  const auto partition = g.get_partitions().at(0);
  const auto ports = partition.get_input_ports();
  const auto compiled = partition.compile(ports, partition.get_output_ports(), eng);

  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  const Lt::dims shapes[] = {{4, 6}, {5, 3}, {1, 1}};
  for (int execution = 0; execution < 18; ++execution) {
    const Lt::dims& dims = shapes[execution % 3];
    const bool finite = execution / 3 % 2 == 0;
    float value = finite ? static_cast<float>(execution) + 0.5f : kInfinity;
    const auto count = static_cast<size_t>(dims[0] * dims[1]);
    std::vector<float> matrix(count, 7);
    std::vector<float> result(count);
    const graph::tensor in(strided(0, DataType::f32, dims), eng, matrix.data());
    const graph::tensor scalar = graph::tensor::make_scalar_tensor(c, &value);
    const graph::tensor out(strided(4, DataType::f32, dims), eng, result.data());
    std::vector<const_iotadnn_graph_tensor_t> ins;
    for (const Lt& port : ports)
      ins.push_back(port.get_id() == 0 ? in.get() : scalar.get());
    const_iotadnn_graph_tensor_t outs[] = {out.get()};
    t_countdown = execution < 6 ? -1 : 0;  // three shapes, finite and not
    const auto status = iotadnn_graph_compiled_partition_execute(compiled.get(), str.get(),
                                                                 ins.size(), ins.data(), 1, outs);
    t_countdown = -1;
    ASSERT_EQ(status, iotadnn_success) << execution << ": " << iotadnn_get_last_error();
    for (size_t i = 0; i < count; ++i) {
      const auto columns = static_cast<size_t>(dims[1]);
      if (i / columns == i % columns)
        ASSERT_EQ(result[i], 7 + value) << execution << ", " << i;
      else if (finite)
        ASSERT_EQ(result[i], 7) << execution << ", " << i;
      else
        ASSERT_TRUE(std::isnan(result[i])) << execution << ", " << i;
    }
    // The same plan must not be found for tensors that do not belong together.
    const graph::tensor wrong(strided(4, DataType::f32, {dims[0] + 1, dims[1]}), eng,
                              result.data());
    const_iotadnn_graph_tensor_t wrong_outs[] = {wrong.get()};
    EXPECT_IOTADNN(iotadnn_invalid_shape,
                   iotadnn_graph_compiled_partition_execute(compiled.get(), str.get(), ins.size(),
                                                            ins.data(), 1, wrong_outs));
  }
}

// Few queries and many run on different code; a mask is added to the scores.
TEST(AllocationFailureOfAttention, Execute) {
  const engine eng = cpu_engine();
  const stream str(eng);
  for (const int64_t queries : {2, 70}) {
    const Lt q = strided(0, DataType::f32, {queries, 16});
    const Lt k = strided(1, DataType::f32, {9, 16});
    const Lt mask = strided(2, DataType::f32, {queries, 9});
    const Lt v = strided(3, DataType::f32, {9, 16});
    const auto score = [&](size_t id) { return strided(id, DataType::f32, {queries, 9}); };
    const Lt result = strided(7, DataType::f32, {queries, 16});
    Op scores(0, Op::kind::MatMul, {q, k}, {score(4)}, "scores");
    scores.set_attr<bool>(Op::attr::transpose_b, true);
    Op softmax(2, Op::kind::SoftMax, {score(5)}, {score(6)}, "softmax");
    softmax.set_attr<int64_t>(Op::attr::axis, -1);
    graph::graph g(engine::kind::cpu);
    g.add_op(scores);
    g.add_op(Op(1, Op::kind::Add, {score(4), mask}, {score(5)}, "mask"));
    g.add_op(softmax);
    g.add_op(Op(3, Op::kind::MatMul, {score(6), v}, {result}, "values"));
    g.finalize();
    const auto partitions = g.get_partitions();
    ASSERT_EQ(partitions.size(), 1u);
    const auto ports = partitions[0].get_input_ports();
    const auto compiled = partitions[0].compile(ports, {result}, eng);
    std::vector<float> ones(static_cast<size_t>(std::max<int64_t>(queries, 9)) * 16, 1);
    std::vector<float> out(static_cast<size_t>(queries) * 16);
    std::vector<graph::tensor> ins;
    std::vector<const_iotadnn_graph_tensor_t> in_list;
    for (const Lt& port : ports)
      ins.emplace_back(port, eng, ones.data());
    for (const graph::tensor& in : ins)
      in_list.push_back(in.get());
    const graph::tensor to(result, eng, out.data());
    const_iotadnn_graph_tensor_t out_list[] = {to.get()};
    iotadnn_status_t status = iotadnn_out_of_memory;
    for (int n = 0; n < 100 && status != iotadnn_success; ++n) {
      t_countdown = n;
      status = iotadnn_graph_compiled_partition_execute(compiled.get(), str.get(), in_list.size(),
                                                        in_list.data(), 1, out_list);
      const bool fired = t_countdown < 0;
      t_countdown = -1;
      ASSERT_TRUE(status == iotadnn_success || (fired && status == iotadnn_out_of_memory)) << n;
    }
    ASSERT_EQ(status, iotadnn_success);
    for (const float x : out)
      ASSERT_NEAR(x, 1, 1e-6);
  }
}

TEST_F(AllocationFailure, Objects) {
  iotadnn_engine_t eng = nullptr;
  iotadnn_stream_t str = nullptr;
  iotadnn_graph_allocator_t alloc = nullptr;
  iotadnn_graph_tensor_t tensor = nullptr;
  EXPECT_GT(
      fail_each_allocation(
          "engine", [&] { return iotadnn_engine_create(&eng, iotadnn_cpu, 0); }, kNothingToUndo),
      0);
  EXPECT_GT(fail_each_allocation(
                "stream", [&] { return iotadnn_stream_create(&str, eng, 1); }, kNothingToUndo),
            0);
  EXPECT_GT(
      fail_each_allocation(
          "allocator", [&] { return iotadnn_graph_allocator_create(&alloc, nullptr, nullptr); },
          kNothingToUndo),
      0);
  EXPECT_GT(fail_each_allocation(
                "tensor",
                [&] {
                  return iotadnn_graph_tensor_create(&tensor, &src.get(), eng,
                                                     IOTADNN_MEMORY_ALLOCATE);
                },
                kNothingToUndo),
            0);
  iotadnn_graph_tensor_destroy(tensor);
  iotadnn_graph_allocator_destroy(alloc);
  iotadnn_stream_destroy(str);
  iotadnn_engine_destroy(eng);
}

}  // namespace
}  // namespace iotadnn::test
