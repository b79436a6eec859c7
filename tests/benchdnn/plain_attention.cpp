// SPDX-License-Identifier: Apache-2.0
#include "benchdnn/plain_attention.h"

#include <algorithm>

#include "frontends/graph_builder.h"

namespace iotadnn::benchdnn {
namespace {

using frontends::GraphDesc;
using frontends::OpDesc;

bool is_kind(const OpDesc* op, iotadnn_graph_op_kind_t kind) {
  return op != nullptr && op->kind == kind;
}

bool is_flag(const OpDesc& op, const char* name) {
  const auto found = op.attrs.find(name);
  const bool* flag = found == op.attrs.end() ? nullptr : std::get_if<bool>(&found->second);
  return flag != nullptr && *flag;
}

std::optional<TensorView> view(const GraphDesc& graph, const Memories& memories, size_t id,
                               bool turned) {
  const auto memory = memories.find(id);
  if (memory == memories.end() || graph.producer_of(id) != nullptr) return std::nullopt;
  TensorView found =
      view_of(frontends::build_logical_tensor(graph.tensors.at(id)), memory->second->data());
  const size_t rank = found.dims.size();
  if (rank < 2) return std::nullopt;
  if (found.strides.empty()) found.strides = *frontends::dense_strides(found.dims);
  if (!turned) return found;
  std::swap(found.dims[rank - 1], found.dims[rank - 2]);
  std::swap(found.strides[rank - 1], found.strides[rank - 2]);
  return found;
}

// Walks from the softmax to the product that its input comes from, through masks and scales.
const OpDesc* product_behind(const GraphDesc& graph, const OpDesc& softmax, double& scale) {
  size_t id = softmax.inputs[0];
  while (const OpDesc* op = graph.producer_of(id)) {
    switch (static_cast<int>(op->kind)) {
      case iotadnn_graph_op_matmul:
        return op;
      case iotadnn_graph_op_multiply:
      case iotadnn_graph_op_divide: {
        const auto& value = graph.tensors.at(op->inputs[1]).value;
        if (!value) return nullptr;
        const double by = std::visit(
            [](const auto& list) { return list.empty() ? 1.0 : static_cast<double>(list[0]); },
            *value);
        scale *= op->kind == iotadnn_graph_op_divide ? 1 / by : by;
        id = op->inputs[0];
        break;
      }
      case iotadnn_graph_op_add:
        id = op->inputs[0];
        break;
      case iotadnn_graph_op_select:  // the scores are one of its branches
        id = op->inputs[graph.producer_of(op->inputs[1]) != nullptr ? 1 : 2];
        break;
      default:
        return nullptr;
    }
  }
  return nullptr;
}

}  // namespace

std::optional<PlainAttention> plain_attention(const GraphDesc& graph, const Memories& memories) {
  if (graph.ops.empty()) return std::nullopt;
  const OpDesc& last = graph.ops.back();
  const auto is_softmax = [](const OpDesc& op) { return is_kind(&op, iotadnn_graph_op_softmax); };
  const bool has_one = std::count_if(graph.ops.begin(), graph.ops.end(), is_softmax) == 1;
  if (!has_one || !is_kind(&last, iotadnn_graph_op_matmul)) return std::nullopt;
  const OpDesc* softmax = graph.producer_of(last.inputs[0]);
  if (is_kind(softmax, iotadnn_graph_op_type_cast)) softmax = graph.producer_of(softmax->inputs[0]);
  if (!is_kind(softmax, iotadnn_graph_op_softmax)) return std::nullopt;
  PlainAttention plain;
  const OpDesc* product = product_behind(graph, *softmax, plain.scale);
  if (product == nullptr || product->inputs.size() != 2 || last.inputs.size() != 2)
    return std::nullopt;
  const auto query = view(graph, memories, product->inputs[0], is_flag(*product, "transpose_a"));
  const auto key = view(graph, memories, product->inputs[1], is_flag(*product, "transpose_b"));
  const auto value = view(graph, memories, last.inputs[1], is_flag(last, "transpose_b"));
  if (!query || !key || !value) return std::nullopt;
  plain.query = *query;
  plain.key = *key;
  plain.value = *value;
  plain.output =
      view_of(frontends::build_logical_tensor(graph.tensors.at(last.outputs[0])), nullptr);
  if (plain.output.strides.empty())
    plain.output.strides = *frontends::dense_strides(plain.output.dims);
  plain.scores = graph.tensors.at(product->outputs[0]).data_type;
  plain.probabilities = graph.tensors.at(last.inputs[0]).data_type;
  return plain;
}

}  // namespace iotadnn::benchdnn
