// SPDX-License-Identifier: Apache-2.0
#include <cstring>
#include <memory>

#include "iotadnn/graph.h"

#include "api/call.h"
#include "api/convert.h"
#include "api/handles.h"

namespace iotadnn::impl {
namespace {

constexpr size_t kBufferAlignment = 64;

Status allocate_buffer(iotadnn_graph_tensor& tensor) {
  const auto bytes = buffer_bytes(tensor.lt);
  if (!bytes.ok()) return bytes.status();
  if (tensor.lt.layout != LayoutType::strided)
    return invalid_arguments("logical tensor " + std::to_string(tensor.lt.id) +
                             " is not strided, so the size of its buffer is unknown");
  // An empty tensor has a buffer too, so that its handle says "allocated".
  const size_t size = *bytes == 0 ? kBufferAlignment : *bytes;
  tensor.owned = tensor.engine.get()->callbacks.allocate(size, kBufferAlignment);
  if (tensor.owned == nullptr)
    return out_of_memory("the allocator has no " + std::to_string(size) +
                         " bytes for logical tensor " + std::to_string(tensor.lt.id));
  tensor.data = tensor.owned;
  return {};
}

Status create_tensor(iotadnn_graph_tensor_t* tensor,
                     const iotadnn_graph_logical_tensor_t* logical_tensor, iotadnn_engine_t engine,
                     void* handle) {
  IOTADNN_REQUIRE(tensor);
  IOTADNN_REQUIRE(logical_tensor);
  IOTADNN_REQUIRE(engine);
  const auto lt = to_impl(*logical_tensor);
  if (!lt.ok()) return lt.status();
  if (lt->property == Property::host_scalar)
    return invalid_arguments("logical tensor " + std::to_string(lt->id) +
                             " is a host scalar: its tensor is created from a value");
  auto result = std::make_unique<iotadnn_graph_tensor>();
  result->lt = *lt;
  result->engine = EngineRef(engine);
  if (handle == IOTADNN_MEMORY_ALLOCATE) {
    IOTADNN_TRY(allocate_buffer(*result));
  } else {
    result->data = handle;
  }
  *tensor = result.release();
  return {};
}

Status create_scalar(iotadnn_graph_tensor_t* tensor,
                     const iotadnn_graph_logical_tensor_t* logical_tensor, const void* handle) {
  IOTADNN_REQUIRE(tensor);
  IOTADNN_REQUIRE(logical_tensor);
  IOTADNN_REQUIRE(handle);
  if (handle == IOTADNN_MEMORY_ALLOCATE)
    return invalid_arguments("a host scalar needs a value, not IOTADNN_MEMORY_ALLOCATE");
  const auto lt = to_impl(*logical_tensor);
  if (!lt.ok()) return lt.status();
  if (lt->property != Property::host_scalar)
    return invalid_arguments("logical tensor " + std::to_string(lt->id) + " is not a host scalar");
  auto result = std::make_unique<iotadnn_graph_tensor>();
  result->lt = *lt;
  std::memcpy(result->scalar, handle, static_cast<size_t>(bytes_of(lt->type)));
  *tensor = result.release();
  return {};
}

}  // namespace
}  // namespace iotadnn::impl

using namespace iotadnn::impl;  // NOLINT(google-build-using-namespace): C functions over it

void iotadnn_graph_tensor::free_buffer() {
  if (owned != nullptr) engine.get()->callbacks.deallocate(owned);
  owned = nullptr;
}

iotadnn_status_t iotadnn_graph_tensor_create(iotadnn_graph_tensor_t* tensor,
                                             const iotadnn_graph_logical_tensor_t* logical_tensor,
                                             iotadnn_engine_t engine, void* handle) {
  return guarded([&] { return create_tensor(tensor, logical_tensor, engine, handle); });
}

iotadnn_status_t iotadnn_graph_tensor_create_scalar(
    iotadnn_graph_tensor_t* tensor, const iotadnn_graph_logical_tensor_t* logical_tensor,
    const void* handle) {
  return guarded([&] { return create_scalar(tensor, logical_tensor, handle); });
}

iotadnn_status_t iotadnn_graph_tensor_destroy(iotadnn_graph_tensor_t tensor) {
  delete tensor;
  return iotadnn_success;
}

iotadnn_status_t iotadnn_graph_tensor_get_data_handle(const_iotadnn_graph_tensor_t tensor,
                                                      void** handle) {
  return guarded([&]() -> Status {
    IOTADNN_REQUIRE(tensor);
    IOTADNN_REQUIRE(handle);
    *handle = tensor->data;
    return {};
  });
}

iotadnn_status_t iotadnn_graph_tensor_set_data_handle(iotadnn_graph_tensor_t tensor, void* handle) {
  return guarded([&]() -> Status {
    IOTADNN_REQUIRE(tensor);
    if (tensor->lt.property == Property::host_scalar)
      return invalid_arguments("logical tensor " + std::to_string(tensor->lt.id) +
                               " is a host scalar, it has no data handle");
    if (handle == IOTADNN_MEMORY_ALLOCATE)
      return invalid_arguments("IOTADNN_MEMORY_ALLOCATE is for the creation of a tensor only");
    if (handle == tensor->data) return {};
    tensor->free_buffer();
    tensor->data = handle;
    return {};
  });
}

iotadnn_status_t iotadnn_graph_tensor_get_engine(const_iotadnn_graph_tensor_t tensor,
                                                 iotadnn_engine_t* engine) {
  return guarded([&]() -> Status {
    IOTADNN_REQUIRE(tensor);
    IOTADNN_REQUIRE(engine);
    *engine = tensor->engine.get();
    return {};
  });
}

iotadnn_status_t iotadnn_graph_tensor_get_logical_tensor(
    const_iotadnn_graph_tensor_t tensor, iotadnn_graph_logical_tensor_t* logical_tensor) {
  return guarded([&]() -> Status {
    IOTADNN_REQUIRE(tensor);
    IOTADNN_REQUIRE(logical_tensor);
    *logical_tensor = to_c(tensor->lt);
    return {};
  });
}
