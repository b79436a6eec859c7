// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "base/status.h"

namespace iotadnn::impl {

// Process-wide settings of compile and execute. All thread safe.

// Compiled-partition cache, LRU; default 1024 or IOTADNN_GRAPH_COMPILED_PARTITION_CACHE_CAPACITY.
int partition_cache_capacity();
Status set_partition_cache_capacity(int capacity);  // negative: invalid_arguments; 0 empties it

// Forces the runtime's choices, for measuring: comma-separated walk=rows|ring|points|template,
// store=normal|nontemporal|rep, threads=N; "" lets the cost function choose. Wins over
// IOTADNN_STRATEGY. A choice that is not legal for an output is ignored there.
Status set_strategy(std::string_view text);

// Every kernel's bytes into iotadnn_dump_cpu_<name>.<n>.bin in the current directory.
void set_jit_dump(bool on);
// 0 off, 2 perf map, 4 jitdump (6 both); other bits: invalid_arguments.
Status set_jit_profiling_flags(unsigned flags);

// Number of threads that large work is spread over (OpenMP's maximum; 1 in sequential builds).
int max_threads();

}  // namespace iotadnn::impl
