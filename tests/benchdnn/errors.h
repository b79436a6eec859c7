// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdexcept>

namespace iotadnn::benchdnn {

// The command line or a batch file says something the driver does not know: exit code 2.
class UsageError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// A file cannot be found, read or understood: exit code 1. The text is printed as it is.
class FileError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// The knobs ask for something that the graph cannot become: the case ends as UNTESTED_FAILED.
class RewriteError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace iotadnn::benchdnn
