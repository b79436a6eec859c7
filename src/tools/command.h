// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ostream>
#include <stdexcept>
#include <string>
#include <vector>

namespace iotadnn::tools {

// What the command returns to the shell.
enum ExitCode {
  kSuccess = 0,
  kFailed = 1,    // a result is wrong, a test failed
  kBadUsage = 2,  // options that do not exist or do not fit
  kBadInput = 3,  // a file cannot be read or written, or holds what is not supported
};

// Options that do not fit the model or each other; a sentence.
class UsageError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// The `iotadnn` command with its arguments, the program's name left out. Errors are one sentence on
// `err`.
int run_command(const std::vector<std::string>& arguments, std::ostream& out, std::ostream& err);

}  // namespace iotadnn::tools
