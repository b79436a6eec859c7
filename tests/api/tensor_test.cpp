// SPDX-License-Identifier: Apache-2.0
#include <atomic>
#include <cstdint>
#include <cstdlib>

#include <gtest/gtest.h>

#include "api/api_test_util.h"

namespace iotadnn::test {
namespace {

// Callbacks that count, and refuse once a limit of bytes is passed.
struct Counter {
  static inline std::atomic<int> allocations{0};
  static inline std::atomic<int> frees{0};
  static inline std::atomic<size_t> last_alignment{0};
  static inline std::atomic<bool> refuse{false};

  static void* allocate(size_t size, size_t alignment) {
    if (refuse) return nullptr;
    ++allocations;
    last_alignment = alignment;
    return std::aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
  }

  static void deallocate(void* p) {
    ++frees;
    std::free(p);
  }

  static void reset() {
    allocations = 0;
    frees = 0;
    refuse = false;
  }
};

engine counting_engine() {
  // The engine keeps a copy of the callbacks: the allocator dies here.
  return graph::make_engine_with_allocator(
      engine::kind::cpu, 0, graph::allocator(Counter::allocate, Counter::deallocate));
}

TEST(Tensor, OverACallersBuffer) {
  const engine eng = cpu_engine();
  float buffer[6];
  graph::tensor t(strided(5, DataType::f32, {2, 3}), eng, buffer);
  EXPECT_EQ(t.get_data_handle(), buffer);
  EXPECT_EQ(t.get_engine(), eng);
  EXPECT_EQ(t.get_logical_tensor().get_id(), 5u);
  float other[6];
  t.set_data_handle(other);
  EXPECT_EQ(t.get_data_handle(), other);
  const graph::tensor none(strided(5, DataType::f32, {2, 3}), eng, IOTADNN_MEMORY_NONE);
  EXPECT_EQ(none.get_data_handle(), nullptr);
}

TEST(Tensor, AllocatedByTheDefaultAllocator) {
  const graph::tensor t(strided(0, DataType::f32, {100}), cpu_engine());
  ASSERT_NE(t.get_data_handle(), nullptr);
  EXPECT_EQ(reinterpret_cast<uintptr_t>(t.get_data_handle()) % 64, 0u);
  static_cast<float*>(t.get_data_handle())[99] = 1.0f;
}

TEST(Tensor, TheUsersAllocatorServes) {
  Counter::reset();
  {
    const engine eng = counting_engine();
    const graph::tensor t(strided(0, DataType::f32, {100}), eng);
    EXPECT_EQ(Counter::allocations, 1);
    EXPECT_EQ(Counter::last_alignment, 64u);
    graph::tensor replaced(strided(0, DataType::f32, {100}), eng);
    replaced.set_data_handle(t.get_data_handle());
    EXPECT_EQ(Counter::frees, 1) << "a replaced buffer of the library's is freed";
  }
  EXPECT_EQ(Counter::allocations, 2);
  EXPECT_EQ(Counter::frees, 2);
}

TEST(Tensor, OutlivesItsEngine) {
  Counter::reset();
  {
    engine eng = counting_engine();
    const graph::tensor t(strided(0, DataType::f32, {100}), eng);
    eng = engine();
    static_cast<float*>(t.get_data_handle())[99] = 1.0f;
    EXPECT_EQ(t.get_engine().get_kind(), engine::kind::cpu);
  }
  EXPECT_EQ(Counter::frees, 1);
}

TEST(Tensor, AllocationFailure) {
  Counter::reset();
  const engine eng = counting_engine();
  Counter::refuse = true;
  expect_error(iotadnn_out_of_memory,
               [&] { graph::tensor(strided(0, DataType::f32, {100}), eng); });
  Counter::refuse = false;
  EXPECT_EQ(Counter::allocations, 0);
  EXPECT_EQ(Counter::frees, 0);
  if (kSanitized) return;  // sanitizers' allocators end the process instead
  expect_error(iotadnn_out_of_memory,
               [] { graph::tensor(strided(0, DataType::u8, {int64_t{1} << 56}), cpu_engine()); });
}

TEST(Tensor, AllocationNeedsASize) {
  expect_error(iotadnn_invalid_arguments,
               [] { graph::tensor(Lt(0, DataType::f32, Lt::dims{2}, Layout::any), cpu_engine()); });
  expect_error(iotadnn_invalid_shape,
               [] { graph::tensor(Lt(0, DataType::f32, 2, Layout::strided), cpu_engine()); });
  const graph::tensor empty(strided(0, DataType::f32, {3, 0}), cpu_engine());
  EXPECT_NE(empty.get_data_handle(), nullptr);
}

// oneDNN's APITensor.CreateScalarTensor: the value is copied, there is no handle and no engine.
TEST(Tensor, HostScalar) {
  int64_t value = 5;
  graph::tensor t = graph::tensor::make_scalar_tensor(host_scalar_lt(0), &value);
  EXPECT_EQ(t.get_data_handle(), nullptr);
  EXPECT_FALSE(t.get_engine());
  EXPECT_EQ(t.get_logical_tensor().get_property_type(), Property::host_scalar);
  expect_error(iotadnn_invalid_arguments, [&] { t.set_data_handle(&value); });
  expect_error(iotadnn_invalid_arguments,
               [] { graph::tensor::make_scalar_tensor(host_scalar_lt(0), nullptr); });
  expect_error(iotadnn_invalid_arguments, [] {
    graph::tensor::make_scalar_tensor(host_scalar_lt(0), IOTADNN_MEMORY_ALLOCATE);
  });
  expect_error(iotadnn_invalid_arguments,
               [&] { graph::tensor::make_scalar_tensor(strided(0, DataType::s64, {1}), &value); });
  expect_error(iotadnn_invalid_arguments,
               [&] { graph::tensor(host_scalar_lt(0), cpu_engine(), &value); });
}

TEST(Tensor, SetDataHandleDoesNotAllocate) {
  graph::tensor t(strided(0, DataType::f32, {2}), cpu_engine(), nullptr);
  expect_error(iotadnn_invalid_arguments, [&] { t.set_data_handle(IOTADNN_MEMORY_ALLOCATE); });
}

TEST(Allocator, NullCallbacksMeanTheDefault) {
  const graph::allocator plain;
  const engine eng = graph::make_engine_with_allocator(engine::kind::cpu, 0, plain);
  EXPECT_NE(graph::tensor(strided(0, DataType::f32, {2}), eng).get_data_handle(), nullptr);
  iotadnn_graph_allocator_t half = nullptr;
  EXPECT_IOTADNN(iotadnn_success,
                 iotadnn_graph_allocator_create(&half, Counter::allocate, nullptr));
  EXPECT_IOTADNN(iotadnn_success, iotadnn_graph_allocator_destroy(half));
  EXPECT_IOTADNN(iotadnn_invalid_arguments, iotadnn_graph_allocator_destroy(nullptr));
}

TEST(Handles, AreSharedAndCheckedForEmptiness) {
  const graph::tensor empty;
  EXPECT_FALSE(empty);
  expect_error(iotadnn_invalid_arguments, [&] { (void)empty.get_data_handle(); });
  float buffer[2];
  const graph::tensor a(strided(0, DataType::f32, {2}), cpu_engine(), buffer);
  graph::tensor b = a;
  EXPECT_EQ(a, b);
  b.set_data_handle(buffer + 1);
  EXPECT_EQ(a.get_data_handle(), buffer + 1);
  const graph::tensor weak(a.get(), true);
  EXPECT_EQ(weak, a);
}

}  // namespace
}  // namespace iotadnn::test
