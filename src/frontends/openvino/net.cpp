// SPDX-License-Identifier: Apache-2.0
#include "frontends/openvino/net.h"

#include <charconv>
#include <pugixml.hpp>
#include <set>
#include <utility>

#include "frontends/model/error.h"

namespace iotadnn::models {
namespace {

// The attribute as a number.
int64_t integer_of(const pugi::xml_node& node, const char* attr, const std::string& where) {
  const std::string text = node.attribute(attr).value();
  int64_t value = 0;
  if (node.attribute(attr).empty())
    throw ModelError(where + ": attribute '" + attr + "' is missing");
  if (!parse_integer(text, value))
    throw ModelError(where + ": attribute '" + attr + "' is '" + text + "', allowed: an integer");
  return value;
}

// The first of the names, which commas separate; a comma of a name has a backslash before it.
std::string first_name(const std::string& names) {
  std::string name;
  for (size_t i = 0; i < names.size() && names[i] != ','; ++i) {
    if (names[i] == '\\' && i + 1 < names.size() && names[i + 1] == ',') ++i;
    name += names[i];
  }
  return name;
}

std::vector<IrPort> ports_of(const pugi::xml_node& list, const IrLayer& layer) {
  std::vector<IrPort> ports;
  std::set<int64_t> ids;
  for (const pugi::xml_node& node : list.children("port")) {
    const std::string where =
        describe(layer) + ", " + list.name() + " port " + std::to_string(ports.size());
    IrPort port;
    port.id = integer_of(node, "id", where);
    port.precision = node.attribute("precision").value();
    port.name = first_name(node.attribute("names").value());
    if (!ids.insert(port.id).second)
      throw ModelError(where + ": the id " + std::to_string(port.id) + " is taken already");
    for (const pugi::xml_node& dim : node.children("dim")) {
      int64_t extent = 0;
      const std::string text = dim.text().get();
      if (text != "?" && (!parse_integer(text, extent) || extent < kUnknownDim))
        throw ModelError(where + ": extent '" + text +
                         "', allowed: 0 and more, or -1 for one that is not known");
    }
    ports.push_back(std::move(port));
  }
  return ports;
}

// "opset9" is 9.
int64_t opset_of(const pugi::xml_node& node, const IrLayer& layer) {
  const std::string text = node.attribute("version").value();
  int64_t opset = 0;
  if (text.rfind("opset", 0) != 0 || !parse_integer(text.substr(5), opset) || opset < 1)
    throw ModelError(describe(layer) + ": attribute 'version' is '" + text +
                     "', allowed: opset1 and following; other libraries' ops are not supported");
  return opset;
}

IrLayer layer_of(const pugi::xml_node& node, size_t index) {
  IrLayer layer;
  layer.id = integer_of(node, "id", "layer number " + std::to_string(index));
  layer.name = node.attribute("name").value();
  layer.type = node.attribute("type").value();
  if (layer.type.empty()) throw ModelError(describe(layer) + ": attribute 'type' is missing");
  layer.opset = opset_of(node, layer);
  for (const pugi::xml_attribute& attr : node.child("data").attributes())
    if (!layer.attrs.emplace(attr.name(), attr.value()).second)
      throw ModelError(describe(layer) + ": attribute '" + attr.name() + "' is given twice");
  layer.inputs = ports_of(node.child("input"), layer);
  layer.outputs = ports_of(node.child("output"), layer);
  return layer;
}

size_t find_port(const std::vector<IrPort>& ports, int64_t id, const IrLayer& layer,
                 const char* kind) {
  for (size_t i = 0; i < ports.size(); ++i)
    if (ports[i].id == id) return i;
  throw ModelError("an edge names " + std::string(kind) + " port " + std::to_string(id) + " of " +
                   describe(layer) + ", which has none of that id");
}

class Edges {
 public:
  explicit Edges(IrNet& net) : net_(net) {
    for (size_t i = 0; i < net.layers.size(); ++i) {
      IrLayer& layer = net.layers[i];
      if (!layers_.emplace(layer.id, i).second)
        throw ModelError(describe(layer) + ": the id " + std::to_string(layer.id) +
                         " is taken already");
      layer.sources.assign(layer.inputs.size(), {kNone, 0});
    }
  }

  void read(const pugi::xml_node& edge, size_t number) {
    const std::string where = "edge number " + std::to_string(number);
    const size_t from = find_layer(integer_of(edge, "from-layer", where), where);
    const size_t to = find_layer(integer_of(edge, "to-layer", where), where);
    IrLayer& reader = net_.layers[to];
    const size_t input =
        find_port(reader.inputs, integer_of(edge, "to-port", where), reader, "input");
    const size_t output = find_port(net_.layers[from].outputs, integer_of(edge, "from-port", where),
                                    net_.layers[from], "output");
    if (reader.sources[input].layer != kNone)
      throw ModelError(describe(reader) + ": two edges lead to input " + std::to_string(input));
    reader.sources[input] = {from, output};
  }

  void check_all_connected() const {
    for (const IrLayer& layer : net_.layers)
      for (size_t input = 0; input < layer.sources.size(); ++input)
        if (layer.sources[input].layer == kNone)
          throw ModelError(describe(layer) + ": no edge leads to input " + std::to_string(input));
  }

 private:
  static constexpr size_t kNone = SIZE_MAX;

  [[nodiscard]] size_t find_layer(int64_t id, const std::string& where) const {
    const auto found = layers_.find(id);
    if (found == layers_.end())
      throw ModelError(where + ": no layer has the id " + std::to_string(id));
    return found->second;
  }

  IrNet& net_;
  std::map<int64_t, size_t> layers_;
};

}  // namespace

bool parse_integer(const std::string& text, int64_t& value) {
  const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), value);
  return failed == std::errc() && end == text.data() + text.size();
}

std::string describe(const IrLayer& layer) {
  return "layer " + std::to_string(layer.id) + " '" + layer.name + "' (" + layer.type + ")";
}

IrNet parse_ir(std::string xml) {
  pugi::xml_document document;
  // Entities that a document type would define stay as they are written: nothing is expanded.
  const pugi::xml_parse_result parsed = document.load_buffer_inplace(xml.data(), xml.size());
  if (!parsed)
    throw ModelError("this is no XML: " + std::string(parsed.description()) + " at byte " +
                     std::to_string(parsed.offset));
  const pugi::xml_node root = document.child("net");
  if (root.empty()) throw ModelError("this is no OpenVINO IR: its root is not 'net'");
  IrNet net;
  net.version = integer_of(root, "version", "'net'");
  if (net.version != 10 && net.version != 11)
    throw ModelError("the IR has version " + std::to_string(net.version) + ", allowed: 10, 11");
  net.name = root.attribute("name").value();
  for (const pugi::xml_node& node : root.child("layers").children("layer"))
    net.layers.push_back(layer_of(node, net.layers.size()));
  if (net.layers.empty()) throw ModelError("the IR has no layers");
  Edges edges(net);
  size_t number = 0;
  for (const pugi::xml_node& node : root.child("edges").children("edge"))
    edges.read(node, number++);
  edges.check_all_connected();
  return net;
}

}  // namespace iotadnn::models
