// SPDX-License-Identifier: Apache-2.0
#include "benchdnn/rewrite.h"

#include <algorithm>
#include <set>
#include <sstream>

#include "benchdnn/errors.h"
#include "benchdnn/infer.h"
#include "benchdnn/rewrite_attrs.h"
#include "benchdnn/shape_text.h"
#include "benchdnn/values.h"
#include "frontends/names.h"

namespace iotadnn::benchdnn {
namespace {

using frontends::describe;
using frontends::GraphDesc;
using frontends::OpDesc;
using frontends::TensorDesc;
using Shapes = std::map<size_t, ShapeText>;

void apply_shape(TensorDesc& tensor, const ShapeText& shape) {
  const std::string what = "--in-shapes: tensor " + std::to_string(tensor.id);
  if (shape.dims) tensor.dims = shape.dims;
  if (!tensor.dims) throw RewriteError(what + " has no shape that strides could apply to");
  const Dims& dims = *tensor.dims;
  const size_t rank = dims.size();
  const size_t given = shape.tag.empty() ? shape.strides.size() : shape.tag.size();
  if (given != 0 && given != rank)
    throw RewriteError(what + ": layout of " + std::to_string(given) +
                       " dimensions for a shape of rank " + std::to_string(rank));
  const auto strides = !shape.strides.empty() ? std::optional<Dims>(shape.strides)
                       : !shape.tag.empty()   ? strides_of_tag(shape.tag, dims)
                                              : frontends::dense_strides(dims);
  if (!strides || !frontends::span_of(dims, *strides))
    throw RewriteError(what + ": shape " + extents_text(dims) +
                       " has more bytes than 64 signed bits can count");
  tensor.strides = *strides;
  if (given != 0) tensor.layout = iotadnn_graph_layout_type_strided;
}

template <class T>
std::string joined(const std::vector<T>& numbers) {
  std::ostringstream text;
  for (size_t i = 0; i < numbers.size(); ++i)
    text << (i > 0 ? "x" : "") << numbers[i];
  return text.str();
}

bool is_output_port(const GraphDesc& graph, size_t id) {
  const auto& ports = graph.output_ports;
  return !graph.is_consumed(id) || std::find(ports.begin(), ports.end(), id) != ports.end();
}

// Applies shapes of inputs and checks that the other ids are output ports.
void rewrite_inputs(GraphDesc& graph, const Shapes& shapes) {
  for (const auto& [id, shape] : shapes) {
    TensorDesc& tensor = tensor_at(graph, id, "--in-shapes");
    if (graph.producer_of(id) == nullptr)
      apply_shape(tensor, shape);
    else if (!is_output_port(graph, id))
      throw RewriteError("--in-shapes: tensor " + std::to_string(id) +
                         " is neither an input nor an output of the graph");
  }
}

void set_extent_0(TensorDesc& tensor, int64_t mb) {
  if (tensor.property == iotadnn_graph_tensor_property_host_scalar) return;
  Dims dims = *tensor.dims;
  const Dims strides =
      tensor.strides.empty() ? frontends::dense_strides(dims).value_or(Dims()) : tensor.strides;
  ShapeText shape;
  if (strides.size() == dims.size()) shape.tag = tag_of_strides(dims, strides);
  dims[0] = mb;
  shape.dims = std::move(dims);
  apply_shape(tensor, shape);
}

// The batch is the first extent of the first tensor that the graph reads (Eye: of a batched
// output); inputs of rank 2 or more that start with the same extent carry it.
void rewrite_batch(GraphDesc& graph, int64_t mb, Shapes& shapes) {
  bool found = false;
  std::optional<int64_t> batch;
  for (const size_t id : graph.graph_inputs()) {
    TensorDesc& tensor = graph.tensors.at(id);
    if (!tensor.dims || tensor.dims->size() < 2) continue;
    if (!batch) batch = (*tensor.dims)[0];
    if ((*tensor.dims)[0] != *batch) continue;
    set_extent_0(tensor, mb);
    shapes.erase(id);
    found = true;
  }
  for (const OpDesc& op : graph.ops) {
    if (op.kind != iotadnn_graph_op_eye || op.outputs.empty()) continue;
    const auto dims = infer_dims(graph, op, 0);
    if (!dims || dims->size() < 3) continue;
    ShapeText& shape = shapes[op.outputs[0]];
    if (!shape.dims) shape.dims = dims;
    (*shape.dims)[0] = mb;
    found = true;
  }
  if (!found) throw RewriteError("--mb: no input of the graph carries a batch");
}

// A shape asked of Eye's output decides what Eye is told, except where the user said that too.
void adapt_eyes(GraphDesc& graph, const Shapes& shapes, const CaseSettings& settings) {
  for (OpDesc& op : graph.ops) {
    if (op.kind != iotadnn_graph_op_eye || op.outputs.empty()) continue;
    const auto shape = shapes.find(op.outputs[0]);
    if (shape == shapes.end() || !shape->second.dims) continue;
    if (!is_eye_of_tensors(op)) {
      const auto attrs = settings.op_attrs.find(op.id);
      const bool user_shape = attrs != settings.op_attrs.end() &&
                              ("*" + attrs->second).find("*shape:") != std::string::npos;
      if (!user_shape) op.attrs["shape"] = *shape->second.dims;
      continue;
    }
    graph.tensors.at(op.outputs[0]).dims = shape->second.dims;
    for (size_t port = 0; port < op.inputs.size(); ++port)
      if (port != 2 && settings.tensor_value.count(op.inputs[port]) == 0)
        graph.tensors.at(op.inputs[port]).value.reset();
  }
}

void place_strides(const GraphDesc& graph, const OpDesc& op, TensorDesc& tensor) {
  tensor.strides.clear();
  const Dims& dims = *tensor.dims;
  auto strides = frontends::dense_strides(dims);
  if (!op.inputs.empty()) {
    const TensorDesc& first = graph.tensors.at(op.inputs[0]);
    if (first.dims && first.dims->size() == dims.size() && !first.strides.empty()) {
      const std::string tag = tag_of_strides(*first.dims, first.strides);
      if (!tag.empty()) strides = strides_of_tag(tag, dims);
    }
  }
  const bool unknown =
      std::any_of(dims.begin(), dims.end(), [](int64_t extent) { return extent < 0; });
  if (unknown) return;
  if (!strides || !frontends::span_of(dims, *strides))
    throw RewriteError(describe(op) + ": output shape " + extents_text(dims) +
                       " has more bytes than 64 signed bits can count");
  tensor.strides = *strides;
}

void infer_produced(GraphDesc& graph, bool shapes_changed) {
  for (const OpDesc& op : graph.ops) {
    for (size_t i = 0; i < op.outputs.size(); ++i) {
      TensorDesc& tensor = graph.tensors.at(op.outputs[i]);
      const std::optional<Dims> dims = infer_dims(graph, op, i);
      const bool differs = dims && tensor.dims != dims;
      if (dims) tensor.dims = dims;
      if (tensor.dims && (differs || shapes_changed)) place_strides(graph, op, tensor);
    }
  }
}

std::string value_text(const frontends::TensorValue& value) {
  if (const auto* integers = std::get_if<std::vector<int64_t>>(&value)) return joined(*integers);
  return joined(std::get<std::vector<double>>(value));
}

void rewrite_outputs(GraphDesc& graph, const Shapes& shapes) {
  for (const auto& [id, shape] : shapes)
    if (graph.producer_of(id) != nullptr) apply_shape(graph.tensors.at(id), shape);
}

// What Eye is told in numbers, before shapes are inferred from it.
void check_eye_values(const GraphDesc& graph) {
  constexpr size_t kDiagonal = 2;
  for (const OpDesc& op : graph.ops) {
    if (!is_eye_of_tensors(op)) continue;
    for (size_t port = 0; port < op.inputs.size(); ++port) {
      const TensorDesc& tensor = graph.tensors.at(op.inputs[port]);
      if (!tensor.value) continue;
      const auto* integers = std::get_if<std::vector<int64_t>>(&*tensor.value);
      const std::string where = describe(op) + ", input " + std::to_string(port) + ": tensor " +
                                std::to_string(tensor.id) + " has the value ";
      if (integers == nullptr)
        throw RewriteError(where + value_text(*tensor.value) + ", allowed: integers");
      if (port != kDiagonal && std::any_of(integers->begin(), integers->end(),
                                           [](int64_t number) { return number < 0; }))
        throw RewriteError(where + value_text(*tensor.value) + ", allowed: integers, 0 or more");
    }
  }
}

void give_value(GraphDesc& graph, const OpDesc& op, size_t port, const Dims& wanted) {
  TensorDesc& tensor = graph.tensors.at(op.inputs[port]);
  if (graph.producer_of(tensor.id) != nullptr) return;
  if (!tensor.value) tensor.value = wanted;
  const auto* value = std::get_if<std::vector<int64_t>>(&*tensor.value);
  if (value == nullptr || *value != wanted)
    throw RewriteError(describe(op) + ", input " + std::to_string(port) + ": tensor " +
                       std::to_string(tensor.id) + " has another value than " +
                       extents_text(wanted) + ", which the output's shape asks for");
  if (tensor.data_type == iotadnn_s32 &&
      std::any_of(wanted.begin(), wanted.end(), [](int64_t v) { return v > INT32_MAX; }))
    throw RewriteError(describe(op) + ", input " + std::to_string(port) + ": " +
                       extents_text(wanted) + " does not fit s32");
}

void give_eye_values(GraphDesc& graph) {
  for (const OpDesc& op : graph.ops) {
    if (!is_eye_of_tensors(op) || op.inputs.size() < 3 || op.outputs.empty()) continue;
    const TensorDesc& output = graph.tensors.at(op.outputs[0]);
    const bool known = output.dims && output.dims->size() >= 2 &&
                       std::all_of(output.dims->begin(), output.dims->end(),
                                   [](int64_t extent) { return extent >= 0; });
    if (!known)
      throw RewriteError(describe(op) +
                         ": the output's shape is unknown; give it with --in-shapes or "
                         "--tensor-value");
    const Dims dims = *output.dims;
    give_value(graph, op, 0, {dims[dims.size() - 2]});
    give_value(graph, op, 1, {dims[dims.size() - 1]});
    TensorDesc& diagonal = graph.tensors.at(op.inputs[2]);
    if (!diagonal.value && graph.producer_of(diagonal.id) == nullptr) diagonal.value = Dims{0};
    if (op.inputs.size() > 3) {
      TensorDesc& batch = graph.tensors.at(op.inputs[3]);
      if (graph.producer_of(batch.id) == nullptr) {
        batch.dims = Dims{static_cast<int64_t>(dims.size()) - 2};
        batch.strides = {1};
      }
      give_value(graph, op, 3, Dims(dims.begin(), dims.end() - 2));
    }
  }
}

}  // namespace

frontends::TensorValue parse_tensor_value(const std::string& text) {
  const std::vector<std::string> pieces = split(text, 'x');
  const bool integers = std::all_of(pieces.begin(), pieces.end(), [](const std::string& piece) {
    return piece.find_first_not_of("-0123456789") == std::string::npos;
  });
  if (!integers) {
    std::vector<double> reals;
    for (const std::string& piece : pieces)
      reals.push_back(parse_real(piece, "--tensor-value"));
    return reals;
  }
  std::vector<int64_t> list;
  for (const std::string& piece : pieces)
    list.push_back(parse_integer(piece, "--tensor-value"));
  return list;
}

void rewrite(GraphDesc& graph, const CaseSettings& settings) {
  Shapes shapes;
  for (const auto& [id, text] : settings.in_shapes)
    shapes[id] = parse_shape(text, "--in-shapes");
  for (const auto& [id, text] : settings.tensor_value)
    tensor_at(graph, id, "--tensor-value").value = parse_tensor_value(text);
  rewrite_inputs(graph, shapes);
  if (settings.mb != 0) rewrite_batch(graph, settings.mb, shapes);
  rewrite_attrs(graph, settings.op_attrs);
  check_eye_values(graph);
  adapt_eyes(graph, shapes, settings);
  infer_produced(graph, !shapes.empty() || settings.mb != 0);
  rewrite_outputs(graph, shapes);
  rewrite_kinds(graph, settings.op_kind);
  if (settings.fpmath) {
    graph.fpmath_mode = settings.fpmath->mode;
    graph.fpmath_apply_to_int = settings.fpmath->apply_to_int;
  }
  rewrite_types(graph, settings.dt);
  rewrite_types(graph, settings.dt_map);
  rewrite_properties(graph, settings.tensor_property);
  give_eye_values(graph);
}

}  // namespace iotadnn::benchdnn
