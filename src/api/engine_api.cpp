// SPDX-License-Identifier: Apache-2.0
#include <cstdlib>
#include <memory>
#include <string>

#include "iotadnn/graph.h"

#include "api/call.h"
#include "api/convert.h"
#include "api/handles.h"
#include "base/cpu.h"

namespace iotadnn::impl {
namespace {

void* allocate_aligned(size_t size, size_t alignment) {
  void* buffer = nullptr;
  return posix_memalign(&buffer, alignment, size) == 0 ? buffer : nullptr;
}

Status create_engine(iotadnn_engine_t* engine, iotadnn_engine_kind_t kind, size_t index,
                     AllocatorCallbacks callbacks) {
  IOTADNN_REQUIRE(engine);
  IOTADNN_TRY(check_cpu_kind(kind));
  if (index != 0)
    return invalid_arguments("the engine index is " + std::to_string(index) +
                             ", there is one CPU engine (0)");
  const auto isa = max_isa();
  if (!isa.ok()) return isa.status();
  *engine = new iotadnn_engine(callbacks);
  return {};
}

}  // namespace

AllocatorCallbacks default_allocator() {
  return {allocate_aligned, std::free};
}

void retain(iotadnn_engine* engine) {
  if (engine != nullptr) engine->references.fetch_add(1, std::memory_order_relaxed);
}

void release(iotadnn_engine* engine) {
  if (engine != nullptr && engine->references.fetch_sub(1, std::memory_order_acq_rel) == 1)
    delete engine;
}

}  // namespace iotadnn::impl

using namespace iotadnn::impl;  // NOLINT(google-build-using-namespace): C functions over it

size_t iotadnn_engine_get_count(iotadnn_engine_kind_t kind) {
  return raw(kind) == iotadnn_cpu ? 1 : 0;
}

iotadnn_status_t iotadnn_engine_create(iotadnn_engine_t* engine, iotadnn_engine_kind_t kind,
                                       size_t index) {
  return guarded([&] { return create_engine(engine, kind, index, default_allocator()); });
}

iotadnn_status_t iotadnn_engine_get_kind(iotadnn_engine_t engine, iotadnn_engine_kind_t* kind) {
  return guarded([&]() -> Status {
    IOTADNN_REQUIRE(engine);
    IOTADNN_REQUIRE(kind);
    *kind = iotadnn_cpu;
    return {};
  });
}

iotadnn_status_t iotadnn_engine_destroy(iotadnn_engine_t engine) {
  release(engine);
  return iotadnn_success;
}

iotadnn_status_t iotadnn_graph_allocator_create(iotadnn_graph_allocator_t* allocator,
                                                iotadnn_graph_host_allocate_f host_malloc,
                                                iotadnn_graph_host_deallocate_f host_free) {
  return guarded([&]() -> Status {
    IOTADNN_REQUIRE(allocator);
    const bool given = host_malloc != nullptr && host_free != nullptr;
    *allocator = new iotadnn_graph_allocator{given ? AllocatorCallbacks{host_malloc, host_free}
                                                   : default_allocator()};
    return {};
  });
}

iotadnn_status_t iotadnn_graph_allocator_destroy(iotadnn_graph_allocator_t allocator) {
  return guarded([&]() -> Status {
    IOTADNN_REQUIRE(allocator);
    delete allocator;
    return {};
  });
}

iotadnn_status_t iotadnn_graph_make_engine_with_allocator(iotadnn_engine_t* engine,
                                                          iotadnn_engine_kind_t kind, size_t index,
                                                          const_iotadnn_graph_allocator_t alloc) {
  return guarded([&] {
    return create_engine(engine, kind, index,
                         alloc != nullptr ? alloc->callbacks : default_allocator());
  });
}

iotadnn_status_t iotadnn_stream_create(iotadnn_stream_t* stream, iotadnn_engine_t engine,
                                       unsigned flags) {
  return guarded([&]() -> Status {
    IOTADNN_REQUIRE(stream);
    IOTADNN_REQUIRE(engine);
    if ((flags & iotadnn_stream_profiling) != 0)
      return unimplemented("streams of a CPU engine have no profiling");
    if (flags != iotadnn_stream_in_order && flags != iotadnn_stream_out_of_order)
      return invalid_arguments("the stream flags are " + std::to_string(flags) +
                               ", allowed are 1 (in order) and 2 (out of order)");
    *stream = new iotadnn_stream(engine);
    return {};
  });
}

iotadnn_status_t iotadnn_stream_get_engine(const_iotadnn_stream_t stream,
                                           iotadnn_engine_t* engine) {
  return guarded([&]() -> Status {
    IOTADNN_REQUIRE(stream);
    IOTADNN_REQUIRE(engine);
    *engine = stream->engine.get();
    return {};
  });
}

iotadnn_status_t iotadnn_stream_wait(iotadnn_stream_t stream) {
  return guarded([&]() -> Status {
    IOTADNN_REQUIRE(stream);
    return {};
  });
}

iotadnn_status_t iotadnn_stream_destroy(iotadnn_stream_t stream) {
  delete stream;
  return iotadnn_success;
}
