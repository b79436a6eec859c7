// SPDX-License-Identifier: Apache-2.0
#include "base/cpu.h"

#if defined(__x86_64__)
#include <cpuid.h>
#endif

#include <atomic>
#include <cctype>
#include <string>

#include "base/env.h"

namespace iotadnn::impl {
namespace {

struct IsaName {
  std::string_view name;  // lower case
  Isa isa;
};

constexpr Isa kBest = Isa::avx512_core_bf16;

// Our two names, then oneDNN's in its documented order (both spellings of the AVX10 family).
constexpr IsaName kIsaNames[] = {
    {"reference", Isa::reference},
    {"portable", Isa::portable},
    {"sse41", Isa::portable},
    {"avx", Isa::portable},
    {"avx2", Isa::avx2},
    {"avx2_vnni", Isa::avx2},
    {"avx2_vnni_2", Isa::avx2},
    {"avx512_core", Isa::avx512_core},
    {"avx512_core_vnni", Isa::avx512_core},
    {"avx512_core_bf16", Isa::avx512_core_bf16},
    {"avx512_core_fp16", Isa::avx512_core_bf16},
    {"avx10_1_512", Isa::avx512_core_bf16},
    {"avx512_core_amx", Isa::avx512_core_bf16},
    {"avx10_1_512_amx", Isa::avx512_core_bf16},
    {"avx512_core_amx_fp16", Isa::avx512_core_bf16},
    {"avx10_1_512_amx_fp16", Isa::avx512_core_bf16},
    {"avx10_2", Isa::avx512_core_bf16},
    {"avx10_2_512", Isa::avx512_core_bf16},
    {"avx10_2_amx_2", Isa::avx512_core_bf16},
    {"avx10_2_512_amx_2", Isa::avx512_core_bf16},
    {"avx10_2_ace", Isa::avx512_core_bf16},
    {"default", kBest},
};

#if defined(__x86_64__)
// Register ecx of a CPUID leaf: feature bits; none where the processor has no such leaf.
unsigned features_of_leaf(unsigned leaf) {
  unsigned a = 0;
  unsigned b = 0;
  unsigned c = 0;
  unsigned d = 0;
  return __get_cpuid(leaf, &a, &b, &c, &d) != 0 ? c : 0;
}

// clang 14's builtin does not know this feature.
bool has_f16c() {
  return (features_of_leaf(1) & bit_F16C) != 0;
}
#endif

Isa detect() {
#if defined(__x86_64__)
  // The builtins also ask the operating system for its support of the wide registers.
  __builtin_cpu_init();
  if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma") || !has_f16c())
    return Isa::portable;
  if (!__builtin_cpu_supports("avx512f") || !__builtin_cpu_supports("avx512bw") ||
      !__builtin_cpu_supports("avx512dq") || !__builtin_cpu_supports("avx512vl"))
    return Isa::avx2;
  return __builtin_cpu_supports("avx512bf16") ? Isa::avx512_core_bf16 : Isa::avx512_core;
#else
  return Isa::portable;
#endif
}

constexpr int kNotSet = -1;
std::atomic<int> g_max_isa{kNotSet};

Result<Isa> max_isa_from_env() {
  const auto value = env_value(EnvVar::max_cpu_isa);
  if (!value || value->empty()) return kBest;
  const auto isa = isa_from_name(*value);
  if (!isa)
    return invalid_arguments("IOTADNN_MAX_CPU_ISA is '" + *value +
                             "', which is not the name of an instruction set (REFERENCE, PORTABLE, "
                             "AVX2, AVX512_CORE, AVX512_CORE_BF16, DEFAULT, ...)");
  return *isa;
}

constexpr CacheSizes kUsualCaches = {32 << 10, 1 << 20, 32 << 20};

#if defined(__x86_64__)
// The leaf that lists caches one by one: 4 on Intel, 0x8000001D on AMD with its topology
// extensions. The C library's totals are no substitute: on AMD they add up the last level of all
// core complexes.
unsigned cache_leaf() {
  constexpr unsigned kTopologyExtensions = 1u << 22;
  return (features_of_leaf(0x80000001u) & kTopologyExtensions) != 0 ? 0x8000001du : 4;
}

CacheSizes detect_caches() {
  CacheSizes sizes = kUsualCaches;
  const unsigned leaf = cache_leaf();
  constexpr unsigned kMostCaches = 16;
  for (unsigned index = 0; index < kMostCaches; ++index) {
    unsigned a = 0;
    unsigned b = 0;
    unsigned c = 0;
    unsigned d = 0;
    if (__get_cpuid_count(leaf, index, &a, &b, &c, &d) == 0) break;
    constexpr unsigned kInstructions = 2;
    const unsigned type = a & 31u;
    if (type == 0) break;
    if (type == kInstructions) continue;
    const unsigned level = a >> 5 & 7u;
    const int64_t ways = int64_t{b >> 22} + 1;
    const int64_t partitions = int64_t{b >> 12 & 1023u} + 1;
    const int64_t line = int64_t{b & 4095u} + 1;
    const int64_t bytes = ways * partitions * line * (int64_t{c} + 1);
    if (level == 1) sizes.l1 = bytes;
    if (level == 2) sizes.l2 = bytes;
    if (level >= 2) sizes.last = bytes;
  }
  return sizes;
}
#else
CacheSizes detect_caches() {
  return kUsualCaches;
}
#endif

}  // namespace

std::string_view name_of(Isa isa) {
  switch (isa) {
    case Isa::reference:
      return "reference";
    case Isa::portable:
      return "portable";
    case Isa::avx2:
      return "avx2";
    case Isa::avx512_core:
      return "avx512_core";
    case Isa::avx512_core_bf16:
      return "avx512_core_bf16";
  }
  return "";
}

std::optional<Isa> isa_from_name(std::string_view name) {
  std::string lower(name);
  for (char& c : lower)
    c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  for (const IsaName& entry : kIsaNames)
    if (entry.name == lower) return entry.isa;
  return std::nullopt;
}

Isa host_isa() {
  static const Isa isa = detect();
  return isa;
}

Result<Isa> max_isa() {
  const int set = g_max_isa.load(std::memory_order_relaxed);
  if (set != kNotSet) return static_cast<Isa>(set);
  // Read once: a program that changes its environment later is not meant to change running code.
  static const Result<Isa> from_env = max_isa_from_env();
  return from_env;
}

void set_max_isa(Isa isa) {
  g_max_isa.store(static_cast<int>(isa), std::memory_order_relaxed);
}

Result<Isa> effective_isa() {
  const auto cap = max_isa();
  if (!cap.ok()) return cap.status();
  return *cap < host_isa() ? *cap : host_isa();
}

const CacheSizes& cache_sizes() {
  static const CacheSizes sizes = detect_caches();
  return sizes;
}

}  // namespace iotadnn::impl
