// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <ostream>
#include <string>

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
void add_inspect(CLI::App& app, const Streams& streams);
void add_run(CLI::App& app, const Streams& streams);
void add_bench(CLI::App& app, const Streams& streams);
void add_convert(CLI::App& app, const Streams& streams);
void add_describe(CLI::App& app, const Streams& streams);
void add_test(CLI::App& app, const Streams& streams);

// For CLI11: "" or the sentence that refuses what is no number of at least `least`.
std::function<std::string(const std::string&)> number_check(double least);

struct InputOptions;

// --input and --seed of a subcommand.
void add_input_options(CLI::App& command, InputOptions& options);

}  // namespace iotadnn::tools
