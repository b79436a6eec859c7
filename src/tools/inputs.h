// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "frontends/model/model.h"

namespace iotadnn::tools {

struct InputOptions {
  std::vector<std::string>
      given;  // "NAME=file.npy", "NAME=file.pb", "NAME=5x7", "NAME=5" or "NAME="
  uint64_t seed = 1;
  int64_t assumed = 0;  // stands for extents that nobody names; 0: they are an error
};

// Tensors for all inputs of a model: read from files, or random of the shape that is given or that
// the model states. Random floating values lie in [-1, 1), integers in [0, 8). ModelError names the
// input that cannot be made.
std::vector<models::Tensor> make_inputs(const models::Model& model, const InputOptions& options);

}  // namespace iotadnn::tools
