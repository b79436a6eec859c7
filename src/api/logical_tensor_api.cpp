// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdint>
#include <limits>

#include "iotadnn/graph.h"

#include "api/call.h"
#include "api/convert.h"

namespace iotadnn::impl {
namespace {

constexpr int64_t kAllUnknown[kMaxRank] = {kUnknownDim, kUnknownDim, kUnknownDim, kUnknownDim,
                                           kUnknownDim, kUnknownDim, kUnknownDim, kUnknownDim,
                                           kUnknownDim, kUnknownDim, kUnknownDim, kUnknownDim};

struct Header {
  size_t id;
  iotadnn_data_type_t type;
  int32_t rank;
  iotadnn_graph_layout_type_t layout;
  iotadnn_graph_tensor_property_t property;
};

// Checks and stores; null dims or strides are all unknown. Dense strides for a strided layout whose
// strides are not given but whose shape is known.
Status init(iotadnn_graph_logical_tensor_t* out, const Header& header, const int64_t* dims,
            const int64_t* strides) {
  IOTADNN_REQUIRE(out);
  iotadnn_graph_logical_tensor_t raw_lt;
  raw_lt.id = header.id;
  raw_lt.ndims = header.rank;
  raw_lt.data_type = header.type;
  raw_lt.property = header.property;
  raw_lt.layout_type = header.layout;
  const int count = std::clamp(header.rank, 0, kMaxRank);
  std::copy_n(dims != nullptr ? dims : kAllUnknown, count, raw_lt.dims);
  std::copy_n(strides != nullptr ? strides : kAllUnknown, count, raw_lt.layout.strides);
  if (raw(header.layout) == iotadnn_graph_layout_type_opaque) raw_lt.layout.layout_id = 0;
  auto lt = to_impl(raw_lt);
  if (!lt.ok()) return lt.status();
  if (strides == nullptr && lt->layout == LayoutType::strided &&
      is_known_shape(lt->dims, lt->rank)) {
    const auto dense = dense_strides(lt->dims, lt->rank);
    if (!dense.ok()) return dense.status();
    lt->strides = *dense;
  }
  *out = to_c(*lt);
  return {};
}

Status require_rank(int32_t rank) {
  if (rank >= 0 && rank <= kMaxRank) return {};
  return invalid_arguments("the rank is " + std::to_string(rank) +
                           ", with dims it must be 0 to 12");
}

}  // namespace
}  // namespace iotadnn::impl

using namespace iotadnn::impl;  // NOLINT(google-build-using-namespace): C functions over it

iotadnn_status_t iotadnn_graph_logical_tensor_init(iotadnn_graph_logical_tensor_t* logical_tensor,
                                                   size_t tid, iotadnn_data_type_t dtype,
                                                   int32_t ndims, iotadnn_graph_layout_type_t ltype,
                                                   iotadnn_graph_tensor_property_t ptype) {
  return guarded([&] {
    return init(logical_tensor, {tid, dtype, ndims, ltype, ptype}, nullptr, nullptr);
  });
}

iotadnn_status_t iotadnn_graph_logical_tensor_init_with_dims(
    iotadnn_graph_logical_tensor_t* logical_tensor, size_t tid, iotadnn_data_type_t dtype,
    int32_t ndims, const iotadnn_dims_t dims, iotadnn_graph_layout_type_t ltype,
    iotadnn_graph_tensor_property_t ptype) {
  return guarded([&]() -> Status {
    IOTADNN_TRY(require_rank(ndims));
    if (ndims > 0) IOTADNN_REQUIRE(dims);
    return init(logical_tensor, {tid, dtype, ndims, ltype, ptype}, dims, nullptr);
  });
}

iotadnn_status_t iotadnn_graph_logical_tensor_init_with_strides(
    iotadnn_graph_logical_tensor_t* logical_tensor, size_t tid, iotadnn_data_type_t dtype,
    int32_t ndims, const iotadnn_dims_t dims, const iotadnn_dims_t strides,
    iotadnn_graph_tensor_property_t ptype) {
  return guarded([&]() -> Status {
    IOTADNN_TRY(require_rank(ndims));
    if (ndims > 0) {
      IOTADNN_REQUIRE(dims);
      IOTADNN_REQUIRE(strides);
    }
    return init(logical_tensor, {tid, dtype, ndims, iotadnn_graph_layout_type_strided, ptype}, dims,
                strides);
  });
}

iotadnn_status_t iotadnn_graph_logical_tensor_get_mem_size(
    const iotadnn_graph_logical_tensor_t* logical_tensor, size_t* size) {
  return guarded([&]() -> Status {
    IOTADNN_REQUIRE(logical_tensor);
    IOTADNN_REQUIRE(size);
    const auto lt = to_impl(*logical_tensor);
    if (!lt.ok()) return lt.status();
    if (lt->layout == LayoutType::opaque)
      return invalid_arguments("logical tensor " + std::to_string(lt->id) +
                               " has an opaque layout that is not of this library");
    const auto bytes = buffer_bytes(*lt);
    if (!bytes.ok()) return bytes.status();
    *size = *bytes;
    return {};
  });
}

iotadnn_status_t iotadnn_graph_logical_tensor_is_equal(const iotadnn_graph_logical_tensor_t* lt1,
                                                       const iotadnn_graph_logical_tensor_t* lt2,
                                                       uint8_t* is_equal) {
  return guarded([&]() -> Status {
    IOTADNN_REQUIRE(lt1);
    IOTADNN_REQUIRE(lt2);
    IOTADNN_REQUIRE(is_equal);
    const auto a = to_impl(*lt1);
    if (!a.ok()) return a.status();
    const auto b = to_impl(*lt2);
    if (!b.ok()) return b.status();
    *is_equal = *a == *b ? 1 : 0;
    return {};
  });
}
