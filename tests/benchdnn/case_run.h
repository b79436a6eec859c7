// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "benchdnn/result.h"
#include "benchdnn/settings.h"
#include "frontends/graph_desc.h"

namespace iotadnn::benchdnn {

// Sets what the library takes process-wide: ISA cap, strategy, threads. "" when the machine can do
// as asked, else the reason to skip.
std::string apply_process_settings(const GlobalSettings& global);

// Runs a rewritten graph through build, partition, compile, execute and, by mode, check or measure.
// Never throws for what the graph or the library refuses: the state and the printed sentence say
// it.
CaseResult run_case(const frontends::GraphDesc& graph, const CaseSettings& settings,
                    const Settings& all);

}  // namespace iotadnn::benchdnn
