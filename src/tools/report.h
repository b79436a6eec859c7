// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "frontends/model/plan.h"

namespace iotadnn::tools {

// "f32[2, 3]", with the file's names for unknown extents.
std::string type_and_shape(const models::Value& value);

// The kinds of the file's nodes that a step is made of, "Range Less Where"; from the 9th on how
// many.
std::string kinds_of(const models::Model& model, const models::Step& step);

std::string milliseconds(double nanoseconds);

}  // namespace iotadnn::tools
