// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <cstring>

#include "base/span.h"
#include "ops/op_def.h"
#include "runtime/tensor.h"

namespace iotadnn::impl {

// All that decides which plan an execution runs, as numbers in a fixed order: the tensors'
// metadata, the data that decide shapes, the number of threads. Equal keys have equal plans, and
// pass or fail the same checks.
class PlanKey {
 public:
  // Five tensors of any rank, 14 of rank 4, or a batch of any length and the rest of Eye's tensors.
  static constexpr size_t kMaxNumbers = 128;

  PlanKey() {}  // NOLINT: numbers that are not added are not read

  // False when there is no room: then there is no key.
  bool add(int64_t number) {
    if (size_ == kMaxNumbers) return false;
    numbers_[size_++] = number;
    return true;
  }

  bool add(const int64_t* numbers, int count) {
    if (count < 0 || static_cast<size_t>(count) > kMaxNumbers - size_) return false;
    for (int i = 0; i < count; ++i)
      numbers_[size_++] = numbers[i];
    return true;
  }

  bool operator==(const PlanKey& o) const {
    return size_ == o.size_ && std::memcmp(numbers_, o.numbers_, size_ * sizeof numbers_[0]) == 0;
  }

  uint64_t hash() const;

  void assign(const PlanKey& o) {
    size_ = o.size_;
    std::memcpy(numbers_, o.numbers_, size_ * sizeof numbers_[0]);
  }

 private:
  size_t size_ = 0;
  int64_t numbers_[kMaxNumbers];  // the first size_ are set
};

// False where there is no room, of data also where these are not in one or no dimension or some
// cannot be reached.
bool add_metadata(const LogicalTensor& tensor, PlanKey& key);
bool add_data(const Tensor& tensor, PlanKey& key);

// The key of an execution of `op`, input port p of which gets inputs[input_of_port[p]]. False where
// there is none and every check has to be made: data are missing, or are not of the type that was
// compiled for, or there are too many numbers. Allocates nothing.
bool make_key(const Op& op, const OpDef& def, Span<const int> input_of_port,
              Span<const Tensor* const> inputs, const Tensor& output, PlanKey& key);

}  // namespace iotadnn::impl
