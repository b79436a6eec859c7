// SPDX-License-Identifier: Apache-2.0
#include <filesystem>
#include <fstream>
#include <iterator>

#include "fuzz/seeds.h"

namespace iotadnn::fuzz {

std::vector<std::string> benchdnn_json_seeds() {
  std::vector<std::string> texts;
  for (const auto& entry :
       std::filesystem::recursive_directory_iterator(IOTADNN_SOURCE_DIR "/benchdnn_inputs/graph")) {
    if (entry.path().extension() != ".json") continue;
    std::ifstream stream(entry.path());
    texts.emplace_back(std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>());
  }
  return texts;
}

std::vector<std::string> benchdnn_json_tokens() {
  return {"{",
          "}",
          "[",
          "]",
          ",",
          ":",
          "\"",
          "\\u00",
          "-1",
          "0",
          "13",
          "1e400",
          "0.5",
          "null",
          "true",
          "-9223372036854775808",
          "9223372036854775808",
          "18446744073709551615",
          "\"inf\"",
          "\"ndims\": -1, ",
          "\"shape\"",
          "\"stride\"",
          "\"value\": [1, 2], ",
          "\"type\": \"f32[]\"",
          "\"host_scalar\"",
          "\"EyeLike\"",
          "\"k\"",
          "\n",
          "\xff",
          std::string(1, '\0')};
}

}  // namespace iotadnn::fuzz
