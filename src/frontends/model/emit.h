// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "frontends/model/plan.h"

// Nodes as a graph of the public API, and its partitions as steps.
namespace iotadnn::models {

// Fills Plan::graph: an op for each of the nodes. What the API has no op for, or would refuse, is a
// Wildcard, so that paths through it are seen; Plan::host says why.
void emit_graph(const Model& model, const std::vector<size_t>& nodes, Plan& plan);

// A step per partition: compiled, or one interpreted node.
std::vector<Step> compile_graph(const Model& model, Plan& plan, const PlanOptions& options,
                                const iotadnn::engine& engine);

Step interpreted_step(const Model& model, const Plan& plan, size_t node, std::string reason);

}  // namespace iotadnn::models
