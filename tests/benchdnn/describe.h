// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "benchdnn/result.h"
#include "frontends/graph_desc.h"

namespace iotadnn::benchdnn {

// Each word once, in the order of their first places, with ';' between them.
std::string join_distinct(const std::vector<std::string>& words);

// What the perf template says of a graph: ops, and types and shapes of its ports.
void describe_ports(const frontends::GraphDesc& graph, CaseResult& result);

}  // namespace iotadnn::benchdnn
