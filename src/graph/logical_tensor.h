// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

#include "base/data_type.h"
#include "base/shape.h"
#include "base/status.h"

namespace iotadnn::impl {

enum class LayoutType : int32_t { undef = 0, any = 1, strided = 2, opaque = 3 };
enum class Property : int32_t { undef = 0, variable = 1, constant = 2, host_scalar = 3 };

// "strided", "host_scalar", ...: the spelling of JSON files and verbose lines.
std::string_view name_of(LayoutType layout);
std::string_view name_of(Property property);

// Metadata of one edge of a graph. Mirrors iotadnn_graph_logical_tensor_t field by field (the API
// layer converts); strides are in elements and mean something only for strided layouts.
struct LogicalTensor {
  size_t id = 0;
  int rank = kUnknownRank;
  Dims dims{};
  DataType type = DataType::undef;
  Property property = Property::undef;
  LayoutType layout = LayoutType::undef;
  Dims strides{};
  size_t layout_id = 0;  // for opaque layouts

  bool operator==(const LogicalTensor& o) const;

  bool operator!=(const LogicalTensor& o) const { return !(*this == o); }
};

// Equal in type, shape and strides; ids, properties and what a layout without strides means do not
// count. In the header because every execution asks it of every tensor.
inline bool same_geometry(const LogicalTensor& a, const LogicalTensor& b) {
  if (a.rank != b.rank || a.type != b.type || a.layout != b.layout) return false;
  for (int d = 0; d < a.rank; ++d)
    if (a.dims[d] != b.dims[d] || a.strides[d] != b.strides[d]) return false;
  return true;
}

// Whether an extent is known to be 0.
inline bool is_empty(const LogicalTensor& t) {
  for (int d = 0; d < t.rank; ++d)
    if (t.dims[d] == 0) return true;
  return false;
}

// Shape known and, for a strided layout, all strides known.
bool is_fully_known(const LogicalTensor& t);

// What buffer_bytes() says of a layout that is not strided: the size cannot be told from outside.
inline constexpr size_t kUnknownBytes = std::numeric_limits<size_t>::max();

// Bytes that a buffer for `t` must have; oneDNN's rule (dnnl_graph_logical_tensor_get_mem_size):
// largest dims[d] * strides[d] (stride 1 where the extent is 1), 0 for an empty tensor, and never
// less than what the strides reach (dimensions that overlap). kUnknownBytes for layouts other than
// strided, invalid_shape on overflow, for a negative extent or stride and for an unknown one.
Result<size_t> buffer_bytes(const LogicalTensor& t);

// "f32:7:strided:undef:2x3:3s1": the T of oneDNN's verbose grammar. A scalar's shape and strides
// print as 0, unknown numbers as ?.
std::string verbose_text(const LogicalTensor& t);

}  // namespace iotadnn::impl
