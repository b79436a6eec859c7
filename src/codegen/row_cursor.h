// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

#include "program/program.h"
#include "program/row_walk.h"

namespace iotadnn::impl {

// Walks the rows of a pointwise run as RowWalk does, made for short rows: the tensors' addresses
// are carried along.
class RowCursor {
 public:
  static constexpr size_t kMaxTensors = kMaxInputs + kMaxOutputs;

  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-member-init): more room than is used
  RowCursor(const RowProgram& program, const RunArgs& args)
      : program_(program),
        args_(args),
        last_(static_cast<size_t>(program.rank) - 1),
        elements_(program) {
    for (size_t d = 0; d <= last_; ++d)
      coords_[d] = 0;
  }

  // Tensors in the order in which they are added: inputs first.
  void add(const void* first, const int64_t* strides, int64_t bytes) {
    // Inputs are not written through this.
    rows_[tensors_] = static_cast<uint8_t*>(const_cast<void*>(first));
    for (size_t d = 0; d < last_; ++d)
      strides_[d][tensors_] = strides[d] * bytes;
    ++tensors_;
  }

  // The current row's first element of a tensor.
  uint8_t* row(size_t tensor) const { return rows_[tensor]; }

  // The same of the row behind it, but at the end of a dimension.
  const uint8_t* next_row(size_t tensor) const {
    return last_ == 0 ? rows_[tensor] : rows_[tensor] + strides_[last_ - 1][tensor];
  }

  // Bytes from there to the row behind it, but at the end of a dimension. Of rank 2 and more.
  int64_t row_step(size_t tensor) const { return strides_[last_ - 1][tensor]; }

  // How many rows there are from the current one to the end of a dimension. Of rank 2 and more.
  int64_t rows_left() const { return args_.extents[last_ - 1] - coords_[last_ - 1]; }

  const Dims& coords() const { return coords_; }

  // From the first row to `row`, counted row-major.
  void seek(int64_t row) {
    for (size_t d = last_; d-- > 0 && row > 0;) {
      move(d, row % args_.extents[d]);
      row /= args_.extents[d];
    }
  }

  void advance() {
    for (size_t d = last_; d-- > 0;) {
      if (coords_[d] + 1 < args_.extents[d]) return move(d, 1);
      move(d, -coords_[d]);
    }
  }

  // advance(), `rows` >= 1 times, of which there must be rows_left().
  void skip(int64_t rows) {
    if (rows > 1) move(last_ - 1, rows - 1);
    advance();
  }

  // What bounds are made of in the current row; valid until the cursor moves.
  RowValues values() {
    RowValues values{coords_.data(), args_.scalars, nullptr};
    if (elements_.any())
      values.elements = elements_.read(program_, [this](size_t i) { return rows_[i]; });
    return values;
  }

  // The inputs whose elements differ from row to row, where bounds ask for some. Of rank 2 and
  // more.
  uint32_t moving_inputs() const {
    uint32_t moving = 0;
    for (size_t i = 0; elements_.any() && i < program_.inputs.size(); ++i)
      if (row_step(i) != 0) moving |= 1u << i;
    return moving;
  }

  // cut_row() at the current row.
  template <class F>
  void for_each_segment(int64_t first, int64_t last, F&& segment) {
    cut_row(program_, values(), first, last, segment);
  }

 private:
  void move(size_t dimension, int64_t by) {
    coords_[dimension] += by;
    for (size_t t = 0; t < tensors_; ++t)
      rows_[t] += by * strides_[dimension][t];
  }

  const RowProgram& program_;
  const RunArgs& args_;
  const size_t last_;
  Dims coords_;
  RowElements elements_;
  size_t tensors_ = 0;
  std::array<uint8_t*, kMaxTensors> rows_;
  std::array<std::array<int64_t, kMaxTensors>, kMaxRank> strides_;  // in bytes
};

}  // namespace iotadnn::impl
