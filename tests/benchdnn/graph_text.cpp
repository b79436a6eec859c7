// SPDX-License-Identifier: Apache-2.0
#include "benchdnn/graph_text.h"

#include <type_traits>

#include "benchdnn/values.h"
#include "frontends/names.h"

namespace iotadnn::benchdnn {
namespace {

using frontends::GraphDesc;
using frontends::TensorDesc;

template <class T>
std::string joined(const std::vector<T>& list) {
  std::string text;
  for (const T& entry : list)
    text += (text.empty() ? "" : "x") + std::to_string(entry);
  return text;
}

template <class T>
std::string attr_text(const T& value) {
  if constexpr (std::is_same_v<T, std::string>)
    return value;
  else if constexpr (std::is_same_v<T, bool>)
    return value ? "true" : "false";
  else if constexpr (std::is_arithmetic_v<T>)
    return std::to_string(value);
  else
    return joined(value);
}

std::string tensor_text(const TensorDesc& tensor) {
  std::string text = std::to_string(tensor.id) + ":" +
                     std::string(frontends::name_of(tensor.data_type)) + ":" +
                     (tensor.dims ? extents_text(*tensor.dims) : "?") + ":" +
                     (tensor.strides.empty() ? "-" : joined(tensor.strides));
  if (tensor.property != iotadnn_graph_tensor_property_undef)
    text += ":" + std::string(frontends::name_of(tensor.property));
  if (tensor.value)
    text += "=" + std::visit([](const auto& list) { return joined(list); }, *tensor.value);
  return text;
}

std::string tensors_text(const GraphDesc& graph, const std::vector<size_t>& ids) {
  std::string text;
  for (const size_t id : ids)
    text += (text.empty() ? "" : ", ") + tensor_text(graph.tensors.at(id));
  return text;
}

}  // namespace

std::string graph_text(const GraphDesc& graph) {
  std::string text;
  for (const frontends::OpDesc& op : graph.ops) {
    text += "{(" + std::to_string(op.id) + ") " + std::string(frontends::name_of(op.kind)) + "}\n";
    text += "    In: { " + tensors_text(graph, op.inputs) + " }\n";
    text += "    Out: { " + tensors_text(graph, op.outputs) + " }\n";
    std::string attrs;
    for (const auto& [name, value] : op.attrs)
      attrs += (attrs.empty() ? "" : ", ") + name + ": " +
               std::visit([](const auto& typed) { return attr_text(typed); }, value);
    text += "    Attrs: { " + attrs + " }\n";
  }
  return text;
}

}  // namespace iotadnn::benchdnn
