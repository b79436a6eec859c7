// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ops/op_def.h"

namespace iotadnn::impl {

// Shape rule of pointwise ops: the output's shape is the inputs', broadcast as numpy does, or equal
// to all of them where attribute auto_broadcast is none. Unknown with 1 or unknown stays unknown,
// unknown with another extent is that extent.
Status infer_pointwise(ShapeContext& ctx);

// The same without an attribute: output 0 has the shape of input 0.
Status infer_same_shape(ShapeContext& ctx);

// The distance in elements between neighbours of `in` along each of an output's dimensions, 0 where
// the input is repeated. invalid_shape naming the port when the (fully known) shapes do not fit.
// Layouts other than strided are dense.
Result<Dims> broadcast_strides(const std::string& port, const LogicalTensor& in,
                               const LogicalTensor& out);

// The strides of a fully known tensor, dense for layouts other than strided.
Dims strides_of(const LogicalTensor& t);

}  // namespace iotadnn::impl
