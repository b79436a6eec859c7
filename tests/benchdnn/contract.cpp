// SPDX-License-Identifier: Apache-2.0
#include "benchdnn/contract.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "benchdnn/errors.h"
#include "frontends/names.h"

namespace iotadnn::benchdnn {
namespace {

using frontends::AttrType;
using frontends::GraphDesc;
using frontends::OpDesc;
using frontends::TensorDesc;
using Json = nlohmann::json;

// Reads one case; what nlohmann finds wrong (a missing key, a value of another type) and what we do
// ends as its sentence.
class CaseReader {
 public:
  GraphDesc read(const Json& entry) {
    const auto kind = frontends::op_kind_from_name(entry.at("op").get<std::string>());
    if (!kind) throw FileError("there is no op '" + entry.at("op").get<std::string>() + "'");
    OpDesc op;
    op.name = entry.at("name").get<std::string>();
    op.kind = *kind;
    const Json attributes = entry.value("attributes", Json::object());
    for (const auto& [name, value] : attributes.items())
      op.attrs.emplace(name, attr_of(name, value));
    op.inputs = ports_of(entry.value("inputs", Json::array()), graph_.input_ports);
    op.outputs = ports_of(entry.at("outputs"), graph_.output_ports);
    graph_.ops.push_back(std::move(op));
    return std::move(graph_);
  }

 private:
  static frontends::AttrValue attr_of(const std::string& name, const Json& value) {
    const frontends::AttrRow* row = frontends::attr_from_name(name);
    if (row == nullptr) throw FileError("there is no attribute '" + name + "'");
    switch (frontends::type_of(*row)) {
      case AttrType::s64:
        return value.get<int64_t>();
      case AttrType::s64_vector:
        return value.get<std::vector<int64_t>>();
      case AttrType::f32:
        return value.get<float>();
      case AttrType::f32_vector:
        return value.get<std::vector<float>>();
      case AttrType::boolean:
        return value.get<bool>();
      case AttrType::string:
        break;
    }
    return value.get<std::string>();
  }

  std::vector<size_t> ports_of(const Json& list, std::vector<size_t>& graph_ports) {
    std::vector<size_t> ids;
    for (const Json& port : list) {
      TensorDesc tensor;
      tensor.id = graph_.tensors.size();
      const auto type = frontends::data_type_from_name(port.at("type").get<std::string>());
      if (!type) throw FileError("there is no type '" + port.at("type").get<std::string>() + "'");
      tensor.data_type = *type;
      tensor.dims = port.at("shape").get<std::vector<int64_t>>();
      if (port.contains("value")) tensor.value = value_of(port.at("value"));
      ids.push_back(tensor.id);
      graph_.tensors.emplace(tensor.id, std::move(tensor));
    }
    graph_ports = ids;
    return ids;
  }

  // Elements in row-major order.
  static frontends::TensorValue value_of(const Json& list) {
    const bool integral = std::all_of(list.begin(), list.end(),
                                      [](const Json& one) { return one.is_number_integer(); });
    if (integral) return list.get<std::vector<int64_t>>();
    return list.get<std::vector<double>>();
  }

  GraphDesc graph_;
};

}  // namespace

std::vector<ContractCase> read_contract(const std::string& name, const std::string& text) {
  std::vector<ContractCase> cases;
  std::set<std::string> names;
  std::string where = "Error: Contract " + name;
  try {
    const Json file = Json::parse(text);
    for (const Json& entry : file.at("cases")) {
      where = "Error: Contract " + name + ", case number " + std::to_string(cases.size());
      ContractCase one;
      one.name = entry.at("name").get<std::string>();
      where += " ('" + one.name + "')";
      if (!names.insert(one.name).second) throw FileError("the name is taken");
      one.graph = CaseReader().read(entry);
      cases.push_back(std::move(one));
    }
  } catch (const Json::exception& error) {
    throw FileError(where + " cannot be read: " + error.what() + ".");
  } catch (const FileError& error) {
    throw FileError(where + " cannot be read: " + error.what() + ".");
  }
  return cases;
}

}  // namespace iotadnn::benchdnn
