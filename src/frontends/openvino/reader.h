// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "frontends/model/model.h"

namespace iotadnn::models {

// Reads an OpenVINO IR: NAME.xml of version 10 or 11, and NAME.bin beside it; ops of
// openvino/table.cpp. Layers may stand in any order. Inputs and outputs are called by their tensor
// names, or by their layers' names where they have none. ModelError with one sentence for
// everything else.
Model read_openvino_file(const std::string& path);

// The same from memory.
Model read_openvino(const std::string& xml, std::string_view bin);

}  // namespace iotadnn::models
