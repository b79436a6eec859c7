// SPDX-License-Identifier: Apache-2.0
#include "frontends/json/model_from_json.h"

#include <limits>

#include "frontends/benchdnn_json.h"
#include "frontends/json/json_node.h"
#include "frontends/model/elements.h"
#include "frontends/names.h"

namespace iotadnn::models {
namespace {

using frontends::GraphDesc;
using frontends::OpDesc;
using frontends::TensorDesc;

std::string name_of(size_t tensor) {
  return "t" + std::to_string(tensor);
}

std::optional<Dims> dims_of(const TensorDesc& desc) {
  if (!desc.dims) return std::nullopt;
  Dims dims = *desc.dims;
  for (int64_t& extent : dims)
    if (extent == std::numeric_limits<int64_t>::min()) extent = kUnknownDim;
  return dims;
}

Tensor constant_of(const TensorDesc& desc, const std::string& where) {
  return std::visit(
      [&](const auto& values) {
        using C = typename std::decay_t<decltype(values)>::value_type;
        const auto count = static_cast<int64_t>(values.size());
        const bool is_known = desc.dims && element_count(*desc.dims);
        if (is_known && element_count(*desc.dims) != count)
          throw ModelError(where + ": " + std::to_string(count) + " elements of data for shape " +
                           shape_text(*dims_of(desc)));
        const Dims dims = is_known ? *desc.dims : Dims{count};
        Tensor made(desc.data_type, dims, where);
        const auto store = storer<C>(desc.data_type);
        for (int64_t i = 0; i < count; ++i)
          store(made.data(), i, values[static_cast<size_t>(i)]);
        return made;
      },
      *desc.value);
}

class Converter {
 public:
  explicit Converter(const GraphDesc& graph) : graph_(graph) {}

  Model convert() {
    builder_.model().name = "graph";
    builder_.model().format = "benchdnn graph " + graph_.version;
    for (const size_t tensor : graph_.graph_inputs())
      add_source(graph_.tensors.at(tensor));
    for (const OpDesc& op : graph_.ops)
      add(op);
    for (const OpDesc& op : graph_.ops)
      for (const size_t tensor : op.outputs)
        if (ends_.count(tensor) != 0 || !graph_.is_consumed(tensor))
          builder_.add_output(name_of(tensor), values_.at(tensor));
    return builder_.finish();
  }

 private:
  void add_source(const TensorDesc& desc) {
    const std::string name = name_of(desc.id);
    const std::string where = "tensor " + std::to_string(desc.id);
    if (!is_computed(desc.data_type))
      throw ModelError(where + ": type " + type_text(desc.data_type) + " is not supported");
    values_[desc.id] = desc.value ? builder_.add_constant(constant_of(desc, where), name)
                                  : builder_.add_input(name, desc.data_type, dims_of(desc));
  }

  void add(const OpDesc& op) {
    const std::string kind(frontends::name_of(op.kind));
    builder_.begin_node(op.name, kind);
    if (op.kind == iotadnn_graph_op_end) {
      ends_.insert(op.inputs.begin(), op.inputs.end());
      return;
    }
    const JsonRead read = find_json_row(op.kind);
    if (read == nullptr)
      throw ModelError(builder_.where() +
                       ": this op is not supported; doc/models.md lists those "
                       "that are");
    std::vector<size_t> inputs;
    for (const size_t tensor : op.inputs)
      inputs.push_back(values_.at(tensor));
    if (op.outputs.empty())
      throw ModelError(builder_.where() + ": it has no outputs, allowed: 1 and more");
    JsonNode node(builder_, op, std::move(inputs), graph_.tensors.at(op.outputs[0]).data_type);
    std::vector<size_t> results = {read(node)};
    node.check_all_used();
    results.insert(results.end(), node.more.begin(), node.more.end());
    if (op.outputs.size() > results.size())
      throw ModelError(builder_.where() + ": " + std::to_string(op.outputs.size()) +
                       " outputs, allowed: " + std::to_string(results.size()));
    for (size_t i = 0; i < op.outputs.size(); ++i)
      set_result(graph_.tensors.at(op.outputs[i]), results[i]);
  }

  void set_result(const TensorDesc& desc, size_t result) {
    if (builder_.type_of(result) != desc.data_type)
      throw ModelError(builder_.where() + ": the output has type " + type_text(desc.data_type) +
                       ", computed is " + type_text(builder_.type_of(result)));
    builder_.name_value(result, name_of(desc.id));
    if (const auto dims = dims_of(desc)) {
      builder_.state_dims(result, dims);
      builder_.promise_dims(result, *dims);
    }
    values_[desc.id] = result;
  }

  const GraphDesc& graph_;
  ModelBuilder builder_;
  std::map<size_t, size_t> values_;  // by tensor id
  std::set<size_t> ends_;
};

}  // namespace

Model model_from_graph(const GraphDesc& graph) {
  return Converter(graph).convert();
}

Model read_json_model_file(const std::string& path) {
  return model_from_graph(frontends::read_benchdnn_json_file(path));
}

}  // namespace iotadnn::models
