// SPDX-License-Identifier: Apache-2.0
#include "base/env.h"

#include <cerrno>
#include <cstdlib>

namespace iotadnn::impl {

std::string_view env_name(EnvVar var) {
  switch (var) {
    case EnvVar::max_cpu_isa:
      return "IOTADNN_MAX_CPU_ISA";
    case EnvVar::verbose:
      return "IOTADNN_VERBOSE";
    case EnvVar::verbose_timestamp:
      return "IOTADNN_VERBOSE_TIMESTAMP";
    case EnvVar::jit_dump:
      return "IOTADNN_JIT_DUMP";
    case EnvVar::jit_profile:
      return "IOTADNN_JIT_PROFILE";
    case EnvVar::graph_dump:
      return "IOTADNN_GRAPH_DUMP";
    case EnvVar::compiled_partition_cache_capacity:
      return "IOTADNN_GRAPH_COMPILED_PARTITION_CACHE_CAPACITY";
    case EnvVar::default_fpmath_mode:
      return "IOTADNN_DEFAULT_FPMATH_MODE";
    case EnvVar::strategy:
      return "IOTADNN_STRATEGY";
  }
  return "";
}

std::optional<std::string> env_value(EnvVar var) {
  const char* value = std::getenv(std::string(env_name(var)).c_str());
  if (value == nullptr) return std::nullopt;
  return std::string(value);
}

std::optional<long> env_integer(EnvVar var) {
  const auto text = env_value(var);
  if (!text || text->empty()) return std::nullopt;
  char* end = nullptr;
  errno = 0;
  const long value = std::strtol(text->c_str(), &end, 10);
  if (errno != 0 || *end != '\0') return std::nullopt;
  return value;
}

}  // namespace iotadnn::impl
