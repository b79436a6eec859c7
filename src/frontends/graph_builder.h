// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "iotadnn/graph.hpp"

#include "frontends/graph_desc.h"

namespace iotadnn::frontends {

// Unknown strides become dense (strided layout) or stay to the library (layout any). An opaque or
// undef layout with a known shape becomes strided, as in oneDNN's driver.
iotadnn::graph::logical_tensor build_logical_tensor(const TensorDesc& tensor);

iotadnn::graph::op build_op(const OpDesc& op, const GraphDesc& graph);

// The graph, not finalized, with the description's fpmath mode. GraphError for an attribute whose
// type does not fit its name; iotadnn::error for what the library refuses (its sentence inside).
iotadnn::graph::graph build_graph(const GraphDesc& graph, iotadnn::engine::kind engine);

}  // namespace iotadnn::frontends
