// SPDX-License-Identifier: Apache-2.0
#include "frontends/model/builder.h"

#include "frontends/model/elements.h"
#include "frontends/model/op_table.h"

namespace iotadnn::models {

void ModelBuilder::begin_node(std::string name, std::string kind) {
  node_name_ = std::move(name);
  node_kind_ = std::move(kind);
  ++node_number_;
}

std::string ModelBuilder::where() const {
  Node node;
  node.name = node_name_;
  node.kind = node_kind_;
  node.number = node_number_ - 1;
  return describe(node);
}

size_t ModelBuilder::add_value(Value value) {
  model_.values.push_back(std::move(value));
  return model_.values.size() - 1;
}

size_t ModelBuilder::add_input(std::string name, DataType type, std::optional<Dims> dims,
                               std::vector<std::string> symbols) {
  const size_t value = add_value({std::move(name), type, std::move(dims), std::move(symbols)});
  model_.inputs.push_back(value);
  return value;
}

size_t ModelBuilder::add_constant(Tensor tensor, std::string name) {
  const size_t value = add_value({std::move(name), tensor.type(), tensor.dims(), {}});
  model_.constants.emplace(value, std::move(tensor));
  return value;
}

void ModelBuilder::add_output(std::string name, size_t value) {
  model_.outputs.push_back(value);
  model_.output_names.push_back(std::move(name));
}

std::vector<size_t> ModelBuilder::add(Op op, std::vector<size_t> inputs,
                                      std::map<std::string, Attr> attrs, size_t outputs) {
  while (!inputs.empty() && inputs.back() == kNoValue)
    inputs.pop_back();
  Node node{node_name_, node_kind_, op, std::move(inputs), {}, std::move(attrs)};
  node.number = node_number_ - 1;
  TypeContext types{{node, where()}, {}, std::vector<DataType>(outputs, iotadnn_data_type_undef)};
  for (const size_t input : node.inputs)
    types.in.push_back(input == kNoValue ? iotadnn_data_type_undef : type_of(input));
  infer_types(types);
  for (const DataType type : types.out)
    node.outputs.push_back(add_value({"", type, std::nullopt, {}}));
  model_.nodes.push_back(node);
  return node.outputs;
}

size_t ModelBuilder::cast(size_t value, DataType type) {
  return type_of(value) == type ? value : add(Op::cast, {value}, {{"type", int64_t{type}}});
}

size_t ModelBuilder::number(DataType type, int64_t value, const Dims& dims) {
  Tensor one(type, dims, where());
  storer<int64_t>(type)(one.data(), 0, value);
  return add_constant(std::move(one));
}

size_t ModelBuilder::real(DataType type, double value) {
  Tensor one(type, {}, where());
  storer<double>(type)(one.data(), 0, value);
  return add_constant(std::move(one));
}

const Tensor* ModelBuilder::constant(size_t value) const {
  const auto found = model_.constants.find(value);
  return found == model_.constants.end() ? nullptr : &found->second;
}

void ModelBuilder::state_dims(size_t value, std::optional<Dims> dims) {
  if (!model_.values[value].dims) model_.values[value].dims = std::move(dims);
}

void ModelBuilder::name_value(size_t value, const std::string& name) {
  if (model_.values[value].name.empty()) model_.values[value].name = name;
}

}  // namespace iotadnn::models
