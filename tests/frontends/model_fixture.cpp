// SPDX-License-Identifier: Apache-2.0
#include "frontends/model_fixture.h"

#include <gtest/gtest.h>

#include "frontends/model/compare.h"
#include "frontends/model/elements.h"
#include "frontends/model/error.h"
#include "frontends/onnx/reader.h"
#include "frontends/onnx/tensor_proto.h"

namespace iotadnn::models_test {

using models::ModelError;
using models::PlanOptions;
using models::Session;

Tensor tensor(iotadnn_data_type_t type, const Dims& dims, const std::vector<double>& values) {
  Tensor made(type, dims);
  EXPECT_EQ(static_cast<size_t>(made.count()), values.size());
  for (size_t i = 0; i < values.size(); ++i)
    models::storer<double>(type)(made.data(), static_cast<int64_t>(i), values[i]);
  return made;
}

Tensor eye(iotadnn_data_type_t type, int64_t rows, int64_t columns, int64_t k) {
  std::vector<double> values;
  for (int64_t row = 0; row < rows; ++row)
    for (int64_t column = 0; column < columns; ++column)
      values.push_back(column - row == k ? 1 : 0);
  return tensor(type, {rows, columns}, values);
}

std::vector<double> values_of(const Tensor& tensor) {
  std::vector<double> values;
  for (int64_t i = 0; i < tensor.count(); ++i)
    values.push_back(models::loader<double>(tensor.type())(tensor.data(), i));
  return values;
}

pb::AttributeProto attr(const std::string& name, int64_t value) {
  pb::AttributeProto made;
  made.set_name(name);
  made.set_type(pb::AttributeProto::INT);
  made.set_i(value);
  return made;
}

pb::AttributeProto attr(const std::string& name, const std::vector<int64_t>& values) {
  pb::AttributeProto made;
  made.set_name(name);
  made.set_type(pb::AttributeProto::INTS);
  for (const int64_t value : values)
    made.add_ints(value);
  return made;
}

pb::AttributeProto attr_real(const std::string& name, float value) {
  pb::AttributeProto made;
  made.set_name(name);
  made.set_type(pb::AttributeProto::FLOAT);
  made.set_f(value);
  return made;
}

pb::AttributeProto attr(const std::string& name, const Tensor& value) {
  pb::AttributeProto made;
  made.set_name(name);
  made.set_type(pb::AttributeProto::TENSOR);
  *made.mutable_t() = proto_of(value);
  return made;
}

pb::AttributeProto attr_type(const std::string& name, iotadnn_data_type_t type) {
  return attr(name, int64_t{models::onnx_code_of(type)});
}

pb::TensorProto proto_of(const Tensor& tensor, const std::string& name) {
  pb::TensorProto made;
  made.set_name(name);
  made.set_data_type(models::onnx_code_of(tensor.type()));
  for (const int64_t extent : tensor.dims())
    made.add_dims(extent);
  made.set_raw_data(tensor.data(), tensor.bytes());
  return made;
}

OnnxModel::OnnxModel(int64_t opset) {
  proto.set_ir_version(8);
  proto.mutable_graph()->set_name("test");
  proto.add_opset_import()->set_version(opset);
}

OnnxModel& OnnxModel::input(const std::string& name, iotadnn_data_type_t type, const Dims& dims) {
  pb::ValueInfoProto* info = proto.mutable_graph()->add_input();
  info->set_name(name);
  info->mutable_type()->mutable_tensor_type()->set_elem_type(models::onnx_code_of(type));
  auto* shape = info->mutable_type()->mutable_tensor_type()->mutable_shape();
  for (const int64_t extent : dims) {
    auto* dim = shape->add_dim();
    if (extent >= 0) dim->set_dim_value(extent);
  }
  return *this;
}

OnnxModel& OnnxModel::input(const std::string& name, const Tensor& like) {
  return input(name, like.type(), like.dims());
}

OnnxModel& OnnxModel::initializer(const std::string& name, const Tensor& value) {
  *proto.mutable_graph()->add_initializer() = proto_of(value, name);
  return *this;
}

OnnxModel& OnnxModel::output(const std::string& name) {
  proto.mutable_graph()->add_output()->set_name(name);
  return *this;
}

OnnxModel& OnnxModel::node(const std::string& kind, const std::vector<std::string>& inputs,
                           const std::vector<std::string>& outputs,
                           const std::vector<pb::AttributeProto>& attrs) {
  pb::NodeProto* made = proto.mutable_graph()->add_node();
  made->set_op_type(kind);
  made->set_name("the_" + kind);
  for (const std::string& name : inputs)
    made->add_input(name);
  for (const std::string& name : outputs)
    made->add_output(name);
  for (const pb::AttributeProto& one : attrs)
    *made->add_attribute() = one;
  return *this;
}

Model OnnxModel::read(const std::string& folder) const {
  return models::read_onnx(proto.SerializeAsString(), folder);
}

std::string OnnxModel::refusal() const {
  try {
    static_cast<void>(read());
    return "";
  } catch (const ModelError& error) {
    return error.what();
  }
}

OnnxModel one_node(const std::string& kind, const std::vector<Tensor>& inputs,
                   const std::vector<pb::AttributeProto>& attrs, int64_t opset) {
  OnnxModel model(opset);
  std::vector<std::string> names;
  for (size_t i = 0; i < inputs.size(); ++i) {
    names.push_back(inputs[i].is_empty_handle() ? "" : "x" + std::to_string(i));
    if (!names.back().empty()) model.input(names.back(), inputs[i]);
  }
  model.node(kind, names, {"y"}, attrs).output("y");
  return model;
}

std::vector<Tensor> run(const Model& model, const std::vector<Tensor>& inputs) {
  PlanOptions reference;
  reference.reference = true;
  const std::vector<Tensor> wanted = Session(model, reference).run(inputs);
  std::vector<Tensor> got = Session(model).run(inputs);
  for (size_t i = 0; i < got.size(); ++i)
    expect_equal(got[i], wanted[i], 1e-6);
  return got;
}

Tensor run_node(const std::string& kind, const std::vector<Tensor>& inputs,
                const std::vector<pb::AttributeProto>& attrs, int64_t opset) {
  std::vector<Tensor> given;
  for (const Tensor& one : inputs)
    if (!one.is_empty_handle()) given.push_back(one);
  return run(one_node(kind, inputs, attrs, opset).read(), given)[0];
}

void expect_equal(const Tensor& got, const Tensor& want, double relative) {
  EXPECT_EQ(models::difference(got, want, {relative, 0}), "");
}

std::vector<std::vector<std::string>> compiled_kinds(const Model& model,
                                                     const std::vector<Tensor>& inputs) {
  Session session(model);
  std::vector<std::vector<std::string>> kinds;
  for (const models::Step& step : session.plan_for(inputs).steps) {
    if (!step.is_compiled) continue;
    kinds.emplace_back();
    for (const size_t n : step.nodes)
      kinds.back().push_back(model.nodes[n].kind);
  }
  return kinds;
}

}  // namespace iotadnn::models_test
