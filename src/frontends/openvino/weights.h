// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <fstream>
#include <map>
#include <string>
#include <string_view>
#include <tuple>

#include "frontends/model/tensor.h"

namespace iotadnn::models {

// The bytes of the .bin file. Constants are read one by one: the file may be larger than memory.
class IrWeights {
 public:
  IrWeights() = default;
  IrWeights(const IrWeights&) = delete;
  IrWeights& operator=(const IrWeights&) = delete;
  virtual ~IrWeights() = default;

  [[nodiscard]] virtual uint64_t size() const = 0;

  // What a sentence adds about the file where its size does not explain enough, or "".
  [[nodiscard]] virtual std::string remark() const { return ""; }

  // False when the file does not give what it has. offset + bytes <= size().
  virtual bool read(uint64_t offset, size_t bytes, std::byte* to) = 0;
};

class IrWeightsInMemory : public IrWeights {
 public:
  explicit IrWeightsInMemory(std::string_view bytes) : bytes_(bytes) {}

  [[nodiscard]] uint64_t size() const override { return bytes_.size(); }

  bool read(uint64_t offset, size_t bytes, std::byte* to) override;

 private:
  std::string_view bytes_;
};

// A file that is not there has no bytes: a model without constants needs none.
class IrWeightsFile : public IrWeights {
 public:
  explicit IrWeightsFile(std::string path);

  [[nodiscard]] uint64_t size() const override { return size_; }

  [[nodiscard]] std::string remark() const override;
  bool read(uint64_t offset, size_t bytes, std::byte* to) override;

 private:
  std::string path_;
  std::ifstream file_;
  uint64_t size_ = 0;
};

// Reads constants. Those that share a place in the file share memory: writers store equal ones
// once.
class IrConstants {
 public:
  explicit IrConstants(IrWeights& weights) : weights_(weights) {}

  // ModelError, starting with `where`, for a place outside of the file, a size that is not the
  // shape's, and for constants that together ask for much more than the file has.
  Tensor read(DataType type, const Dims& dims, uint64_t offset, uint64_t size,
              const std::string& where);

 private:
  void check_total(size_t bytes, const std::string& where);

  IrWeights& weights_;
  uint64_t total_ = 0;
  std::map<std::tuple<uint64_t, uint64_t, DataType>, Tensor> read_;
};

}  // namespace iotadnn::models
