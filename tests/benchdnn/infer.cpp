// SPDX-License-Identifier: Apache-2.0
#include "benchdnn/infer.h"

#include <algorithm>

#include "benchdnn/errors.h"
#include "benchdnn/values.h"
#include "frontends/names.h"

namespace iotadnn::benchdnn {
namespace {

using frontends::describe;
using frontends::GraphDesc;
using frontends::OpDesc;

const Dims* dims_of_input(const GraphDesc& graph, const OpDesc& op, size_t port) {
  if (port >= op.inputs.size()) return nullptr;
  const auto& dims = graph.tensors.at(op.inputs[port]).dims;
  return dims ? &*dims : nullptr;
}

template <class T>
const T* attr_of(const OpDesc& op, const char* name) {
  const auto found = op.attrs.find(name);
  return found == op.attrs.end() ? nullptr : std::get_if<T>(&found->second);
}

// The common shape of all inputs; a Select's condition is one of them.
std::optional<Dims> broadcast_inputs(const GraphDesc& graph, const OpDesc& op) {
  std::optional<Dims> joined = Dims();
  for (size_t port = 0; port < op.inputs.size(); ++port) {
    const Dims* dims = dims_of_input(graph, op, port);
    if (dims == nullptr) return std::nullopt;
    const std::optional<Dims> wider = broadcast(*joined, *dims);
    if (!wider)
      throw RewriteError(describe(op) + ": shapes " + extents_text(*joined) + " and " +
                         extents_text(*dims) + " do not broadcast");
    joined = wider;
  }
  return joined;
}

std::optional<Dims> infer_matmul(const GraphDesc& graph, const OpDesc& op) {
  const Dims* a = dims_of_input(graph, op, 0);
  const Dims* b = dims_of_input(graph, op, 1);
  if (a == nullptr || b == nullptr || a->size() < 2 || b->size() < 2) return std::nullopt;
  const auto transposed = [&op](const char* name) {
    const bool* flag = attr_of<bool>(op, name);
    return flag != nullptr && *flag;
  };
  const bool a_turned = transposed("transpose_a");
  const bool b_turned = transposed("transpose_b");
  const auto from_end = [](const Dims& dims, size_t i) { return dims[dims.size() - i]; };
  const auto batch = broadcast(Dims(a->begin(), a->end() - 2), Dims(b->begin(), b->end() - 2));
  if (!batch || from_end(*a, a_turned ? 2 : 1) != from_end(*b, b_turned ? 1 : 2))
    throw RewriteError(describe(op) + ": shapes " + extents_text(*a) + " and " + extents_text(*b) +
                       " cannot be multiplied");
  Dims dims = *batch;
  dims.push_back(from_end(*a, a_turned ? 1 : 2));
  dims.push_back(from_end(*b, b_turned ? 2 : 1));
  return dims;
}

std::optional<size_t> positive_axis(int64_t axis, size_t rank) {
  const auto signed_rank = static_cast<int64_t>(rank);
  if (axis < -signed_rank || axis >= signed_rank) return std::nullopt;
  return static_cast<size_t>(axis < 0 ? axis + signed_rank : axis);
}

std::optional<Dims> infer_gather(const GraphDesc& graph, const OpDesc& op) {
  const Dims* data = dims_of_input(graph, op, 0);
  const Dims* indices = dims_of_input(graph, op, 1);
  if (data == nullptr || indices == nullptr) return std::nullopt;
  const int64_t* axis = attr_of<int64_t>(op, "axis");
  const auto at = positive_axis(axis != nullptr ? *axis : 0, data->size());
  if (!at) return std::nullopt;
  Dims dims = *data;
  const auto replaced = dims.erase(dims.begin() + static_cast<std::ptrdiff_t>(*at));
  dims.insert(replaced, indices->begin(), indices->end());
  return dims;
}

std::optional<Dims> infer_softmax(const GraphDesc& graph, const OpDesc& op, size_t output) {
  const Dims* src = dims_of_input(graph, op, 0);
  if (src == nullptr) return std::nullopt;
  Dims dims = *src;
  if (output == 0) return dims;
  const int64_t* axis = attr_of<int64_t>(op, "axis");
  const auto at = positive_axis(axis != nullptr ? *axis : 1, dims.size());
  if (!at) return std::nullopt;
  dims[*at] = 1;
  return dims;
}

std::optional<Dims> infer_reduction(const GraphDesc& graph, const OpDesc& op) {
  const Dims* src = dims_of_input(graph, op, 0);
  const auto* axes = attr_of<std::vector<int64_t>>(op, "axes");
  const bool* keep = attr_of<bool>(op, "keep_dims");
  if (src == nullptr || axes == nullptr) return std::nullopt;
  std::vector<bool> reduced(src->size(), false);
  for (const int64_t axis : *axes) {
    const auto at = positive_axis(axis, src->size());
    if (!at) return std::nullopt;
    reduced[*at] = true;
  }
  Dims dims;
  for (size_t i = 0; i < src->size(); ++i) {
    if (!reduced[i])
      dims.push_back((*src)[i]);
    else if (keep != nullptr && *keep)
      dims.push_back(1);
  }
  return dims;
}

std::optional<Dims> infer_reshape(const GraphDesc& graph, const OpDesc& op) {
  const Dims* src = dims_of_input(graph, op, 0);
  const auto* shape = attr_of<std::vector<int64_t>>(op, "shape");
  const bool* special_zero = attr_of<bool>(op, "special_zero");
  if (src == nullptr || shape == nullptr) return std::nullopt;
  Dims dims = *shape;
  int64_t count = 1;
  int64_t known = 1;
  bool fits = true;
  for (const int64_t extent : *src)
    fits = fits && !__builtin_mul_overflow(count, extent, &count);
  for (size_t i = 0; i < dims.size(); ++i) {
    if (dims[i] == 0 && special_zero != nullptr && *special_zero && i < src->size())
      dims[i] = (*src)[i];
    if (dims[i] >= 0) fits = fits && !__builtin_mul_overflow(known, dims[i], &known);
  }
  for (int64_t& extent : dims)
    if (extent < 0 && fits && known > 0) extent = count / known;
  if (!fits || std::any_of(dims.begin(), dims.end(), [](int64_t d) { return d < 0; }))
    return std::nullopt;
  return dims;
}

std::optional<Dims> infer_transpose(const GraphDesc& graph, const OpDesc& op) {
  const Dims* src = dims_of_input(graph, op, 0);
  const auto* order = attr_of<std::vector<int64_t>>(op, "order");
  if (src == nullptr || order == nullptr) return std::nullopt;
  if (order->empty()) return Dims(src->rbegin(), src->rend());
  Dims dims;
  for (const int64_t axis : *order) {
    const auto at = positive_axis(axis, src->size());
    if (!at) return std::nullopt;
    dims.push_back((*src)[*at]);
  }
  return dims.size() == src->size() ? std::optional<Dims>(dims) : std::nullopt;
}

// Integers of an Eye input, when they are known.
const std::vector<int64_t>* known_value(const GraphDesc& graph, const OpDesc& op, size_t port) {
  if (port >= op.inputs.size()) return nullptr;
  const auto& value = graph.tensors.at(op.inputs[port]).value;
  return value ? std::get_if<std::vector<int64_t>>(&*value) : nullptr;
}

std::optional<Dims> infer_eye(const GraphDesc& graph, const OpDesc& op) {
  if (!is_eye_of_tensors(op)) {
    const auto* shape = attr_of<std::vector<int64_t>>(op, "shape");
    return shape != nullptr ? std::optional<Dims>(*shape) : std::nullopt;
  }
  // Of rows, columns and batch, what has a value decides; the rest is the output's as it stands.
  std::optional<Dims> dims = graph.tensors.at(op.outputs.at(0)).dims;
  const std::vector<int64_t>* batch = known_value(graph, op, 3);
  if (!dims && op.inputs.size() == 3) dims = Dims(2, 1);
  if (batch != nullptr) {
    const Dims matrix = dims && dims->size() >= 2 ? Dims(dims->end() - 2, dims->end()) : Dims(2, 1);
    dims = *batch;
    dims->insert(dims->end(), matrix.begin(), matrix.end());
  }
  if (!dims || dims->size() < 2) return std::nullopt;
  for (const size_t port : {size_t{0}, size_t{1}}) {
    const std::vector<int64_t>* extent = known_value(graph, op, port);
    if (extent != nullptr && extent->size() == 1) (*dims)[dims->size() - 2 + port] = (*extent)[0];
  }
  return dims;
}

std::optional<Dims> infer_range(const GraphDesc& graph, const OpDesc& op) {
  int64_t limits[3];  // start, stop, step
  for (size_t port = 0; port < 3; ++port) {
    const std::vector<int64_t>* value = known_value(graph, op, port);
    if (value == nullptr || value->size() != 1) return std::nullopt;
    limits[port] = (*value)[0];
  }
  const auto [start, stop, step] = limits;
  if (step == 0 || (step > 0 ? start >= stop : start <= stop)) return Dims(1, 0);
  int64_t length = 0;
  if (__builtin_sub_overflow(stop, start, &length)) return std::nullopt;
  return Dims(1, length / step + (length % step != 0 ? 1 : 0));
}

std::optional<Dims> infer_one_hot(const GraphDesc& graph, const OpDesc& op) {
  const Dims* index = dims_of_input(graph, op, 0);
  const auto* axis = attr_of<int64_t>(op, "axis");
  const auto* depth = attr_of<int64_t>(op, "depth");
  if (index == nullptr || depth == nullptr) return std::nullopt;
  const auto at = positive_axis(axis != nullptr ? *axis : -1, index->size() + 1);
  if (!at) return std::nullopt;
  Dims dims = *index;
  dims.insert(dims.begin() + static_cast<std::ptrdiff_t>(*at), *depth);
  return dims;
}

}  // namespace

std::optional<Dims> broadcast(const Dims& a, const Dims& b) {
  Dims dims = a.size() >= b.size() ? a : b;
  const Dims& shorter = a.size() >= b.size() ? b : a;
  const size_t shift = dims.size() - shorter.size();
  for (size_t i = 0; i < shorter.size(); ++i) {
    int64_t& extent = dims[shift + i];
    if (extent == 1)
      extent = shorter[i];
    else if (shorter[i] != 1 && shorter[i] != extent)
      return std::nullopt;
  }
  return dims;
}

bool is_eye_of_tensors(const OpDesc& op) {
  return op.kind == iotadnn_graph_op_eye && !op.inputs.empty();
}

std::optional<Dims> infer_dims(const GraphDesc& graph, const OpDesc& op, size_t output) {
  switch (static_cast<int>(op.kind)) {
    case iotadnn_graph_op_eye:
      return infer_eye(graph, op);
    case iotadnn_graph_op_range:
      return infer_range(graph, op);
    case iotadnn_graph_op_one_hot:
      return infer_one_hot(graph, op);
    case iotadnn_graph_op_fill:
      return std::nullopt;  // as its attribute says
    case iotadnn_graph_op_gather:
      return infer_gather(graph, op);
    case iotadnn_graph_op_matmul:
      return infer_matmul(graph, op);
    case iotadnn_graph_op_softmax:
      return infer_softmax(graph, op, output);
    case iotadnn_graph_op_static_reshape:
      return infer_reshape(graph, op);
    case iotadnn_graph_op_static_transpose:
      return infer_transpose(graph, op);
    case iotadnn_graph_op_select:
    case iotadnn_graph_op_add:
    case iotadnn_graph_op_subtract:
    case iotadnn_graph_op_multiply:
    case iotadnn_graph_op_divide:
    case iotadnn_graph_op_maximum:
    case iotadnn_graph_op_minimum:
    case iotadnn_graph_op_squared_difference:
    case iotadnn_graph_op_greater_equal:
      return broadcast_inputs(graph, op);
    case iotadnn_graph_op_reduce_l1:
    case iotadnn_graph_op_reduce_l2:
    case iotadnn_graph_op_reduce_max:
    case iotadnn_graph_op_reduce_mean:
    case iotadnn_graph_op_reduce_min:
    case iotadnn_graph_op_reduce_prod:
    case iotadnn_graph_op_reduce_sum:
      return infer_reduction(graph, op);
    case iotadnn_graph_op_eye_like:
    case iotadnn_graph_op_gen_index:
    case iotadnn_graph_op_abs:
    case iotadnn_graph_op_clamp:
    case iotadnn_graph_op_dequantize:
    case iotadnn_graph_op_dynamic_dequantize:
    case iotadnn_graph_op_dynamic_quantize:
    case iotadnn_graph_op_elu:
    case iotadnn_graph_op_exp:
    case iotadnn_graph_op_gelu:
    case iotadnn_graph_op_hard_sigmoid:
    case iotadnn_graph_op_hard_swish:
    case iotadnn_graph_op_leaky_relu:
    case iotadnn_graph_op_log:
    case iotadnn_graph_op_mish:
    case iotadnn_graph_op_pow:
    case iotadnn_graph_op_quantize:
    case iotadnn_graph_op_reciprocal:
    case iotadnn_graph_op_relu:
    case iotadnn_graph_op_reorder:
    case iotadnn_graph_op_round:
    case iotadnn_graph_op_sigmoid:
    case iotadnn_graph_op_softplus:
    case iotadnn_graph_op_sqrt:
    case iotadnn_graph_op_square:
    case iotadnn_graph_op_tanh:
    case iotadnn_graph_op_trilu:
    case iotadnn_graph_op_type_cast: {
      const Dims* src = dims_of_input(graph, op, 0);
      return src != nullptr ? std::optional<Dims>(*src) : std::nullopt;
    }
    default:
      // Ours that are not above work point by point; others of oneDNN no input of ours needs.
      return op.kind >= iotadnn_graph_op_eye ? broadcast_inputs(graph, op) : std::nullopt;
  }
}

}  // namespace iotadnn::benchdnn
