// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "base/status.h"

namespace iotadnn::impl {

// Under the verbose token `check`, a refusal in oneDNN's grammar:
//   graph,create:check,<what>,<reason>,<file>:<line>
// where `what` is "add_op,<Kind>" or "compile". Commas in the reason become semicolons: a line has
// columns. Returns the status.
Status log_refusal(std::string_view what, Status status, std::string_view file, int line);

}  // namespace iotadnn::impl
