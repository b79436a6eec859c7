// SPDX-License-Identifier: Apache-2.0
// What the library reads from the environment, it reads once: each case is a process of its own,
// which a death test of the thread-safe style starts.
#include <cstdio>
#include <cstdlib>
#include <string>

#include <gtest/gtest.h>

#include "api/api_test_util.h"

namespace iotadnn::test {
namespace {

class Environment : public testing::Test {
 protected:
  void SetUp() override { GTEST_FLAG_SET(death_test_style, "threadsafe"); }
};

// Ends the process: 0 when `check` holds.
template <class Check>
[[noreturn]] void exit_with(const char* variable, const char* value, const Check& check) {
  ::setenv(variable, value, 1);
  std::exit(check() ? 0 : 1);
}

fpmath_mode mode_of_new_graph() {
  fpmath_mode mode = fpmath_mode::strict;
  bool apply_to_int = false;
  graph::graph(engine::kind::cpu).get_fpmath_mode(mode, apply_to_int);
  return mode;
}

TEST_F(Environment, DefaultFpmathMode) {
  const char* const name = "IOTADNN_DEFAULT_FPMATH_MODE";
  EXPECT_EXIT(exit_with(name, "BF16", [] { return mode_of_new_graph() == fpmath_mode::bf16; }),
              testing::ExitedWithCode(0), "");
  EXPECT_EXIT(exit_with(name, "tf32", [] { return mode_of_new_graph() == fpmath_mode::tf32; }),
              testing::ExitedWithCode(0), "");
  EXPECT_EXIT(exit_with(name, "other", [] { return mode_of_new_graph() == fpmath_mode::strict; }),
              testing::ExitedWithCode(0), "");
}

bool engine_creation_names_the_value() {
  iotadnn_engine_t eng = nullptr;
  return iotadnn_engine_create(&eng, iotadnn_cpu, 0) == iotadnn_invalid_arguments &&
         std::string(iotadnn_get_last_error()).find("AVX3") != std::string::npos &&
         iotadnn_get_effective_cpu_isa() != iotadnn_cpu_isa_default;
}

bool cap_is_portable() {
  return iotadnn_get_effective_cpu_isa() == iotadnn_cpu_isa_portable;
}

TEST_F(Environment, MaxCpuIsa) {
  const char* const name = "IOTADNN_MAX_CPU_ISA";
  EXPECT_EXIT(exit_with(name, "AVX3", engine_creation_names_the_value), testing::ExitedWithCode(0),
              "");
  EXPECT_EXIT(exit_with(name, "portable", cap_is_portable), testing::ExitedWithCode(0), "");
  EXPECT_EXIT(exit_with(name, "portable",
                        [] {
                          set_max_cpu_isa(cpu_isa::reference);
                          return get_effective_cpu_isa() == cpu_isa::reference;
                        }),
              testing::ExitedWithCode(0), "");
}

TEST_F(Environment, CacheCapacity) {
  EXPECT_EXIT(exit_with("IOTADNN_GRAPH_COMPILED_PARTITION_CACHE_CAPACITY", "12",
                        [] { return graph::get_compiled_partition_cache_capacity() == 12; }),
              testing::ExitedWithCode(0), "");
}

// A refused op and a refused compilation leave oneDNN's lines on standard output.
bool refusals_are_logged() {
  testing::internal::CaptureStdout();
  graph::graph g(engine::kind::cpu);
  const Lt src = strided(0, DataType::f32, {4});
  const Lt dst = strided(1, DataType::s32, {4});
  g.add_op(Op(0, Op::kind::GenIndex, {src}, {dst}), false);
  try {
    (void)partition_of(gen_index_op(src, dst, 0)).compile({}, {dst}, cpu_engine());
  } catch (const error&) {
    // Expected: an input port is missing.
  }
  const std::string out = testing::internal::GetCapturedStdout();
  std::fputs(out.c_str(), stderr);
  const bool logged = out.find("graph,create:check,add_op,GenIndex,") != std::string::npos &&
                      out.find("graph,create:check,compile,") != std::string::npos;
  return logged && out.find("src/api/graph_api.cpp:") != std::string::npos;
}

TEST_F(Environment, VerboseCheck) {
  EXPECT_EXIT(exit_with("IOTADNN_VERBOSE", "check", refusals_are_logged),
              testing::ExitedWithCode(0), "");
  EXPECT_EXIT(exit_with("IOTADNN_VERBOSE", "profile", refusals_are_logged),
              testing::ExitedWithCode(1), "");
}

}  // namespace
}  // namespace iotadnn::test
