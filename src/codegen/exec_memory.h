// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "base/status.h"

namespace iotadnn::impl {

// Machine code at its place, aligned to 64 bytes; the place is free again when the object goes.
class ExecCode {
 public:
  virtual ~ExecCode() = default;

  const void* entry() const { return entry_; }

  size_t size() const { return size_; }

 protected:
  ExecCode(const void* entry, size_t size) : entry_(entry), size_(size) {}

 private:
  const void* entry_;
  size_t size_;
};

// Copies position-independent code to where it can run. No page is ever writable and executable
// through one mapping, and no protection changes on a page that other code runs from:
//   1. an arena of memory files, each mapped twice: once to write, once to execute;
//   2. where that is refused, private pages per call, written and then made executable;
//   3. where that is refused too: runtime_error.
// Thread safe, and safe across fork(): parent and child never write to the same pages.
Result<std::unique_ptr<const ExecCode>> publish_code(const uint8_t* code, size_t size);

// For tests of the fallbacks.
enum class ExecMemory { automatic, private_pages, refused };
void set_exec_memory_for_test(ExecMemory kind);

}  // namespace iotadnn::impl
