// SPDX-License-Identifier: Apache-2.0
#include "iotadnn/models.hpp"

#include <cstring>

#include "frontends/files/load.h"
#include "frontends/graph_builder.h"
#include "frontends/model/error.h"
#include "frontends/model/session.h"

namespace iotadnn::models {
namespace {

// Calls `f`; what it refuses becomes an error of this status.
template <class F>
auto guarded(iotadnn_status_t status, const F& f) {
  try {
    return f();
  } catch (const frontends::GraphError& refusal) {
    throw error(status, refusal.what());
  } catch (const std::bad_alloc&) {
    throw error(iotadnn_out_of_memory, "there is no memory for the model");
  }
}

std::vector<Tensor> tensors_of(const std::vector<array>& arrays) {
  std::vector<Tensor> tensors;
  for (size_t i = 0; i < arrays.size(); ++i) {
    const std::string where = "input " + std::to_string(i);
    if (dense_bytes(arrays[i].type, arrays[i].dims, where) != arrays[i].bytes.size())
      throw ModelError(where + ": " + std::to_string(arrays[i].bytes.size()) + " bytes for shape " +
                       shape_text(arrays[i].dims));
    tensors.emplace_back(arrays[i].type, arrays[i].dims, where);
    if (!arrays[i].bytes.empty())
      std::memcpy(tensors.back().data(), arrays[i].bytes.data(), arrays[i].bytes.size());
  }
  return tensors;
}

std::vector<array> arrays_of(const std::vector<Tensor>& tensors) {
  std::vector<array> arrays;
  for (const Tensor& one : tensors)
    arrays.push_back({one.type(), one.dims(), {one.data(), one.data() + one.bytes()}});
  return arrays;
}

PlanOptions reference_only() {
  PlanOptions options;
  options.reference = true;
  return options;
}

}  // namespace

struct model::state {
  explicit state(const std::string& path)
      : read(load_model(path)), session(read), reference(read, reference_only()) {
    for (const size_t value : read.inputs)
      inputs.push_back({read.values[value].name, read.values[value].type, read.values[value].dims});
    for (size_t i = 0; i < read.outputs.size(); ++i) {
      const Value& value = read.values[read.outputs[i]];
      outputs.push_back({read.output_names[i], value.type, value.dims});
    }
  }

  Model read;
  Session session;
  Session reference;
  std::vector<port> inputs;
  std::vector<port> outputs;
};

model::model(const std::string& path)
    : state_(guarded(iotadnn_invalid_graph, [&] { return std::make_shared<state>(path); })) {}

const std::vector<port>& model::inputs() const {
  return state_->inputs;
}

const std::vector<port>& model::outputs() const {
  return state_->outputs;
}

std::vector<array> model::run(const std::vector<array>& inputs) {
  return guarded(iotadnn_invalid_arguments,
                 [&] { return arrays_of(state_->session.run(tensors_of(inputs))); });
}

std::vector<array> model::run_reference(const std::vector<array>& inputs) {
  return guarded(iotadnn_invalid_arguments,
                 [&] { return arrays_of(state_->reference.run(tensors_of(inputs))); });
}

std::vector<step> model::plan(const std::vector<array>& inputs) {
  return guarded(iotadnn_invalid_arguments, [&] {
    std::vector<step> steps;
    for (const Step& planned : state_->session.plan_for(tensors_of(inputs)).steps) {
      steps.push_back({{}, runner_of(planned), planned.reason});
      for (const size_t n : planned.nodes)
        steps.back().nodes.push_back(label(state_->read.nodes[n]));
    }
    return steps;
  });
}

graph::graph model::make_graph(const std::vector<array>& inputs) {
  return guarded(iotadnn_invalid_arguments, [&] {
    return frontends::build_graph(state_->session.plan_for(tensors_of(inputs)).graph,
                                  engine::kind::cpu);
  });
}

}  // namespace iotadnn::models
