// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "frontends/model/plan.h"

namespace iotadnn::tools {

// What becomes of a node of a model.
struct Fate {
  enum class Kind {
    claimed,      // by the compiled partition that is step `step`
    interpreted,  // in step `step`, for `reason`
    folded,       // computed while planning
    unused,       // left out
  };
  Kind kind = Kind::unused;
  size_t step = 0;
  std::string reason;
};

// One for each node of the model.
std::vector<Fate> fates_of(const models::Model& model, const models::Plan& plan);

// "claimed: partition 2", "folded: its result follows from shapes and constants", ...
std::string text_of(const Fate& fate);

}  // namespace iotadnn::tools
