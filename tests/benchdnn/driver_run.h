// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "iotadnn/graph.h"

#include "benchdnn/driver.h"

namespace iotadnn::benchdnn {

struct DriverRun {
  int exit_code = 0;
  std::string text;                // standard output as it is
  std::vector<std::string> lines;  // with times replaced: "(T ms)", and no "total:" line
};

// "12:PASSED (3 ms) ..." becomes "12:PASSED (T ms) ...".
inline std::string mask_time(const std::string& line) {
  const size_t end = line.find(" ms) __REPRO");
  if (end == std::string::npos) return line;
  const size_t begin = line.rfind('(', end);
  return line.substr(0, begin) + "(T" + line.substr(end);
}

// Runs the driver in this process, as main() would, and captures what it prints.
inline DriverRun run_driver(const std::vector<std::string>& arguments) {
  DriverRun run;
  testing::internal::CaptureStdout();
  run.exit_code = Driver("/nonexistent").run(arguments);
  run.text = testing::internal::GetCapturedStdout();
  size_t begin = 0;
  while (begin < run.text.size()) {
    const size_t end = std::min(run.text.find('\n', begin), run.text.size());
    const std::string line = run.text.substr(begin, end - begin);
    if (line.rfind("total: ", 0) != 0) run.lines.push_back(mask_time(line));
    begin = end + 1;
  }
  iotadnn_set_max_cpu_isa(iotadnn_cpu_isa_default);
  return run;
}

}  // namespace iotadnn::benchdnn
