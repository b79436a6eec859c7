// SPDX-License-Identifier: Apache-2.0
#include "codegen/exec_memory.h"

#include <pthread.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstring>
#include <linux/membarrier.h>
#include <map>
#include <mutex>
#include <string>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <utility>

namespace iotadnn::impl {
namespace {

constexpr size_t kAlignment = 64;
constexpr size_t kChunkBytes = size_t{256} * 1024;

std::atomic<ExecMemory> g_kind{ExecMemory::automatic};

size_t round_up(size_t size, size_t to) {
  return (size + to - 1) / to * to;
}

size_t page_bytes() {
  static const size_t bytes = static_cast<size_t>(sysconf(_SC_PAGESIZE));
  return bytes;
}

// A memory file mapped twice, and which of its bytes are free.
class Chunk {
 public:
  static std::shared_ptr<Chunk> map(size_t bytes) {
    const int file = memfd_create("iotadnn-jit", MFD_CLOEXEC);
    if (file < 0) return nullptr;
    std::shared_ptr<Chunk> chunk;
    if (ftruncate(file, static_cast<off_t>(bytes)) == 0) {
      void* write = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
      void* exec = mmap(nullptr, bytes, PROT_READ | PROT_EXEC, MAP_SHARED, file, 0);
      if (write != MAP_FAILED && exec != MAP_FAILED) {
        chunk.reset(new Chunk(write, exec, bytes));
      } else {
        if (write != MAP_FAILED) munmap(write, bytes);
        if (exec != MAP_FAILED) munmap(exec, bytes);
      }
    }
    close(file);
    return chunk;
  }

  ~Chunk() {
    munmap(write_, bytes_);
    munmap(exec_, bytes_);
  }

  Chunk(const Chunk&) = delete;
  Chunk& operator=(const Chunk&) = delete;

  // Offset of `size` free bytes (first fit), or bytes() when there are none.
  size_t take(size_t size) {
    for (auto it = free_.begin(); it != free_.end(); ++it) {
      const auto [at, length] = *it;
      if (length < size) continue;
      free_.erase(it);
      if (length > size) free_.emplace(at + size, length - size);
      return at;
    }
    return bytes_;
  }

  void give(size_t at, size_t size) {
    auto next = free_.lower_bound(at);
    if (next != free_.end() && next->first == at + size) {
      size += next->second;
      next = free_.erase(next);
    }
    if (next != free_.begin()) {
      const auto before = std::prev(next);
      if (before->first + before->second == at) {
        before->second += size;
        return;
      }
    }
    free_.emplace(at, size);
  }

  // True when code has stood there before.
  bool write(size_t at, const uint8_t* code, size_t size) {
    std::memcpy(write_ + at, code, size);
    const bool used_before = at < high_water_;
    high_water_ = std::max(high_water_, at + size);
    return used_before;
  }

  const uint8_t* exec_at(size_t at) const { return exec_ + at; }

  size_t bytes() const { return bytes_; }

 private:
  Chunk(void* write, void* exec, size_t bytes)
      : write_(static_cast<uint8_t*>(write)), exec_(static_cast<uint8_t*>(exec)), bytes_(bytes) {
    free_.emplace(0, bytes);
  }

  uint8_t* write_;
  uint8_t* exec_;
  size_t bytes_;
  size_t high_water_ = 0;
  std::map<size_t, size_t> free_;  // offset -> length
};

// Other cores may hold decoded instructions of code that stood at the same place.
void synchronize_cores() {
  static const bool registered =
      syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED_SYNC_CORE, 0, 0) == 0;
  if (registered) syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED_SYNC_CORE, 0, 0);
}

class Arena;
Arena& arena();

class ArenaCode final : public ExecCode {
 public:
  ArenaCode(std::shared_ptr<Chunk> chunk, size_t at, size_t size, size_t reserved)
      : ExecCode(chunk->exec_at(at), size),
        chunk_(std::move(chunk)),
        at_(at),
        reserved_(reserved) {}

  ~ArenaCode() override;

 private:
  std::shared_ptr<Chunk> chunk_;
  size_t at_;
  size_t reserved_;
};

class Arena {
 public:
  Arena() { pthread_atfork(before_fork, after_fork, after_fork); }

  std::unique_ptr<const ExecCode> publish(const uint8_t* code, size_t size) {
    const size_t reserved = round_up(size, kAlignment);
    const std::lock_guard<std::mutex> lock(mutex_);
    size_t at = current_ ? current_->take(reserved) : 0;
    if (!current_ || at == current_->bytes()) {
      auto chunk = Chunk::map(std::max(kChunkBytes, round_up(reserved, page_bytes())));
      if (!chunk) return nullptr;
      current_ = std::move(chunk);
      at = current_->take(reserved);
    }
    if (current_->write(at, code, size)) synchronize_cores();
    return std::make_unique<ArenaCode>(current_, at, size, reserved);
  }

  void release(const std::shared_ptr<Chunk>& chunk, size_t at, size_t size) {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (chunk == current_) current_->give(at, size);
  }

 private:
  // After a fork both processes map the same file: neither may write to it again. It stays mapped
  // as long as there is code in it.
  static void before_fork() { arena().mutex_.lock(); }

  static void after_fork() {
    arena().current_.reset();
    arena().mutex_.unlock();
  }

  std::mutex mutex_;
  std::shared_ptr<Chunk> current_;
};

// Never destroyed: kernels in static objects may outlive it.
Arena& arena() {
  static Arena& the_arena = *new Arena;
  return the_arena;
}

ArenaCode::~ArenaCode() {
  arena().release(chunk_, at_, reserved_);
}

class PagesCode final : public ExecCode {
 public:
  PagesCode(void* pages, size_t bytes, size_t size)
      : ExecCode(pages, size), pages_(pages), bytes_(bytes) {}

  ~PagesCode() override { munmap(pages_, bytes_); }

 private:
  void* pages_;
  size_t bytes_;
};

std::unique_ptr<const ExecCode> publish_on_pages(const uint8_t* code, size_t size) {
  const size_t bytes = round_up(size, page_bytes());
  void* pages = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (pages == MAP_FAILED) return nullptr;
  std::memcpy(pages, code, size);
  if (mprotect(pages, bytes, PROT_READ | PROT_EXEC) == 0)
    return std::make_unique<PagesCode>(pages, bytes, size);
  const int why = errno;
  munmap(pages, bytes);
  errno = why;
  return nullptr;
}

}  // namespace

Result<std::unique_ptr<const ExecCode>> publish_code(const uint8_t* code, size_t size) {
  const ExecMemory kind = g_kind.load(std::memory_order_relaxed);
  std::unique_ptr<const ExecCode> placed;
  errno = EACCES;
  if (kind == ExecMemory::automatic) placed = arena().publish(code, size);
  if (!placed && kind != ExecMemory::refused) placed = publish_on_pages(code, size);
  if (placed) return placed;
  return runtime_error("executable memory is refused by the system (" +
                       std::string(std::strerror(errno)) + "); machine code cannot be used");
}

void set_exec_memory_for_test(ExecMemory kind) {
  g_kind.store(kind, std::memory_order_relaxed);
}

}  // namespace iotadnn::impl
