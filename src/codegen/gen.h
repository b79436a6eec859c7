// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <vector>

#include <xbyak/xbyak.h>

namespace iotadnn::impl {

// Where an emitter writes: plain memory that is never executable. A base of Gen so that it exists
// before Xbyak does.
class GenBuffer {
 protected:
  explicit GenBuffer(size_t bytes) : buffer_(new uint8_t[bytes]) {}

  std::unique_ptr<uint8_t[]> buffer_;
};

// The assembler under all emitters: Xbyak on a buffer of ours, because its own buffers are writable
// and executable at once. The code is position independent (it is copied to where it runs) and its
// constants follow it, reached by rip-relative addresses. Emitting throws Xbyak::Error.
class Gen : private GenBuffer, public Xbyak::CodeGenerator {
 public:
  // The pool is aligned to this within the code; so must be the place that the code is copied to.
  static constexpr size_t kAlignment = 64;

  // Enough for a program of coordinates.
  static constexpr size_t kBufferBytes = size_t{48} * 1024;

  explicit Gen(size_t buffer_bytes = kBufferBytes);

  // The label of `bytes` in the pool; equal constants share one place.
  Xbyak::Label& constant(const std::vector<uint8_t>& bytes);

  // Appends the pool; nothing may be emitted afterwards. Throws when a label was never defined.
  // Returns where the instructions end.
  size_t finish();

 private:
  struct Constant {
    std::vector<uint8_t> bytes;
    Xbyak::Label label;
  };

  void pad_to(size_t alignment);

  std::deque<Constant> pool_;  // a deque: labels must not move
};

// Constants: 0, 1, 2, ... as elements of `width` bytes, and one element repeated.
std::vector<uint8_t> lane_numbers(int width, int bytes);
std::vector<uint8_t> repeated(uint64_t bits, int width, int bytes);

}  // namespace iotadnn::impl
