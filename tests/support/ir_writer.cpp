// SPDX-License-Identifier: Apache-2.0
#include "support/ir_writer.h"

namespace iotadnn::test {

std::string xml_escaped(const std::string& text) {
  std::string escaped;
  for (const char c : text) {
    switch (c) {
      case '&':
        escaped += "&amp;";
        break;
      case '<':
        escaped += "&lt;";
        break;
      case '>':
        escaped += "&gt;";
        break;
      case '"':
        escaped += "&quot;";
        break;
      default:
        escaped += c;
    }
  }
  return escaped;
}

std::string ir_precision(const std::string& type) {
  if (type == "boolean") return "BOOL";
  const std::string width = type.substr(type.find_first_of("0123456789"));
  if (type.rfind("bf", 0) == 0) return "BF" + width;
  if (type[0] == 'f') return "FP" + width;
  return (type[0] == 'u' ? "U" : "I") + width;
}

IrWriter::Out IrWriter::add(Layer layer) {
  const Out out{static_cast<int>(layers_.size()), static_cast<int>(layer.inputs.size()),
                layer.precision};
  if (layer.name.empty()) layer.name = layer.type + "_" + std::to_string(layers_.size());
  layers_.push_back(std::move(layer));
  return out;
}

IrWriter::Out IrWriter::parameter(const std::string& name, const std::string& type,
                                  const std::string& shape) {
  return add({name,
              "Parameter",
              "opset1",
              {{"shape", shape}, {"element_type", type}},
              {},
              true,
              ir_precision(type),
              name});
}

IrWriter::Out IrWriter::constant(const std::string& type, const std::vector<int64_t>& dims,
                                 const std::vector<unsigned char>& bytes) {
  const std::string blob(bytes.begin(), bytes.end());
  const size_t offset = blobs_.emplace(blob, bin_.size()).first->second;
  if (offset == bin_.size()) bin_ += blob;
  std::string shape;
  for (const int64_t dim : dims)
    shape += (shape.empty() ? "" : ", ") + std::to_string(dim);
  return add({"",
              "Const",
              "opset1",
              {{"element_type", type},
               {"shape", shape},
               {"offset", std::to_string(offset)},
               {"size", std::to_string(blob.size())}},
              {},
              true,
              ir_precision(type),
              ""});
}

IrWriter::Out IrWriter::layer(const std::string& type, const std::string& version,
                              const std::vector<Out>& inputs, const Attrs& attrs,
                              const std::string& precision, const std::string& name) {
  return add({name, type, version, attrs, inputs, true, precision, ""});
}

void IrWriter::result(const Out& from, const std::string& name) {
  add({name, "Result", "opset1", {}, {from}, false, "", ""});
}

std::string IrWriter::text_of(size_t index) const {
  const Layer& layer = layers_[index];
  const auto port = [](int id, const std::string& precision, const std::string& names) {
    return "\t\t\t\t<port id=\"" + std::to_string(id) + "\"" +
           (precision.empty() ? "" : " precision=\"" + precision + "\"") +
           (names.empty() ? "" : " names=\"" + xml_escaped(names) + "\"") + "/>\n";
  };
  std::string text = "\t\t<layer id=\"" + std::to_string(index) + "\" name=\"" +
                     xml_escaped(layer.name) + "\" type=\"" + layer.type + "\" version=\"" +
                     layer.version + "\">\n";
  if (!layer.attrs.empty()) {
    text += "\t\t\t<data";
    for (const auto& [name, value] : layer.attrs)
      text += " " + name + "=\"" + xml_escaped(value) + "\"";
    text += "/>\n";
  }
  if (!layer.inputs.empty()) {
    text += "\t\t\t<input>\n";
    for (size_t i = 0; i < layer.inputs.size(); ++i)
      text += port(static_cast<int>(i), version_ == 10 ? "" : layer.inputs[i].precision, "");
    text += "\t\t\t</input>\n";
  }
  if (layer.has_output)
    text += "\t\t\t<output>\n" +
            port(static_cast<int>(layer.inputs.size()), layer.precision, layer.tensor_names) +
            "\t\t\t</output>\n";
  return text + "\t\t</layer>\n";
}

std::string IrWriter::xml() const {
  std::string layers;
  std::string edges;
  for (size_t i = 0; i < layers_.size(); ++i) {
    layers = turned_ ? text_of(i) + layers : layers + text_of(i);
    for (size_t port = 0; port < layers_[i].inputs.size(); ++port)
      edges += "\t\t<edge from-layer=\"" + std::to_string(layers_[i].inputs[port].layer) +
               "\" from-port=\"" + std::to_string(layers_[i].inputs[port].port) + "\" to-layer=\"" +
               std::to_string(i) + "\" to-port=\"" + std::to_string(port) + "\"/>\n";
  }
  return "<?xml version=\"1.0\"?>\n<net name=\"model\" version=\"" + std::to_string(version_) +
         "\">\n\t<layers>\n" + layers + "\t</layers>\n\t<edges>\n" + edges + "\t</edges>\n" +
         (version_ == 10 ? "\t<meta_data/>\n" : "\t<rt_info/>\n") + "</net>\n";
}

}  // namespace iotadnn::test
