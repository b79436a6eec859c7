// SPDX-License-Identifier: Apache-2.0
#include "benchdnn/peak_memory.h"

#include <algorithm>
#include <fstream>
#include <future>
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
std::optional<double> bytes_of(const std::string& name) {
  constexpr double kKiB = 1024;
  std::ifstream file("/proc/self/status");
  for (std::string line; std::getline(file, line);)
    if (line.rfind(name, 0) == 0) return kKiB * std::stod(line.substr(name.size()));
  return std::nullopt;
}

// Has all threads allocate from one heap: free_heap() does not reach the ends of others.
void use_one_heap() {
#ifdef __GLIBC__
  mallopt(M_ARENA_MAX, 1);
#endif
}

// Gives memory that is free but resident back to the system.
void free_heap() {
#ifdef __GLIBC__
  malloc_trim(0);
#endif
}

std::optional<double> raise_of(const std::function<void()>& work) {
  free_heap();
  // Not the peak, which the kernel resets to a number that it did not sum up exactly.
  const auto before = reset_peak() ? bytes_of("VmRSS:") : std::nullopt;
  work();
  const auto after = bytes_of("VmHWM:");
  if (!before || !after) return std::nullopt;
  return std::max(*after - *before, 0.0);
}

}  // namespace

std::optional<double> peak_raise(const std::function<void()>& prepare,
                                 const std::function<void()>& work) {
  use_one_heap();
  return std::async(std::launch::async,
                    [&] {
                      prepare();
                      return raise_of(work);
                    })
      .get();
}

}  // namespace iotadnn::benchdnn
