// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "frontends/graph_desc.h"

namespace iotadnn::models {

// What a reader, the planner or the interpreter refuses: one sentence that names the file's node or
// value, what it has and what is allowed.
class ModelError : public frontends::GraphError {
 public:
  using GraphError::GraphError;
};

}  // namespace iotadnn::models
