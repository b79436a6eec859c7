// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "codegen/pointwise_frame.h"
#include "program/program.h"
#include "program/row_walk.h"

namespace iotadnn::impl {

using BodyFunction = void (*)(PointwiseFrame*);

struct CompiledBody {
  BodyFunction function = nullptr;
  int64_t lanes = 1;  // elements of a chunk
};

// One run of a pointwise kernel: walks rows and segments, and calls the bodies' functions on whole
// chunks. What is not adjacent in memory, or less than a chunk, goes through a small buffer.
class PointwiseRun {
 public:
  PointwiseRun(const RowProgram& program, const std::vector<CompiledBody>& bodies,
               uint32_t row_constant_inputs, const RunArgs& args);

  void run();

 private:
  static constexpr int64_t kStaged = 128;  // elements; at least the lanes of any chunk

  struct Tensor {
    uint8_t* first = nullptr;  // of the row
    int64_t step = 0;          // bytes from column to column
    int bytes = 0;             // of an element
    bool row_constant = false;
  };

  void enter_row(const RowWalk& walk);
  void run_segment(const CompiledBody& body, int64_t begin, int64_t end);
  void run_adjacent(const CompiledBody& body, int64_t begin, int64_t count);
  void run_staged(const CompiledBody& body, int64_t begin, int64_t end);
  void run_block(const CompiledBody& body, int64_t begin, int64_t count);

  uint8_t* stage(size_t tensor) { return stage_[tensor].data(); }

  const RowProgram& program_;
  const std::vector<CompiledBody>& bodies_;
  const RunArgs& args_;
  bool adjacent_ = true;  // all tensors that are not constant along a row
  std::array<Tensor, kMaxInputs> sources_;
  std::array<Tensor, kMaxOutputs> destinations_;
  PointwiseFrame frame_;
  alignas(
      kMaxVecBytes) std::array<std::array<uint8_t, kStaged * 8>, kMaxInputs + kMaxOutputs> stage_;
};

}  // namespace iotadnn::impl
