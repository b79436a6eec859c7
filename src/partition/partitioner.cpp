// SPDX-License-Identifier: Apache-2.0
#include <utility>

#include "partition/partition.h"
#include "partition/ports.h"

namespace iotadnn::impl {
namespace {

// Ops that become one partition, by position in the graph, ascending.
struct Region {
  std::vector<size_t> ops;
  std::string reason;  // why it is the host's; empty when claimed
};

// Every op of the graph in exactly one region, in topological order. Each op is a region of its own
// under either policy: what is claimed today are generators, which have nothing to share.
std::vector<Region> regions_of(const Graph& graph) {
  std::vector<Region> regions;
  regions.reserve(graph.ops().size());
  for (size_t i = 0; i < graph.ops().size(); ++i)
    regions.push_back({{i}, refusal(graph.ops()[i])});
  return regions;
}

Partition to_partition(const Graph& graph, const ValueIndex& values, Region region) {
  Partition partition;
  partition.id = next_object_id();
  partition.engine_kind = graph.engine_kind();
  partition.fpmath_mode = graph.fpmath_mode();
  partition.fpmath_apply_to_int = graph.fpmath_apply_to_int();
  partition.supported = region.reason.empty();
  partition.reason = std::move(region.reason);
  partition.kind = "misc_post_ops";
  RegionPorts ports = ports_of(values, region.ops);
  partition.inputs = std::move(ports.inputs);
  partition.outputs = std::move(ports.outputs);
  partition.ops.reserve(region.ops.size());
  for (const size_t i : region.ops)
    partition.ops.push_back(graph.ops()[i]);
  return partition;
}

}  // namespace

std::vector<Partition> make_partitions(const Graph& graph, Policy /*policy*/) {
  const ValueIndex values(graph.ops());
  std::vector<Partition> partitions;
  partitions.reserve(graph.ops().size());
  for (Region& region : regions_of(graph))
    partitions.push_back(to_partition(graph, values, std::move(region)));
  return partitions;
}

}  // namespace iotadnn::impl
