// SPDX-License-Identifier: Apache-2.0
#include "runtime/tensor_check.h"

namespace iotadnn::impl {
namespace {

Status check_strides(const std::string& port, const LogicalTensor& known,
                     const LogicalTensor& given) {
  if (known.layout != LayoutType::strided || given.layout != LayoutType::strided) return {};
  for (int d = 0; d < known.rank; ++d) {
    const auto i = static_cast<size_t>(d);
    if (known.strides[i] == kUnknownDim || given.strides[i] == kUnknownDim ||
        known.strides[i] == given.strides[i] || given.dims[i] <= 1)
      continue;
    return invalid_shape(port + " has stride " + std::to_string(given.strides[i]) +
                         " in dimension " + std::to_string(d) + ", compiled for " +
                         std::to_string(known.strides[i]));
  }
  return {};
}

}  // namespace

Status check_tensor(const std::string& port, const LogicalTensor& known,
                    const LogicalTensor& given) {
  if (known.type != given.type)
    return invalid_data_type(port + " is " + std::string(name_of(given.type)) + ", compiled for " +
                             std::string(name_of(known.type)));
  if (known.rank == kUnknownRank) return {};
  if (known.rank != given.rank)
    return invalid_shape(port + " has rank " + std::to_string(given.rank) + ", compiled for rank " +
                         std::to_string(known.rank));
  for (int d = 0; d < known.rank; ++d)
    if (known.dims[static_cast<size_t>(d)] != kUnknownDim &&
        known.dims[static_cast<size_t>(d)] != given.dims[static_cast<size_t>(d)])
      return invalid_shape(port + " has shape " + shape_text(given.dims, given.rank) +
                           ", compiled for " + shape_text(known.dims, known.rank));
  return check_strides(port, known, given);
}

}  // namespace iotadnn::impl
