// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "frontends/model/tensor.h"
#include "frontends/onnx/proto.h"

namespace iotadnn::models {

// TensorProto.DataType as ours. ModelError, starting with `where`, for types that are not computed,
// with their names in ONNX.
DataType data_type_from_onnx(int32_t code, const std::string& where);

// A number of TensorProto.DataType; 0 for types that ONNX does not have.
int32_t onnx_code_of(DataType type);

// The tensor with its data, from the message or from a file in `folder` beside the model ("" when
// the model has no folder). ModelError, starting with `where`: data that are too few or too many,
// sizes that overflow, a file outside of the folder or too short.
Tensor tensor_from_onnx(const pb::TensorProto& proto, const std::string& folder,
                        const std::string& where);

}  // namespace iotadnn::models
