// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "base/span.h"
#include "graph/op.h"

namespace iotadnn::impl {

// What keys of the partition cache are made of, and what matches tensors with ports.

void append_to_key(std::string& key, int64_t value);
void append_to_key(std::string& key, const LogicalTensor& lt);
void append_to_key(std::string& key, const AttrValue& value);

// The position of the tensor with this id; -1 when it is not there.
int position_of(Span<const LogicalTensor> list, size_t id);

// The caller's tensor for an edge of the graph, whose knowledge must agree (invalid_data_type,
// invalid_shape; invalid_arguments for an opaque layout). Layouts any and undef become strided, the
// dense one as soon as the shape is known.
Result<LogicalTensor> bound_tensor(const std::string& port, const LogicalTensor& edge,
                                   const LogicalTensor& given);

}  // namespace iotadnn::impl
