// SPDX-License-Identifier: Apache-2.0
#include "codegen/jit_profile.h"

#include <elf.h>
#include <fcntl.h>
#include <unistd.h>

#include <atomic>
#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <memory>
#include <mutex>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <x86intrin.h>

#include "base/env.h"

namespace iotadnn::impl {
namespace {

constexpr unsigned kPerfMap = 2;
constexpr unsigned kJitDump = 4;
constexpr unsigned kTscStamps = 8;
constexpr unsigned kAllFlags = kPerfMap | kJitDump | kTscStamps;

constexpr int kNotSet = -1;
std::atomic<int> g_dump{kNotSet};
std::atomic<int> g_flags{kNotSet};

struct CloseFile {
  void operator()(std::FILE* file) const { std::fclose(file); }
};

using File = std::unique_ptr<std::FILE, CloseFile>;

bool dump_wanted() {
  const int set = g_dump.load(std::memory_order_relaxed);
  if (set != kNotSet) return set != 0;
  static const bool from_env = env_integer(EnvVar::jit_dump).value_or(0) != 0;
  return from_env;
}

unsigned profiling_flags() {
  const int set = g_flags.load(std::memory_order_relaxed);
  if (set != kNotSet) return static_cast<unsigned>(set);
  static const unsigned from_env =
      static_cast<unsigned>(env_integer(EnvVar::jit_profile).value_or(0)) & kAllFlags;
  return from_env;
}

void write_dump(const std::string& name, const void* code, size_t size) {
  static std::atomic<int> count{0};
  const int n = count.fetch_add(1, std::memory_order_relaxed);
  const std::string path = "iotadnn_dump_cpu_" + name + "." + std::to_string(n) + ".bin";
  if (const File file{std::fopen(path.c_str(), "wbe")}) std::fwrite(code, 1, size, file.get());
}

void write_perf_map(const std::string& name, const void* code, size_t size) {
  const std::string path = "/tmp/perf-" + std::to_string(getpid()) + ".map";
  if (const File file{std::fopen(path.c_str(), "ae")})
    std::fprintf(file.get(), "%" PRIxPTR " %zx %s\n", reinterpret_cast<uintptr_t>(code), size,
                 name.c_str());
}

// The jitdump file (Linux: tools/perf/Documentation/jitdump-specification.txt).
class JitDump {
 public:
  void set_directory(const std::string& directory) {
    const std::lock_guard<std::mutex> lock(mutex_);
    directory_ = directory;
  }

  void add(const std::string& name, const void* code, size_t size, bool tsc) {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (owner_ != getpid()) open(tsc);  // also in a child after fork()
    if (!file_) return;
    CodeLoad load;
    load.total_size = static_cast<uint32_t>(sizeof load + name.size() + 1 + size);
    load.timestamp = now();
    load.pid = static_cast<uint32_t>(owner_);
    load.tid = static_cast<uint32_t>(syscall(SYS_gettid));
    load.vma = load.code_addr = reinterpret_cast<uintptr_t>(code);
    load.code_size = size;
    load.code_index = index_++;
    std::fwrite(&load, sizeof load, 1, file_.get());
    std::fwrite(name.c_str(), 1, name.size() + 1, file_.get());
    std::fwrite(code, 1, size, file_.get());
    std::fflush(file_.get());
  }

 private:
  struct Header {
    uint32_t magic = 0x4A695444;
    uint32_t version = 1;
    uint32_t total_size = sizeof(Header);
    uint32_t elf_machine = EM_X86_64;
    uint32_t padding = 0;
    uint32_t pid = 0;
    uint64_t timestamp = 0;
    uint64_t flags = 0;  // bit 0: time stamps are the processor's
  };

  struct CodeLoad {
    uint32_t id = 0;  // JIT_CODE_LOAD
    uint32_t total_size = 0;
    uint64_t timestamp = 0;
    uint32_t pid = 0;
    uint32_t tid = 0;
    uint64_t vma = 0;
    uint64_t code_addr = 0;
    uint64_t code_size = 0;
    uint64_t code_index = 0;
  };

  std::string directory() const {
    if (!directory_.empty()) return directory_;
    for (const char* variable : {"JITDUMPDIR", "HOME"})
      if (const char* value = std::getenv(variable); value != nullptr && *value != 0) return value;
    return ".";
  }

  void open(bool tsc) {
    owner_ = getpid();
    tsc_ = tsc;
    file_.reset();
    const std::string pid = std::to_string(owner_);
    std::string path = directory();
    for (const std::string& step : {std::string("/.debug"), std::string("/jit"), "/iotadnn." + pid})
      mkdir((path += step).c_str(), 0755);
    path += "/jit-" + pid + ".dump";
    file_.reset(std::fopen(path.c_str(), "w+be"));
    if (!file_) return;
    Header header;
    header.pid = static_cast<uint32_t>(owner_);
    header.timestamp = now();
    header.flags = tsc ? 1 : 0;
    std::fwrite(&header, sizeof header, 1, file_.get());
    std::fflush(file_.get());
    // perf finds the file by this mapping's record. It is never unmapped: perf wants it to last.
    mmap(nullptr, static_cast<size_t>(sysconf(_SC_PAGESIZE)), PROT_READ | PROT_EXEC, MAP_PRIVATE,
         fileno(file_.get()), 0);
  }

  uint64_t now() const {
    if (tsc_) return __rdtsc();
    timespec time{};
    clock_gettime(CLOCK_MONOTONIC, &time);
    return static_cast<uint64_t>(time.tv_sec) * 1000000000u + static_cast<uint64_t>(time.tv_nsec);
  }

  std::mutex mutex_;
  std::string directory_;
  File file_;
  pid_t owner_ = -1;
  bool tsc_ = false;
  uint64_t index_ = 0;
};

JitDump& jit_dump() {
  static JitDump& file = *new JitDump;  // kernels may be made while static objects go
  return file;
}

}  // namespace

void set_kernel_dump(bool on) {
  g_dump.store(on ? 1 : 0, std::memory_order_relaxed);
}

Status set_kernel_profiling(unsigned flags) {
  if ((flags & ~kAllFlags) != 0)
    return invalid_arguments("JIT profiling flags are " + std::to_string(flags) +
                             ", but only 2 (perf map), 4 (jitdump), 8 (its time stamps from the "
                             "time stamp counter) and their sums are allowed");
  g_flags.store(static_cast<int>(flags), std::memory_order_relaxed);
  return {};
}

void set_kernel_jitdump_directory(const std::string& directory) {
  jit_dump().set_directory(directory);
}

void report_kernel(const std::string& name, const void* code, size_t size) {
  if (dump_wanted()) write_dump(name, code, size);
  const unsigned flags = profiling_flags();
  if ((flags & kPerfMap) != 0) write_perf_map(name, code, size);
  if ((flags & kJitDump) != 0) jit_dump().add(name, code, size, (flags & kTscStamps) != 0);
}

}  // namespace iotadnn::impl
