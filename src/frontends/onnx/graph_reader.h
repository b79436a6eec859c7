// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "frontends/model/builder.h"
#include "frontends/onnx/node_reader.h"
#include "frontends/onnx/proto.h"
#include "frontends/onnx/tensor_proto.h"

namespace iotadnn::models {

using Opsets = std::map<std::string, int64_t>;  // by domain; "ai.onnx" is ""

// ModelError, starting with `where`, for versions of ONNX's own set below 7.
Opsets opsets_of(const google::protobuf::RepeatedPtrField<pb::OperatorSetIdProto>& imports,
                 const std::string& where);

// The functions of a model, by domain, name and overload.
class OnnxFunctions {
 public:
  explicit OnnxFunctions(const pb::ModelProto& proto);

  // The one that the node calls; null when it calls none.
  [[nodiscard]] const pb::FunctionProto* find(const pb::NodeProto& node) const;

 private:
  std::map<std::tuple<std::string, std::string, std::string>, const pb::FunctionProto*> functions_;
};

// Names of a graph or a function body, and how its nodes are read into the builder.
class OnnxScope {
 public:
  OnnxScope(ModelBuilder& builder, const OnnxFunctions& functions, OnnxData& data, Opsets opsets)
      : builder_(builder), functions_(functions), data_(data), opsets_(std::move(opsets)) {}

  ModelBuilder& builder() { return builder_; }

  [[nodiscard]] int64_t opset(const std::string& domain) const;

  // ModelError, starting with `where`, when the name is taken.
  void define(const std::string& name, size_t value, const std::string& where);

  // ModelError, starting with `where`, when there is no such name.
  [[nodiscard]] size_t find(const std::string& name, const std::string& where) const;

  void read_nodes(const google::protobuf::RepeatedPtrField<pb::NodeProto>& nodes);

 private:
  using Attrs = std::map<std::string, pb::AttributeProto>;

  void read_node(const pb::NodeProto& node);
  [[nodiscard]] Attrs attrs_of(const pb::NodeProto& node) const;
  [[nodiscard]] std::vector<size_t> inputs_of(const pb::NodeProto& node) const;
  std::vector<size_t> read_op(const pb::NodeProto& node);
  std::vector<size_t> read_call(const pb::NodeProto& node, const pb::FunctionProto& function);

  ModelBuilder& builder_;
  const OnnxFunctions& functions_;
  OnnxData& data_;
  Opsets opsets_;
  std::map<std::string, size_t> values_;
  Attrs call_attrs_;    // of the call whose body this is
  std::string prefix_;  // names of the calls around, for messages
  int depth_ = 0;
};

}  // namespace iotadnn::models
