// SPDX-License-Identifier: Apache-2.0
#include "runtime/partition_cache.h"

#include <climits>

#include "base/env.h"

namespace iotadnn::impl {

std::shared_ptr<const Core> PartitionCache::find(const std::string& key) {
  const std::lock_guard lock(mutex_);
  const auto found = index_.find(key);
  if (found == index_.end()) return nullptr;
  entries_.splice(entries_.begin(), entries_, found->second);
  return entries_.front().core;
}

std::shared_ptr<const Core> PartitionCache::store(const std::string& key,
                                                  std::shared_ptr<const Core> core) {
  const std::lock_guard lock(mutex_);
  const auto found = index_.find(key);
  if (found != index_.end()) return found->second->core;
  if (capacity_ == 0) return core;
  entries_.push_front({key, std::move(core)});
  index_.emplace(entries_.front().key, entries_.begin());
  shrink();
  return entries_.front().core;
}

int PartitionCache::capacity() const {
  const std::lock_guard lock(mutex_);
  return capacity_;
}

void PartitionCache::set_capacity(int capacity) {
  const std::lock_guard lock(mutex_);
  capacity_ = capacity;
  shrink();
}

void PartitionCache::shrink() {
  while (entries_.size() > static_cast<size_t>(capacity_)) {
    index_.erase(entries_.back().key);
    entries_.pop_back();
  }
}

PartitionCache& partition_cache() {
  // Never destroyed: handles in static objects may outlive everything else here.
  static auto& cache = *new PartitionCache([] {
    const auto from_env = env_integer(EnvVar::compiled_partition_cache_capacity);
    return from_env && *from_env >= 0 && *from_env <= INT_MAX ? static_cast<int>(*from_env) : 1024;
  }());
  return cache;
}

}  // namespace iotadnn::impl
