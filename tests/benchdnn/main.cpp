// SPDX-License-Identifier: Apache-2.0
// benchdnn: runs graph files through the library, checks and measures them.
#include <cstdio>
#include <exception>
#include <filesystem>
#include <string>
#include <vector>

#include "benchdnn/driver.h"

int main(int argc, char** argv) {
  try {
    const std::string program = argc > 0 ? argv[0] : "benchdnn";
    const std::filesystem::path folder = std::filesystem::path(program).parent_path();
    iotadnn::benchdnn::Driver driver(folder.empty() ? "." : folder.string());
    std::vector<std::string> arguments;
    for (int i = 1; i < argc; ++i)
      arguments.emplace_back(argv[i]);
    return driver.run(arguments);
  } catch (const std::exception& error) {
    std::printf("Error: %s\n", error.what());
    return 1;
  }
}
