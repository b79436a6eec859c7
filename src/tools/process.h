// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace iotadnn::tools {

// Bytes as a file of this process without a name in any folder, which goes with the object.
class MemoryFile {
 public:
  // std::runtime_error with a sentence when the system refuses.
  MemoryFile(const uint8_t* bytes, size_t size);
  ~MemoryFile();

  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;

  // Where a program that this process starts finds it.
  [[nodiscard]] std::string path() const;

 private:
  int descriptor_;
};

// Runs a program, found by PATH, without a shell, and returns what it writes to its standard
// output; its error output is dropped. std::runtime_error with a sentence when it cannot be started
// or does not end with 0.
std::string output_of(const std::vector<std::string>& arguments);

}  // namespace iotadnn::tools
