// SPDX-License-Identifier: Apache-2.0
#include "frontends/model/tensor.h"

#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <utility>

#include "frontends/benchdnn_json.h"
#include "frontends/model/elements.h"
#include "frontends/model/error.h"
#include "frontends/names.h"

namespace iotadnn::models {
namespace {

// Half of the machine's memory: a tensor has neighbours.
size_t& largest_tensor() {
  static size_t limit =
      static_cast<size_t>(sysconf(_SC_PHYS_PAGES)) * static_cast<size_t>(sysconf(_SC_PAGESIZE)) / 2;
  return limit;
}

}  // namespace

std::optional<int64_t> element_count(const Dims& dims) {
  // Products of the extents that are not zero must fit, too: strides are made of them.
  int64_t count = 1;
  bool is_empty = false;
  for (const int64_t extent : dims) {
    if (extent < 0) return std::nullopt;
    if (extent == 0) {
      is_empty = true;
    } else if (__builtin_mul_overflow(count, extent, &count)) {
      return std::nullopt;
    }
  }
  return is_empty ? 0 : count;
}

void set_largest_tensor(size_t bytes) {
  largest_tensor() = bytes;
}

size_t dense_bytes(DataType type, const Dims& dims, const std::string& where) {
  const int width = frontends::bytes_of(type);
  if (width == 0)
    throw ModelError(where + ": elements of type " + type_text(type) + " have no whole bytes here");
  if (dims.size() > frontends::kMaxRank)
    throw ModelError(where + ": rank " + std::to_string(dims.size()) + ", allowed: 0 to " +
                     std::to_string(frontends::kMaxRank));
  for (const int64_t extent : dims)
    if (extent < 0)
      throw ModelError(where + ": the shape is " + list_text(dims) +
                       ", allowed: extents of 0 and more");
  const std::optional<int64_t> count = element_count(dims);
  size_t bytes = 0;
  if (!count ||
      __builtin_mul_overflow(static_cast<size_t>(*count), static_cast<size_t>(width), &bytes))
    throw ModelError(where + ": the size of shape " + shape_text(dims) + " overflows 64 bits");
  if (bytes > largest_tensor())
    throw ModelError(where + ": shape " + shape_text(dims) + " of " + type_text(type) + " needs " +
                     std::to_string(bytes) +
                     " bytes, allowed: " + std::to_string(largest_tensor()));
  return bytes;
}

std::string shape_text(const Dims& dims) {
  std::string text = "[";
  for (size_t d = 0; d < dims.size(); ++d) {
    if (d > 0) text += ", ";
    text += dims[d] == kUnknownDim ? "?" : std::to_string(dims[d]);
  }
  return text + "]";
}

std::string list_text(const std::vector<int64_t>& numbers) {
  std::string text = "[";
  for (size_t i = 0; i < numbers.size(); ++i)
    text += (i > 0 ? ", " : "") + std::to_string(numbers[i]);
  return text + "]";
}

std::string type_text(DataType type) {
  return std::string(frontends::name_of(type));
}

Tensor::Tensor(DataType type, Dims dims, const std::string& where)
    : type_(type), dims_(std::move(dims)), bytes_(dense_bytes(type, dims_, where)) {
  count_ = *element_count(dims_);
  const size_t rounded = (bytes_ + 64) / 64 * 64;  // never 0: an empty tensor has an address, too
  auto* memory = static_cast<std::byte*>(std::aligned_alloc(64, rounded));
  if (memory == nullptr)
    throw ModelError(where + ": no memory for " + std::to_string(bytes_) + " bytes");
  data_.reset(memory, std::free);
}

Tensor Tensor::of_s64(const std::vector<int64_t>& values) {
  Tensor made(iotadnn_s64, {static_cast<int64_t>(values.size())});
  if (!values.empty()) std::memcpy(made.data(), values.data(), made.bytes());
  return made;
}

Tensor Tensor::scalar_s64(int64_t value) {
  return of_s64({value}).reshaped({});
}

Tensor Tensor::reshaped(Dims dims) const {
  Tensor same = *this;
  same.dims_ = std::move(dims);
  return same;
}

std::vector<int64_t> Tensor::as_s64_list(const std::string& where) const {
  if (type_ != iotadnn_s64 && type_ != iotadnn_s32)
    throw ModelError(where + ": type " + type_text(type_) + ", allowed: s32, s64");
  std::vector<int64_t> values(static_cast<size_t>(count_));
  const auto load = loader<int64_t>(type_);
  for (int64_t i = 0; i < count_; ++i)
    values[static_cast<size_t>(i)] = load(data(), i);
  return values;
}

}  // namespace iotadnn::models
