// SPDX-License-Identifier: Apache-2.0
#include <cstring>
#include <fstream>
#include <iterator>
#include <regex>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "iotadnn/debug.h"

#include "api/api_test_util.h"
#include "support/isa_param.h"

namespace iotadnn::test {
namespace {

using graph::graph_dump_mode;

// oneDNN's APIPartitionCache.GetSetCapacity.
TEST(Settings, CompiledPartitionCacheCapacity) {
  const int before = graph::get_compiled_partition_cache_capacity();
  graph::set_compiled_partition_cache_capacity(17);
  EXPECT_EQ(graph::get_compiled_partition_cache_capacity(), 17);
  graph::set_compiled_partition_cache_capacity(0);
  EXPECT_EQ(graph::get_compiled_partition_cache_capacity(), 0);
  expect_error(iotadnn_invalid_arguments, [] { graph::set_compiled_partition_cache_capacity(-1); });
  EXPECT_EQ(graph::get_compiled_partition_cache_capacity(), 0);
  graph::set_compiled_partition_cache_capacity(before);
}

TEST(Settings, ConstantTensorCacheIsKeptAndAnswered) {
  using kind = engine::kind;
  EXPECT_EQ(graph::get_constant_tensor_cache(), 0);
  graph::set_constant_tensor_cache(1);
  EXPECT_EQ(graph::get_constant_tensor_cache(), 1);
  graph::set_constant_tensor_cache_capacity(kind::cpu, 0);
  EXPECT_EQ(graph::get_constant_tensor_cache(), 0);
  graph::set_constant_tensor_cache_capacity(kind::cpu, 256);
  graph::set_constant_tensor_cache_capacity(kind::gpu, 512);
  EXPECT_EQ(graph::get_constant_tensor_cache_capacity(kind::cpu), 256u);
  EXPECT_EQ(graph::get_constant_tensor_cache_capacity(kind::gpu), 512u);
  graph::set_constant_tensor_cache(0);
  EXPECT_EQ(graph::get_constant_tensor_cache_capacity(kind::cpu), 0u);
  expect_error(iotadnn_invalid_arguments, [] { graph::set_constant_tensor_cache(-1); });
  expect_error(iotadnn_invalid_arguments,
               [] { graph::set_constant_tensor_cache_capacity(kind::any, 1); });
  expect_error(iotadnn_invalid_arguments,
               [] { (void)graph::get_constant_tensor_cache_capacity(static_cast<kind>(3)); });
}

TEST(Settings, DefaultFpmathModeSeedsGraphs) {
  const fpmath_mode before = get_default_fpmath_mode();
  EXPECT_EQ(set_default_fpmath_mode(fpmath_mode::any), status::success);
  EXPECT_EQ(get_default_fpmath_mode(), fpmath_mode::any);
  const graph::graph g(engine::kind::cpu);
  fpmath_mode mode = fpmath_mode::strict;
  bool apply_to_int = false;
  g.get_fpmath_mode(mode, apply_to_int);
  EXPECT_EQ(mode, fpmath_mode::any);
  EXPECT_EQ(set_default_fpmath_mode(static_cast<fpmath_mode>(5)), status::invalid_arguments);
  EXPECT_EQ(get_default_fpmath_mode(), fpmath_mode::any);
  set_default_fpmath_mode(before);
}

TEST(Settings, DumpModes) {
  EXPECT_NO_THROW(graph::set_dump_mode(graph_dump_mode::none));
  graph_dump_mode all = graph_dump_mode::graph | graph_dump_mode::subgraph;
  EXPECT_EQ(all & graph_dump_mode::graph, graph_dump_mode::graph);
  all ^= graph_dump_mode::graph;
  EXPECT_EQ(all, graph_dump_mode::subgraph);
  all |= graph_dump_mode::graph;
  all &= ~graph_dump_mode::subgraph;
  EXPECT_EQ(all, graph_dump_mode::graph);
  expect_error(iotadnn_invalid_arguments,
               [] { graph::set_dump_mode(static_cast<graph_dump_mode>(4)); });
}

TEST(Settings, Version) {
  const version_t* v = version();
  ASSERT_NE(v, nullptr);
  EXPECT_EQ(v->major, IOTADNN_VERSION_MAJOR);
  EXPECT_EQ(v->minor, IOTADNN_VERSION_MINOR);
  EXPECT_EQ(v->patch, IOTADNN_VERSION_PATCH);
  EXPECT_GT(std::strlen(v->hash), 0u);
  EXPECT_TRUE(v->cpu_runtime == IOTADNN_RUNTIME_OMP || v->cpu_runtime == IOTADNN_RUNTIME_SEQ);
  EXPECT_EQ(v->gpu_runtime, IOTADNN_RUNTIME_NONE);
}

TEST(Settings, InstructionSetsByName) {
  EXPECT_EQ(cpu_isa_from_name("reference"), cpu_isa::reference);
  EXPECT_EQ(cpu_isa_from_name("PORTABLE"), cpu_isa::portable);
  EXPECT_EQ(cpu_isa_from_name("SSE41"), cpu_isa::portable);
  EXPECT_EQ(cpu_isa_from_name("avx2_vnni"), cpu_isa::avx2);
  EXPECT_EQ(cpu_isa_from_name("AVX512_CORE"), cpu_isa::avx512_core);
  EXPECT_EQ(cpu_isa_from_name("AVX512_CORE_AMX"), cpu_isa::avx512_core_bf16);
  EXPECT_EQ(cpu_isa_from_name("DEFAULT"), cpu_isa::isa_default);
  EXPECT_EQ(cpu_isa_from_name("default"), cpu_isa::isa_default);
  for (const char* name : {"", "avx3", "avx2 "})
    expect_error(iotadnn_invalid_arguments, [&] { (void)cpu_isa_from_name(name); });
}

TEST(Settings, MaxCpuIsaMayChangeAtAnyTime) {
  const cpu_isa best = get_effective_cpu_isa();
  EXPECT_EQ(set_max_cpu_isa(cpu_isa::reference), status::success);
  EXPECT_EQ(get_effective_cpu_isa(), cpu_isa::reference);
  EXPECT_EQ(set_max_cpu_isa(cpu_isa::isa_default), status::success);
  EXPECT_EQ(set_max_cpu_isa(static_cast<cpu_isa>(0x3)), status::invalid_arguments);
  set_max_cpu_isa(best);
  EXPECT_EQ(get_effective_cpu_isa(), best);
}

TEST(Settings, Strategy) {
  EXPECT_EQ(set_strategy("walk=rows,store=normal,threads=1"), status::success);
  EXPECT_EQ(set_strategy(""), status::success);
  EXPECT_EQ(set_strategy("walk=backwards"), status::invalid_arguments);
  EXPECT_NE(std::string(iotadnn_get_last_error()).find("backwards"), std::string::npos);
}

// Every choice that the comment of iotadnn_set_strategy() and the page on performance name.
TEST(Settings, DocumentedStrategies) {
  for (const char* file : {"/include/iotadnn/common.h", "/doc/performance.md"}) {
    std::ifstream stream(std::string(IOTADNN_SOURCE_DIR) + file);
    const std::string text{std::istreambuf_iterator<char>(stream), {}};
    const std::regex pattern("(walk|store|template|threads)=([a-zN|]+)");
    size_t choices = 0;
    for (auto at = std::sregex_iterator(text.begin(), text.end(), pattern);
         at != std::sregex_iterator(); ++at) {
      std::istringstream values((*at)[2].str() == "N" ? "1|1024" : (*at)[2].str());
      for (std::string value; std::getline(values, value, '|'); ++choices)
        EXPECT_EQ(set_strategy((*at)[1].str() + "=" + value), status::success)
            << file << ": " << iotadnn_get_last_error();
    }
    EXPECT_GE(choices, 10u) << file;
  }
  set_strategy("");
}

TEST(Settings, JitFlags) {
  EXPECT_EQ(set_jit_dump(0), status::success);
  EXPECT_EQ(set_jit_profiling_flags(0), status::success);
  EXPECT_EQ(set_jit_profiling_flags(1u << 20), status::invalid_arguments);
}

std::string output_of_one_run() {
  testing::internal::CaptureStdout();
  const Lt dst = strided(1, DataType::f32, {4, 4});
  const engine eng = cpu_engine();
  stream str(eng);
  Op op(3, Op::kind::Eye, {}, {dst}, "my_eye");
  op.set_attr<std::vector<int64_t>>(Op::attr::shape, {4, 4});
  const auto compiled = partition_of(op).compile({}, {dst}, eng);
  compiled.execute(str, {}, {graph::tensor(dst, eng)});
  return testing::internal::GetCapturedStdout();
}

TEST(Settings, VerboseLevels) {
  EXPECT_EQ(set_verbose(0), status::success);
  EXPECT_FALSE(verbose_profiling_enabled());
  EXPECT_EQ(output_of_one_run(), "");
  EXPECT_EQ(set_verbose(1), status::success);
  EXPECT_TRUE(verbose_profiling_enabled());
  const std::string exec = output_of_one_run();
  EXPECT_NE(exec.find("iotadnn_verbose,v1,graph,exec,cpu,"), std::string::npos) << exec;
  EXPECT_NE(exec.find(",my_eye,"), std::string::npos) << exec;
  EXPECT_EQ(exec.find("graph,compile:"), std::string::npos) << exec;
  EXPECT_EQ(set_verbose(2), status::success);
  EXPECT_NE(output_of_one_run().find("graph,compile:"), std::string::npos);
  for (const int level : {-1, 3})
    EXPECT_EQ(set_verbose(level), status::invalid_arguments);
  set_verbose(0);
}

TEST(LastError, IsPerThreadAndStaysUntilTheNext) {
  EXPECT_IOTADNN(iotadnn_invalid_arguments, iotadnn_stream_wait(nullptr));
  const std::string mine = iotadnn_get_last_error();
  EXPECT_NE(mine.find("stream"), std::string::npos);
  EXPECT_EQ(engine::get_count(engine::kind::cpu), 1u);
  cpu_engine();
  EXPECT_EQ(iotadnn_get_last_error(), mine);
  std::string others;
  std::thread([&] { others = iotadnn_get_last_error(); }).join();
  EXPECT_EQ(others, "");
}

TEST(Debug, Names) {
  EXPECT_STREQ(iotadnn_status2str(iotadnn_success), "success");
  EXPECT_STREQ(iotadnn_status2str(iotadnn_invalid_data_type), "invalid_data_type");
  EXPECT_STREQ(iotadnn_status2str(static_cast<iotadnn_status_t>(11)), "unknown");
  EXPECT_STREQ(iotadnn_dt2str(iotadnn_bf16), "bf16");
  EXPECT_STREQ(iotadnn_dt2str(iotadnn_u64), "u64");
  EXPECT_STREQ(iotadnn_dt2str(iotadnn_data_type_undef), "undef");
  EXPECT_STREQ(iotadnn_dt2str(static_cast<iotadnn_data_type_t>(99)), "unknown");
  EXPECT_STREQ(iotadnn_fpmath_mode2str(iotadnn_fpmath_mode_tf32), "tf32");
  EXPECT_STREQ(iotadnn_accumulation_mode2str(iotadnn_accumulation_mode_f16), "f16");
  EXPECT_STREQ(iotadnn_engine_kind2str(iotadnn_cpu), "cpu");
  EXPECT_STREQ(iotadnn_cpu_isa2str(iotadnn_cpu_isa_avx512_core), "cpu_isa_avx512_core");
  EXPECT_STREQ(iotadnn_cpu_isa2str(static_cast<iotadnn_cpu_isa_t>(0x3)), "unknown");
  EXPECT_STREQ(iotadnn_runtime2str(IOTADNN_RUNTIME_OMP), "OpenMP");
  EXPECT_STREQ(iotadnn_runtime2str(77), "unknown");
}

}  // namespace
}  // namespace iotadnn::test
