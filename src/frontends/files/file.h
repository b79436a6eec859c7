// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>

namespace iotadnn::models {

// The content of a file. ModelError when it cannot be read, is a folder or has more bytes.
std::string read_file(const std::string& path, size_t most);

void write_file(const std::string& path, const std::string& content);

}  // namespace iotadnn::models
