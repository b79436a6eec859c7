// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <atomic>
#include <cctype>
#include <iterator>
#include <limits>
#include <string>
#include <string_view>

#include "iotadnn/graph.h"

#include "api/call.h"
#include "api/convert.h"
#include "api/dump.h"
#include "api/settings.h"
#include "base/cpu.h"
#include "base/env.h"
#include "base/log.h"
#include "runtime/settings.h"

namespace iotadnn::impl {
namespace {

struct IsaPair {
  iotadnn_cpu_isa_t c;
  Isa isa;
};

constexpr IsaPair kIsas[] = {
    {iotadnn_cpu_isa_reference, Isa::reference},
    {iotadnn_cpu_isa_portable, Isa::portable},
    {iotadnn_cpu_isa_avx2, Isa::avx2},
    {iotadnn_cpu_isa_avx512_core, Isa::avx512_core},
    {iotadnn_cpu_isa_avx512_core_bf16, Isa::avx512_core_bf16},
};

iotadnn_cpu_isa_t to_c(Isa isa) {
  for (const IsaPair& pair : kIsas)
    if (pair.isa == isa) return pair.c;
  return iotadnn_cpu_isa_default;
}

Result<Isa> to_impl(iotadnn_cpu_isa_t c) {
  if (raw(c) == iotadnn_cpu_isa_default) return kIsas[std::size(kIsas) - 1].isa;
  for (const IsaPair& pair : kIsas)
    if (pair.c == raw(c)) return pair.isa;
  return invalid_arguments("the instruction set is " + std::to_string(raw(c)) +
                           ", which is not a value of iotadnn_cpu_isa_t");
}

std::string lower_case(std::string text) {
  for (char& c : text)
    c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

constexpr int kUnread = -1;  // the environment has not been looked at yet
std::atomic<int> g_default_fpmath{kUnread};

int fpmath_from_env() {
  constexpr std::string_view kNames[] = {"strict", "bf16", "f16", "any", "tf32"};
  const std::string text = lower_case(env_value(EnvVar::default_fpmath_mode).value_or(""));
  for (size_t i = 0; i < std::size(kNames); ++i)
    if (kNames[i] == text) return static_cast<int>(i);
  return iotadnn_fpmath_mode_strict;
}

// MB of the constant tensor cache by engine kind: nothing is cached, the settings are answered.
std::array<std::atomic<size_t>, 2> g_constant_cache_mb{};

Result<std::atomic<size_t>*> constant_cache_of(iotadnn_engine_kind_t kind) {
  IOTADNN_TRY(
      check_range("the engine kind", kind, iotadnn_cpu, iotadnn_gpu, "1 (cpu) and 2 (gpu)"));
  return &g_constant_cache_mb[static_cast<size_t>(raw(kind) - iotadnn_cpu)];
}

}  // namespace

iotadnn_fpmath_mode_t default_fpmath_mode() {
  int mode = g_default_fpmath.load(std::memory_order_relaxed);
  if (mode == kUnread) {
    const int from_env = fpmath_from_env();
    // A setter that came in between wins.
    if (g_default_fpmath.compare_exchange_strong(mode, from_env)) mode = from_env;
  }
  return static_cast<iotadnn_fpmath_mode_t>(mode);
}

}  // namespace iotadnn::impl

using namespace iotadnn::impl;  // NOLINT(google-build-using-namespace): C functions over it

const char* iotadnn_get_last_error(void) {
  return last_error();
}

iotadnn_status_t iotadnn_get_default_fpmath_mode(iotadnn_fpmath_mode_t* mode) {
  return guarded([&]() -> Status {
    IOTADNN_REQUIRE(mode);
    *mode = default_fpmath_mode();
    return {};
  });
}

iotadnn_status_t iotadnn_set_default_fpmath_mode(iotadnn_fpmath_mode_t mode) {
  return guarded([&]() -> Status {
    IOTADNN_TRY(check_fpmath_mode(mode));
    g_default_fpmath.store(raw(mode), std::memory_order_relaxed);
    return {};
  });
}

iotadnn_status_t iotadnn_set_verbose(int level) {
  return guarded([&] { return set_verbose(level); });
}

iotadnn_status_t iotadnn_verbose_profiling_enabled(int* enabled) {
  return guarded([&]() -> Status {
    IOTADNN_REQUIRE(enabled);
    *enabled = verbose_on(Verbose::profile_exec) || verbose_on(Verbose::profile_create) ? 1 : 0;
    return {};
  });
}

const iotadnn_version_t* iotadnn_version(void) {
  static const iotadnn_version_t version = {IOTADNN_VERSION_MAJOR, IOTADNN_VERSION_MINOR,
                                            IOTADNN_VERSION_PATCH, IOTADNN_VERSION_HASH,
                                            IOTADNN_CPU_RUNTIME,   IOTADNN_GPU_RUNTIME};
  return &version;
}

iotadnn_status_t iotadnn_set_max_cpu_isa(iotadnn_cpu_isa_t isa) {
  return guarded([&]() -> Status {
    const auto cap = to_impl(isa);
    if (!cap.ok()) return cap.status();
    set_max_isa(*cap);
    return {};
  });
}

iotadnn_cpu_isa_t iotadnn_get_effective_cpu_isa(void) {
  iotadnn_cpu_isa_t result = to_c(host_isa());
  (void)guarded([&]() -> Status {
    const auto isa = effective_isa();
    if (!isa.ok()) return isa.status();
    result = to_c(*isa);
    return {};
  });
  return result;
}

iotadnn_status_t iotadnn_cpu_isa_from_name(const char* name, iotadnn_cpu_isa_t* isa) {
  return guarded([&]() -> Status {
    IOTADNN_REQUIRE(name);
    IOTADNN_REQUIRE(isa);
    const auto found = isa_from_name(name);
    if (!found)
      return invalid_arguments("'" + std::string(name) +
                               "' is not the name of an instruction set (REFERENCE, PORTABLE, "
                               "AVX2, AVX512_CORE, AVX512_CORE_BF16, DEFAULT, ...)");
    // As a cap the default is the best ISA; as a name it is the enumerator of its own.
    *isa = lower_case(name) == "default" ? iotadnn_cpu_isa_default : to_c(*found);
    return {};
  });
}

iotadnn_status_t iotadnn_set_jit_dump(int enable) {
  return guarded([&]() -> Status {
    set_jit_dump(enable != 0);
    return {};
  });
}

iotadnn_status_t iotadnn_set_jit_profiling_flags(unsigned flags) {
  return guarded([&] { return set_jit_profiling_flags(flags); });
}

iotadnn_status_t iotadnn_set_strategy(const char* text) {
  return guarded([&]() -> Status {
    IOTADNN_REQUIRE(text);
    return set_strategy(text);
  });
}

iotadnn_status_t iotadnn_graph_get_compiled_partition_cache_capacity(int* capacity) {
  return guarded([&]() -> Status {
    IOTADNN_REQUIRE(capacity);
    *capacity = partition_cache_capacity();
    return {};
  });
}

iotadnn_status_t iotadnn_graph_set_compiled_partition_cache_capacity(int capacity) {
  return guarded([&] { return set_partition_cache_capacity(capacity); });
}

iotadnn_status_t iotadnn_graph_set_constant_tensor_cache(int flag) {
  return guarded([&]() -> Status {
    if (flag < 0)
      return invalid_arguments("the constant tensor cache's flag is " + std::to_string(flag) +
                               ", it must not be negative");
    g_constant_cache_mb[0] = flag == 0 ? 0 : std::numeric_limits<size_t>::max();
    return {};
  });
}

iotadnn_status_t iotadnn_graph_get_constant_tensor_cache(int* flag) {
  return guarded([&]() -> Status {
    IOTADNN_REQUIRE(flag);
    *flag = g_constant_cache_mb[0] != 0 ? 1 : 0;
    return {};
  });
}

iotadnn_status_t iotadnn_graph_set_constant_tensor_cache_capacity(iotadnn_engine_kind_t eng_kind,
                                                                  size_t size) {
  return guarded([&]() -> Status {
    const auto capacity = constant_cache_of(eng_kind);
    if (!capacity.ok()) return capacity.status();
    **capacity = size;
    return {};
  });
}

iotadnn_status_t iotadnn_graph_get_constant_tensor_cache_capacity(iotadnn_engine_kind_t eng_kind,
                                                                  size_t* size) {
  return guarded([&]() -> Status {
    IOTADNN_REQUIRE(size);
    const auto capacity = constant_cache_of(eng_kind);
    if (!capacity.ok()) return capacity.status();
    *size = **capacity;
    return {};
  });
}

iotadnn_status_t iotadnn_graph_set_dump_mode(iotadnn_graph_dump_mode_t mode) {
  return guarded([&]() -> Status {
    IOTADNN_TRY(check_range("the dump mode", mode, iotadnn_graph_dump_mode_none,
                            iotadnn_graph_dump_mode_subgraph | iotadnn_graph_dump_mode_graph,
                            "0, or 1 (subgraph) and 2 (graph) combined"));
    set_dump_mode(static_cast<unsigned>(raw(mode)));
    return {};
  });
}
