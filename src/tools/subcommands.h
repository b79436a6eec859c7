// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ostream>

namespace CLI {
class App;
}

namespace iotadnn::tools {

struct Streams {
  std::ostream& out;
  std::ostream& err;
  int& result;  // the exit code
};

// Each adds one subcommand, which runs while the arguments are parsed. What it throws is a sentence
// for the user.
void add_test(CLI::App& app, const Streams& streams);

}  // namespace iotadnn::tools
