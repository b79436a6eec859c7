// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

// Small valid files, most ops and forms among them, and pieces of the formats' grammars.
namespace iotadnn::fuzz {

std::vector<std::string> onnx_seeds();
std::vector<std::string> onnx_tokens();
std::vector<std::string> openvino_seeds();
std::vector<std::string> openvino_tokens();
std::vector<std::string> benchdnn_json_seeds();
std::vector<std::string> benchdnn_json_tokens();

}  // namespace iotadnn::fuzz
