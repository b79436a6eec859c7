// SPDX-License-Identifier: Apache-2.0
#include <iostream>

#include "tools/command.h"

int main(int argc, char** argv) {
  return iotadnn::tools::run_command({argv + 1, argv + argc}, std::cout, std::cerr);
}
