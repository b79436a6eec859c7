// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "iotadnn/iotadnn_types.h"

#include "benchdnn/result.h"

namespace iotadnn::benchdnn {

// Ends a case early with its state.
struct CaseEnd {
  State state;
  std::string reason;
};

// Prints the sentence and throws the end.
[[noreturn]] void fail(State state, const std::string& sentence);

// oneDNN's mapping, but for a refused op: it is INVALID_ARGUMENTS, since this library tells at
// add_op what oneDNN tells at compile (an axis out of range, say).
CaseEnd end_of(iotadnn_status_t status);

}  // namespace iotadnn::benchdnn
