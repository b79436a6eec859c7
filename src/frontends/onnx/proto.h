// SPDX-License-Identifier: Apache-2.0
#pragma once

// ONNX's messages as Debian's libonnx-dev has them. They are of ONNX 1.12: fields that are newer
// are read as unknown fields (graph_reader.cpp), and enumerators that are newer by number.
#ifndef ONNX_ML
#define ONNX_ML 1
#endif
#include <onnx/onnx_pb.h>

namespace iotadnn::models {

namespace pb = onnx;

}  // namespace iotadnn::models
