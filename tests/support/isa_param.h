// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "iotadnn/graph.h"

// For tests of the public API; tests that link layers of src/ directly use layer_isa_param.h.
namespace iotadnn::test {

struct NamedIsa {
  iotadnn_cpu_isa_t isa;
  const char* name;  // as in a test's name and, in upper case, in IOTADNN_MAX_CPU_ISA
  const char* impl;  // what iotadnn_graph_compiled_partition_get_impl answers under this cap
};

inline constexpr NamedIsa kNamedIsas[] = {
    {iotadnn_cpu_isa_reference, "reference", "reference"},
    {iotadnn_cpu_isa_portable, "portable", "portable"},
    {iotadnn_cpu_isa_avx2, "avx2", "jit:avx2"},
    {iotadnn_cpu_isa_avx512_core, "avx512_core", "jit:avx512_core"},
    {iotadnn_cpu_isa_avx512_core_bf16, "avx512_core_bf16", "jit:avx512_core"},
};

// What is in force before any test changes it: the host's best, or IOTADNN_MAX_CPU_ISA.
inline iotadnn_cpu_isa_t initial_isa() {
  static const iotadnn_cpu_isa_t isa = iotadnn_get_effective_cpu_isa();
  return isa;
}

// Caps the ISA for its lifetime, then sets what was in force when the program started.
class ScopedMaxCpuIsa {
 public:
  explicit ScopedMaxCpuIsa(iotadnn_cpu_isa_t isa) {
    initial_isa();
    EXPECT_EQ(iotadnn_set_max_cpu_isa(isa), iotadnn_success);
  }

  ~ScopedMaxCpuIsa() { iotadnn_set_max_cpu_isa(initial_isa()); }

  ScopedMaxCpuIsa(const ScopedMaxCpuIsa&) = delete;
  ScopedMaxCpuIsa& operator=(const ScopedMaxCpuIsa&) = delete;
};

// Every ISA that this host can run, worst first, not above IOTADNN_MAX_CPU_ISA when it is set.
inline std::vector<NamedIsa> host_named_isas() {
  std::vector<NamedIsa> isas;
  for (const NamedIsa& candidate : kNamedIsas) {
    isas.push_back(candidate);
    if (candidate.isa == initial_isa()) break;
  }
  return isas;
}

// For INSTANTIATE_TEST_SUITE_P: the ISA's name as the test's suffix.
inline std::string named_isa_test_name(const testing::TestParamInfo<NamedIsa>& info) {
  return info.param.name;
}

}  // namespace iotadnn::test
