// SPDX-License-Identifier: Apache-2.0
#include "tools/process.h"

#include <fcntl.h>
#include <spawn.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <stdexcept>
#include <sys/mman.h>
#include <sys/wait.h>

extern char** environ;

namespace iotadnn::tools {
namespace {

[[noreturn]] void fail(const std::string& what, int why) {
  throw std::runtime_error(what + ": " + std::strerror(why));
}

class Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {}

  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;

  ~Descriptor() { close(); }

  void close() {
    if (number_ >= 0) ::close(number_);
    number_ = -1;
  }

  [[nodiscard]] int number() const { return number_; }

 private:
  int number_;
};

class SpawnActions {
 public:
  SpawnActions() { posix_spawn_file_actions_init(&actions_); }

  SpawnActions(const SpawnActions&) = delete;
  SpawnActions& operator=(const SpawnActions&) = delete;

  ~SpawnActions() { posix_spawn_file_actions_destroy(&actions_); }

  posix_spawn_file_actions_t* get() { return &actions_; }

 private:
  posix_spawn_file_actions_t actions_{};
};

std::string read_all(int descriptor) {
  std::string text;
  char part[1 << 16];
  for (;;) {
    const ssize_t count = read(descriptor, part, sizeof part);
    if (count > 0) text.append(part, static_cast<size_t>(count));
    if (count == 0 || (count < 0 && errno != EINTR)) return text;
  }
}

int wait_for(pid_t child) {
  int status = 0;
  while (waitpid(child, &status, 0) < 0)
    if (errno != EINTR) return -1;
  return status;
}

}  // namespace

// Not closed by exec: the program reads it under the same number, which must be none of the
// standard streams', closed as they may be.
MemoryFile::MemoryFile(const uint8_t* bytes, size_t size) : descriptor_(-1) {
  const Descriptor made(memfd_create("iotadnn", MFD_CLOEXEC));
  if (made.number() >= 0) descriptor_ = fcntl(made.number(), F_DUPFD, STDERR_FILENO + 1);
  if (descriptor_ < 0) fail("cannot make a file in memory", errno);
  for (size_t written = 0; written < size;) {
    const ssize_t count = write(descriptor_, bytes + written, size - written);
    if (count > 0) {
      written += static_cast<size_t>(count);
    } else if (errno != EINTR) {
      const int why = errno;
      ::close(descriptor_);
      fail("cannot write a file in memory", why);
    }
  }
}

MemoryFile::~MemoryFile() {
  ::close(descriptor_);
}

std::string MemoryFile::path() const {
  return "/proc/self/fd/" + std::to_string(descriptor_);
}

std::string output_of(const std::vector<std::string>& arguments) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) fail("cannot make a pipe", errno);
  const Descriptor from(ends[0]);
  Descriptor to(ends[1]);
  SpawnActions actions;
  posix_spawn_file_actions_adddup2(actions.get(), to.number(), STDOUT_FILENO);
  posix_spawn_file_actions_addopen(actions.get(), STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  std::vector<char*> argv;
  for (const std::string& argument : arguments)
    argv.push_back(const_cast<char*>(argument.c_str()));
  argv.push_back(nullptr);
  pid_t child = 0;
  const int failed = posix_spawnp(&child, argv[0], actions.get(), nullptr, argv.data(), environ);
  if (failed != 0) fail("cannot run '" + arguments[0] + "'", failed);
  to.close();
  std::string text = read_all(from.number());
  const int status = wait_for(child);
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
    throw std::runtime_error("'" + arguments[0] + "' failed");
  return text;
}

}  // namespace iotadnn::tools
