// SPDX-License-Identifier: Apache-2.0
#include "benchdnn/input_files.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "benchdnn/errors.h"

namespace iotadnn::benchdnn {
namespace {

namespace fs = std::filesystem;

bool is_file(const fs::path& path) {
  std::error_code error;
  return fs::is_regular_file(path, error);
}

void remember(std::vector<std::string>& folders, const std::string& folder) {
  folders.erase(std::remove(folders.begin(), folders.end(), folder), folders.end());
  folders.push_back(folder);
}

}  // namespace

InputFiles::InputFiles(const std::string& program_folder)
    : standard_{program_folder + "/inputs/graph", IOTADNN_BENCHDNN_INPUTS} {}

std::string InputFiles::locate(const std::string& name) {
  if (name.empty()) return "";
  std::vector<std::string> folders{""};
  folders.insert(folders.end(), used_.rbegin(), used_.rend());
  folders.insert(folders.end(), standard_.begin(), standard_.end());
  for (const std::string& folder : folders) {
    const fs::path path = folder.empty() ? fs::path(name) : fs::path(folder) / name;
    if (!is_file(path)) continue;
    const std::string parent = path.has_parent_path() ? path.parent_path().string() : ".";
    remember(used_, parent);
    if (!folder.empty()) remember(used_, folder);
    return path.string();
  }
  return "";
}

std::vector<std::string> batch_arguments(const std::string& text) {
  std::vector<std::string> arguments;
  bool join = false;
  size_t at = 0;
  while (true) {
    at = text.find_first_not_of(" \t\r\n", at);
    if (at == std::string::npos) return arguments;
    if (text[at] == '#') {
      at = std::min(text.find('\n', at), text.size());
      continue;
    }
    const size_t end = std::min(text.find_first_of(" \t\r\n", at), text.size());
    std::string piece = text.substr(at, end - at);
    at = end;
    const bool joins_next = piece.back() == '\\';
    if (joins_next) piece.pop_back();
    if (join)
      arguments.back() += piece;
    else
      arguments.push_back(piece);
    join = joins_next;
  }
}

std::string read_text_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  if (!file || file.bad()) throw FileError("cannot read file " + path);
  return text.str();
}

}  // namespace iotadnn::benchdnn
