// SPDX-License-Identifier: Apache-2.0
#include "frontends/benchdnn_json_writer.h"

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "frontends/names.h"

namespace iotadnn::frontends {
namespace {

using Json = nlohmann::ordered_json;

constexpr int64_t kUnknownExtent = std::numeric_limits<int64_t>::min();

Json number(double value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
  return value;
}

template <class T>
Json numbers(const std::vector<T>& values) {
  Json list = Json::array();
  for (const T value : values)
    list.push_back(number(static_cast<double>(value)));
  return list;
}

Json numbers(const std::vector<int64_t>& values) {
  return values;
}

Json value_of(const AttrValue& value) {
  return std::visit(
      [](const auto& typed) -> Json {
        using T = std::decay_t<decltype(typed)>;
        if constexpr (std::is_same_v<T, float>) {
          return number(static_cast<double>(typed));
        } else if constexpr (std::is_same_v<T, std::vector<float>>) {
          return numbers(typed);
        } else if constexpr (std::is_same_v<T, bool>) {
          return typed ? 1 : 0;
        } else {
          return typed;
        }
      },
      value);
}

Json tensor(const TensorDesc& desc) {
  Json entry;
  entry["id"] = desc.id;
  entry["dtype"] = name_of(desc.data_type);
  entry["shape"] = desc.dims ? Json(*desc.dims) : Json::array();
  std::vector<int64_t> strides = desc.strides;
  if (strides.empty() && desc.dims)
    strides =
        dense_strides(*desc.dims).value_or(std::vector<int64_t>(desc.dims->size(), kUnknownExtent));
  entry["stride"] = strides;
  entry["layout_type"] = name_of(desc.layout);
  entry["property_type"] = name_of(desc.property);
  if (!desc.dims) entry["ndims"] = -1;
  if (desc.value)
    std::visit(
        [&](const auto& list) {
          const Json all = numbers(list);
          entry["value"] = desc.dims && desc.dims->empty() && all.size() == 1 ? all[0] : all;
        },
        *desc.value);
  return entry;
}

Json tensors(const std::vector<size_t>& ids, const GraphDesc& graph) {
  Json list = Json::array();
  for (const size_t id : ids)
    list.push_back(tensor(graph.tensors.at(id)));
  return list;
}

Json op(const OpDesc& desc, const GraphDesc& graph) {
  Json entry;
  entry["id"] = desc.id;
  entry["name"] = desc.name;
  entry["kind"] = name_of(desc.kind);
  entry["attrs"] = Json::object();
  for (const auto& [name, value] : desc.attrs) {
    entry["attrs"][name]["type"] = name_of(static_cast<AttrType>(value.index()));
    entry["attrs"][name]["value"] = value_of(value);
  }
  entry["inputs"] = tensors(desc.inputs, graph);
  entry["outputs"] = tensors(desc.outputs, graph);
  return entry;
}

const char* name_of_mode(iotadnn_graph_math_mode_t mode) {
  return mode == iotadnn_graph_math_mode_finite ? "finite" : "strict_bits";
}

}  // namespace

std::string write_benchdnn_json(const GraphDesc& graph) {
  Json root;
  root["version"] = graph.version;
  root["engine_kind"] = graph.engine_kind;
  root["fpmath_mode"] = name_of(graph.fpmath_mode);
  root["fpmath_mode_apply_to_int"] = graph.fpmath_apply_to_int ? "true" : "false";
  if (graph.math_mode != iotadnn_graph_math_mode_default)
    root["math_mode"] = name_of_mode(graph.math_mode);
  root["input_ports"] = graph.input_ports;
  root["output_ports"] = graph.output_ports;
  root["graph"] = Json::array();
  for (const OpDesc& desc : graph.ops)
    root["graph"].push_back(op(desc, graph));
  // Names of a model may hold bytes that are no UTF-8.
  return root.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace iotadnn::frontends
