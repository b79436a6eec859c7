// SPDX-License-Identifier: Apache-2.0
#include "support/guarded_buffer.h"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sys/mman.h>
#include <vector>

#include "support/strided.h"

namespace iotadnn::test {
namespace {

// Between 0x81 and 0xfb: no element of zeros or of a one, whatever its type, consists of such
// bytes.
uint8_t canary(size_t position) {
  return static_cast<uint8_t>(0x81 + position % 123);
}

// Whole periods of canaries, so that a test of many buffers fills and compares in large steps.
const std::vector<uint8_t>& canaries() {
  static const std::vector<uint8_t> pattern = [] {
    std::vector<uint8_t> bytes(123 * 64);
    for (size_t i = 0; i < bytes.size(); ++i)
      bytes[i] = canary(i);
    return bytes;
  }();
  return pattern;
}

// Whether the bytes at positions [begin, end) of the room are canaries.
bool all_canaries(const uint8_t* room, size_t begin, size_t end) {
  const std::vector<uint8_t>& pattern = canaries();
  while (begin < end) {
    const size_t at = begin % pattern.size();
    const size_t count = std::min(end - begin, pattern.size() - at);
    if (std::memcmp(room + begin, pattern.data() + at, count) != 0) return false;
    begin += count;
  }
  return true;
}

[[noreturn]] void fail(const char* what) {
  std::perror(what);
  std::exit(EXIT_FAILURE);
}

}  // namespace

std::string_view name_of(Placement placement) {
  switch (placement) {
    case Placement::end_flush:
      return "end_flush";
    case Placement::start_flush:
      return "start_flush";
  }
  return "";
}

GuardedBuffer::GuardedBuffer(size_t bytes, Placement placement) : bytes_(bytes) {
  page_ = static_cast<size_t>(sysconf(_SC_PAGESIZE));
  room_ = (bytes + page_ - 1) / page_ * page_;
  void* map = mmap(nullptr, room_ + 2 * page_, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (map == MAP_FAILED) fail("GuardedBuffer: mmap");
  map_ = static_cast<uint8_t*>(map);
  room_begin_ = map_ + page_;
  if (room_ > 0 && mprotect(room_begin_, room_, PROT_READ | PROT_WRITE) != 0)
    fail("GuardedBuffer: mprotect");
  place(bytes, placement);
}

GuardedBuffer::~GuardedBuffer() {
  munmap(map_, room_ + 2 * page_);
}

void GuardedBuffer::place(size_t bytes, Placement placement) {
  bytes_ = bytes;
  data_ = placement == Placement::end_flush ? room_begin_ + (room_ - bytes) : room_begin_;
  refill();
}

void GuardedBuffer::refill() {
  const std::vector<uint8_t>& pattern = canaries();
  for (size_t i = 0; i < room_; i += pattern.size())
    std::memcpy(room_begin_ + i, pattern.data(), std::min(pattern.size(), room_ - i));
}

void GuardedBuffer::make_read_only() {
  if (room_ > 0 && mprotect(room_begin_, room_, PROT_READ) != 0) fail("GuardedBuffer: mprotect");
}

testing::AssertionResult GuardedBuffer::margins_intact() const {
  return canaries_intact(std::vector<bool>(bytes_, true));
}

testing::AssertionResult GuardedBuffer::untouched() const {
  return canaries_intact({});
}

testing::AssertionResult GuardedBuffer::gaps_intact(const std::vector<int64_t>& dims,
                                                    const std::vector<int64_t>& strides,
                                                    int elem_bytes) const {
  std::vector<bool> may_change(bytes_, false);
  bool inside = true;
  for_each_element(dims, strides, [&](const std::vector<int64_t>&, int64_t offset) {
    const auto first = static_cast<size_t>(offset) * static_cast<size_t>(elem_bytes);
    for (size_t i = first; inside && i < first + static_cast<size_t>(elem_bytes); ++i) {
      inside = i < bytes_;
      if (inside) may_change[i] = true;
    }
    return inside;
  });
  if (!inside)
    return testing::AssertionFailure()
           << "the tensor does not fit into the buffer's " << bytes_ << " bytes";
  return canaries_intact(may_change);
}

testing::AssertionResult GuardedBuffer::canaries_intact(const std::vector<bool>& may_change) const {
  const auto start = static_cast<size_t>(data_ - room_begin_);
  const size_t end = start + bytes_;
  const bool margins = all_canaries(room_begin_, 0, start) && all_canaries(room_begin_, end, room_);
  for (size_t i = margins ? start : 0; i < (margins ? end : room_); ++i) {
    const bool inside = i >= start && i - start < bytes_;
    if (inside && !may_change.empty() && may_change[i - start]) continue;
    if (room_begin_[i] == canary(i)) continue;
    return testing::AssertionFailure()
           << "byte " << static_cast<int64_t>(i) - static_cast<int64_t>(start) << " of a buffer of "
           << bytes_ << " bytes is not part of any element and was overwritten with "
           << static_cast<int>(room_begin_[i]) << (inside ? " (a gap)" : " (outside)");
  }
  return testing::AssertionSuccess();
}

}  // namespace iotadnn::test
