// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "base/status.h"

namespace iotadnn::impl {

// What executes a partition, ordered: a cap allows itself and all before it.
//   reference         the graph interpreter, op by op
//   portable          the row-program interpreter (no machine code of ours)
//   avx2              AVX2, FMA, F16C
//   avx512_core       AVX-512 F, BW, DQ, VL
//   avx512_core_bf16  the same and the bf16 instructions
enum class Isa : int32_t { reference, portable, avx2, avx512_core, avx512_core_bf16 };

std::string_view name_of(Isa isa);  // "reference", ..., "avx512_core_bf16"

// An IOTADNN_MAX_CPU_ISA value, case-insensitive: REFERENCE, PORTABLE, DEFAULT (the best) or one of
// oneDNN's names, each mapped down to what we have (SSE41 and AVX to portable, AVX2_VNNI to avx2,
// AVX512_CORE_AMX to avx512_core_bf16, ...). nullopt for any other text.
std::optional<Isa> isa_from_name(std::string_view name);

// The best ISA that this processor and operating system can run (at least portable).
Isa host_isa();

// The cap in force: the last set_max_isa(), else IOTADNN_MAX_CPU_ISA, else none. invalid_arguments
// with a sentence when the environment holds an unknown value. Thread safe.
Result<Isa> max_isa();
void set_max_isa(Isa isa);  // thread safe; compiled partitions keep the ISA they were compiled for

// The smaller of max_isa() and host_isa(); reference and portable stay as they are.
Result<Isa> effective_isa();

inline constexpr int kLineBytes = 64;  // what a cache holds or gives away at once

// Data cache sizes in bytes as the processor reports them, or usual values where it does not.
struct CacheSizes {
  int64_t l1 = 0;    // per core
  int64_t l2 = 0;    // per core
  int64_t last = 0;  // last level, shared
};

const CacheSizes& cache_sizes();

}  // namespace iotadnn::impl
