// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "benchdnn/settings.h"
#include "frontends/graph_desc.h"

// The graph of --compare=graph:FILE.
namespace iotadnn::benchdnn {

// The knobs of a case as they reach the compared graph. Those of the whole graph stay. An entry for
// an input goes to the input with the same id; an entry for an op goes to the op that has the same
// place among those of its kind (the second MatMul to the second MatMul), and an entry for what an
// op makes to what that op makes. Entries without a counterpart are left out, and so is the number
// of partitions.
CaseSettings counterpart(const CaseSettings& settings, const frontends::GraphDesc& graph,
                         const frontends::GraphDesc& compared);

// The compared graph with the knobs of the case. RewriteError with a sentence when they cannot be
// applied, or when the outputs have other shapes than those of the case (`rewritten`): times of
// unlike work would be compared.
frontends::GraphDesc compared_graph(const std::string& file, frontends::GraphDesc compared,
                                    const CaseSettings& settings, const frontends::GraphDesc& graph,
                                    const frontends::GraphDesc& rewritten);

}  // namespace iotadnn::benchdnn
