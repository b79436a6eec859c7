// SPDX-License-Identifier: Apache-2.0
#include "frontends/model/emit.h"

#include <algorithm>

#include "frontends/graph_builder.h"
#include "frontends/model/elements.h"

namespace iotadnn::models {
namespace {

using frontends::GraphDesc;
using frontends::OpDesc;
using frontends::TensorDesc;
using frontends::TensorValue;

// What graph files have beside small constants, so that a replay computes the same.
std::optional<TensorValue> small_value(const Tensor& tensor) {
  constexpr int64_t kMost = 64;
  if (tensor.dims().size() > 1 || tensor.count() > kMost) return std::nullopt;
  const auto all = [&](auto load) {
    std::vector<decltype(load(nullptr, 0))> values;
    for (int64_t i = 0; i < tensor.count(); ++i)
      values.push_back(load(tensor.data(), i));
    return TensorValue(values);
  };
  if (is_floating(tensor.type())) return all(loader<double>(tensor.type()));
  return all(loader<int64_t>(tensor.type()));
}

class Emitter {
 public:
  Emitter(const Model& model, const std::vector<size_t>& nodes, Plan& plan)
      : model_(model),
        plan_(plan),
        has_data_(model.values.size(), false),
        next_tensor_(model.values.size()) {
    for (const size_t value : model.inputs)
      has_data_[value] = true;
    for (const auto& entry : plan.known)
      has_data_[entry.first] = true;
    for (const size_t n : nodes)
      for (const size_t value : model.nodes[n].outputs)
        has_data_[value] = true;
  }

  void emit(size_t n) {
    const Node& node = model_.nodes[n];
    const OpRow& row = row_of(node.op);
    const ShapeContext shapes = shapes_of(model_, plan_, node, [this](size_t value) {
      const auto found = plan_.known.find(value);
      return found == plan_.known.end() ? nullptr : &found->second;
    });
    OpDesc op;
    op.id = n;
    op.name = label(node);
    op.kind = row.kind;
    EmitContext context{{node, shapes.where}, shapes, op, given_ports(node), {}};
    std::string refusal;
    if (node.op == Op::eye_like && !has_data_[plan_.alias[node.inputs[0]]]) {
      say_as_eye(context);
    } else if (row.kind == iotadnn_graph_op_wildcard) {
      refusal = "the graph API has no such op";
    } else if (row.emit != nullptr) {
      refusal = row.emit(context);
    }
    if (!refusal.empty()) {
      op.kind = iotadnn_graph_op_wildcard;
      op.attrs.clear();
      context.ports = given_ports(node);
      plan_.host[n] = refusal;
    }
    for (const size_t port : context.ports)
      op.inputs.push_back(tensor(plan_.alias[node.inputs[port]]));
    for (const Tensor& constant : context.constant_ports) {
      plan_.known.emplace(next_tensor_, constant);
      op.inputs.push_back(describe_tensor(next_tensor_++, constant.type(), constant.dims()));
    }
    for (const size_t value : node.outputs)
      op.outputs.push_back(tensor(value));
    plan_.graph.ops.push_back(std::move(op));
  }

 private:
  static std::vector<size_t> given_ports(const Node& node) {
    std::vector<size_t> ports;
    for (size_t port = 0; port < node.inputs.size(); ++port)
      if (node.inputs[port] != kNoValue) ports.push_back(port);
    return ports;
  }

  // An identity of a shape that nobody else needs as a tensor.
  static void say_as_eye(EmitContext& c) {
    c.ports.clear();
    c.op.kind = iotadnn_graph_op_eye;
    c.op.attrs.emplace("shape", c.shapes.out[0]);
    c.op.attrs.emplace("k", c.node.integer("k"));
  }

  size_t tensor(size_t value) {
    return describe_tensor(value, model_.values[value].type, *plan_.dims[value]);
  }

  size_t describe_tensor(size_t id, DataType type, const Dims& dims) {
    TensorDesc desc;
    desc.id = id;
    desc.data_type = type;
    desc.dims = dims;
    if (const auto found = plan_.known.find(id); found != plan_.known.end()) {
      desc.property = iotadnn_graph_tensor_property_constant;
      desc.value = small_value(found->second);
    }
    plan_.graph.tensors.emplace(id, std::move(desc));
    return id;
  }

  const Model& model_;
  Plan& plan_;
  std::vector<bool> has_data_;  // in a run, or known
  size_t next_tensor_;
};

// Adds one op; what the library refuses becomes a Wildcard, with the library's sentence.
void add_op(iotadnn::graph::graph& graph, OpDesc& op, Plan& plan) {
  std::string refusal;
  try {
    if (graph.add_op(frontends::build_op(op, plan.graph), false) == iotadnn::status::success)
      return;
    refusal = iotadnn_get_last_error();
  } catch (const iotadnn::error& error) {
    refusal = error.what();
  }
  op.kind = iotadnn_graph_op_wildcard;
  op.attrs.clear();
  plan.host[op.id] = refusal;
  graph.add_op(frontends::build_op(op, plan.graph));
}

class Compiler {
 public:
  Compiler(const Model& model, Plan& plan, const iotadnn::engine& engine)
      : model_(model), plan_(plan), engine_(engine) {}

