// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <set>
#include <string>

#include "frontends/model/tensor.h"
#include "frontends/onnx/proto.h"

namespace iotadnn::models {

// TensorProto.DataType as ours. ModelError, starting with `where`, for types that are not computed,
// with their names in ONNX.
DataType data_type_from_onnx(int64_t code, const std::string& where);

// A number of TensorProto.DataType; 0 for types that ONNX does not have.
int32_t onnx_code_of(DataType type);

// Reads the tensors of one model: their data are in its message, or in files in the folder beside
// it. A function's constants are read at each call of it, and places in files may be read for any
// number of tensors: what is read in all is held against what there is.
class OnnxData {
 public:
  // `folder` is "" when the model has none.
  OnnxData(std::string folder, size_t message_bytes)
      : folder_(std::move(folder)), there_is_(message_bytes) {}

  // ModelError, starting with `where`: data that are too few or too many, sizes that overflow, a
  // file outside of the folder or too short, much more than the files hold.
  Tensor read(const pb::TensorProto& proto, const std::string& where);

 private:
  struct InFile {
    std::string path;
    uint64_t offset = 0;
  };

  InFile find(const pb::TensorProto& proto, size_t bytes, const std::string& where);
  static void read_external(const InFile& from, const std::string& where, Tensor& tensor);
  [[nodiscard]] std::string path_of(const std::string& location, const std::string& where) const;
  void check_total(size_t bytes, const std::string& where);

  std::string folder_;
  uint64_t there_is_;  // bytes of the message and of the files
  uint64_t read_ = 0;
  std::set<std::string> files_;
};

}  // namespace iotadnn::models
