// SPDX-License-Identifier: Apache-2.0
#include "tools/graph_view.h"

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <type_traits>

#include "frontends/model/elements.h"
#include "tools/report.h"

namespace iotadnn::tools {
namespace {

constexpr size_t kMostLinks = 30000;
constexpr size_t kNoBox = SIZE_MAX;

class Viewer {
 public:
  Viewer(const models::Model& model, const models::Plan& plan, size_t most_nodes)
      : model_(model), plan_(plan), nodes_(std::min(most_nodes, model.nodes.size())) {
    view_.nodes_left_out = model.nodes.size() - nodes_;
    box_of_.resize(model.values.size(), kNoBox);
  }

  GraphView view() {
    add_sources();
    const std::vector<Fate> fates = fates_of(model_, plan_);
    for (size_t n = 0; n < nodes_; ++n)
      add_node(n, fates[n]);
    add_outputs();
    return std::move(view_);
  }

 private:
  // Inputs and constants that a drawn node or an output reads; all others' boxes come later.
  void add_sources() {
    for (const size_t value : model_.inputs)
      add_source(value, ViewBox::Role::input);
    const auto add_constant = [this](size_t value) {
      if (value != models::kNoValue && box_of_[value] == kNoBox &&
          model_.constants.count(value) != 0)
        add_source(value, ViewBox::Role::constant);
    };
    for (size_t n = 0; n < nodes_; ++n)
      for (const size_t value : model_.nodes[n].inputs)
        add_constant(value);
    for (const size_t value : model_.outputs)
      add_constant(value);
  }

  void add_source(size_t value, ViewBox::Role role) {
    const bool is_input = role == ViewBox::Role::input;
    ViewBox box;
    box.role = role;
    box.title = is_input ? model_.values[value].name : content_text(value);
    box.subtitle = text_of_value(value);
    box.details.emplace_back(is_input ? "input" : "constant", model_.values[value].name);
    box.details.emplace_back("planned for", box.subtitle);
    if (is_input)
      box.details.emplace_back("in the file", type_and_shape(model_.values[value]));
    else
      box.details.emplace_back("holds", tensor_text(model_.constants.at(value)));
    box_of_[value] = view_.boxes.size();
    view_.boxes.push_back(std::move(box));
  }

  void add_node(size_t n, const Fate& fate) {
    const models::Node& node = model_.nodes[n];
    ViewBox box;
    box.fate = fate;
    box.title = node.kind;
    if (!node.outputs.empty()) box.subtitle = text_of_value(node.outputs[0]);
    box.details.emplace_back("node", models::label(node));
    box.details.emplace_back("op", node.kind);
    for (const auto& [name, value] : node.attrs)
      box.details.emplace_back("attribute " + name, attr_text(value));
    add_values("reads", node.inputs, box);
    add_values("gives", node.outputs, box);
    box.details.emplace_back("fate", tools::text_of(fate));
    if (fate.kind == Fate::Kind::claimed || fate.kind == Fate::Kind::interpreted)
      box.details.emplace_back("runner", runner_of(plan_.steps[fate.step]));
    for (const size_t value : node.inputs)
      if (value != models::kNoValue) add_link(box_of_[value]);
    for (const size_t value : node.outputs)
      box_of_[value] = view_.boxes.size();
    view_.boxes.push_back(std::move(box));
  }

  void add_values(const char* heading, const std::vector<size_t>& values, ViewBox& box) const {
    constexpr size_t kMost = 12;
    for (size_t i = 0; i < std::min(values.size(), kMost); ++i)
      box.details.emplace_back(heading,
                               values[i] == models::kNoValue ? "nothing" : named(values[i]));
    if (values.size() > kMost)
      box.details.emplace_back(heading, std::to_string(values.size() - kMost) + " more");
  }

  void add_outputs() {
    for (size_t i = 0; i < model_.outputs.size(); ++i) {
      const size_t value = model_.outputs[i];
      ViewBox box;
      box.role = ViewBox::Role::output;
      box.title = model_.output_names[i];
      box.subtitle = text_of_value(value);
      box.details.emplace_back("output", model_.output_names[i]);
      box.details.emplace_back("planned for", box.subtitle);
      add_link(box_of_[value]);
      view_.boxes.push_back(std::move(box));
    }
  }

  // To the box that is added next.
  void add_link(size_t from) {
    if (from == kNoBox || view_.links.size() >= kMostLinks)
      ++view_.links_left_out;
    else
      view_.links.push_back({from, view_.boxes.size()});
  }

  std::string text_of_value(size_t value) const {
    const auto& dims = plan_.dims[value];
    return dims ? models::type_text(model_.values[value].type) + models::shape_text(*dims)
                : type_and_shape(model_.values[value]);
  }

  std::string named(size_t value) const {
    const std::string& name = model_.values[value].name;
    return (name.empty() ? "" : name + "  ") + text_of_value(value);
  }

  // The number that a constant is, or the name that it has.
  std::string content_text(size_t value) const {
    const models::Tensor& tensor = model_.constants.at(value);
    if (tensor.count() == 1) return elements_text(tensor);
    const std::string& name = model_.values[value].name;
    return name.empty() ? "constant" : name;
  }

  static std::string elements_text(const models::Tensor& tensor) {
    constexpr int64_t kMost = 8;
    if (!models::is_computed(tensor.type())) return "...";
    std::string text;
    for (int64_t i = 0; i < std::min(tensor.count(), kMost); ++i)
      text += (i > 0 ? ", " : "") + element_text(tensor, i);
    return tensor.count() > kMost ? text + ", ..." : text;
  }

  static std::string element_text(const models::Tensor& tensor, int64_t index) {
    return models::with_domain(tensor.type(), [&](auto zero) -> std::string {
      const auto value = models::loader<decltype(zero)>(tensor.type())(tensor.data(), index);
      if constexpr (!std::is_same_v<decltype(zero), double>) return std::to_string(value);
      char text[32];
      std::snprintf(text, sizeof text, "%.9g", static_cast<double>(value));
      return text;
    });
  }

  static std::string tensor_text(const models::Tensor& tensor) {
    return models::type_text(tensor.type()) + models::shape_text(tensor.dims()) + ": " +
           elements_text(tensor);
  }

  static std::string attr_text(const models::Attr& attr) {
    if (const auto* integer = std::get_if<int64_t>(&attr)) return std::to_string(*integer);
    return tensor_text(std::get<models::Tensor>(attr));
  }

  const models::Model& model_;
  const models::Plan& plan_;
  size_t nodes_;
  std::vector<size_t> box_of_;  // of the box that gives a value
  GraphView view_;
};

}  // namespace

GraphView view_of(const models::Model& model, const models::Plan& plan, size_t most_nodes) {
  return Viewer(model, plan, most_nodes).view();
}

}  // namespace iotadnn::tools
