// SPDX-License-Identifier: Apache-2.0
#include "frontends/files/load.h"

#include <climits>
#include <filesystem>

#include "frontends/files/file.h"
#include "frontends/files/npy.h"
#include "frontends/json/model_from_json.h"
#include "frontends/model/error.h"
#include "frontends/onnx/reader.h"
#include "frontends/onnx/tensor_proto.h"
#include "frontends/openvino/reader.h"

namespace iotadnn::models {

Model load_model(const std::string& path) {
  const std::string ending = std::filesystem::path(path).extension().string();
  if (ending == ".onnx") return read_onnx_file(path);
  if (ending == ".xml") return read_openvino_file(path);
  if (ending == ".json") return read_json_model_file(path);
  throw ModelError("'" + path + "' ends in '" + ending + "', models end in .onnx, .xml or .json");
}

Tensor load_tensor(const std::string& path) {
  const std::string ending = std::filesystem::path(path).extension().string();
  if (ending == ".pb") {
    pb::TensorProto proto;
    if (!proto.ParseFromString(read_file(path, INT_MAX)))
      throw ModelError("'" + path + "' is no TensorProto: its bytes are no such message");
    return OnnxData("", proto.ByteSizeLong()).read(proto, "'" + path + "'");
  }
  if (ending == ".npy") return read_npy(read_file(path, SIZE_MAX), "'" + path + "'");
  throw ModelError("'" + path + "' ends in '" + ending + "', tensors end in .npy or .pb");
}

}  // namespace iotadnn::models
