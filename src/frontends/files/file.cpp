// SPDX-License-Identifier: Apache-2.0
#include "frontends/files/file.h"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "frontends/model/error.h"

namespace iotadnn::models {

std::string read_file(const std::string& path, size_t most) {
  std::error_code failed;
  if (std::filesystem::is_directory(path, failed))
    throw ModelError("'" + path + "' is a folder, not a file");
  std::ifstream file(path, std::ios::binary);
  if (!file) throw ModelError("cannot read '" + path + "': " + std::strerror(errno));
  const auto size = std::filesystem::file_size(path, failed);
  if (failed) throw ModelError("cannot read '" + path + "': " + failed.message());
  if (size > most)
    throw ModelError("'" + path + "' has " + std::to_string(size) +
                     " bytes, allowed: " + std::to_string(most));
  std::string content(size, '\0');
  file.read(content.data(), static_cast<std::streamsize>(size));
  if (static_cast<uintmax_t>(file.gcount()) != size)
    throw ModelError("cannot read all of '" + path + "'");
  return content;
}

void write_file(const std::string& path, const std::string& content) {
  std::ofstream file(path, std::ios::binary);
  file.write(content.data(), static_cast<std::streamsize>(content.size()));
  file.close();
  if (!file) throw ModelError("cannot write '" + path + "': " + std::strerror(errno));
}

}  // namespace iotadnn::models
