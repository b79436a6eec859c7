// SPDX-License-Identifier: Apache-2.0
#include "frontends/openvino/reader.h"

#include <filesystem>
#include <set>
#include <utility>

#include "frontends/files/file.h"
#include "frontends/model/error.h"
#include "frontends/model/order.h"
#include "frontends/openvino/node_reader.h"
#include "frontends/openvino/types.h"
#include "frontends/openvino/weights.h"

namespace iotadnn::models {
namespace {

// Parsed XML takes a multiple of the file's size; files of real models stay far below.
constexpr size_t kLargestXml = size_t{64} << 20;

class IrReader {
 public:
  IrReader(const IrNet& net, IrWeights& weights)
      : net_(net), constants_(weights), values_(net.layers.size()) {}

  Model read() {
    builder_.model().name = net_.name;
    builder_.model().format = "OpenVINO IR, version " + std::to_string(net_.version);
    for (const size_t i : sorted())
      read_layer(i);
    for (const IrLayer& layer : net_.layers)
      if (layer.type == "Result") read_result(layer);
    if (builder_.model().outputs.empty()) throw ModelError("the IR has no Result");
    return builder_.finish();
  }

 private:
  std::vector<size_t> sorted() const {
    std::vector<std::vector<size_t>> sources;
    for (const IrLayer& layer : net_.layers) {
      sources.emplace_back();
      for (const IrSource& source : layer.sources)
        sources.back().push_back(source.layer);
    }
    const Order found = sources_first(sources);
    if (found.in_cycle)
      throw ModelError("the IR has a cycle: " + describe(net_.layers[*found.in_cycle]) +
                       " depends on its own result");
    return found.order;
  }

  void read_layer(size_t i) {
    const IrLayer& layer = net_.layers[i];
    if (layer.type == "Result") return;
    builder_.begin_node(layer.name, layer.type);
    IrNode node(builder_, layer, inputs_of(layer));
    std::vector<size_t>& outputs = values_[i];
    if (layer.type == "Parameter") {
      outputs = {read_parameter(node, layer)};
    } else if (layer.type == "Const") {
      outputs = {read_constant(node, layer)};
    } else {
      outputs = read_op(node, layer);
    }
    node.check_all_used();
    check_outputs(node, layer, outputs);
  }

  std::vector<size_t> inputs_of(const IrLayer& layer) const {
    std::vector<size_t> inputs;
    for (const IrSource& source : layer.sources)
      inputs.push_back(value_of(layer, source));
    return inputs;
  }

  size_t value_of(const IrLayer& layer, const IrSource& source) const {
    if (net_.layers[source.layer].type == "Result")
      throw ModelError(describe(layer) + ": it reads " + describe(net_.layers[source.layer]) +
                       ", which has no output");
    return values_[source.layer].at(source.output);
  }

  static std::vector<size_t> read_op(IrNode& node, const IrLayer& layer) {
    const IrRow* row = find_ir_row(layer.type);
    if (row == nullptr)
      node.fail(layer.type == "If" || layer.type == "Loop" || layer.type == "TensorIterator"
                    ? "control flow with bodies of their own (If, Loop, TensorIterator) is not "
                      "supported"
                    : "this op is not supported; doc/models.md lists those that are");
    if (layer.opset < row->since)
      node.fail("the op is of opset" + std::to_string(row->since) + ", the layer says opset" +
                std::to_string(layer.opset));
    const size_t count = node.inputs().size();
    if (!row->takes(count))
      node.fail(layer.type + " has incorrect input number " + std::to_string(count) +
                ", allowed: " + row->allowed_inputs());
    return row->read(node);
  }

  size_t read_parameter(IrNode& node, const IrLayer& layer) {
    if (!layer.inputs.empty()) node.fail("a Parameter has no inputs");
    const DataType type = node.type_attr("element_type");
    const std::string name = public_name(layer);
    if (!inputs_.insert(name).second)
      node.fail("two inputs of the model are called '" + name + "'");
    return builder_.add_input(
        name, type,
        shape_from_ir(node.required("shape"), builder_.where() + ", attribute 'shape'"));
  }

