// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include <xbyak/xbyak.h>

namespace iotadnn::impl {

// The free registers of one file, by index, in the order they are handed out.
class RegFile {
 public:
  RegFile() = default;

  explicit RegFile(std::vector<int> free) : free_(std::move(free)) {
    std::reverse(free_.begin(), free_.end());
  }

  // Registers 0..count-1.
  static RegFile of(int first, int count) {
    std::vector<int> free;
    for (int i = 0; i < count; i++)
      free.push_back(first + i);
    return RegFile(std::move(free));
  }

  int take() {
    if (free_.empty()) throw Xbyak::Error(Xbyak::ERR_INTERNAL);  // an emitter asked for too much
    const int index = free_.back();
    free_.pop_back();
    return index;
  }

  void take(int index) {
    const auto at = std::find(free_.begin(), free_.end(), index);
    if (at == free_.end()) throw Xbyak::Error(Xbyak::ERR_INTERNAL);
    free_.erase(at);
  }

  void give(int index) { free_.push_back(index); }

  // Handed out after all others.
  void give_last(int index) { free_.insert(free_.begin(), index); }

  int available() const { return static_cast<int>(free_.size()); }

 private:
  std::vector<int> free_;
};

// A register that belongs to a name: free again when the name goes out of scope. It is a register
// for every Xbyak call.
template <class Reg>
class Scoped : public Reg {
 public:
  explicit Scoped(RegFile& file) : Reg(file.take()), file_(&file) {}

  Scoped(RegFile& file, const Reg& which) : Reg(which), file_(&file) { file.take(which.getIdx()); }

  Scoped(Scoped&& o) noexcept : Reg(o), file_(std::exchange(o.file_, nullptr)) {}

  Scoped(const Scoped&) = delete;
  Scoped& operator=(const Scoped&) = delete;
  Scoped& operator=(Scoped&&) = delete;

  ~Scoped() {
    if (file_ != nullptr) file_->give(this->getIdx());
  }

 private:
  RegFile* file_;
};

}  // namespace iotadnn::impl
