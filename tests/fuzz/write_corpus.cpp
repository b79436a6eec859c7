// SPDX-License-Identifier: Apache-2.0
// write_corpus DIR: the seeds of each target as DIR/TARGET/seed-N, and its tokens as a dictionary
// of libFuzzer, DIR/TARGET.dict.
#include <cstdio>
#include <filesystem>
#include <fstream>

#include "fuzz/targets.h"

namespace {

std::string quoted(const std::string& token) {
  std::string text = "\"";
  for (const char c : token) {
    char hex[5];
    std::snprintf(hex, sizeof(hex), "\\x%02x",
                  static_cast<unsigned>(static_cast<unsigned char>(c)));
    text += hex;
  }
  return text + "\"\n";
}

void write(const std::filesystem::path& folder, const iotadnn::fuzz::Target& target) {
  std::filesystem::create_directories(folder / target.name);
  size_t number = 0;
  for (const std::string& seed : target.seeds())
    std::ofstream(folder / target.name / ("seed-" + std::to_string(number++)), std::ios::binary)
        << seed;
  std::ofstream dictionary(folder / (std::string(target.name) + ".dict"));
  for (const std::string& token : target.tokens())
    dictionary << quoted(token);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: write_corpus DIR\n");
    return 2;
  }
  for (const iotadnn::fuzz::Target& target : iotadnn::fuzz::targets())
    write(argv[1], target);
  return 0;
}
