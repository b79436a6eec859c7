// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "base/status.h"

namespace iotadnn::impl {

// What is told to others about machine code. Failures to write are ignored: a profile is no reason
// to refuse a kernel. All thread safe.

// Every kernel's bytes into iotadnn_dump_cpu_<name>.<n>.bin in the current directory, n counting
// all kernels of the process. Wins over IOTADNN_JIT_DUMP.
void set_kernel_dump(bool on);

// Flags of IOTADNN_JIT_PROFILE (oneDNN's numbers); invalid_arguments for others.
//   2  a line per kernel in /tmp/perf-<pid>.map (`perf report`)
//   4  a record per kernel in a jitdump file (`perf inject --jit`)
//   8  with 4: time stamps from the time stamp counter instead of CLOCK_MONOTONIC
// Wins over the environment.
Status set_kernel_profiling(unsigned flags);

// Where the jitdump file goes: <directory>/.debug/jit/iotadnn.<pid>/jit-<pid>.dump. Default
// JITDUMPDIR, else HOME, else the current directory. Counts until the first record is written.
void set_kernel_jitdump_directory(const std::string& directory);

// Called once per kernel, after its code is at its place.
void report_kernel(const std::string& name, const void* code, size_t size);

}  // namespace iotadnn::impl
