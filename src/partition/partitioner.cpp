// SPDX-License-Identifier: Apache-2.0
#include <utility>

#include "partition/partition.h"
#include "partition/ports.h"
#include "partition/regions.h"

namespace iotadnn::impl {
namespace {

Partition to_partition(const Graph& graph, const ValueIndex& values, Region region) {
  Partition partition;
  partition.id = next_object_id();
  partition.engine_kind = graph.engine_kind();
  partition.fpmath_mode = graph.fpmath_mode();
  partition.fpmath_apply_to_int = graph.fpmath_apply_to_int();
  partition.math_mode = graph.math_mode();
  partition.supported = region.reason.empty();
  partition.reason = std::move(region.reason);
  partition.kind = std::move(region.kind);
  RegionPorts ports = ports_of(values, region.ops);
  partition.inputs = std::move(ports.inputs);
  partition.outputs = std::move(ports.outputs);
  partition.ops.reserve(region.ops.size());
  for (const size_t i : region.ops)
    partition.ops.push_back(graph.ops()[i]);
  return partition;
}

}  // namespace

std::vector<Partition> make_partitions(const Graph& graph, Policy policy, CanLower can_lower) {
  const ValueIndex values(graph.ops());
  std::vector<Partition> partitions;
  partitions.reserve(graph.ops().size());
  for (Region& region : regions_of(graph, values, policy, can_lower))
    partitions.push_back(to_partition(graph, values, std::move(region)));
  return partitions;
}

}  // namespace iotadnn::impl
