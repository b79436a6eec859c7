// SPDX-License-Identifier: Apache-2.0
#include "frontends/onnx/node_reader.h"

namespace iotadnn::models {

void OnnxNode::fail(const std::string& text) const {
  throw ModelError(b.where() + ": " + text);
}

size_t OnnxNode::input(size_t port) const {
  if (!has(port)) fail("input " + std::to_string(port) + " is missing");
  return inputs_[port];
}

bool OnnxNode::has_attr(const std::string& name) {
  used_.insert(name);
  return attrs_.count(name) != 0;
}

const pb::AttributeProto* OnnxNode::find(const std::string& name,
                                         pb::AttributeProto::AttributeType type) {
  if (!has_attr(name)) return nullptr;
  const pb::AttributeProto& attr = attrs_.at(name);
  // Writers of the first IR version leave the type out.
  if (attr.type() != type && attr.type() != pb::AttributeProto::UNDEFINED)
    fail("attribute '" + name + "' has type " +
         pb::AttributeProto::AttributeType_Name(attr.type()) +
         ", allowed: " + pb::AttributeProto::AttributeType_Name(type));
  return &attr;
}

int64_t OnnxNode::integer(const std::string& name, int64_t otherwise) {
  const auto* attr = find(name, pb::AttributeProto::INT);
  return attr == nullptr ? otherwise : attr->i();
}

float OnnxNode::real(const std::string& name, float otherwise) {
  const auto* attr = find(name, pb::AttributeProto::FLOAT);
  return attr == nullptr ? otherwise : attr->f();
}

std::vector<int64_t> OnnxNode::integers(const std::string& name) {
  const auto* attr = find(name, pb::AttributeProto::INTS);
  if (attr == nullptr) return {};
  return {attr->ints().begin(), attr->ints().end()};
}

std::vector<float> OnnxNode::reals(const std::string& name) {
  const auto* attr = find(name, pb::AttributeProto::FLOATS);
  if (attr == nullptr) return {};
  return {attr->floats().begin(), attr->floats().end()};
}

Tensor OnnxNode::tensor(const std::string& name) {
  const auto* attr = find(name, pb::AttributeProto::TENSOR);
  if (attr == nullptr) fail("attribute '" + name + "' is missing");
  return data_.read(attr->t(), b.where() + ", attribute '" + name + "'");
}

DataType OnnxNode::type_attr(const std::string& name) {
  const auto* attr = find(name, pb::AttributeProto::INT);
  if (attr == nullptr) fail("attribute '" + name + "' is missing");
  return data_type_from_onnx(attr->i(), b.where() + ", attribute '" + name + "'");
}

size_t OnnxNode::list(const std::string& name, size_t port, int64_t since) {
  if (opset_ >= since) return optional(port);
  if (has(port))
    fail("input " + std::to_string(port) + " is given, in opset " + std::to_string(opset_) +
         " it is the attribute '" + name + "'");
  return has_attr(name) ? b.add_constant(Tensor::of_s64(integers(name))) : kNoValue;
}

void OnnxNode::check_all_used() const {
  for (const auto& entry : attrs_)
    if (used_.count(entry.first) == 0)
      fail("attribute '" + entry.first + "' is not known in opset " + std::to_string(opset_));
}

}  // namespace iotadnn::models
