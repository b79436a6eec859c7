// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "base/data_type.h"
#include "base/shape.h"
#include "base/status.h"

namespace iotadnn::impl {

enum class LayoutType : int32_t { undef = 0, any = 1, strided = 2, opaque = 3 };
enum class Property : int32_t { undef = 0, variable = 1, constant = 2, host_scalar = 3 };

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

// Shape known and, for a strided layout, all strides known.
bool is_fully_known(const LogicalTensor& t);

// Bytes that a buffer for `t` must have; oneDNN's rule (onednn_graph logical_tensor_get_mem_size):
// largest dims[d] * strides[d] (stride 1 where the extent is 1), 0 for an empty tensor.
// invalid_shape on overflow.
Result<size_t> buffer_bytes(const LogicalTensor& t);

// "in0_f32:7:strided:undef:2x3:3s1" without the port prefix: the T of the verbose grammar.
std::string verbose_text(const LogicalTensor& t);

}  // namespace iotadnn::impl
