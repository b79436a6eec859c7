// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "frontends/model/tensor.h"

namespace iotadnn::models {

// |got - want| <= absolute + relative * |want|, infinities equal, NaN where NaN is wanted.
struct Tolerance {
  double relative = 0;
  double absolute = 0;
};

// "" when type, shape and all elements agree (integers and booleans exactly), else a sentence with
// the first element that does not.
std::string difference(const Tensor& got, const Tensor& want, Tolerance tolerance);

}  // namespace iotadnn::models
