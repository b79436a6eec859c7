// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "frontends/model/tensor.h"

namespace iotadnn::models {

// A type as attributes name it ("f32"). ModelError, starting with `where`, for those that are not
// computed here.
DataType data_type_from_ir(const std::string& name, const std::string& where);

// "i32" for s32.
std::string ir_name_of(DataType type);

// A type as ports name it ("FP32"); nullopt for others, among them UNSPECIFIED.
std::optional<DataType> data_type_from_precision(const std::string& precision);

// "1,?,3..5": an extent that is not fixed is unknown, bounds are not kept; "..." is a shape of any
// rank, and gives nullopt. ModelError, starting with `where`, for other texts.
std::optional<Dims> shape_from_ir(const std::string& text, const std::string& where);

}  // namespace iotadnn::models
