// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace iotadnn::impl {

// Every variable of our own that the library reads; the text of each stands in doc/environment.md.
// (The jitdump file goes below JITDUMPDIR or HOME, as perf's convention has it: jit_profile.cpp.)
enum class EnvVar {
  max_cpu_isa,                        // IOTADNN_MAX_CPU_ISA
  verbose,                            // IOTADNN_VERBOSE
  verbose_timestamp,                  // IOTADNN_VERBOSE_TIMESTAMP
  jit_dump,                           // IOTADNN_JIT_DUMP
  jit_profile,                        // IOTADNN_JIT_PROFILE
  graph_dump,                         // IOTADNN_GRAPH_DUMP
  compiled_partition_cache_capacity,  // IOTADNN_GRAPH_COMPILED_PARTITION_CACHE_CAPACITY
  default_fpmath_mode,                // IOTADNN_DEFAULT_FPMATH_MODE
  strategy,  // IOTADNN_STRATEGY: forces the runtime's choices, for measuring
};

std::string_view env_name(EnvVar var);

// The variable's value now, or nullopt when unset. Thread safe as long as nobody calls setenv.
std::optional<std::string> env_value(EnvVar var);

// The value as an integer; nullopt when unset or not an integer.
std::optional<long> env_integer(EnvVar var);

}  // namespace iotadnn::impl
