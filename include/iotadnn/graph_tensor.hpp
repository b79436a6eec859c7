// SPDX-License-Identifier: Apache-2.0
// Allocators, logical tensors and tensors of the C++ graph API; include graph.hpp.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "iotadnn/common.hpp"
#include "iotadnn/graph.h"

namespace iotadnn::graph {

using engine = iotadnn::engine;
using stream = iotadnn::stream;
using fpmath_mode = iotadnn::fpmath_mode;
using status = iotadnn::status;
using error = iotadnn::error;

template <typename T>
struct graph_handle_traits : public handle_traits<T> {};

template <>
struct graph_handle_traits<iotadnn_graph_allocator_t> {
  static iotadnn_status_t destructor(iotadnn_graph_allocator_t p) {
    return p == nullptr ? iotadnn_success : iotadnn_graph_allocator_destroy(p);
  }
};

template <>
struct graph_handle_traits<iotadnn_graph_tensor_t> {
  static iotadnn_status_t destructor(iotadnn_graph_tensor_t p) {
    return iotadnn_graph_tensor_destroy(p);
  }
};

using allocator_handle =
    handle<iotadnn_graph_allocator_t, graph_handle_traits<iotadnn_graph_allocator_t>>;
using tensor_handle = handle<iotadnn_graph_tensor_t, graph_handle_traits<iotadnn_graph_tensor_t>>;

// Callbacks that serve the buffers that the library allocates; see
// iotadnn_graph_allocator_create().
class allocator : public allocator_handle {
 public:
  using allocator_handle::handle;

  allocator() : allocator(nullptr, nullptr) {}

  allocator(iotadnn_graph_host_allocate_f host_malloc, iotadnn_graph_host_deallocate_f host_free) {
    iotadnn_graph_allocator_t c_allocator = nullptr;
    error::wrap_c_api(iotadnn_graph_allocator_create(&c_allocator, host_malloc, host_free),
                      "could not create an allocator");
    reset(c_allocator);
  }
};

inline engine make_engine_with_allocator(engine::kind kind, size_t index, const allocator& alloc) {
  iotadnn_engine_t c_engine = nullptr;
  error::wrap_c_api(iotadnn_graph_make_engine_with_allocator(&c_engine, engine::convert_to_c(kind),
                                                             index, alloc.get()),
                    "could not make an engine with an allocator");
  return engine(c_engine);
}

// Metadata of one edge of a graph: a value type around iotadnn_graph_logical_tensor_t.
class logical_tensor {
 public:
  using dim = iotadnn_dim_t;
  using dims = std::vector<dim>;

  // The last block and f64 are not in oneDNN's graph enum.
  enum class data_type {
    undef = iotadnn_data_type_undef,
    f16 = iotadnn_f16,
    bf16 = iotadnn_bf16,
    f32 = iotadnn_f32,
    s32 = iotadnn_s32,
    s8 = iotadnn_s8,
    u8 = iotadnn_u8,
    boolean = iotadnn_boolean,
    f8_e5m2 = iotadnn_f8_e5m2,
    f8_e4m3 = iotadnn_f8_e4m3,
    s4 = iotadnn_s4,
    u4 = iotadnn_u4,
    s64 = iotadnn_s64,
    f64 = iotadnn_f64,
    e8m0 = iotadnn_e8m0,
    f4_e2m1 = iotadnn_f4_e2m1,
    f4_e3m0 = iotadnn_f4_e3m0,
    s16 = iotadnn_s16,
    u16 = iotadnn_u16,
    u32 = iotadnn_u32,
    u64 = iotadnn_u64,
  };

  enum class layout_type {
    undef = iotadnn_graph_layout_type_undef,
    any = iotadnn_graph_layout_type_any,
    strided = iotadnn_graph_layout_type_strided,
    opaque = iotadnn_graph_layout_type_opaque,
  };

  enum class property_type {
    undef = iotadnn_graph_tensor_property_undef,
    variable = iotadnn_graph_tensor_property_variable,
    constant = iotadnn_graph_tensor_property_constant,
    host_scalar = iotadnn_graph_tensor_property_host_scalar,
  };

