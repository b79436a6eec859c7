// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "frontends/model/model.h"

namespace iotadnn::models {

// Reads a model by the ending of its name: .onnx, .xml (OpenVINO IR), .json (graphs of benchdnn).
// ModelError for another ending.
Model load_model(const std::string& path);

// Reads one tensor: .npy, or .pb (TensorProto).
Tensor load_tensor(const std::string& path);

}  // namespace iotadnn::models
