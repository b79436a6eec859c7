// SPDX-License-Identifier: Apache-2.0
#include "frontends/model/plan.h"

#include <algorithm>

#include "frontends/model/emit.h"

namespace iotadnn::models {
namespace {

bool reads(const Node& node, size_t port) {
  return node.inputs[port] != kNoValue && !has_bit(row_of(node.op).unread_ports, port);
}

void check_shape(const Value& value, const Tensor& given, std::map<std::string, int64_t>& symbols) {
  const std::string where = "input " + describe(value);
  if (!value.dims) return;
  bool fits = value.dims->size() == given.dims().size();
  for (size_t d = 0; fits && d < given.dims().size(); ++d)
    fits = (*value.dims)[d] == kUnknownDim || (*value.dims)[d] == given.dims()[d];
  if (!fits)
    throw ModelError(where + ": shape " + shape_text(given.dims()) + " was given, the model has " +
                     shape_text(*value.dims));
  for (size_t d = 0; d < value.symbols.size(); ++d) {
    if (value.symbols[d].empty()) continue;
    const auto [at, fresh] = symbols.emplace(value.symbols[d], given.dims()[d]);
    if (!fresh && at->second != given.dims()[d])
      throw ModelError(where + ": extent '" + value.symbols[d] + "' is " +
                       std::to_string(given.dims()[d]) + ", another input has " +
                       std::to_string(at->second) + " for it");
  }
}

class Planner {
 public:
  Planner(const Model& model, const std::vector<Tensor>& inputs, const std::vector<bool>& needed,
          Plan& plan)
      : model_(model), plan_(plan), needed_(needed) {
    plan_.dims.resize(model.values.size());
    plan_.alias.resize(model.values.size());
    for (size_t value = 0; value < plan_.alias.size(); ++value)
      plan_.alias[value] = value;
    for (const auto& [value, tensor] : model.constants)
      know(value, tensor);
    std::map<std::string, int64_t> symbols;
    for (size_t i = 0; i < inputs.size(); ++i) {
      const size_t value = model.inputs[i];
      check_shape(model.values[value], inputs[i], symbols);
      plan_.dims[value] = inputs[i].dims();
      if (needed_[value]) know(value, inputs[i]);
    }
  }

  // Infers all shapes and folds what is to be folded; returns the other nodes that are used.
  std::vector<size_t> remaining() {
    std::vector<size_t> rest;
    for (size_t n = 0; n < model_.nodes.size(); ++n)
      if (!fold(n)) rest.push_back(n);
    return used(rest);
  }

 private:
  const Tensor* known(size_t value) const {
    const auto found = plan_.known.find(value);
    return found == plan_.known.end() ? nullptr : &found->second;
  }

  void know(size_t value, const Tensor& tensor) {
    plan_.dims[value] = tensor.dims();
    plan_.known.insert_or_assign(value, tensor);
  }

  // True when nothing of the node is left to run.
  bool fold(size_t n) {
    const Node& node = model_.nodes[n];
    const ShapeContext shapes =
        shapes_of(model_, plan_, node, [this](size_t value) { return known(value); });
    for (size_t i = 0; i < node.outputs.size(); ++i) {
      check_promise(shapes, node.outputs[i], shapes.out[i]);
      plan_.dims[node.outputs[i]] = shapes.out[i];
    }
    if (is_alias(node, shapes)) {
      const size_t source = node.inputs[0];
      plan_.alias[node.outputs[0]] = plan_.alias[source];
      if (const Tensor* data = known(source)) know(node.outputs[0], *data);
      plan_.folded.push_back(n);
      return true;
    }
    if (!must_fold(node) && !may_fold(node, shapes)) return false;
    std::vector<const Tensor*> inputs;
    for (const size_t value : node.inputs)
      inputs.push_back(value == kNoValue ? nullptr : known(value));
    const std::vector<Tensor> results = interpret(shapes, std::move(inputs));
    for (size_t i = 0; i < results.size(); ++i)
      know(node.outputs[i], results[i]);
    plan_.folded.push_back(n);
    return true;
  }

  void check_promise(const ShapeContext& node, size_t value, const Dims& dims) const {
    const auto promised = model_.promised.find(value);
    if (promised == model_.promised.end()) return;
    const Dims& stated = promised->second;
    bool fits = stated.size() == dims.size();
    for (size_t d = 0; fits && d < dims.size(); ++d)
      fits = stated[d] == kUnknownDim || stated[d] == dims[d];
    if (!fits)
      node.fail("its output has shape " + shape_text(dims) + ", the file states " +
                shape_text(stated));
  }

  static bool keeps_order(const ShapeContext& transpose) {
    if (!transpose.has(1)) return transpose.rank(0) < 2;
    const std::vector<int64_t> order = transpose.axes(transpose.list(1), transpose.rank(0));
    return order.empty() ? transpose.rank(0) < 2 : std::is_sorted(order.begin(), order.end());
  }

  // Whether the output is the first input as it is.
  bool is_alias(const Node& node, const ShapeContext& shapes) const {
    switch (node.op) {
      case Op::identity:
        return true;
      case Op::cast:
        return model_.values[node.inputs[0]].type == model_.values[node.outputs[0]].type;
      case Op::expand:
      case Op::reshape:
      case Op::concat:  // nothing follows the first input
        return shapes.dims(0) == shapes.out[0];
      case Op::transpose:
        return keeps_order(shapes);
      default:
        return false;
    }
  }

