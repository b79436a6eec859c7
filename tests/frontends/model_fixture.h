// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "frontends/model/model.h"
#include "frontends/model/session.h"
#include "frontends/model/tensor.h"
#include "frontends/onnx/proto.h"

// Small ONNX models, made and run in tests.
namespace iotadnn::models_test {

namespace pb = models::pb;
using models::Dims;
using models::Model;
using models::Tensor;

// A tensor of any computed type; values are converted to it.
Tensor tensor(iotadnn_data_type_t type, const Dims& dims, const std::vector<double>& values);

inline Tensor f32(const Dims& dims, const std::vector<double>& values) {
  return tensor(iotadnn_f32, dims, values);
}

inline Tensor s64(const Dims& dims, const std::vector<double>& values) {
  return tensor(iotadnn_s64, dims, values);
}

inline Tensor boolean(const Dims& dims, const std::vector<double>& values) {
  return tensor(iotadnn_boolean, dims, values);
}

// rows x columns, one where column - row == k.
Tensor eye(iotadnn_data_type_t type, int64_t rows, int64_t columns, int64_t k);

// Elements as doubles.
std::vector<double> values_of(const Tensor& tensor);

pb::AttributeProto attr(const std::string& name, int64_t value);
pb::AttributeProto attr(const std::string& name, const std::vector<int64_t>& values);
pb::AttributeProto attr_real(const std::string& name, float value);
pb::AttributeProto attr(const std::string& name, const Tensor& value);
pb::AttributeProto attr_type(const std::string& name, iotadnn_data_type_t type);

pb::TensorProto proto_of(const Tensor& tensor, const std::string& name = "");

// Writes the messages that a reader is given. Extents of -1 are unknown.
class OnnxModel {
 public:
  explicit OnnxModel(int64_t opset = 22);

  OnnxModel& input(const std::string& name, iotadnn_data_type_t type, const Dims& dims);
  OnnxModel& input(const std::string& name, const Tensor& like);
  OnnxModel& initializer(const std::string& name, const Tensor& value);
  OnnxModel& output(const std::string& name);
  OnnxModel& node(const std::string& kind, const std::vector<std::string>& inputs,
                  const std::vector<std::string>& outputs,
                  const std::vector<pb::AttributeProto>& attrs = {});

  pb::ModelProto proto;

  [[nodiscard]] Model read(const std::string& folder = "") const;

  // The sentence of the refusal; "" when the model is read.
  [[nodiscard]] std::string refusal() const;
};

// One node whose inputs are the model's, and one output "y".
OnnxModel one_node(const std::string& kind, const std::vector<Tensor>& inputs,
                   const std::vector<pb::AttributeProto>& attrs = {}, int64_t opset = 22);

// Runs with the library and with the interpreter alone, expects that both agree, and returns the
// former's outputs.
std::vector<Tensor> run(const Model& model, const std::vector<Tensor>& inputs);

// The only output of one_node().
Tensor run_node(const std::string& kind, const std::vector<Tensor>& inputs,
                const std::vector<pb::AttributeProto>& attrs = {}, int64_t opset = 22);

// Fails with the first difference; floating types within `relative`.
void expect_equal(const Tensor& got, const Tensor& want, double relative = 0);

// What the planner compiles for these inputs: the kinds of each compiled partition's nodes.
std::vector<std::vector<std::string>> compiled_kinds(const Model& model,
                                                     const std::vector<Tensor>& inputs);

}  // namespace iotadnn::models_test
