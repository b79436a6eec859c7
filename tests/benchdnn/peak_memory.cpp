// SPDX-License-Identifier: Apache-2.0
#include "benchdnn/peak_memory.h"

#include <algorithm>
#include <fstream>
#include <string>

#ifdef __GLIBC__
#include <malloc.h>
#endif

namespace iotadnn::benchdnn {
namespace {

// Makes what is resident now the peak. False where that is not possible.
bool reset_peak() {
  std::ofstream file("/proc/self/clear_refs");
  file << "5" << std::flush;
  return file.good();
}

// nullopt where there is no such line.
std::optional<double> peak_bytes() {
  constexpr double kKiB = 1024;
  std::ifstream file("/proc/self/status");
  for (std::string line; std::getline(file, line);)
    if (line.rfind("VmHWM:", 0) == 0) return kKiB * std::stod(line.substr(sizeof "VmHWM:" - 1));
  return std::nullopt;
}

}  // namespace

std::optional<double> peak_raise(const std::function<void()>& work) {
#ifdef __GLIBC__
  malloc_trim(0);  // what is freed but resident would be used again without being counted
#endif
  const auto before = reset_peak() ? peak_bytes() : std::nullopt;
  work();
  const auto after = peak_bytes();
  if (!before || !after) return std::nullopt;
  return std::max(*after - *before, 0.0);
}

}  // namespace iotadnn::benchdnn
