// SPDX-License-Identifier: Apache-2.0
#include "frontends/onnx/graph_reader.h"

#include "frontends/model/error.h"
#include "frontends/model/order.h"

namespace iotadnn::models {
namespace {

// A function that calls others twice each, many deep, would be a model of any size.
constexpr int kMaxDepth = 32;
constexpr size_t kMaxNodes = size_t{1} << 20;

constexpr int64_t kOldestOpset = 7;  // before it, broadcasting was an attribute

std::string own_domain(const std::string& domain) {
  return domain == "ai.onnx" ? "" : domain;
}

// Indices of the nodes, each after those whose results it reads, otherwise in the file's order.
std::vector<size_t> sorted(const google::protobuf::RepeatedPtrField<pb::NodeProto>& nodes) {
  std::map<std::string, size_t> producers;
  for (int i = 0; i < nodes.size(); ++i)
    for (const std::string& name : nodes[i].output())
      if (!name.empty() && !producers.emplace(name, i).second)
        throw ModelError("value '" + name + "' is written by two nodes");
  std::vector<std::vector<size_t>> sources(static_cast<size_t>(nodes.size()));
  for (int i = 0; i < nodes.size(); ++i)
    for (const std::string& name : nodes[i].input())
      if (const auto producer = producers.find(name); producer != producers.end())
        sources[static_cast<size_t>(i)].push_back(producer->second);
  const Order found = sources_first(sources);
  if (found.in_cycle) {
    const pb::NodeProto& node = nodes[static_cast<int>(*found.in_cycle)];
    throw ModelError("the graph has a cycle: node '" + node.name() + "' (" + node.op_type() +
                     ") depends on its own result");
  }
  return found.order;
}

// A string field that is newer than our messages; "" without.
std::string newer_field(const google::protobuf::Message& message, int number) {
  const auto& fields = message.GetReflection()->GetUnknownFields(message);
  std::string text;
  for (int i = 0; i < fields.field_count(); ++i)
    if (fields.field(i).number() == number &&
        fields.field(i).type() == google::protobuf::UnknownField::TYPE_LENGTH_DELIMITED)
      text = fields.field(i).length_delimited();
  return text;
}

// Of IR version 10: functions of one name that differ in it.
std::string overload_of(const pb::FunctionProto& function) {
  return newer_field(function, 13);
}

std::string overload_of(const pb::NodeProto& node) {
  return newer_field(node, 8);
}

// FunctionProto.attribute_proto (11) is newer than our messages: attributes with defaults.
std::vector<pb::AttributeProto> defaults_of(const pb::FunctionProto& function) {
  constexpr int kAttributeProto = 11;
  std::vector<pb::AttributeProto> defaults;
  const auto& fields = function.GetReflection()->GetUnknownFields(function);
  for (int i = 0; i < fields.field_count(); ++i) {
    const auto& field = fields.field(i);
    if (field.number() != kAttributeProto ||
        field.type() != google::protobuf::UnknownField::TYPE_LENGTH_DELIMITED)
      continue;
    pb::AttributeProto attr;
    if (!attr.ParseFromString(field.length_delimited()))
      throw ModelError("function '" + function.name() + "': an attribute's default is damaged");
    defaults.push_back(std::move(attr));
  }
  return defaults;
}

const char* refusal_of(const std::string& op_type) {
  for (const char* name : {"Loop", "If", "Scan"})
    if (op_type == name)
      return "control flow with bodies of their own (Loop, If, Scan) is not supported";
  return "this op is not supported; doc/models.md lists those that are";
}

}  // namespace

Opsets opsets_of(const google::protobuf::RepeatedPtrField<pb::OperatorSetIdProto>& imports,
                 const std::string& where) {
  Opsets opsets;
  for (const pb::OperatorSetIdProto& import : imports) {
    const std::string domain = own_domain(import.domain());
    if (domain.empty() && import.version() < kOldestOpset)
      throw ModelError(where + " is of opset " + std::to_string(import.version()) +
                       ", allowed: 7 and newer");
    opsets[domain] = import.version();
  }
  return opsets;
}

OnnxFunctions::OnnxFunctions(const pb::ModelProto& proto) {
  for (const pb::FunctionProto& function : proto.functions()) {
    const auto key =
        std::make_tuple(own_domain(function.domain()), function.name(), overload_of(function));
    if (!functions_.emplace(key, &function).second)
      throw ModelError("function '" + function.name() + "' of domain '" + function.domain() +
                       "' is defined twice");
  }
}

const pb::FunctionProto* OnnxFunctions::find(const pb::NodeProto& node) const {
  const auto found =
      functions_.find({own_domain(node.domain()), node.op_type(), overload_of(node)});
  return found == functions_.end() ? nullptr : found->second;
}

int64_t OnnxScope::opset(const std::string& domain) const {
  const auto found = opsets_.find(own_domain(domain));
  return found == opsets_.end() ? 0 : found->second;
}

void OnnxScope::define(const std::string& name, size_t value, const std::string& where) {
  if (!values_.emplace(name, value).second)
    throw ModelError(where + ": the name '" + name + "' is taken already");
  if (value != kNoValue) builder_.name_value(value, name);
}

size_t OnnxScope::find(const std::string& name, const std::string& where) const {
  const auto found = values_.find(name);
  if (found == values_.end()) throw ModelError(where + ": nothing is called '" + name + "' here");
  return found->second;
}

void OnnxScope::read_nodes(const google::protobuf::RepeatedPtrField<pb::NodeProto>& nodes) {
  for (const pb::NodeProto& node : nodes)
    for (const std::string& name : node.output())
      if (values_.count(name) != 0)
        throw ModelError("node '" + node.name() + "' (" + node.op_type() + "): the name '" + name +
                         "' is taken already");
  for (const size_t i : sorted(nodes))
    read_node(nodes[static_cast<int>(i)]);
}

OnnxScope::Attrs OnnxScope::attrs_of(const pb::NodeProto& node) const {
  Attrs attrs;
  for (const pb::AttributeProto& attr : node.attribute()) {
    pb::AttributeProto given = attr;
    if (!attr.ref_attr_name().empty()) {
      const auto found = call_attrs_.find(attr.ref_attr_name());
      if (found == call_attrs_.end()) continue;  // not given at the call: not given here
      given = found->second;
    }
    if (!attrs.emplace(attr.name(), std::move(given)).second)
      throw ModelError(builder_.where() + ": attribute '" + attr.name() + "' is given twice");
  }
  return attrs;
}

std::vector<size_t> OnnxScope::inputs_of(const pb::NodeProto& node) const {
  std::vector<size_t> inputs;
  for (const std::string& name : node.input())
    inputs.push_back(name.empty() ? kNoValue : find(name, builder_.where()));
  while (!inputs.empty() && inputs.back() == kNoValue)
    inputs.pop_back();
  return inputs;
}

void OnnxScope::read_node(const pb::NodeProto& node) {
  builder_.begin_node(node.name().empty() ? "" : prefix_ + node.name(), node.op_type());
  if (builder_.nodes_begun() > kMaxNodes)
    throw ModelError(builder_.where() + ": the model has more than 2^20 nodes");
  const std::string where = builder_.where();
  if (node.output_size() == 0) throw ModelError(where + ": it has no outputs, allowed: 1 and more");
  const pb::FunctionProto* function = functions_.find(node);
  const std::vector<size_t> results =
      function != nullptr ? read_call(node, *function) : read_op(node);
  if (static_cast<size_t>(node.output_size()) > results.size())
    throw ModelError(where + ": " + std::to_string(node.output_size()) +
                     " outputs, allowed: " + std::to_string(results.size()));
  for (int i = 0; i < node.output_size(); ++i)
    if (!node.output(i).empty()) define(node.output(i), results[static_cast<size_t>(i)], where);
}

std::vector<size_t> OnnxScope::read_op(const pb::NodeProto& node) {
  const std::string where = builder_.where();
  const std::string domain = own_domain(node.domain());
  if (!domain.empty())
    throw ModelError(where + ": no function '" + node.op_type() + "' of domain '" + domain +
                     "' is in the model, and ops of other domains than ONNX's are not supported");
  const OnnxRow* row = find_onnx_row(node.op_type());
  if (row == nullptr) throw ModelError(where + ": " + refusal_of(node.op_type()));
  if (opset("") == 0)
    throw ModelError(where + ": no version of ONNX's operator set is imported here");
  if (opset("") < row->since)
    throw ModelError(where + ": the op is of opset " + std::to_string(row->since) +
                     ", the model of " + std::to_string(opset("")));
  std::vector<size_t> inputs = inputs_of(node);
  if (!row->takes(inputs.size()))
    throw ModelError(where + ": " + std::to_string(inputs.size()) +
                     " inputs, allowed: " + row->allowed_inputs());
  OnnxNode reading(builder_, std::move(inputs), static_cast<size_t>(node.output_size()), opset(""),
                   attrs_of(node), data_);
  std::vector<size_t> results = row->read(reading);
  reading.check_all_used();
  return results;
}

std::vector<size_t> OnnxScope::read_call(const pb::NodeProto& node,
                                         const pb::FunctionProto& function) {
  const std::string where = builder_.where();
  if (depth_ >= kMaxDepth)
    throw ModelError(where + ": calls of functions are more than " + std::to_string(kMaxDepth) +
                     " deep");
  OnnxScope body(builder_, functions_, data_, opsets_of(function.opset_import(), where));
  body.depth_ = depth_ + 1;
  body.prefix_ = prefix_ + (node.name().empty() ? node.op_type() : node.name()) + "/";
  body.call_attrs_ = attrs_of(node);
  for (pb::AttributeProto& attr : defaults_of(function))
    body.call_attrs_.emplace(attr.name(), attr);
  const std::vector<size_t> inputs = inputs_of(node);
  if (inputs.size() > static_cast<size_t>(function.input_size()))
    throw ModelError(where + ": " + std::to_string(inputs.size()) + " inputs, the function has " +
                     std::to_string(function.input_size()));
  for (int i = 0; i < function.input_size(); ++i)
    body.define(function.input(i),
                static_cast<size_t>(i) < inputs.size() ? inputs[static_cast<size_t>(i)] : kNoValue,
                where);
  body.read_nodes(function.node());
  std::vector<size_t> results;
  for (const std::string& name : function.output())
    results.push_back(body.find(name, where));
  return results;
}

}  // namespace iotadnn::models
