// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "frontends/model/builder.h"
#include "frontends/model/error.h"
#include "frontends/model/read_row.h"
#include "frontends/onnx/proto.h"
#include "frontends/onnx/tensor_proto.h"

namespace iotadnn::models {

// One node of the file while it is made into ops: its inputs as values of the model, its attributes
// (references of functions already replaced), and the version of its operator set. What an op's
// function does not ask for is refused afterwards: an attribute that is not known may matter.
class OnnxNode {
 public:
  OnnxNode(ModelBuilder& builder, std::vector<size_t> inputs, size_t outputs, int64_t opset,
           std::map<std::string, pb::AttributeProto> attrs, OnnxData& data)
      : b(builder),
        inputs_(std::move(inputs)),
        outputs_(outputs),
        opset_(opset),
        attrs_(std::move(attrs)),
        data_(data) {}

  ModelBuilder& b;

  [[nodiscard]] int64_t opset() const { return opset_; }

  [[nodiscard]] size_t outputs() const { return outputs_; }

  [[nodiscard]] const std::vector<size_t>& inputs() const { return inputs_; }

  [[nodiscard]] bool has(size_t port) const {
    return port < inputs_.size() && inputs_[port] != kNoValue;
  }

  [[nodiscard]] size_t input(size_t port) const;  // ModelError when it is not given

  [[nodiscard]] size_t optional(size_t port) const {
    return port < inputs_.size() ? inputs_[port] : kNoValue;
  }

  [[nodiscard]] DataType type(size_t port) const { return b.type_of(input(port)); }

  // Attributes; ModelError for one of another type.
  bool has_attr(const std::string& name);
  int64_t integer(const std::string& name, int64_t otherwise);
  float real(const std::string& name, float otherwise);
  std::vector<int64_t> integers(const std::string& name);
  std::vector<float> reals(const std::string& name);
  Tensor tensor(const std::string& name);
  DataType type_attr(const std::string& name);  // ModelError when it is missing, too

  // A list of integers that is an attribute before opset `since` and input `port` from then on;
  // kNoValue where it is not given.
  size_t list(const std::string& name, size_t port, int64_t since);

  [[noreturn]] void fail(const std::string& text) const;

  // ModelError for attributes that nobody has asked for.
  void check_all_used() const;

 private:
  const pb::AttributeProto* find(const std::string& name, pb::AttributeProto::AttributeType type);

  std::vector<size_t> inputs_;
  size_t outputs_;
  int64_t opset_;
  std::map<std::string, pb::AttributeProto> attrs_;
  std::set<std::string> used_;
  OnnxData& data_;
};

using OnnxRow = ReadRow<OnnxNode>;

// Null for an op that is not in the table.
const OnnxRow* find_onnx_row(const std::string& op_type);

}  // namespace iotadnn::models
