// SPDX-License-Identifier: Apache-2.0
#include "tools/command.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdlib>

#include "tools/subcommands.h"

namespace iotadnn::tools {

std::function<std::string(const std::string&)> number_check(double least) {
  return [least](const std::string& text) -> std::string {
    char* end = nullptr;
    const double value = std::strtod(text.c_str(), &end);
    if (!text.empty() && *end == '\0' && value >= least && value <= 1e9) return "";
    return "'" + text + "' was given, allowed: numbers from " +
           std::to_string(static_cast<int>(least)) + " to 1000000000";
  };
}

int run_command(const std::vector<std::string>& arguments, std::ostream& out, std::ostream& err) {
  CLI::App app("Reads models and shows, runs, checks and times what iotadnn takes from them.",
               "iotadnn");
  app.require_subcommand(1);
  app.footer(
      "Exit codes: 0 success, 1 a result is wrong, 2 bad usage, 3 a file that cannot be "
      "read or written or holds what is not supported.");
  int result = kSuccess;
  Streams streams{out, err, result};
  add_inspect(app, streams);
  add_run(app, streams);
  add_bench(app, streams);
  add_convert(app, streams);
  add_describe(app, streams);
  add_test(app, streams);
  std::vector<std::string> backwards(arguments.rbegin(), arguments.rend());  // as CLI11 wants them
  try {
    app.parse(backwards);
  } catch (const CLI::ParseError& error) {
    return app.exit(error, out, err) == 0 ? kSuccess : kBadUsage;
  } catch (const UsageError& error) {
    err << "iotadnn: " << error.what() << '\n';
    return kBadUsage;
  } catch (const std::exception& error) {
    err << "iotadnn: " << error.what() << '\n';
    return kBadInput;
  }
  return result;
}

}  // namespace iotadnn::tools
