// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <unordered_map>
#include <vector>

#include "base/status.h"
#include "graph/op.h"

namespace iotadnn::impl {

// A region's ops and ports as far as their tensors are known.
struct RegionShapes {
  std::vector<Op> ops;
  std::vector<LogicalTensor> inputs;
  std::vector<LogicalTensor> outputs;

  // Of any tensor in it.
  const LogicalTensor* find(size_t id) const;
};

// The data of the region's inputs by id, for ops whose shape depends on them.
using InputData = std::unordered_map<size_t, const void*>;

// Runs shape inference through the ops in order and tells the outputs what is found.
Status infer_region(RegionShapes& shapes, const InputData& data);

// A region as compiled with the tensors of an execution: `given` its inputs, `shapes.outputs` as
// far as the caller knows them. Everything must be known then, or follow.
Status resolve_region(RegionShapes& shapes, const std::vector<LogicalTensor>& given,
                      const InputData& data);

// Of the tensor with this id; the number of tensors when there is none.
size_t position_of(const std::vector<LogicalTensor>& tensors, size_t id);

// The stride of a fully known tensor over one of its own dimensions, 0 where that has one element.
int64_t stride_of(const LogicalTensor& tensor, int d);

bool same_extents(const LogicalTensor& a, const LogicalTensor& b);

}  // namespace iotadnn::impl
