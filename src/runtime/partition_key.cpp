// SPDX-License-Identifier: Apache-2.0
#include "runtime/partition_key.h"

#include <algorithm>
#include <type_traits>

#include "ops/op_table.h"

namespace iotadnn::impl {
namespace {

int position_of(Span<const LogicalTensor> list, size_t id) {
  const auto found =
      std::find_if(list.begin(), list.end(), [id](const LogicalTensor& lt) { return lt.id == id; });
  return found == list.end() ? -1 : static_cast<int>(found - list.begin());
}

// What the graph knew of an edge must not be contradicted at compile.
Status check_against_graph(const std::string& port, const LogicalTensor& graph,
                           const LogicalTensor& given) {
  if (given.layout == LayoutType::opaque)
    return invalid_arguments(port + " has an opaque layout, which this library never hands out");
  if (graph.type != given.type)
    return invalid_data_type(port + " is " + std::string(name_of(given.type)) + " at compile and " +
                             std::string(name_of(graph.type)) + " in the graph");
  if (graph.rank == kUnknownRank || given.rank == kUnknownRank) return {};
  bool agrees = graph.rank == given.rank;
  for (int d = 0; agrees && d < graph.rank; ++d)
    agrees = graph.dims[d] == kUnknownDim || given.dims[d] == kUnknownDim ||
             graph.dims[d] == given.dims[d];
  if (agrees) return {};
  return invalid_shape(port + " has shape " + shape_text(given.dims, given.rank) +
                       " at compile and " + shape_text(graph.dims, graph.rank) + " in the graph");
}

// Both sides know the layout of a port: `any` and `undef` mean the dense one, which shape inference
// fills in.
LogicalTensor as_strided(LogicalTensor lt) {
  if (lt.layout == LayoutType::strided) return lt;
  lt.layout = LayoutType::strided;
  lt.strides.fill(kUnknownDim);
  if (is_known_shape(lt.dims, lt.rank)) {
    const auto dense = dense_strides(lt.dims, lt.rank);
    if (dense.ok()) lt.strides = *dense;
  }
  return lt;
}

void append(std::string& key, int64_t value) {
  key.append(reinterpret_cast<const char*>(&value), sizeof value);
}

void append(std::string& key, const LogicalTensor& lt) {
  append(key, static_cast<int64_t>(lt.id));
  append(key, static_cast<int64_t>(lt.type) * 8 + static_cast<int64_t>(lt.property));
  append(key, lt.rank);
  for (int d = 0; d < lt.rank; ++d) {
    append(key, lt.dims[d]);
    append(key, lt.strides[d]);
  }
}

void append(std::string& key, const AttrValue& value) {
  append(key, static_cast<int64_t>(value.index()));
  std::visit(
      [&key](const auto& v) {
        using T = std::decay_t<decltype(v)>;
        if constexpr (std::is_arithmetic_v<T>) {
          key.append(reinterpret_cast<const char*>(&v), sizeof v);
        } else {
          append(key, static_cast<int64_t>(v.size()));
          if (!v.empty())
            key.append(reinterpret_cast<const char*>(v.data()), v.size() * sizeof v[0]);
        }
      },
      value);
}

}  // namespace

Result<BoundPorts> bind_ports(const Partition& partition, Span<const LogicalTensor> inputs,
                              Span<const LogicalTensor> outputs) {
  if (partition.ops.size() != 1) return unimplemented("partitions of several ops are not compiled");
  BoundPorts ports;
  ports.op = partition.ops.front();
  const std::string& name = partition.ops.front().name;
  std::vector<size_t> ids;
  const auto renumbered = [&ids](size_t id) {
    const auto found = std::find(ids.begin(), ids.end(), id);
    const auto index = static_cast<size_t>(found - ids.begin());
    if (found == ids.end()) ids.push_back(id);
    return index;
  };
  const auto bind = [&](LogicalTensor& edge, Span<const LogicalTensor> list,
                        const std::string& port) -> Result<int> {
    const int position = position_of(list, edge.id);
    if (position < 0)
      return invalid_arguments(port + " (logical tensor " + std::to_string(edge.id) +
                               ") is missing from the list given at compile");
    const LogicalTensor& given = list[static_cast<size_t>(position)];
    const Status agrees = check_against_graph(port, edge, given);
    if (!agrees.ok()) return agrees;
    edge = as_strided(given);
    edge.id = renumbered(given.id);
    return position;
  };
  for (size_t p = 0; p < ports.op.inputs.size(); ++p) {
    const auto position =
        bind(ports.op.inputs[p], inputs, "input " + std::to_string(p) + " of op " + name);
    if (!position.ok()) return position.status();
    ports.input_of_port.push_back(*position);
  }
  const auto position = bind(ports.op.outputs.front(), outputs, "output 0 of op " + name);
  if (!position.ok()) return position.status();
  ports.output_position = *position;
  ports.op.id = 0;
  if (const OpDef* def = find_op(ports.op.kind)) ports.op.name = std::string(def->name);
  return ports;
}

std::string partition_key(const Partition& partition, const BoundPorts& ports, Isa isa,
                          std::string_view forced_strategy) {
  std::string key;
  key.reserve(512);
  append(key, static_cast<int64_t>(isa));
  append(key, partition.fpmath_mode * 2 + (partition.fpmath_apply_to_int ? 1 : 0));
  append(key, ports.op.kind);
  for (const auto& [id, value] : ports.op.attrs) {
    append(key, id);
    append(key, value);
  }
  for (size_t p = 0; p < ports.op.inputs.size(); ++p) {
    append(key, ports.input_of_port[p]);
    append(key, ports.op.inputs[p]);
  }
  for (const LogicalTensor& lt : ports.op.outputs)
    append(key, lt);
  key += forced_strategy;
  return key;
}

}  // namespace iotadnn::impl
