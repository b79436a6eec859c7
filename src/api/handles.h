// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

#include "iotadnn/iotadnn_types.h"

#include "graph/graph.h"
#include "partition/partition.h"
#include "runtime/compiled_partition.h"
#include "runtime/tensor.h"

namespace iotadnn::impl {

// The callbacks of an allocator.
struct AllocatorCallbacks {
  iotadnn_graph_host_allocate_f allocate = nullptr;
  iotadnn_graph_host_deallocate_f deallocate = nullptr;
};

// aligned_alloc and free.
AllocatorCallbacks default_allocator();

}  // namespace iotadnn::impl

// What the opaque handles of the C API point to.

struct iotadnn_graph_allocator {
  iotadnn::impl::AllocatorCallbacks callbacks;
};

// Counted: the user's handle is one reference, streams, tensors and compiled partitions hold
// others, so that the pointer identifies the engine as long as any of them lives.
struct iotadnn_engine {
  explicit iotadnn_engine(iotadnn::impl::AllocatorCallbacks allocator) : callbacks(allocator) {}

  iotadnn::impl::AllocatorCallbacks callbacks;
  std::atomic<size_t> references{1};
};

namespace iotadnn::impl {

void retain(iotadnn_engine* engine);
void release(iotadnn_engine* engine);

// A reference to an engine, or none.
class EngineRef {
 public:
  EngineRef() = default;

  explicit EngineRef(iotadnn_engine* engine) : engine_(engine) { retain(engine); }

  EngineRef(const EngineRef&) = delete;

  EngineRef(EngineRef&& other) noexcept : engine_(std::exchange(other.engine_, nullptr)) {}

  EngineRef& operator=(EngineRef other) noexcept {
    std::swap(engine_, other.engine_);
    return *this;
  }

  ~EngineRef() { release(engine_); }

  iotadnn_engine* get() const { return engine_; }

 private:
  iotadnn_engine* engine_ = nullptr;
};

}  // namespace iotadnn::impl

struct iotadnn_stream {
  explicit iotadnn_stream(iotadnn_engine* e) : engine(e) {}

  iotadnn::impl::EngineRef engine;
};

struct iotadnn_graph_tensor : iotadnn::impl::Tensor {
  iotadnn_graph_tensor() = default;
  iotadnn_graph_tensor(const iotadnn_graph_tensor&) = delete;
  iotadnn_graph_tensor& operator=(const iotadnn_graph_tensor&) = delete;

  ~iotadnn_graph_tensor() { free_buffer(); }

  void free_buffer();

  iotadnn::impl::EngineRef engine;
  void* owned = nullptr;  // the buffer, when the engine's allocator gave it
};

struct iotadnn_graph_op {
  iotadnn::impl::Op op;
};

struct iotadnn_graph_partition {
  std::shared_ptr<const iotadnn::impl::Partition> partition;
};

struct iotadnn_graph_graph {
  explicit iotadnn_graph_graph(iotadnn::impl::Graph g) : graph(std::move(g)) {}

  iotadnn::impl::Graph graph;
  std::vector<std::shared_ptr<const iotadnn::impl::Partition>> partitions;  // of the last filter
};

struct iotadnn_graph_compiled_partition {
  std::shared_ptr<const iotadnn::impl::CompiledPartition> compiled;  // null until compiled
  iotadnn::impl::EngineRef engine;
  std::vector<iotadnn_graph_inplace_pair_t> inplace_pairs;
};
