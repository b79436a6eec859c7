// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "frontends/graph_desc.h"

namespace iotadnn::benchdnn {

struct ContractCase {
  std::string name;
  frontends::GraphDesc graph;  // one op; tensors that the file gives content have a value
};

// The cases of a contract file (benchdnn_inputs/contract/README.md). FileError with one sentence
// that names the case and the key.
std::vector<ContractCase> read_contract(const std::string& name, const std::string& text);

}  // namespace iotadnn::benchdnn