  size_t read_constant(IrNode& node, const IrLayer& layer) {
    if (!layer.inputs.empty()) node.fail("a Const has no inputs");
    const DataType type = node.type_attr("element_type");
    const std::string where = builder_.where();
    const auto dims = shape_from_ir(node.required("shape"), where + ", attribute 'shape'");
    if (!dims) node.fail("attribute 'shape' is '...', allowed: extents");
    return builder_.add_constant(
        constants_.read(type, *dims, bytes_attr(node, "offset"), bytes_attr(node, "size"), where),
        layer.name);
  }

  static uint64_t bytes_attr(IrNode& node, const char* name) {
    static_cast<void>(node.required(name));
    const int64_t bytes = node.integer(name, 0);
    if (bytes < 0)
      node.fail("attribute '" + std::string(name) + "' is " + std::to_string(bytes) +
                ", allowed: 0 and more");
    return static_cast<uint64_t>(bytes);
  }

  // Types that ports state must be those that the ops have.
  void check_outputs(const IrNode& node, const IrLayer& layer, const std::vector<size_t>& outputs) {
    if (layer.outputs.size() > outputs.size())
      node.fail(std::to_string(layer.outputs.size()) +
                " outputs, allowed: " + std::to_string(outputs.size()));
    for (size_t i = 0; i < layer.outputs.size(); ++i)
      check_precision(node, layer.outputs[i], outputs[i], "output " + std::to_string(i));
    for (size_t i = 0; i < layer.inputs.size(); ++i)
      check_precision(node, layer.inputs[i], node.input(i), "input " + std::to_string(i));
    for (size_t i = 0; i < layer.outputs.size(); ++i)
      builder_.name_value(outputs[i],
                          layer.outputs[i].name.empty() ? layer.name : layer.outputs[i].name);
  }

  void check_precision(const IrNode& node, const IrPort& port, size_t value,
                       const std::string& what) const {
    if (port.precision.empty() || port.precision == "UNSPECIFIED") return;
    if (data_type_from_precision(port.precision) != builder_.type_of(value))
      node.fail(what + " is " + ir_name_of(builder_.type_of(value)) + ", its port says " +
                port.precision);
  }

  void read_result(const IrLayer& layer) {
    if (layer.sources.size() != 1)
      throw ModelError(describe(layer) + ": " + std::to_string(layer.sources.size()) +
                       " inputs, allowed: 1");
    const IrSource& source = layer.sources[0];
    const IrLayer& producer = net_.layers[source.layer];
    const size_t value = value_of(layer, source);
    std::string name = producer.outputs[source.output].name;
    if (name.empty() || outputs_.count(name) != 0) name = layer.name;
    if (!outputs_.insert(name).second)
      throw ModelError(describe(layer) + ": two outputs of the model are called '" + name + "'");
    builder_.add_output(name, value);
  }

  static std::string public_name(const IrLayer& layer) {
    const std::vector<IrPort>& ports = layer.outputs;
    return ports.empty() || ports[0].name.empty() ? layer.name : ports[0].name;
  }

  const IrNet& net_;
  IrConstants constants_;
  ModelBuilder builder_;
  std::vector<std::vector<size_t>> values_;  // of each layer, by output
  std::set<std::string> inputs_;
  std::set<std::string> outputs_;
};

Model read(std::string xml, IrWeights& weights) {
  const IrNet net = parse_ir(std::move(xml));
  return IrReader(net, weights).read();
}

}  // namespace

Model read_openvino(const std::string& xml, std::string_view bin) {
  if (xml.size() > kLargestXml)
    throw ModelError("the .xml file has " + std::to_string(xml.size()) +
                     " bytes, allowed: " + std::to_string(kLargestXml));
  IrWeightsInMemory weights(bin);
  return read(xml, weights);
}

Model read_openvino_file(const std::string& path) {
  IrWeightsFile weights(std::filesystem::path(path).replace_extension(".bin").string());
  return read(read_file(path, kLargestXml), weights);
}

}  // namespace iotadnn::models
