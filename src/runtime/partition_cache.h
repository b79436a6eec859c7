// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <list>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>

#include "runtime/core.h"

namespace iotadnn::impl {

// Compiled partitions by structure, least recently used first out. Thread safe; compiling happens
// outside its lock, the first stored wins.
class PartitionCache {
 public:
  explicit PartitionCache(int capacity) : capacity_(capacity) {}

  std::shared_ptr<const Core> find(const std::string& key);

  // Stores, unless the key is there already; returns what is stored under it then.
  std::shared_ptr<const Core> store(const std::string& key, std::shared_ptr<const Core> core);

  int capacity() const;
  void set_capacity(int capacity);  // >= 0; 0 empties it

 private:
  struct Entry {
    std::string key;
    std::shared_ptr<const Core> core;
  };

  void shrink();

  mutable std::mutex mutex_;
  int capacity_;
  std::list<Entry> entries_;  // most recently used first
  std::unordered_map<std::string_view, std::list<Entry>::iterator> index_;  // views into entries_
};

// The process-wide one; its first capacity is 1024 or
// IOTADNN_GRAPH_COMPILED_PARTITION_CACHE_CAPACITY.
PartitionCache& partition_cache();

}  // namespace iotadnn::impl
