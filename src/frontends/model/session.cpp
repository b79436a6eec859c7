// SPDX-License-Identifier: Apache-2.0
#include "frontends/model/session.h"

#include <chrono>
#include <utility>

namespace iotadnn::models {
namespace {

constexpr size_t kPlansKept = 8;

// The data of a run: what was given, and what steps have computed.
class Data {
 public:
  Data(const Model& model, const Plan& plan, const std::vector<Tensor>& inputs)
      : plan_(plan), held_(model.values.size()) {
    for (size_t i = 0; i < inputs.size(); ++i)
      held_[model.inputs[i]] = inputs[i];
  }

  [[nodiscard]] const Tensor* find(size_t value) const {
    if (value == kNoValue) return nullptr;
    const size_t holder = value < held_.size() ? plan_.alias[value] : value;
    if (holder < held_.size() && !held_[holder].is_empty_handle()) return &held_[holder];
    const auto known = plan_.known.find(holder);
    return known == plan_.known.end() ? nullptr : &known->second;
  }

  void put(size_t value, Tensor tensor) { held_[value] = std::move(tensor); }

  void drop(size_t value) { held_[value] = Tensor(); }

 private:
  const Plan& plan_;
  std::vector<Tensor> held_;
};

void run_interpreted(const Model& model, const Plan& plan, const Step& step, Data& data) {
  const Node& node = model.nodes[step.nodes[0]];
  const ShapeContext shapes =
      shapes_of(model, plan, node, [&data](size_t value) { return data.find(value); });
  std::vector<const Tensor*> inputs;
  for (const size_t value : node.inputs)
    inputs.push_back(data.find(value));
  std::vector<Tensor> results = interpret(shapes, std::move(inputs));
  for (size_t i = 0; i < results.size(); ++i)
    data.put(node.outputs[i], std::move(results[i]));
}

void run_compiled(const Model& model, const Plan& plan, const Step& step, Data& data,
                  const iotadnn::engine& engine, iotadnn::stream& stream) {
  std::vector<iotadnn::graph::tensor> inputs;
  std::vector<iotadnn::graph::tensor> outputs;
  for (size_t i = 0; i < step.inputs.size(); ++i) {
    const Tensor* given = data.find(step.inputs[i]);
    // The API takes inputs as it takes outputs; it does not write them.
    auto* buffer = given == nullptr ? nullptr : const_cast<std::byte*>(given->data());
    inputs.emplace_back(step.input_types[i], engine, buffer);
  }
  for (size_t i = 0; i < step.outputs.size(); ++i) {
    const size_t value = step.outputs[i];
    Tensor made(model.values[value].type, *plan.dims[value], describe(model.values[value]));
    outputs.emplace_back(step.output_types[i], engine, made.data());
    data.put(value, std::move(made));
  }
  step.compiled.execute(stream, inputs, outputs);
}

// What a plan is not looked up by: it is right for these alone.
void check_types(const Model& model, const std::vector<Tensor>& inputs) {
  if (inputs.size() != model.inputs.size())
    throw ModelError(std::to_string(inputs.size()) + " inputs were given, the model has " +
                     std::to_string(model.inputs.size()));
  for (size_t i = 0; i < inputs.size(); ++i) {
    const Value& value = model.values[model.inputs[i]];
    if (inputs[i].is_empty_handle())
      throw ModelError("input " + describe(value) + ": no data were given");
    if (inputs[i].type() != value.type)
      throw ModelError("input " + describe(value) + ": type " + type_text(inputs[i].type()) +
                       " was given, the model has " + type_text(value.type));
  }
}

}  // namespace

Session::Session(const Model& model, PlanOptions options)
    : model_(model),
      options_(options),
      engine_(iotadnn::engine::kind::cpu, 0),
      stream_(engine_),
      shape_values_(values_that_shapes_need(model)) {}

std::string Session::key_of(const std::vector<Tensor>& inputs) const {
  std::string key;
  for (size_t i = 0; i < inputs.size(); ++i) {
    key += shape_text(inputs[i].dims());
    if (shape_values_[model_.inputs[i]])
      key.append(reinterpret_cast<const char*>(inputs[i].data()), inputs[i].bytes());
  }
  return key;
}

const Plan& Session::plan_for(const std::vector<Tensor>& inputs) {
  check_types(model_, inputs);
  const std::string key = key_of(inputs);
  for (auto kept = plans_.begin(); kept != plans_.end(); ++kept) {
    if (kept->key != key) continue;
    plans_.splice(plans_.begin(), plans_, kept);
    return *plans_.front().plan;
  }
  auto plan = std::make_unique<Plan>(make_plan(model_, inputs, shape_values_, options_, engine_));
  ++plans_made_;
  plans_.push_front({key, std::move(plan)});
  if (plans_.size() > kPlansKept) plans_.pop_back();
  return *plans_.front().plan;
}

std::vector<Tensor> Session::run(const std::vector<Tensor>& inputs) {
  using Clock = std::chrono::steady_clock;
  const Plan& plan = plan_for(inputs);
  Data data(model_, plan, inputs);
  times_.clear();
  for (const Step& step : plan.steps) {
    const auto begin = Clock::now();
    if (step.is_compiled) {
      run_compiled(model_, plan, step, data, engine_, stream_);
    } else {
      run_interpreted(model_, plan, step, data);
    }
    times_.push_back(std::chrono::duration<double, std::nano>(Clock::now() - begin).count());
    for (const size_t value : step.last_uses)
      data.drop(value);
  }
  std::vector<Tensor> outputs;
  for (const size_t value : model_.outputs)
    outputs.push_back(*data.find(value));
  return outputs;
}

}  // namespace iotadnn::models
