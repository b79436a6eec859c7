// SPDX-License-Identifier: Apache-2.0
#include "partition/ports.h"

#include <algorithm>
#include <limits>

#include "ops/op_kinds.h"

namespace iotadnn::impl {
namespace {

constexpr size_t kOutside = std::numeric_limits<size_t>::max();

bool is_inside(Span<const size_t> region, size_t op) {
  return std::binary_search(region.begin(), region.end(), op);
}

bool is_output(const ValueIndex& values, Span<const size_t> region, size_t id) {
  const auto consumers = values.consumers(id);
  return consumers.empty() || std::any_of(consumers.begin(), consumers.end(), [&](size_t op) {
           return !is_inside(region, op) || values.ops()[op].kind == op_kind::kEnd;
         });
}

}  // namespace

ValueIndex::ValueIndex(const std::vector<Op>& ops) : ops_(ops) {
  producers_.reserve(ops.size());
  consumers_.reserve(ops.size());
  for (size_t i = 0; i < ops.size(); ++i) {
    for (const LogicalTensor& in : ops[i].inputs)
      consumers_[in.id].push_back(i);
    for (const LogicalTensor& out : ops[i].outputs)
      producers_.emplace(out.id, i);
  }
}

size_t ValueIndex::producer(size_t id) const {
  const auto found = producers_.find(id);
  return found == producers_.end() ? kOutside : found->second;
}

Span<const size_t> ValueIndex::consumers(size_t id) const {
  const auto found = consumers_.find(id);
  return found == consumers_.end() ? Span<const size_t>() : Span<const size_t>(found->second);
}

RegionPorts ports_of(const ValueIndex& values, Span<const size_t> region) {
  RegionPorts ports;
  for (const size_t op : region) {
    for (const LogicalTensor& in : values.ops()[op].inputs)
      if (!is_inside(region, values.producer(in.id))) ports.inputs.push_back(in);
    for (const LogicalTensor& out : values.ops()[op].outputs)
      if (is_output(values, region, out.id)) ports.outputs.push_back(out);
  }
  return ports;
}

}  // namespace iotadnn::impl
