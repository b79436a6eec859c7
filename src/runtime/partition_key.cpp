// SPDX-License-Identifier: Apache-2.0
#include "runtime/partition_key.h"

#include <algorithm>

#include "ops/op_table.h"
#include "runtime/key_text.h"

namespace iotadnn::impl {
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
    const auto given = bound_tensor(port, edge, list[static_cast<size_t>(position)]);
    if (!given.ok()) return given.status();
    edge = *given;
    edge.id = renumbered(edge.id);
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
  append_to_key(key, static_cast<int64_t>(isa));
  append_to_key(key, partition.fpmath_mode * 2 + (partition.fpmath_apply_to_int ? 1 : 0));
  append_to_key(key, ports.op.kind);
  for (const auto& [id, value] : ports.op.attrs) {
    append_to_key(key, id);
    append_to_key(key, value);
  }
  for (size_t p = 0; p < ports.op.inputs.size(); ++p) {
    append_to_key(key, ports.input_of_port[p]);
    append_to_key(key, ports.op.inputs[p]);
  }
  for (const LogicalTensor& lt : ports.op.outputs)
    append_to_key(key, lt);
  key += forced_strategy;
  return key;
}

}  // namespace iotadnn::impl
