// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "frontends/graph_desc.h"
#include "frontends/model/model.h"

namespace iotadnn::models {

// A benchdnn graph as a model: tensors without a producer are its inputs, or constants where the
// file gives their values; what no op reads, or End reads, is its outputs, and is called "t" and
// its id. Strides are not kept: models are dense. ModelError for kinds and attributes without a row
// in the table.
Model model_from_graph(const frontends::GraphDesc& graph);

Model read_json_model_file(const std::string& path);

}  // namespace iotadnn::models