  bool must_fold(const Node& node) const {
    return node.op == Op::shape || node.op == Op::size ||
           std::any_of(node.outputs.begin(), node.outputs.end(),
                       [this](size_t value) { return needed_[value]; });
  }

  // Single elements that follow from known ones: a scale, a size. What is larger stays: it may be a
  // mask, which is better computed than kept.
  bool may_fold(const Node& node, const ShapeContext& shapes) const {
    bool reads_any = false;
    for (size_t port = 0; port < node.inputs.size(); ++port) {
      if (!reads(node, port)) continue;
      if (known(node.inputs[port]) == nullptr) return false;
      reads_any = true;
    }
    return reads_any && std::all_of(shapes.out.begin(), shapes.out.end(),
                                    [](const Dims& dims) { return element_count(dims) == 1; });
  }

  std::vector<size_t> used(const std::vector<size_t>& nodes) {
    std::vector<bool> wanted(model_.values.size(), false);
    for (const size_t value : model_.outputs)
      wanted[plan_.alias[value]] = true;
    std::vector<size_t> live;
    for (size_t i = nodes.size(); i-- > 0;) {
      const Node& node = model_.nodes[nodes[i]];
      if (std::none_of(node.outputs.begin(), node.outputs.end(),
                       [&](size_t value) { return wanted[value]; })) {
        plan_.unused.push_back(nodes[i]);
        continue;
      }
      live.push_back(nodes[i]);
      for (size_t port = 0; port < node.inputs.size(); ++port) {
        // An EyeLike is said without its input where only that needs the input (emit.cpp).
        const bool is_needed =
            reads(node, port) || (node.op != Op::eye_like && node.inputs[port] != kNoValue);
        if (is_needed && known(node.inputs[port]) == nullptr)
          wanted[plan_.alias[node.inputs[port]]] = true;
      }
    }
    std::reverse(live.begin(), live.end());
    return live;
  }

  const Model& model_;
  Plan& plan_;
  const std::vector<bool>& needed_;
};

// After the last step that reads a value it can go, unless the model hands it out.
void find_last_uses(const Model& model, Plan& plan) {
  std::vector<bool> kept(model.values.size(), false);
  for (const size_t value : model.outputs)
    kept[plan.alias[value]] = true;
  for (size_t s = plan.steps.size(); s-- > 0;) {
    Step& step = plan.steps[s];
    for (const auto* list : {&step.inputs, &step.outputs}) {
      for (const size_t value : *list) {
        if (value >= kept.size() || kept[value]) continue;
        kept[value] = true;
        step.last_uses.push_back(value);
      }
    }
  }
}

}  // namespace

ShapeContext shapes_of(const Model& model, const Plan& plan, const Node& node, const Lookup& data) {
  ShapeContext c{{node, describe(node)}, {}, {}, {}, {}, {}};
  for (const size_t value : node.inputs) {
    const bool is_given = value != kNoValue;
    c.types.push_back(is_given ? model.values[value].type : iotadnn_data_type_undef);
    c.in.push_back(is_given ? &*plan.dims[value] : nullptr);
    c.known.push_back(is_given ? data(value) : nullptr);
  }
  for (const size_t value : node.outputs)
    c.out_types.push_back(model.values[value].type);
  c.out.resize(node.outputs.size());
  infer_shapes(c);
  for (size_t i = 0; i < c.out.size(); ++i)
    static_cast<void>(dense_bytes(c.out_types[i], c.out[i], c.where));
  return c;
}

std::string runner_of(const Step& step) {
  return step.is_compiled ? step.compiled.get_impl() : "interpreter";
}

std::vector<bool> values_that_shapes_need(const Model& model) {
  std::vector<bool> needed(model.values.size(), false);
  for (const Node& node : model.nodes)
    for (size_t port = 0; port < node.inputs.size(); ++port)
      if (node.inputs[port] != kNoValue && has_bit(row_of(node.op).shape_ports, port))
        needed[node.inputs[port]] = true;
  for (size_t n = model.nodes.size(); n-- > 0;) {
    const Node& node = model.nodes[n];
    if (std::none_of(node.outputs.begin(), node.outputs.end(),
                     [&](size_t value) { return needed[value]; }))
      continue;
    for (size_t port = 0; port < node.inputs.size(); ++port)
      if (reads(node, port)) needed[node.inputs[port]] = true;
  }
  return needed;
}

Plan make_plan(const Model& model, const std::vector<Tensor>& inputs,
               const std::vector<bool>& needed, const PlanOptions& options,
               const iotadnn::engine& engine) {
  Plan plan;
  const std::vector<size_t> nodes = Planner(model, inputs, needed, plan).remaining();
  if (options.reference) {
    for (const size_t n : nodes)
      plan.steps.push_back(interpreted_step(model, plan, n, "the reference was asked for"));
  } else {
    emit_graph(model, nodes, plan);
    plan.steps = compile_graph(model, plan, options, engine);
  }
  find_last_uses(model, plan);
  return plan;
}

}  // namespace iotadnn::models
