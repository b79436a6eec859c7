// SPDX-License-Identifier: Apache-2.0
#include "api/convert.h"

#include <algorithm>

namespace iotadnn::impl {
namespace {

static_assert(IOTADNN_MAX_NDIMS == kMaxRank && IOTADNN_GRAPH_UNKNOWN_NDIMS == kUnknownRank &&
              IOTADNN_GRAPH_UNKNOWN_DIM == kUnknownDim);

std::string tensor_text(size_t id) {
  return "logical tensor " + std::to_string(id);
}

Status check_sizes(size_t id, const char* what, const Dims& values, int rank) {
  for (int d = 0; d < rank; ++d) {
    if (values[d] >= 0 || values[d] == kUnknownDim) continue;
    return invalid_arguments(tensor_text(id) + " has " + what + " " + std::to_string(values[d]) +
                             " in dimension " + std::to_string(d) +
                             ", it must not be negative (or be the unknown dim, INT64_MIN)");
  }
  return {};
}

Status check_host_scalar(const LogicalTensor& lt) {
  if (lt.property != Property::host_scalar) return {};
  if (lt.rank != 0)
    return invalid_arguments(tensor_text(lt.id) + " is a host scalar of rank " +
                             std::to_string(lt.rank) + ", a host scalar has rank 0");
  if (lt.type == DataType::s32 || lt.type == DataType::s64 || lt.type == DataType::f32) return {};
  return invalid_arguments(tensor_text(lt.id) + " is a host scalar of type " +
                           std::string(name_of(lt.type)) + ", allowed are s32, s64, f32");
}

Status check_fields(const iotadnn_graph_logical_tensor_t& lt) {
  if (lt.ndims < kUnknownRank || lt.ndims > kMaxRank)
    return invalid_arguments(tensor_text(lt.id) + " has rank " + std::to_string(lt.ndims) +
                             ", allowed are 0 to 12, or -1 when it is unknown");
  const auto type = static_cast<DataType>(raw(lt.data_type));
  if (type != DataType::undef && !is_known(type))
    return invalid_arguments(tensor_text(lt.id) + " has data type " +
                             std::to_string(raw(lt.data_type)) +
                             ", which is not the number of one");
  IOTADNN_TRY(check_range("the layout type", lt.layout_type, 0, 3, "0 (undef) to 3 (opaque)"));
  return check_range("the tensor property", lt.property, 0, 3, "0 (undef) to 3 (host_scalar)");
}

}  // namespace

Status check_cpu_kind(iotadnn_engine_kind_t kind) {
  if (raw(kind) == iotadnn_cpu) return {};
  return invalid_arguments("the engine kind is " + std::to_string(raw(kind)) +
                           ", this library has only CPU engines (1)");
}

Status check_fpmath_mode(iotadnn_fpmath_mode_t mode) {
  return check_range("the floating-point math mode", mode, 0, 4, "0 (strict) to 4 (tf32)");
}

Status check_math_mode(iotadnn_graph_math_mode_t mode) {
  return check_range("the math mode", mode, 0, 2, "0 (default) to 2 (finite)");
}

Result<LogicalTensor> to_impl(const iotadnn_graph_logical_tensor_t& lt) {
  IOTADNN_TRY(check_fields(lt));
  LogicalTensor result;
  result.id = lt.id;
  result.rank = lt.ndims;
  result.type = static_cast<DataType>(raw(lt.data_type));
  result.property = static_cast<Property>(raw(lt.property));
  result.layout = static_cast<LayoutType>(raw(lt.layout_type));
  const int rank = std::max(lt.ndims, 0);
  std::copy_n(lt.dims, rank, result.dims.begin());
  IOTADNN_TRY(check_sizes(lt.id, "extent", result.dims, rank));
  if (result.layout == LayoutType::strided) {
    std::copy_n(lt.layout.strides, rank, result.strides.begin());
    IOTADNN_TRY(check_sizes(lt.id, "stride", result.strides, rank));
  }
  if (result.layout == LayoutType::opaque) result.layout_id = lt.layout.layout_id;
  IOTADNN_TRY(check_host_scalar(result));
  return result;
}

Result<std::vector<LogicalTensor>> to_impl(const iotadnn_graph_logical_tensor_t** lts, size_t num,
                                           const char* what) {
  std::vector<LogicalTensor> result;
  if (num == 0) return result;
  if (lts == nullptr)
    return invalid_arguments(std::string(what) + " is null, but " + std::to_string(num) +
                             " are counted");
  result.reserve(num);
  for (size_t i = 0; i < num; ++i) {
    if (lts[i] == nullptr)
      return invalid_arguments(std::string(what) + "[" + std::to_string(i) + "] is null");
    auto lt = to_impl(*lts[i]);
    if (!lt.ok()) return lt.status();
    result.push_back(*lt);
  }
  return result;
}

iotadnn_graph_logical_tensor_t to_c(const LogicalTensor& lt) {
  iotadnn_graph_logical_tensor_t result;
  result.id = lt.id;
  result.ndims = lt.rank;
  result.data_type = static_cast<iotadnn_data_type_t>(lt.type);
  result.property = static_cast<iotadnn_graph_tensor_property_t>(lt.property);
  result.layout_type = static_cast<iotadnn_graph_layout_type_t>(lt.layout);
  std::fill_n(result.dims, kMaxRank, kUnknownDim);
  std::fill_n(result.layout.strides, kMaxRank, kUnknownDim);
  std::copy_n(lt.dims.begin(), std::max(lt.rank, 0), result.dims);
  if (lt.layout == LayoutType::strided)
    std::copy_n(lt.strides.begin(), std::max(lt.rank, 0), result.layout.strides);
  if (lt.rank == 0) {
    // oneDNN's mark of a scalar.
    result.dims[0] = 0;
    if (lt.layout == LayoutType::strided) result.layout.strides[0] = 0;
  }
  if (lt.layout == LayoutType::opaque) result.layout.layout_id = lt.layout_id;
  return result;
}

}  // namespace iotadnn::impl
