// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstring>
#include <string>
#include <type_traits>
#include <vector>

#include "iotadnn/iotadnn_types.h"

#include "base/status.h"
#include "graph/logical_tensor.h"

namespace iotadnn::impl {

// The number in an enum of the caller's, which may be none of the enumerators: C allows it, and
// loading such a value as the enum would be undefined here.
template <class Enum>
int32_t raw(const Enum& value) {
  static_assert(std::is_enum_v<Enum> && sizeof(Enum) == sizeof(int32_t));
  int32_t number = 0;
  std::memcpy(&number, &value, sizeof number);
  return number;
}

// invalid_arguments with the value and `allowed` unless first <= raw(value) <= last.
template <class Enum>
Status check_range(const char* what, const Enum& value, int32_t first, int32_t last,
                   const char* allowed) {
  const int32_t number = raw(value);
  if (number >= first && number <= last) return {};
  return invalid_arguments(std::string(what) + " is " + std::to_string(number) + ", allowed are " +
                           allowed);
}

Status check_cpu_kind(iotadnn_engine_kind_t kind);
Status check_fpmath_mode(iotadnn_fpmath_mode_t mode);
Status check_math_mode(iotadnn_graph_math_mode_t mode);

// Everything that can be wrong in the caller's struct is invalid_arguments: rank, enum values,
// negative extents or strides that are not UNKNOWN, a host scalar that is no scalar of s32, s64 or
// f32.
Result<LogicalTensor> to_impl(const iotadnn_graph_logical_tensor_t& lt);
Result<std::vector<LogicalTensor>> to_impl(const iotadnn_graph_logical_tensor_t** lts, size_t num,
                                           const char* what);

iotadnn_graph_logical_tensor_t to_c(const LogicalTensor& lt);

}  // namespace iotadnn::impl
