// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace iotadnn::impl {

// Threads that work may be spread over now: OpenMP's maximum, 1 inside a caller's parallel region
// and in sequential builds.
int available_threads();

// Calls fn(context, part) for every part in [0, parts), each on a thread of its own when parts > 1
// and threads are available. Returns when all are done. `fn` must not throw.
void run_parts(int parts, void (*fn)(void* context, int part), void* context);

// [begin, end) of part `part` out of `parts` equal shares of `units`, cut at multiples of `grain`
// counted from unit `origin` (which may be negative); the shares cover [0, units).
struct UnitRange {
  int64_t begin = 0;
  int64_t end = 0;
};

UnitRange share_of(int64_t units, int64_t grain, int64_t origin, int part, int parts);

}  // namespace iotadnn::impl