  logical_tensor() = default;

  explicit logical_tensor(const iotadnn_graph_logical_tensor_t& c_data) : data(c_data) {}

  // Rank `ndims` (IOTADNN_GRAPH_UNKNOWN_NDIMS, 0 for a scalar, to 12), dims unknown.
  logical_tensor(size_t tid, data_type dtype, int32_t ndims, layout_type ltype,
                 property_type ptype = property_type::undef) {
    error::wrap_c_api(iotadnn_graph_logical_tensor_init(&data, tid, convert_to_c(dtype), ndims,
                                                        convert_to_c(ltype), convert_to_c(ptype)),
                      "could not create logical_tensor with property");
  }

  // Unknown rank.
  logical_tensor(size_t tid, data_type dtype, layout_type ltype = layout_type::undef)
      : logical_tensor(tid, dtype, IOTADNN_GRAPH_UNKNOWN_NDIMS, ltype) {}

  // Empty `adims`: a scalar. Extents may be IOTADNN_GRAPH_UNKNOWN_DIM; strided: dense row-major.
  logical_tensor(size_t tid, data_type dtype, const dims& adims, layout_type ltype,
                 property_type ptype = property_type::undef) {
    error::wrap_c_api(iotadnn_graph_logical_tensor_init_with_dims(
                          &data, tid, convert_to_c(dtype), rank_of(tid, adims), adims.data(),
                          convert_to_c(ltype), convert_to_c(ptype)),
                      "could not create logical_tensor with dims and property");
  }

  // Strides in elements, as many as dims.
  logical_tensor(size_t tid, data_type dtype, const dims& adims, const dims& strides,
                 property_type ptype = property_type::undef) {
    if (adims.size() != strides.size())
      throw error(iotadnn_invalid_arguments, "could not create logical_tensor " +
                                                 std::to_string(tid) + ": " +
                                                 std::to_string(adims.size()) + " dims but " +
                                                 std::to_string(strides.size()) + " strides");
    error::wrap_c_api(iotadnn_graph_logical_tensor_init_with_strides(
                          &data, tid, convert_to_c(dtype), rank_of(tid, adims), adims.data(),
                          strides.data(), convert_to_c(ptype)),
                      "could not create logical_tensor with strides and property");
  }

  // An opaque layout.
  logical_tensor(size_t tid, data_type dtype, const dims& adims, size_t lid,
                 property_type ptype = property_type::undef)
      : logical_tensor(tid, dtype, adims, layout_type::opaque, ptype) {
    data.layout.layout_id = lid;
  }

  // Throws when the rank is unknown.
  [[nodiscard]] dims get_dims() const {
    require(data.ndims >= 0, "cannot return dims of a logical_tensor of unknown rank");
    return {data.dims, data.dims + data.ndims};
  }

  [[nodiscard]] size_t get_id() const { return data.id; }

  [[nodiscard]] data_type get_data_type() const { return static_cast<data_type>(data.data_type); }

  [[nodiscard]] property_type get_property_type() const {
    return static_cast<property_type>(data.property);
  }

  [[nodiscard]] layout_type get_layout_type() const {
    return static_cast<layout_type>(data.layout_type);
  }

  // Throws unless the layout is opaque.
  [[nodiscard]] size_t get_layout_id() const {
    require(get_layout_type() == layout_type::opaque, "layout type should be opaque");
    return data.layout.layout_id;
  }

  // Throws unless the layout is strided and the rank known.
  [[nodiscard]] dims get_strides() const {
    require(get_layout_type() == layout_type::strided, "layout type should be strided");
    require(data.ndims >= 0, "cannot return strides of a logical_tensor of unknown rank");
    return {data.layout.strides, data.layout.strides + data.ndims};
  }

  // Bytes of a buffer; see iotadnn_graph_logical_tensor_get_mem_size().
  [[nodiscard]] size_t get_mem_size() const {
    size_t size = 0;
    error::wrap_c_api(iotadnn_graph_logical_tensor_get_mem_size(&data, &size),
                      "could not get memory size from the logical_tensor");
    return size;
  }

