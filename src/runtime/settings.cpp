// SPDX-License-Identifier: Apache-2.0
#include "runtime/settings.h"

#include <algorithm>

#include "base/env.h"
#include "codegen/jit_profile.h"
#include "runtime/forced_strategy.h"
#include "runtime/parallel.h"
#include "runtime/partition_cache.h"

namespace iotadnn::impl {

int partition_cache_capacity() {
  return partition_cache().capacity();
}

Status set_partition_cache_capacity(int capacity) {
  if (capacity < 0)
    return invalid_arguments("compiled-partition cache capacity is " + std::to_string(capacity) +
                             ", it must not be negative");
  partition_cache().set_capacity(capacity);
  return {};
}

Status set_strategy(std::string_view text) {
  return set_forced_strategy(text);
}

void set_jit_dump(bool on) {
  set_kernel_dump(on);
}

Status set_jit_profiling_flags(unsigned flags) {
  return set_kernel_profiling(flags);
}

int max_threads() {
  return available_threads();
}

}  // namespace iotadnn::impl
