// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "benchdnn/result.h"
#include "benchdnn/settings.h"
#include "frontends/graph_desc.h"

namespace iotadnn::benchdnn {

// Runs a rewritten graph through build, partition, compile, execute and, by mode, check or measure.
// Never throws for what the graph or the library refuses: the state and the printed sentence say
// it. `compared`: the rewritten graph of --compare, or null.
CaseResult run_case(const frontends::GraphDesc& graph, const CaseSettings& settings,
                    const Settings& all, const frontends::GraphDesc* compared);

}  // namespace iotadnn::benchdnn