  [[nodiscard]] bool is_equal(const logical_tensor& lt) const {
    uint8_t equal = 0;
    error::wrap_c_api(iotadnn_graph_logical_tensor_is_equal(&data, &lt.data, &equal),
                      "could not compare between the two logical tensors");
    return equal != 0;
  }

  // The C struct (oneDNN keeps it private).
  [[nodiscard]] const iotadnn_graph_logical_tensor_t& get() const { return data; }

 private:
  static void require(bool condition, const char* text) {
    if (!condition) throw error(iotadnn_invalid_arguments, text);
  }

  static int32_t rank_of(size_t tid, const dims& adims) {
    if (adims.size() > IOTADNN_MAX_NDIMS)
      throw error(iotadnn_invalid_arguments,
                  "could not create logical_tensor " + std::to_string(tid) + ": rank " +
                      std::to_string(adims.size()) + ", allowed: 0 to 12");
    return static_cast<int32_t>(adims.size());
  }

  static iotadnn_data_type_t convert_to_c(data_type dtype) {
    return static_cast<iotadnn_data_type_t>(dtype);
  }

  static iotadnn_graph_layout_type_t convert_to_c(layout_type ltype) {
    return static_cast<iotadnn_graph_layout_type_t>(ltype);
  }

  static iotadnn_graph_tensor_property_t convert_to_c(property_type ptype) {
    return static_cast<iotadnn_graph_tensor_property_t>(ptype);
  }

  iotadnn_graph_logical_tensor_t data{};
};

// A logical tensor with a buffer, or a host scalar with its value.
class tensor : public tensor_handle {
 public:
  using tensor_handle::handle;

  tensor() = default;

  // Over `buffer`: the caller's buffer, IOTADNN_MEMORY_NONE or IOTADNN_MEMORY_ALLOCATE.
  tensor(const logical_tensor& lt, const engine& aengine, void* buffer) {
    iotadnn_graph_tensor_t c_tensor = nullptr;
    error::wrap_c_api(iotadnn_graph_tensor_create(&c_tensor, &lt.get(), aengine.get(), buffer),
                      "could not create tensor object with the logical_tensor, engine, and handle");
    reset(c_tensor);
  }

  // Over a buffer that the engine's allocator gives.
  tensor(const logical_tensor& lt, const engine& aengine)
      : tensor(lt, aengine, IOTADNN_MEMORY_ALLOCATE) {}

  // A host scalar; the value is copied now.
  static tensor make_scalar_tensor(const logical_tensor& lt, const void* scalar) {
    iotadnn_graph_tensor_t c_tensor = nullptr;
    error::wrap_c_api(iotadnn_graph_tensor_create_scalar(&c_tensor, &lt.get(), scalar),
                      "could not create a scalar tensor object with the logical_tensor and value");
    return tensor(c_tensor);
  }

  [[nodiscard]] void* get_data_handle() const {
    void* buffer = nullptr;
    error::wrap_c_api(iotadnn_graph_tensor_get_data_handle(get(), &buffer),
                      "could not get data handle from the tensor");
    return buffer;
  }

  void set_data_handle(void* buffer) {
    error::wrap_c_api(iotadnn_graph_tensor_set_data_handle(get(), buffer),
                      "setting data handle to the tensor failed");
  }

  // A reference to the engine, which must outlive it or the tensor; empty for a host scalar.
  [[nodiscard]] engine get_engine() const {
    iotadnn_engine_t c_engine = nullptr;
    error::wrap_c_api(iotadnn_graph_tensor_get_engine(get(), &c_engine),
                      "could not get an engine from a tensor object");
    return engine(c_engine, true);
  }

  [[nodiscard]] logical_tensor get_logical_tensor() const {
    iotadnn_graph_logical_tensor_t lt;
    error::wrap_c_api(iotadnn_graph_tensor_get_logical_tensor(get(), &lt),
                      "could not get logical tensor from a tensor object");
    return logical_tensor(lt);
  }
};

}  // namespace iotadnn::graph
