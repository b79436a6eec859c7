// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "frontends/graph_desc.h"

namespace iotadnn::frontends {

// Graph JSON that read_benchdnn_json() reads back, and that the benchdnn driver replays.
std::string write_benchdnn_json(const GraphDesc& graph);

}  // namespace iotadnn::frontends
