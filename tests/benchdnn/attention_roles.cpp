// SPDX-License-Identifier: Apache-2.0
#include "benchdnn/attention_roles.h"

#include <algorithm>
#include <set>

namespace iotadnn::benchdnn {
namespace {

using frontends::GraphDesc;
using frontends::OpDesc;
using frontends::TensorDesc;

bool is_kind(const OpDesc& op, iotadnn_graph_op_kind_t kind) {
  return op.kind == kind;
}

bool is_flag(const OpDesc& op, const char* name) {
  const auto found = op.attrs.find(name);
  const bool* flag = found == op.attrs.end() ? nullptr : std::get_if<bool>(&found->second);
  return flag != nullptr && *flag;
}

bool works_point_by_point(const OpDesc& op) {
  switch (static_cast<int>(op.kind)) {
    case iotadnn_graph_op_add:
    case iotadnn_graph_op_subtract:
    case iotadnn_graph_op_multiply:
    case iotadnn_graph_op_divide:
    case iotadnn_graph_op_maximum:
    case iotadnn_graph_op_minimum:
    case iotadnn_graph_op_select:
    case iotadnn_graph_op_type_cast:
    case iotadnn_graph_op_tanh:
    case iotadnn_graph_op_clamp:
    case iotadnn_graph_op_exp:
    case iotadnn_graph_op_greater_equal:
      return true;
    case iotadnn_graph_op_eye_like:
    case iotadnn_graph_op_range:
    case iotadnn_graph_op_fill:
    case iotadnn_graph_op_trilu:
    case iotadnn_graph_op_one_hot:
    case iotadnn_graph_op_gather:
      return false;
    default:
      return op.kind > iotadnn_graph_op_eye;
  }
}

bool is_floating(const TensorDesc& tensor) {
  return tensor.data_type == iotadnn_f32 || tensor.data_type == iotadnn_bf16 ||
         tensor.data_type == iotadnn_f16 || tensor.data_type == iotadnn_f64;
}

class Finder {
 public:
  explicit Finder(const GraphDesc& graph) : graph_(graph) {}

  AttentionRoles find() {
    for (const OpDesc& op : graph_.ops)
      if (is_kind(op, iotadnn_graph_op_dynamic_dequantize)) quantized(op);
    for (const OpDesc& op : graph_.ops)
      follow(op);
    for (const OpDesc* normalizer : normalizers_)
      if (is_multiplied(*normalizer)) attention(*scores_.at(normalizer->inputs[0]));
    if (!roles_.attention) return roles_;
    for (const OpDesc& op : graph_.ops)
      roles_of(op);
    for (const size_t id : graph_.graph_inputs())
      set(id, {Role::plain});
    return roles_;
  }

 private:
  // A graph input without content of its own takes the first role that is found.
  void set(size_t id, const InputRole& role) {
    const TensorDesc& tensor = graph_.tensors.at(id);
    if (graph_.producer_of(id) != nullptr || tensor.value) return;
    roles_.inputs.emplace(id, role);
  }

  void quantized(const OpDesc& op) {
    for (size_t port = 1; port < op.inputs.size(); ++port) {
      InputRole role{port == 1 ? Role::quantization_scale : Role::zero_point, op.id};
      role.quantized = op.inputs[0];
      set(op.inputs[port], role);
    }
  }

  // What the outputs of an op are: coordinates, scores of a product, or probabilities.
  void follow(const OpDesc& op) {
    if (is_kind(op, iotadnn_graph_op_gen_index)) coordinates_.insert(op.outputs[0]);
    if (is_kind(op, iotadnn_graph_op_matmul)) scores_[op.outputs[0]] = &op;
    const bool is_softmax = is_kind(op, iotadnn_graph_op_softmax);
    if (!is_softmax && !works_point_by_point(op)) return;
    const OpDesc* product = nullptr;
    bool is_probability = false;
    for (const size_t id : op.inputs) {
      if (const auto found = scores_.find(id); found != scores_.end() && product == nullptr)
        product = found->second;
      is_probability = is_probability || probabilities_.count(id) > 0;
    }
    const bool normalizes = product != nullptr && (is_softmax || is_recomputed(op));
    if (normalizes) normalizers_.push_back(&op);
    if (normalizes || is_probability)
      probabilities_.insert(op.outputs[0]);
    else if (product != nullptr)
      scores_[op.outputs[0]] = product;
    else if (reads_coordinates(op))
      coordinates_.insert(op.outputs[0]);
  }

  // exp(scores - stats), as a backward pass has it.
  bool is_recomputed(const OpDesc& op) const {
    if (!is_kind(op, iotadnn_graph_op_exp)) return false;
    const OpDesc* before = graph_.producer_of(op.inputs[0]);
    return before != nullptr && is_kind(*before, iotadnn_graph_op_subtract);
  }

  bool reads_coordinates(const OpDesc& op) const {
    return std::any_of(op.inputs.begin(), op.inputs.end(),
                       [this](size_t id) { return coordinates_.count(id) > 0; });
  }

