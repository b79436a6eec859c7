// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "base/status.h"
#include "graph/logical_tensor.h"

namespace iotadnn::impl {

// A tensor's own metadata against what was known of the port at compile: invalid_data_type or
// invalid_shape where they contradict each other. `port` names it in the sentence.
Status check_tensor(const std::string& port, const LogicalTensor& known,
                    const LogicalTensor& given);

}  // namespace iotadnn::impl