  void add(const iotadnn::graph::partition& partition) {
    const std::vector<size_t> nodes = partition.get_ops();
    if (!partition.is_supported()) {
      const auto host = plan_.host.find(nodes[0]);
      interpret(nodes, host == plan_.host.end() ? partition.get_reason() : host->second);
      return;
    }
    try {
      compile(partition, nodes);
    } catch (const iotadnn::error& error) {
      interpret(nodes, error.what());
    }
  }

  std::vector<Step> take() { return std::move(steps_); }

 private:
  void interpret(const std::vector<size_t>& nodes, const std::string& reason) {
    for (const size_t n : nodes)
      steps_.push_back(interpreted_step(model_, plan_, n, reason));
  }

  void compile(const iotadnn::graph::partition& partition, const std::vector<size_t>& nodes) {
    Step step;
    step.nodes = nodes;
    step.is_compiled = true;
    for (const auto& port : partition.get_input_ports())
      add_port(port.get_id(), step.inputs, step.input_types);
    for (const auto& port : partition.get_output_ports())
      add_port(port.get_id(), step.outputs, step.output_types);
    step.compiled = partition.compile(step.input_types, step.output_types, engine_);
    // Ops that the library computes by its reference alone, on their own: so does the interpreter.
    if (nodes.size() == 1 && step.compiled.get_impl() == "reference" &&
        iotadnn_get_effective_cpu_isa() != iotadnn_cpu_isa_reference)
      return interpret(nodes, "the library has no kernel for this op on its own");
    steps_.push_back(std::move(step));
  }

  void add_port(size_t id, std::vector<size_t>& ids,
                std::vector<iotadnn::graph::logical_tensor>& types) const {
    if (std::find(ids.begin(), ids.end(), id) != ids.end()) return;
    ids.push_back(id);
    types.push_back(frontends::build_logical_tensor(plan_.graph.tensors.at(id)));
  }

  const Model& model_;
  Plan& plan_;
  const iotadnn::engine& engine_;
  std::vector<Step> steps_;
};

}  // namespace

void emit_graph(const Model& model, const std::vector<size_t>& nodes, Plan& plan) {
  plan.graph.engine_kind = "cpu";
  Emitter emitter(model, nodes, plan);
  for (const size_t n : nodes)
    emitter.emit(n);
  plan.graph.input_ports = plan.graph.graph_inputs();
  std::vector<bool> made(model.values.size(), false);
  for (const OpDesc& op : plan.graph.ops)
    for (const size_t value : op.outputs)
      made[value] = true;
  for (const size_t value : model.outputs)
    if (made[plan.alias[value]]) plan.graph.output_ports.push_back(plan.alias[value]);
}

std::vector<Step> compile_graph(const Model& model, Plan& plan, const PlanOptions& options,
                                const iotadnn::engine& engine) {
  if (plan.graph.ops.empty()) return {};
  iotadnn::graph::graph graph(iotadnn::engine::kind::cpu);
  for (OpDesc& op : plan.graph.ops)
    add_op(graph, op, plan);
  // What the model hands out leaves its partition even where ops of the graph read it, too. (A
  // Wildcard, since End takes no booleans.)
  std::vector<bool> read(model.values.size(), false);
  for (const OpDesc& op : plan.graph.ops)
    for (const size_t value : op.inputs)
      if (value < read.size()) read[value] = true;
  size_t next = model.nodes.size();
  for (const size_t value : plan.graph.output_ports) {
    if (!read[value]) continue;
    const OpDesc reader{next++, "", iotadnn_graph_op_wildcard, {}, {value}, {}};
    graph.add_op(frontends::build_op(reader, plan.graph));
  }
  graph.finalize();
  Compiler compiler(model, plan, engine);
  using policy = iotadnn::graph::partition::policy;
  for (const auto& partition :
       graph.get_partitions(options.unfused ? policy::debug : policy::fusion))
    if (partition.get_ops()[0] < model.nodes.size()) compiler.add(partition);
  return compiler.take();
}

Step interpreted_step(const Model& model, const Plan& plan, size_t node, std::string reason) {
  Step step;
  step.nodes = {node};
  step.reason = std::move(reason);
  for (const size_t value : model.nodes[node].inputs)
    step.inputs.push_back(value == kNoValue ? kNoValue : plan.alias[value]);
  step.outputs = model.nodes[node].outputs;
  return step;
}

}  // namespace iotadnn::models
