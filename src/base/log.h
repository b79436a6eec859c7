// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <string>

#include "base/status.h"

namespace iotadnn::impl {

// What IOTADNN_VERBOSE (comma-separated tokens, oneDNN's spelling) or set_verbose() switches on.
//   0/none  error  warn  check  dispatch  profile_exec (=1)  profile_create  profile (=2)  all
//   (=-1)
enum class Verbose : unsigned {
  error = 1u << 0,
  warn = 1u << 1,
  check = 1u << 2,
  dispatch = 1u << 3,
  profile_create = 1u << 4,
  profile_exec = 1u << 5,
};

namespace verbose_state {
inline constexpr unsigned kUnread = ~0u;  // the environment has not been looked at yet
extern std::atomic<unsigned> flags;
unsigned read_environment();
}  // namespace verbose_state

// True when lines of this kind are wanted. One relaxed load after the first call.
inline bool verbose_on(Verbose what) {
  unsigned flags = verbose_state::flags.load(std::memory_order_relaxed);
  if (flags == verbose_state::kUnread) flags = verbose_state::read_environment();
  return (flags & static_cast<unsigned>(what)) != 0;
}

// Level 0 off, 1 profile_exec, 2 profile_exec and profile_create; other values: invalid_arguments.
// Wins over the environment. Thread safe.
Status set_verbose(int level);

// Writes "iotadnn_verbose,v1,[timestamp,]<text>\n" to standard output, in one write; the first line
// of a process is preceded by the info header. The only function of the library that prints.
void verbose_line(const std::string& text);

// Milliseconds on a monotonic clock, for the timing columns.
double now_ms();

}  // namespace iotadnn::impl
