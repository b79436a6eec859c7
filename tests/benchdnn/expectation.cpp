// SPDX-License-Identifier: Apache-2.0
#include "benchdnn/expectation.h"

#include <algorithm>

#include "benchdnn/infer.h"
#include "frontends/names.h"

namespace iotadnn::benchdnn {
namespace {

using frontends::GraphDesc;
using frontends::OpDesc;
using frontends::TensorDesc;

int64_t integer_attr(const OpDesc& op, const char* name, int64_t otherwise) {
  const auto found = op.attrs.find(name);
  const auto* value = found == op.attrs.end() ? nullptr : std::get_if<int64_t>(&found->second);
  return value != nullptr ? *value : otherwise;
}

int64_t diagonal_of(const GraphDesc& graph, const OpDesc& op, const Memories& memories) {
  if (!is_eye_of_tensors(op)) return integer_attr(op, "k", 0);
  const TensorDesc& tensor = graph.tensors.at(op.inputs.at(2));
  if (const auto memory = memories.find(tensor.id); memory != memories.end())
    return read_integer(tensor.data_type, memory->second->data());
  unsigned char bytes[8] = {};
  if (tensor.value) write_value(tensor, bytes);
  return read_integer(tensor.data_type, bytes);
}

// Elements that lie one after another from a row's start: the innermost dense axes.
int64_t dense_run(const TensorView& view, size_t outermost) {
  int64_t run = 1;
  for (size_t i = view.dims.size(); i-- > outermost;) {
    if (view.dims[i] > 1 && view.strides[i] != run) break;
    run *= view.dims[i];
  }
  return run;
}

}  // namespace

std::optional<Expectation> expectation_of(const GraphDesc& graph, size_t id,
                                          const Memories& memories) {
  const OpDesc* op = graph.producer_of(id);
  if (op == nullptr) return std::nullopt;
  Expectation expected;
  switch (static_cast<int>(op->kind)) {
    case iotadnn_graph_op_eye:
    case iotadnn_graph_op_eye_like:
      expected.k = diagonal_of(graph, *op, memories);
      return expected;
    case iotadnn_graph_op_gen_index: {
      expected.kind = Expectation::Kind::index;
      const auto& dims = graph.tensors.at(id).dims;
      const auto rank = static_cast<int64_t>(dims ? dims->size() : 0);
      const int64_t axis = integer_attr(*op, "axis", 0);
      const int64_t positive = axis < 0 ? axis + rank : axis;
      if (positive < 0 || positive >= rank) return std::nullopt;
      expected.axis = static_cast<size_t>(positive);
      return expected;
    }
    default:
      return std::nullopt;
  }
}

LimitRequest limit_request_of(const Expectation& expected, const TensorView& view) {
  constexpr int64_t kLine = 64;
  constexpr int64_t kLongRow = 4096;
  LimitRequest request;
  const int64_t element = frontends::bytes_of(view.data_type);
  request.buffer = view.data;
  request.bytes = view.elements() * element;
  if (request.bytes == 0) return request;
  if (expected.kind == Expectation::Kind::eye) {
    const int64_t lines = (view.dims.back() * element + kLine - 1) / kLine;
    const bool mostly_zero = lines >= 2;  // a row's one changes a single line
    request.content = mostly_zero ? Content::constant : Content::ramp;
    return request;
  }
  request.content = Content::ramp;
  const int64_t extent = view.dims[expected.axis];
  const bool constant_rows = dense_run(view, expected.axis + 1) * element >= kLongRow;
  if (extent == 1 || constant_rows) request.content = Content::constant;
  if (extent > 1 && constant_rows) request.value = 0x0000000100000001;
  return request;
}

bool is_read(const GraphDesc& graph, size_t id) {
  return std::any_of(graph.ops.begin(), graph.ops.end(), [id](const OpDesc& op) {
    return op.kind != iotadnn_graph_op_gen_index && op.kind != iotadnn_graph_op_eye_like &&
           std::find(op.inputs.begin(), op.inputs.end(), id) != op.inputs.end();
  });
}

double bytes_read(const GraphDesc& graph, const PartitionRun& run) {
  double bytes = 0;
  for (const graph::logical_tensor& lt : run.inputs) {
    if (lt.get_property_type() == graph::logical_tensor::property_type::host_scalar) continue;
    if (is_read(graph, lt.get_id())) bytes += static_cast<double>(lt.get_mem_size());
  }
  return bytes;
}

double bytes_written(const PartitionRun& run) {
  double bytes = 0;
  for (const graph::logical_tensor& lt : run.outputs) {
    const TensorView view = view_of(lt, nullptr);
    bytes += static_cast<double>(view.elements()) * frontends::bytes_of(view.data_type);
  }
  return bytes;
}

}  // namespace iotadnn::benchdnn
