// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "benchdnn/settings.h"
#include "frontends/graph_desc.h"

namespace iotadnn::benchdnn {

// Applies the knobs of a case, in oneDNN's order: shapes of inputs (and mb), op attributes, dims
// and strides of produced tensors, shapes of outputs, op kinds, fpmath, types, properties; then
// gives Eye's scalar inputs the values that their output's shape asks for. RewriteError with a
// sentence when that cannot be done.
//
// Strides of produced tensors: as in the JSON when no shape was changed; else the order of the op's
// first input when it has the same rank and is dense, else row-major.
void rewrite(frontends::GraphDesc& graph, const CaseSettings& settings);

// A value of --tensor-value: "5", "-1.5" or "2x3".
frontends::TensorValue parse_tensor_value(const std::string& text);

}  // namespace iotadnn::benchdnn
