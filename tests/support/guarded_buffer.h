// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

namespace iotadnn::test {

// Which side of the buffer touches an inaccessible page. A page bounds a buffer exactly on one side
// only, so a test runs each case in both placements.
enum class Placement {
  end_flush,    // the byte after the buffer faults
  start_flush,  // the byte before the buffer faults
};

inline constexpr Placement kPlacements[] = {Placement::end_flush, Placement::start_flush};

std::string_view name_of(Placement placement);

// For INSTANTIATE_TEST_SUITE_P: the placement's name as the test's suffix.
inline std::string placement_test_name(const testing::TestParamInfo<Placement>& info) {
  return std::string(name_of(info.param));
}

// `bytes` of memory between two inaccessible pages. All accessible bytes, those of the buffer and
// those between the buffer and the far page, start as canaries: a pattern that depends on the
// address within the mapping and is never all zeros or all ones, so that neither a store of zero
// nor of one can look like an untouched byte everywhere.
//
//   GuardedBuffer out(spec.bytes(), Placement::end_flush);
//   ... write through out.data() ...
//   EXPECT_TRUE(out.gaps_intact(dims, strides, elem_bytes));
//
// An empty buffer has a data() whose bytes fault on both sides of it (end_flush) or at it
// (start_flush). A failing mmap ends the test program with a sentence.
class GuardedBuffer {
 public:
  GuardedBuffer(size_t bytes, Placement placement);
  ~GuardedBuffer();
  GuardedBuffer(const GuardedBuffer&) = delete;
  GuardedBuffer& operator=(const GuardedBuffer&) = delete;

  void* data() const { return data_; }

  template <class T>
  T* as() const {
    return static_cast<T*>(data());
  }

  size_t bytes() const { return bytes_; }

  // Becomes a buffer of so many bytes, no more than room(), in the same pages; canaries are new.
  void place(size_t bytes, Placement placement);

  // Accessible bytes: those of the buffer and what fills their pages.
  size_t room() const { return room_; }

  // Writes the canaries again.
  void refill();

  // Forbids writing, so that a store into a source faults.
  void make_read_only();

  // Success when no byte outside the buffer has changed.
  testing::AssertionResult margins_intact() const;

  // The same, and no byte of the buffer has changed.
  testing::AssertionResult untouched() const;

  // Success when no byte has changed but those of the elements that dims and strides (in elements)
  // name: stride gaps and margins still hold their canaries.
  testing::AssertionResult gaps_intact(const std::vector<int64_t>& dims,
                                       const std::vector<int64_t>& strides, int elem_bytes) const;

 private:
  // `may_change` is empty or has one entry for each byte of the buffer.
  testing::AssertionResult canaries_intact(const std::vector<bool>& may_change) const;

  uint8_t* map_ = nullptr;  // guard page, `room_` accessible bytes, guard page
  uint8_t* room_begin_ = nullptr;
  size_t room_ = 0;
  size_t page_ = 0;
  uint8_t* data_ = nullptr;
  size_t bytes_ = 0;
};

}  // namespace iotadnn::test
