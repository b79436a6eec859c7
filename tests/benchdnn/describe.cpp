// SPDX-License-Identifier: Apache-2.0
#include "benchdnn/describe.h"

#include <algorithm>

#include "benchdnn/values.h"
#include "frontends/names.h"

namespace iotadnn::benchdnn {
namespace {

std::string join(const std::vector<std::string>& words, const char* separator) {
  std::string text;
  for (const std::string& word : words)
    text += (text.empty() ? "" : separator) + word;
  return text;
}

}  // namespace

std::string join_distinct(const std::vector<std::string>& words) {
  std::vector<std::string> distinct;
  for (const std::string& word : words)
    if (std::find(distinct.begin(), distinct.end(), word) == distinct.end())
      distinct.push_back(word);
  return join(distinct, ";");
}

void describe_ports(const frontends::GraphDesc& graph, CaseResult& result) {
  std::vector<std::string> kinds;
  std::vector<std::string> names;
  std::vector<std::string> outputs;
  std::vector<std::string> shapes;
  std::vector<std::string> inputs;
  for (const frontends::OpDesc& op : graph.ops) {
    kinds.emplace_back(frontends::name_of(op.kind));
    names.push_back(op.name);
    for (const size_t id : op.outputs) {
      if (graph.is_consumed(id)) continue;
      const frontends::TensorDesc& tensor = graph.tensors.at(id);
      outputs.emplace_back(frontends::name_of(tensor.data_type));
      shapes.push_back(tensor.dims ? extents_text(*tensor.dims) : "?");
    }
  }
  for (const size_t id : graph.graph_inputs())
    inputs.emplace_back(frontends::name_of(graph.tensors.at(id).data_type));
  result.kinds = join(kinds, ";");
  result.names = join(names, ";");
  result.input_types = join_distinct(inputs);
  result.output_types = join_distinct(outputs);
  result.output_shapes = join(shapes, ";");
}

}  // namespace iotadnn::benchdnn
