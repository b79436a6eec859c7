// SPDX-License-Identifier: Apache-2.0
#include "runtime/region_key.h"

#include <algorithm>
#include <unordered_map>

#include "ops/op_table.h"
#include "runtime/key_text.h"

namespace iotadnn::impl {
namespace {

// The caller's tensors for the distinct ids of a side's ports.
Status bind_side(const char* side, const std::vector<LogicalTensor>& ports,
                 Span<const LogicalTensor> list, std::vector<LogicalTensor>& bound,
                 std::vector<size_t>& positions) {
  for (const LogicalTensor& port : ports) {
    const auto is_port = [&](const LogicalTensor& t) { return t.id == port.id; };
    if (std::any_of(bound.begin(), bound.end(), is_port)) continue;
    const std::string name =
        std::string(side) + " " + std::to_string(bound.size()) + " of the partition";
    const int position = position_of(list, port.id);
    if (position < 0)
      return invalid_arguments(name + " (logical tensor " + std::to_string(port.id) +
                               ") is missing from the list given at compile");
    const auto tensor = bound_tensor(name, port, list[static_cast<size_t>(position)]);
    if (!tensor.ok()) return tensor.status();
    bound.push_back(*tensor);
    positions.push_back(static_cast<size_t>(position));
  }
  return {};
}

class Renumbering {
 public:
  void apply(LogicalTensor& tensor) {
    tensor.id = ids_.emplace(tensor.id, ids_.size()).first->second;
  }

 private:
  std::unordered_map<size_t, size_t> ids_;
};

}  // namespace

Result<BoundRegion> bind_region(const Partition& partition, Span<const LogicalTensor> inputs,
                                Span<const LogicalTensor> outputs) {
  BoundRegion bound;
  bound.partition = partition;
  Partition& region = bound.partition;
  region.id = 0;
  region.inputs.clear();
  region.outputs.clear();
  IOTADNN_TRY(bind_side("input", partition.inputs, inputs, region.inputs, bound.input_at));
  IOTADNN_TRY(bind_side("output", partition.outputs, outputs, region.outputs, bound.output_at));

  std::unordered_map<size_t, const LogicalTensor*> given;
  for (const auto* side : {&region.inputs, &region.outputs})
    for (const LogicalTensor& tensor : *side)
      given.emplace(tensor.id, &tensor);
  Renumbering renumbering;
  for (size_t i = 0; i < region.ops.size(); ++i) {
    Op& op = region.ops[i];
    op.id = i;
    if (const OpDef* def = find_op(op.kind)) op.name = std::string(def->name);
    for (auto* side : {&op.inputs, &op.outputs})
      for (LogicalTensor& tensor : *side) {
        if (const auto found = given.find(tensor.id); found != given.end()) tensor = *found->second;
        renumbering.apply(tensor);
      }
  }
  for (auto* side : {&region.inputs, &region.outputs})
    for (LogicalTensor& tensor : *side)
      renumbering.apply(tensor);
  return bound;
}

std::string region_key(const BoundRegion& bound, Isa isa, std::string_view forced_strategy) {
  std::string key = "region";
  key.reserve(2048);
  append_to_key(key, static_cast<int64_t>(isa));
  append_to_key(key, static_cast<int64_t>(bound.partition.math_mode));
  append_to_key(key, bound.partition.fpmath_mode);
  for (const Op& op : bound.partition.ops) {
    append_to_key(key, op.kind);
    append_to_key(key, static_cast<int64_t>(op.attrs.size()));
    for (const auto& [id, value] : op.attrs) {
      append_to_key(key, id);
      append_to_key(key, value);
    }
    append_to_key(key, static_cast<int64_t>(op.inputs.size()));
    for (const auto* side : {&op.inputs, &op.outputs})
      for (const LogicalTensor& tensor : *side)
        append_to_key(key, tensor);
  }
  for (const auto* side : {&bound.input_at, &bound.output_at})
    for (const size_t position : *side)
      append_to_key(key, static_cast<int64_t>(position));
  for (const LogicalTensor& output : bound.partition.outputs)
    append_to_key(key, output);
  key += forced_strategy;
  return key;
}

}  // namespace iotadnn::impl
