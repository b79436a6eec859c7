// SPDX-License-Identifier: Apache-2.0
#include "frontends/openvino/weights.h"

#include <cstring>
#include <filesystem>
#include <utility>

#include "frontends/model/elements.h"
#include "frontends/model/error.h"

namespace iotadnn::models {
namespace {

// A byte may be read as several types of its width, of which there are four at most.
constexpr uint64_t kTypesOfWidth = 4;

}  // namespace

bool IrWeightsInMemory::read(uint64_t offset, size_t bytes, std::byte* to) {
  std::memcpy(to, bytes_.data() + offset, bytes);
  return true;
}

IrWeightsFile::IrWeightsFile(std::string path)
    : path_(std::move(path)), file_(path_, std::ios::binary) {
  std::error_code failed;
  if (file_ && std::filesystem::is_regular_file(path_, failed))
    size_ = std::filesystem::file_size(path_, failed);
  if (failed) size_ = 0;
}

std::string IrWeightsFile::remark() const {
  return size_ == 0 ? " ('" + path_ + "' is empty or cannot be read)" : "";
}

bool IrWeightsFile::read(uint64_t offset, size_t bytes, std::byte* to) {
  file_.clear();
  file_.seekg(static_cast<std::streamoff>(offset));
  file_.read(reinterpret_cast<char*>(to), static_cast<std::streamsize>(bytes));
  return static_cast<bool>(file_);
}

void IrConstants::check_total(size_t bytes, const std::string& where) {
  total_ += bytes;
  if (total_ > kTypesOfWidth * weights_.size())
    throw ModelError(where + ": with it the constants have " + std::to_string(total_) +
                     " bytes, the .bin file has " + std::to_string(weights_.size()) +
                     ": their places overlap");
}

Tensor IrConstants::read(DataType type, const Dims& dims, uint64_t offset, uint64_t size,
                         const std::string& where) {
  const size_t bytes = dense_bytes(type, dims, where);
  if (size != bytes)
    throw ModelError(where + ": attribute 'size' is " + std::to_string(size) + ", shape " +
                     shape_text(dims) + " of " + type_text(type) + " needs " +
                     std::to_string(bytes));
  if (bytes == 0) return Tensor(type, dims, where);
  if (offset > weights_.size() || size > weights_.size() - offset)
    throw ModelError(where + ": " + std::to_string(size) + " bytes at offset " +
                     std::to_string(offset) + " of the .bin file, which has " +
                     std::to_string(weights_.size()) + " bytes" + weights_.remark());
  const auto key = std::make_tuple(offset, size, type);
  if (const auto found = read_.find(key); found != read_.end()) return found->second.reshaped(dims);
  check_total(bytes, where);
  Tensor tensor(type, dims, where);
  if (!weights_.read(offset, bytes, tensor.data()))
    throw ModelError(where + ": cannot read " + std::to_string(size) + " bytes at offset " +
                     std::to_string(offset) + " of the .bin file");
  if (type == iotadnn_boolean) make_boolean(tensor);
  read_.emplace(key, tensor);
  return tensor;
}

}  // namespace iotadnn::models
