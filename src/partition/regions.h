// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "graph/graph.h"
#include "partition/partition.h"
#include "partition/ports.h"

namespace iotadnn::impl {

// Ops that become one partition, by position in the graph, ascending.
struct Region {
  std::vector<size_t> ops;
  std::string reason;                  // why it is the host's; empty when claimed
  std::string kind = "misc_post_ops";  // as in Partition
};

// Every op of the graph in exactly one region, the regions in topological order.
//
// Under fusion a region grows from each op that computes from coordinates, over neighbours that
// work point by point, while it stays convex (no path leaves it and comes back), all that it hands
// out has one shape, and no unknown extent in it follows from data that it makes; regions that meet
// become one. Ops that no region reaches are single and
// the host's. Under debug every op is single, and claimed when the table can compile it.
//
// Attentions (partition/attention.h) are looked for first, and nothing joins them.
//
// MatMuls and SoftMaxes that are in no region then become one each, with the regions behind them.
//
// Ops that sum or gather (needs_lowering) join when the region that they make can be lowered.
std::vector<Region> regions_of(const Graph& graph, const ValueIndex& values, Policy policy,
                               CanLower can_lower);

}  // namespace iotadnn::impl
