// SPDX-License-Identifier: Apache-2.0
#include "benchdnn/rewrite_attrs.h"

#include <algorithm>
#include <set>

#include "benchdnn/errors.h"
#include "benchdnn/shape_text.h"
#include "benchdnn/values.h"
#include "frontends/names.h"

namespace iotadnn::benchdnn {
namespace {

using frontends::AttrType;
using frontends::AttrValue;
using frontends::describe;
using frontends::GraphDesc;
using frontends::name_of;
using frontends::OpDesc;

constexpr iotadnn_graph_op_kind_t kBinaryKinds[] = {
    iotadnn_graph_op_add,           iotadnn_graph_op_divide,
    iotadnn_graph_op_greater_equal, iotadnn_graph_op_maximum,
    iotadnn_graph_op_minimum,       iotadnn_graph_op_multiply,
    iotadnn_graph_op_subtract,      iotadnn_graph_op_squared_difference};

constexpr iotadnn_graph_op_kind_t kEltwiseKinds[] = {
    iotadnn_graph_op_abs,        iotadnn_graph_op_clamp,      iotadnn_graph_op_elu,
    iotadnn_graph_op_exp,        iotadnn_graph_op_gelu,       iotadnn_graph_op_hard_sigmoid,
    iotadnn_graph_op_hard_swish, iotadnn_graph_op_leaky_relu, iotadnn_graph_op_log,
    iotadnn_graph_op_mish,       iotadnn_graph_op_reciprocal, iotadnn_graph_op_relu,
    iotadnn_graph_op_round,      iotadnn_graph_op_sigmoid,    iotadnn_graph_op_softplus,
    iotadnn_graph_op_sqrt,       iotadnn_graph_op_square,     iotadnn_graph_op_tanh};

template <size_t n>
bool contains(const iotadnn_graph_op_kind_t (&kinds)[n], iotadnn_graph_op_kind_t kind) {
  return std::find(std::begin(kinds), std::end(kinds), kind) != std::end(kinds);
}

OpDesc& op_at(GraphDesc& graph, size_t id, const char* knob) {
  OpDesc* op = graph.find_op(id);
  if (op == nullptr)
    throw RewriteError(std::string(knob) + ": the graph has no op with id " + std::to_string(id));
  return *op;
}

std::vector<int64_t> parse_list(const std::string& text, const std::string& what) {
  std::vector<int64_t> list;
  if (text == "-") return list;
  for (const std::string& piece : split(text, 'x'))
    list.push_back(parse_integer(piece, what));
  return list;
}

AttrValue parse_attr(const std::string& text, AttrType type, const std::string& what) {
  switch (type) {
    case AttrType::s64:
      return parse_integer(text, what);
    case AttrType::s64_vector:
      return parse_list(text, what);
    case AttrType::f32:
      return static_cast<float>(parse_real(text, what));
    case AttrType::f32_vector: {
      std::vector<float> list;
      for (const std::string& piece : split(text, 'x'))
        list.push_back(static_cast<float>(parse_real(piece, what)));
      return list;
    }
    case AttrType::boolean:
      return parse_bool(text, what);
    case AttrType::string:
      return text;
  }
  throw RewriteError(what + ": unknown attribute type");
}

// Takes the op out; whoever read its result reads the produced input instead.
void remove_op(GraphDesc& graph, const OpDesc& op) {
  std::vector<size_t> produced;
  for (const size_t input : op.inputs)
    if (graph.producer_of(input) != nullptr) produced.push_back(input);
  if (produced.size() != 1 || op.outputs.size() != 1)
    throw RewriteError("--op-kind: " + describe(op) +
                       " cannot be taken out: " + std::to_string(produced.size()) +
                       " of its inputs are produced by ops, exactly one must be");
  const size_t from = op.outputs[0];
  for (OpDesc& reader : graph.ops)
    std::replace(reader.inputs.begin(), reader.inputs.end(), from, produced[0]);
  const size_t id = op.id;
  graph.ops.erase(std::remove_if(graph.ops.begin(), graph.ops.end(),
                                 [id](const OpDesc& other) { return other.id == id; }),
                  graph.ops.end());
}

bool is_float(iotadnn_data_type_t type) {
  return type == iotadnn_f32 || type == iotadnn_bf16 || type == iotadnn_f16 || type == iotadnn_f64;
}

// Which tensors of an op a whole-graph --dt changes.
std::vector<size_t> tensors_of_type(const GraphDesc& graph, const OpDesc& op) {
  const auto floats_only = [&graph](std::vector<size_t> ids) {
    ids.erase(
        std::remove_if(ids.begin(), ids.end(),
                       [&graph](size_t id) { return !is_float(graph.tensors.at(id).data_type); }),
        ids.end());
    return ids;
  };
  std::vector<size_t> all = op.inputs;
  all.insert(all.end(), op.outputs.begin(), op.outputs.end());
  switch (static_cast<int>(op.kind)) {
    case iotadnn_graph_op_gen_index:
      return op.inputs;
    case iotadnn_graph_op_eye:
      return op.outputs;  // its inputs are extents
    case iotadnn_graph_op_select:
      if (!all.empty()) all.erase(all.begin());
      return all;
    case iotadnn_graph_op_greater_equal:
    case iotadnn_graph_op_greater:
    case iotadnn_graph_op_less:
    case iotadnn_graph_op_less_equal:
    case iotadnn_graph_op_equal:
    case iotadnn_graph_op_not_equal:
      return floats_only(op.inputs);
    case iotadnn_graph_op_logical_and:
    case iotadnn_graph_op_logical_or:
    case iotadnn_graph_op_logical_not:
      return {};
    case iotadnn_graph_op_add:
    case iotadnn_graph_op_subtract:
      return floats_only(all);
    case iotadnn_graph_op_type_cast:
    case iotadnn_graph_op_quantize:
    case iotadnn_graph_op_dequantize:
    case iotadnn_graph_op_dynamic_quantize:
    case iotadnn_graph_op_dynamic_dequantize:
      throw RewriteError("--dt: " + describe(op) + " has types of its own; use --dt=ID:TYPE");
    default:
      return all;
  }
}

}  // namespace

frontends::TensorDesc& tensor_at(GraphDesc& graph, size_t id, const char* knob) {
  const auto found = graph.tensors.find(id);
  if (found == graph.tensors.end())
    throw RewriteError(std::string(knob) + ": the graph has no tensor with id " +
                       std::to_string(id));
  return found->second;
}

void rewrite_attrs(GraphDesc& graph, const IdValues& op_attrs) {
  for (const auto& [id, text] : op_attrs) {
    OpDesc& op = op_at(graph, id, "--op-attrs");
    for (const auto& [name, value] : split_attrs(text, "--op-attrs")) {
      const std::string what = "--op-attrs: " + describe(op) + ", attribute '" + name + "'";
      const frontends::AttrRow* row = frontends::attr_from_name(name);
      if (row == nullptr) throw RewriteError(what + " is unknown");
      try {
        op.attrs[name] = parse_attr(value, type_of(*row), what);
      } catch (const UsageError& error) {
        throw RewriteError(error.what());
      }
    }
  }
}

void rewrite_kinds(GraphDesc& graph, const IdValues& op_kind) {
  for (const auto& [id, text] : op_kind) {
    OpDesc& op = op_at(graph, id, "--op-kind");
    if (text == "undef") {
      remove_op(graph, OpDesc(op));
      continue;
    }
    const auto kind = frontends::op_kind_from_name(text);
    const bool legal =
        kind && ((contains(kBinaryKinds, op.kind) && contains(kBinaryKinds, *kind)) ||
                 (contains(kEltwiseKinds, op.kind) && contains(kEltwiseKinds, *kind)));
    if (!legal)
      throw RewriteError("--op-kind: " + describe(op) + " cannot become " + text +
                         ": only a binary op becomes a binary op, an eltwise op an eltwise op");
    op.kind = *kind;
  }
}

void rewrite_types(GraphDesc& graph, iotadnn_data_type_t type) {
  if (type == iotadnn_data_type_undef) return;
  std::set<size_t> changed;
  for (const OpDesc& op : graph.ops) {
    const std::vector<size_t> ids = tensors_of_type(graph, op);
    changed.insert(ids.begin(), ids.end());
  }
  for (const size_t id : changed)
    graph.tensors.at(id).data_type = type;
}

void rewrite_types(GraphDesc& graph, const IdValues& dt_map) {
  for (const auto& [id, text] : dt_map)
    if (text != "undef")
      tensor_at(graph, id, "--dt").data_type = *frontends::data_type_from_name(text);
}

void rewrite_properties(GraphDesc& graph, const IdValues& tensor_property) {
  for (const auto& [id, text] : tensor_property)
    tensor_at(graph, id, "--tensor-property").property = *frontends::property_from_name(text);
}

}  // namespace iotadnn::benchdnn
