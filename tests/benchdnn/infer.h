// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "frontends/graph_desc.h"

namespace iotadnn::benchdnn {

using Dims = std::vector<int64_t>;

// Dims of an op's output that follow from its inputs and attributes; nullopt for ops (or inputs)
// whose rule the driver does not know: such outputs keep the dims of the JSON. RewriteError when
// the inputs cannot be combined.
std::optional<Dims> infer_dims(const frontends::GraphDesc& graph, const frontends::OpDesc& op,
                               size_t output);

// numpy's: right-aligned, extents of 1 expand; nullopt when two extents cannot meet.
std::optional<Dims> broadcast(const Dims& a, const Dims& b);

// Eye without inputs takes its shape from the attribute, Eye with inputs from tensors.
bool is_eye_of_tensors(const frontends::OpDesc& op);

}  // namespace iotadnn::benchdnn