  bool is_multiplied(const OpDesc& normalizer) {
    std::set<size_t> reached = {normalizer.outputs[0]};
    for (const OpDesc& op : graph_.ops) {
      const bool reads = !op.inputs.empty() && reached.count(op.inputs[0]) > 0;
      if (reads && is_kind(op, iotadnn_graph_op_matmul)) {
        back(op.inputs[1], {Role::value, op.id});
        return true;
      }
      if (reads && works_point_by_point(op)) reached.insert(op.outputs[0]);
    }
    return false;
  }

  void attention(const OpDesc& product) {
    roles_.attention = true;
    products_.insert(&product);
    for (const size_t port : {size_t{0}, size_t{1}}) {
      const auto& dims = graph_.tensors.at(product.inputs[port]).dims;
      InputRole role{Role::factor, product.id};
      if (dims && dims->size() >= 2) {
        const bool turned = is_flag(product, port == 0 ? "transpose_a" : "transpose_b");
        role.sum_axis = dims->size() - ((port == 0) != turned ? 1 : 2);
        role.sum_extent = (*dims)[*role.sum_axis];
      }
      back(product.inputs[port], role);
    }
  }

  // The input that a factor or value is made of: through what leaves the elements in their places.
  void back(size_t id, InputRole role) {
    while (const OpDesc* op = graph_.producer_of(id)) {
      const bool moves = is_kind(*op, iotadnn_graph_op_static_reshape) ||
                         is_kind(*op, iotadnn_graph_op_static_transpose);
      const bool scales =
          is_kind(*op, iotadnn_graph_op_multiply) || is_kind(*op, iotadnn_graph_op_divide);
      if (moves) role.sum_axis.reset();
      if (scales && role.role == Role::factor) scaled(*op, op->inputs[1]);
      if (!moves && !scales && !is_kind(*op, iotadnn_graph_op_type_cast) &&
          !is_kind(*op, iotadnn_graph_op_dynamic_dequantize))
        return;
      id = op->inputs[0];
    }
    set(id, role);
  }

  void scaled(const OpDesc& op, size_t by) {
    const bool divides = is_kind(op, iotadnn_graph_op_divide);
    set(by, {divides ? Role::divisor : Role::scale, op.id});
  }

  // Of the inputs of an op that works on scores or on coordinates.
  void roles_of(const OpDesc& op) {
    if (is_kind(op, iotadnn_graph_op_softmax)) {
      const auto mode = op.attrs.find("mode");
      const auto* text = mode == op.attrs.end() ? nullptr : std::get_if<std::string>(&mode->second);
      if (text != nullptr && *text == "inf_as_zero") roles_.empty_rows = true;
    }
    if (!works_point_by_point(op)) return;
    for (size_t port = 0; port < op.inputs.size(); ++port) {
      const size_t other = op.inputs[port == 0 ? op.inputs.size() - 1 : 0];
      if (is_score(op.outputs[0]))
        beside_scores(op, port);
      else if (coordinates_.count(op.outputs[0]) > 0 && coordinates_.count(other) > 0)
        beside_coordinates(op, op.inputs[port], other);
    }
  }

  bool is_score(size_t id) const {
    const auto found = scores_.find(id);
    return found != scores_.end() && products_.count(found->second) > 0;
  }

  void beside_scores(const OpDesc& op, size_t port) {
    const size_t id = op.inputs[port];
    switch (static_cast<int>(op.kind)) {
      case iotadnn_graph_op_multiply:
        return scaled(op, id);
      case iotadnn_graph_op_divide:
        if (port == 1) scaled(op, id);
        return;
      case iotadnn_graph_op_add:
        return set(id, {Role::additive_mask, op.id});
      case iotadnn_graph_op_subtract:
        if (port == 1 && feeds_exp(op)) set(id, {Role::stats, op.id});
        return;
      case iotadnn_graph_op_select: {
        InputRole role{port == 0 ? Role::keep : Role::masked_value, op.id};
        role.keeps_false = port == 0 && is_score(op.inputs[2]);
        return set(id, role);
      }
      default:
        return;
    }
  }

  bool feeds_exp(const OpDesc& subtract) const {
    return std::any_of(normalizers_.begin(), normalizers_.end(), [&](const OpDesc* normalizer) {
      return normalizer->inputs[0] == subtract.outputs[0];
    });
  }

  // Subtract takes the number of queries away and everything else has to do with that of keys.
  void beside_coordinates(const OpDesc& op, size_t id, size_t coordinates) {
    if (is_floating(graph_.tensors.at(id))) {
      set(id, {is_kind(op, iotadnn_graph_op_multiply) ? Role::slope : Role::plain, op.id});
      return;
    }
    const auto& dims = graph_.tensors.at(coordinates).dims;
    const size_t from_end = is_kind(op, iotadnn_graph_op_subtract) ? 2 : 1;
    InputRole role{Role::length, op.id};
    if (dims && dims->size() >= from_end) role.extent = (*dims)[dims->size() - from_end];
    set(id, role);
  }

  const GraphDesc& graph_;
  AttentionRoles roles_;
  std::set<size_t> coordinates_;
  std::set<size_t> probabilities_;
  std::map<size_t, const OpDesc*> scores_;  // to the product that they are of
  std::vector<const OpDesc*> normalizers_;
  std::set<const OpDesc*> products_;  // of queries and keys
};

}  // namespace

AttentionRoles attention_roles(const GraphDesc& graph) {
  return Finder(graph).find();
}

}  // namespace iotadnn::benchdnn
