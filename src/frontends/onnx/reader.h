// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "frontends/model/model.h"
#include "frontends/onnx/proto.h"

namespace iotadnn::models {

// Reads an ONNX model: any IR version, operator set 7 and newer, ops of onnx/table.cpp, functions
// of the model in place of their calls, external data from the file's folder. Nodes may stand in
// any order. ModelError with one sentence for everything else.
Model read_onnx_file(const std::string& path);

// The same from memory; external data from `folder`, none where it is "".
Model read_onnx(std::string_view bytes, const std::string& folder = "");
Model read_onnx(const pb::ModelProto& proto, const std::string& folder = "");

}  // namespace iotadnn::models
