// SPDX-License-Identifier: Apache-2.0
#include "frontends/graph_builder.h"

#include "frontends/names.h"

namespace iotadnn::frontends {
namespace {

using iotadnn::graph::logical_tensor;
using GraphOp = iotadnn::graph::op;

void set_attr(GraphOp& op, const OpDesc& desc, const std::string& name, const AttrValue& value) {
  const AttrRow* row = attr_from_name(name);
  if (row == nullptr) throw GraphError(describe(desc) + ": unknown attribute '" + name + "'");
  const AttrType wanted = type_of(*row);
  if (value.index() != static_cast<size_t>(wanted))
    throw GraphError(describe(desc) + ", attribute '" + name + "': type " +
                     std::string(name_of(static_cast<AttrType>(value.index()))) + " given, type " +
                     std::string(name_of(wanted)) + " expected");
  const auto attr = static_cast<GraphOp::attr>(row->id);
  std::visit([&](const auto& typed) { op.set_attr(attr, typed); }, value);
}

}  // namespace

logical_tensor build_logical_tensor(const TensorDesc& tensor) {
  const auto type = static_cast<logical_tensor::data_type>(tensor.data_type);
  const auto property = static_cast<logical_tensor::property_type>(tensor.property);
  const auto layout = tensor.layout == iotadnn_graph_layout_type_any
                          ? logical_tensor::layout_type::any
                          : logical_tensor::layout_type::strided;
  if (!tensor.dims) return {tensor.id, type, IOTADNN_GRAPH_UNKNOWN_NDIMS, layout, property};
  if (tensor.strides.empty() || layout == logical_tensor::layout_type::any)
    return {tensor.id, type, *tensor.dims, layout, property};
  return {tensor.id, type, *tensor.dims, tensor.strides, property};
}

GraphOp build_op(const OpDesc& op, const GraphDesc& graph) {
  GraphOp built(op.id, static_cast<GraphOp::kind>(op.kind), op.name);
  for (const size_t id : op.inputs)
    built.add_input(build_logical_tensor(graph.tensors.at(id)));
  for (const size_t id : op.outputs)
    built.add_output(build_logical_tensor(graph.tensors.at(id)));
  for (const auto& [name, value] : op.attrs)
    set_attr(built, op, name, value);
  return built;
}

iotadnn::graph::graph build_graph(const GraphDesc& graph, iotadnn::engine::kind engine) {
  iotadnn::graph::graph built(engine);
  built.set_fpmath_mode(static_cast<iotadnn::fpmath_mode>(graph.fpmath_mode),
                        graph.fpmath_apply_to_int);
  built.set_math_mode(static_cast<iotadnn::graph::graph::math_mode>(graph.math_mode));
  for (const OpDesc& op : graph.ops)
    built.add_op(build_op(op, graph));
  return built;
}

}  // namespace iotadnn::frontends
