// SPDX-License-Identifier: Apache-2.0
#include "base/log.h"

#include <cctype>
#include <chrono>
#include <cstdio>
#include <mutex>
#include <string_view>

#if defined(IOTADNN_OMP)
#include <omp.h>
#endif

#include "base/cpu.h"
#include "base/env.h"

namespace iotadnn::impl {
namespace {

constexpr unsigned kDefault = static_cast<unsigned>(Verbose::error);

unsigned flag(Verbose v) {
  return static_cast<unsigned>(v);
}

unsigned flags_of_token(std::string_view token) {
  const unsigned exec = flag(Verbose::profile_exec);
  const unsigned create = flag(Verbose::profile_create);
  if (token == "1" || token == "profile_exec") return exec;
  if (token == "profile_create") return create;
  if (token == "2" || token == "profile") return exec | create;
  if (token == "error") return flag(Verbose::error);
  if (token == "warn") return flag(Verbose::warn);
  if (token == "check") return flag(Verbose::check);
  if (token == "dispatch") return flag(Verbose::dispatch);
  if (token == "all" || token == "-1")
    return exec | create | flag(Verbose::error) | flag(Verbose::warn) | flag(Verbose::check) |
           flag(Verbose::dispatch);
  return 0;
}

unsigned flags_from_env() {
  const auto value = env_value(EnvVar::verbose);
  if (!value) return kDefault;
  unsigned flags = kDefault;
  std::string token;
  for (const char c : *value + ",") {
    if (c != ',') {
      token += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
      continue;
    }
    if (token == "0" || token == "none") flags = 0;
    flags |= flags_of_token(token);
    token.clear();
  }
  return flags;
}

std::string timestamp() {
  static const bool wanted = env_integer(EnvVar::verbose_timestamp).value_or(0) != 0;
  if (!wanted) return "";
  char text[40];
  std::snprintf(text, sizeof text, "%.6f,", now_ms());
  return text;
}

void write_line(const std::string& text) {
  const std::string line = "iotadnn_verbose,v1," + timestamp() + text + "\n";
  std::fwrite(line.data(), 1, line.size(), stdout);
  std::fflush(stdout);
}

int threads() {
#if defined(IOTADNN_OMP)
  return omp_get_max_threads();
#else
  return 1;
#endif
}

void write_header() {
  const auto isa = effective_isa();
  write_line("info,iotadnn v" IOTADNN_VERSION_STRING " (commit " IOTADNN_VERSION_HASH ")");
  write_line("info,cpu,runtime:" IOTADNN_CPU_RUNTIME_NAME ",nthr:" + std::to_string(threads()));
  write_line("info,cpu,isa:" + std::string(name_of(isa.ok() ? *isa : host_isa())));
  write_line("info,gpu,runtime:none");
  write_line("info,graph,backend,0:iotadnn_backend");
  write_line(
      "graph,info,template:operation,engine,partition_id,partition_kind,op_names,data_formats,"
      "logical_tensors,fpmath_mode,scratchpad,implementation,backend,exec_time");
}

}  // namespace

namespace verbose_state {

std::atomic<unsigned> flags{kUnread};

unsigned read_environment() {
  unsigned known = kUnread;
  const unsigned from_env = flags_from_env();
  // A set_verbose() that came in between wins.
  return flags.compare_exchange_strong(known, from_env) ? from_env : known;
}

}  // namespace verbose_state

Status set_verbose(int level) {
  if (level < 0 || level > 2)
    return invalid_arguments("verbose level is " + std::to_string(level) + ", allowed are 0, 1, 2");
  unsigned flags = level == 0 ? 0 : kDefault | flag(Verbose::profile_exec);
  if (level == 2) flags |= flag(Verbose::profile_create);
  verbose_state::flags.store(flags, std::memory_order_relaxed);
  return {};
}

void verbose_line(const std::string& text) {
  static std::once_flag header;
  std::call_once(header, write_header);
  write_line(text);
}

double now_ms() {
  using Clock = std::chrono::steady_clock;
  return std::chrono::duration<double, std::milli>(Clock::now().time_since_epoch()).count();
}

}  // namespace iotadnn::impl
