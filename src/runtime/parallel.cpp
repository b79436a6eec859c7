// SPDX-License-Identifier: Apache-2.0
#include "runtime/parallel.h"

#include <algorithm>

#if defined(IOTADNN_OMP)
#include <omp.h>
#endif

namespace iotadnn::impl {

int available_threads() {
#if defined(IOTADNN_OMP)
  return omp_in_parallel() != 0 ? 1 : omp_get_max_threads();
#else
  return 1;
#endif
}

void run_parts(int parts, void (*fn)(void* context, int part), void* context) {
#if defined(IOTADNN_OMP)
  if (parts > 1) {
    // The runtime may give fewer threads than asked for (dynamic adjustment): share what there is.
#pragma omp parallel num_threads(parts)
    {
      for (int part = omp_get_thread_num(); part < parts; part += omp_get_num_threads())
        fn(context, part);
    }
    return;
  }
#endif
  for (int part = 0; part < parts; ++part)
    fn(context, part);
}

UnitRange share_of(int64_t units, int64_t grain, int64_t origin, int part, int parts) {
  const auto cut = [&](int p) {
    if (p <= 0) return int64_t{0};
    if (p >= parts) return units;
    // units / parts first: units * p may overflow.
    const int64_t raw = units / parts * p + units % parts * p / parts;
    const int64_t phase = ((raw - origin) % grain + grain) % grain;
    return std::clamp<int64_t>(raw - phase, 0, units);
  };
  return {cut(part), cut(part + 1)};
}

}  // namespace iotadnn::impl
