// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "iotadnn/iotadnn_types.h"

namespace iotadnn::models {

using DataType = iotadnn_data_type_t;
using Dims = std::vector<int64_t>;

inline constexpr int64_t kUnknownDim = -1;

// Elements of a shape; nullopt when an extent is negative or the product does not fit int64.
std::optional<int64_t> element_count(const Dims& dims);

// Bytes of a dense tensor. ModelError, starting with `where`, for a type without whole bytes, a
// negative extent, more than 12 dimensions, and for a size that no memory of this machine holds.
size_t dense_bytes(DataType type, const Dims& dims, const std::string& where);

// What dense_bytes() allows, half of the machine's memory at first. Fuzzers and tests of hostile
// files set less. Not synchronized: before threads that read models.
void set_largest_tensor(size_t bytes);

// "f32[2, 3]"; "?" for an unknown extent.
std::string shape_text(const Dims& dims);
// "[2, -1]": numbers as they were given.
std::string list_text(const std::vector<int64_t>& numbers);
std::string type_text(DataType type);

// A dense row-major tensor. Copies share the buffer; who writes into one has just made it.
class Tensor {
 public:
  Tensor() = default;

  // A buffer whose content is not defined, 64-byte aligned.
  Tensor(DataType type, Dims dims, const std::string& where = "a tensor");

  static Tensor of_s64(const std::vector<int64_t>& values);  // rank 1
  static Tensor scalar_s64(int64_t value);

  [[nodiscard]] bool is_empty_handle() const { return data_ == nullptr; }

  [[nodiscard]] DataType type() const { return type_; }

  [[nodiscard]] const Dims& dims() const { return dims_; }

  [[nodiscard]] int64_t count() const { return count_; }

  [[nodiscard]] size_t bytes() const { return bytes_; }

  std::byte* data() { return data_.get(); }

  [[nodiscard]] const std::byte* data() const { return data_.get(); }

  // The same elements in another shape of as many.
  [[nodiscard]] Tensor reshaped(Dims dims) const;

  // The elements of an s32 or s64 tensor. ModelError, starting with `where`, for other types.
  [[nodiscard]] std::vector<int64_t> as_s64_list(const std::string& where) const;

 private:
  DataType type_ = iotadnn_data_type_undef;
  Dims dims_;
  int64_t count_ = 0;
  size_t bytes_ = 0;
  std::shared_ptr<std::byte> data_;
};

}  // namespace iotadnn::models
