// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "frontends/model/tensor.h"

// NumPy's array files (format versions 1 to 3). NumPy has no bf16: such tensors are written as f32,
// which holds them exactly.
namespace iotadnn::models {

// ModelError, starting with `where`, for what is no such file, other types and other byte orders.
Tensor read_npy(std::string_view bytes, const std::string& where);

std::string write_npy(const Tensor& tensor);

}  // namespace iotadnn::models
