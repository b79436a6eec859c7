// SPDX-License-Identifier: Apache-2.0
// Every name of the C++ alias headers, used once.
#include <cstdlib>
#include <type_traits>
#include <vector>

#include <gtest/gtest.h>

#include "oneapi/dnnl/dnnl.hpp"
#include "oneapi/dnnl/dnnl_graph.hpp"

namespace {

static_assert(std::is_base_of_v<dnnl::handle<dnnl_engine_t>, dnnl::engine>);
static_assert(std::is_base_of_v<dnnl::handle<dnnl_stream_t>, dnnl::stream>);
static_assert(std::is_same_v<dnnl::graph::engine, dnnl::engine>);
static_assert(std::is_same_v<dnnl::graph::stream, dnnl::stream>);
static_assert(std::is_same_v<dnnl::graph::status, dnnl::status>);
static_assert(std::is_same_v<dnnl::graph::error, dnnl::error>);
static_assert(std::is_same_v<dnnl::graph::fpmath_mode, dnnl::fpmath_mode>);
static_assert(std::is_base_of_v<dnnl::graph::allocator_handle, dnnl::graph::allocator>);
static_assert(std::is_base_of_v<dnnl::graph::tensor_handle, dnnl::graph::tensor>);
static_assert(std::is_base_of_v<dnnl::graph::op_handle, dnnl::graph::op>);
static_assert(std::is_base_of_v<dnnl::graph::graph_handle, dnnl::graph::graph>);
static_assert(std::is_base_of_v<dnnl::graph::partition_handle, dnnl::graph::partition>);
static_assert(
    std::is_base_of_v<dnnl::graph::compiled_partition_handle, dnnl::graph::compiled_partition>);
static_assert(std::is_same_v<dnnl::memory::dims, std::vector<dnnl::memory::dim>>);
static_assert(std::is_same_v<dnnl::version_t, dnnl_version_t>);

TEST(CompatNames, HandleTraits) {
  EXPECT_EQ(dnnl::handle_traits<dnnl_engine_t>::destructor(nullptr), dnnl_success);
  EXPECT_EQ(dnnl::graph::graph_handle_traits<dnnl_graph_op_t>::destructor(nullptr), dnnl_success);
}

TEST(CompatNames, Settings) {
  const dnnl::fpmath_mode before = dnnl::get_default_fpmath_mode();
  EXPECT_EQ(dnnl::set_default_fpmath_mode(dnnl::fpmath_mode::bf16), dnnl::status::success);
  EXPECT_EQ(dnnl::get_default_fpmath_mode(), dnnl::fpmath_mode::bf16);
  dnnl::set_default_fpmath_mode(before);
  EXPECT_EQ(dnnl::set_verbose(0), dnnl::status::success);
  EXPECT_FALSE(dnnl::verbose_profiling_enabled());
  EXPECT_EQ(dnnl::version(), dnnl_version());
  EXPECT_EQ(dnnl::set_jit_dump(0), dnnl::status::success);
  EXPECT_EQ(dnnl::set_jit_profiling_flags(0), dnnl::status::success);
  EXPECT_EQ(dnnl::convert_to_c(dnnl::accumulation_mode::f32), dnnl_accumulation_mode_f32);
  EXPECT_EQ(dnnl::convert_to_c(dnnl::memory::data_type::s64), dnnl_s64);
  EXPECT_EQ(dnnl::convert_to_c(dnnl::engine::kind::cpu), dnnl_cpu);
}

TEST(CompatNames, InstructionSetsOfOneDnnAreCapsHere) {
  using dnnl::cpu_isa;
  const cpu_isa best = dnnl::get_effective_cpu_isa();
  for (const cpu_isa isa :
       {cpu_isa::sse41, cpu_isa::avx, cpu_isa::avx2, cpu_isa::avx2_vnni, cpu_isa::avx2_vnni_2,
        cpu_isa::avx512_core, cpu_isa::avx512_core_vnni, cpu_isa::avx512_core_bf16,
        cpu_isa::avx512_core_fp16, cpu_isa::avx10_1_512, cpu_isa::avx512_core_amx,
        cpu_isa::avx10_1_512_amx, cpu_isa::avx512_core_amx_fp16, cpu_isa::avx10_1_512_amx_fp16,
        cpu_isa::avx10_2, cpu_isa::avx10_2_512, cpu_isa::avx10_2_amx_2, cpu_isa::avx10_2_512_amx_2})
    EXPECT_EQ(dnnl::set_max_cpu_isa(isa), dnnl::status::success);
  EXPECT_EQ(dnnl::set_max_cpu_isa(cpu_isa::sse41), dnnl::status::success);
  EXPECT_EQ(dnnl::get_effective_cpu_isa(), cpu_isa::sse41);
  EXPECT_EQ(dnnl::set_max_cpu_isa(cpu_isa::isa_default), dnnl::status::success);
  dnnl::set_max_cpu_isa(best);
}

TEST(CompatNames, TypesOfMemory) {
  using dt = dnnl::memory::data_type;
  int number = 0;
  for (const dt type :
       {dt::undef, dt::f16, dt::bf16, dt::f32, dt::s32, dt::s8, dt::u8, dt::f64, dt::boolean,
        dt::f8_e5m2, dt::f8_e4m3, dt::s4, dt::u4, dt::e8m0, dt::f4_e2m1, dt::f4_e3m0, dt::s64})
    EXPECT_EQ(static_cast<int>(type), number++);
}

TEST(CompatNames, GraphSettings) {
  using namespace dnnl::graph;  // NOLINT(google-build-using-namespace): as programs do
  const int before = get_compiled_partition_cache_capacity();
  set_compiled_partition_cache_capacity(5);
  EXPECT_EQ(get_compiled_partition_cache_capacity(), 5);
  set_compiled_partition_cache_capacity(before);
  set_constant_tensor_cache(1);
  EXPECT_EQ(get_constant_tensor_cache(), 1);
  set_constant_tensor_cache(0);
  set_constant_tensor_cache_capacity(dnnl::engine::kind::cpu, 3);
  EXPECT_EQ(get_constant_tensor_cache_capacity(dnnl::engine::kind::cpu), 3u);
  set_constant_tensor_cache_capacity(dnnl::engine::kind::cpu, 0);
  set_dump_mode(graph_dump_mode::none);
}

TEST(CompatNames, AllocatorAndLogicalTensor) {
  const dnnl::graph::allocator alloc(
      [](size_t size, size_t alignment) {
        return std::aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
      },
      [](void* p) { std::free(p); });
  const auto eng = dnnl::graph::make_engine_with_allocator(dnnl::engine::kind::cpu, 0, alloc);
  const dnnl::graph::logical_tensor lt(0, dnnl::graph::logical_tensor::data_type::f32, {2, 2},
                                       dnnl::graph::logical_tensor::layout_type::strided);
  EXPECT_NE(dnnl::graph::tensor(lt, eng).get_data_handle(), nullptr);
}

}  // namespace
