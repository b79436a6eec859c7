// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

#include "codegen/compiled_body.h"
#include "codegen/pointwise_frame.h"
#include "codegen/row_bounds.h"
#include "codegen/row_cursor.h"
#include "program/program.h"

namespace iotadnn::impl {

// One run of a pointwise kernel: walks rows and segments, and calls the bodies' functions on whole
// chunks. What is not adjacent in memory, or less than a chunk, goes through a small buffer.
class PointwiseRun {
 public:
  PointwiseRun(const RowProgram& program, const CompiledProgram& code, const RunArgs& args);

  void run();

 private:
  static constexpr int64_t kStaged = 128;  // elements; at least the lanes of any chunk

  struct Tensor {
    int64_t step;  // bytes from column to column
    int bytes;     // of an element
    bool row_constant;
    bool adjacent;

    bool direct() const { return adjacent || row_constant; }
  };

  void add_tensor(const void* first, const int64_t* strides, bool row_constant);
  bool same_memory(size_t input, size_t output) const;
  void look_at_spans(size_t body);

  // Of the walk, with `per_row` units in a row: whole rows, and parts of one.
  void run_rows(int64_t rows, int64_t per_row);
  void run_units(int64_t begin, int64_t end, int64_t per_row);
  void run_unit(int64_t unit);

  // What a body does to the only output of a program, where it is no more than this in all rows.
  struct Move {
    enum class Kind : uint8_t { nothing, copy, fill };
    Kind kind;
    uint64_t pattern;     // of a fill
    const uint8_t* from;  // of a copy: the row's first element
    int64_t from_step;    // to the next row
  };

  bool move_of(size_t body, Move& move) const;
  bool move_rows(int64_t rows);
  void move_rows(const RowBounds::Interval& where, const Move& outside, const Move& inside,
                 int64_t rows) const;
  void cut_rows(int64_t rows);

  // The elements of consecutive rows that an interval of one column passes over.
  struct Diagonal {
    int64_t row;  // the first, counted from the current one
    int64_t count;
    int64_t column;       // of the first
    int64_t column_step;  // -1, 0 or 1
  };

  bool diagonal_of(int64_t rows, Diagonal& diagonal) const;
  bool is_along_columns(const CompiledBody& body, const Diagonal& diagonal) const;
  void run_diagonal(size_t body, const Diagonal& diagonal);

  void run_segment(size_t body, int64_t begin, int64_t end);
  void prefetch_break(size_t destination, int64_t begin) const;
  void run_spans(const CompiledBody& body, int64_t begin, int64_t end);
  void run_span(const Inst& inst, size_t output, int64_t begin, int64_t count);
  uint64_t pattern_of(const Inst& inst, int bytes) const;
  static uint64_t repeat(uint64_t bits, int bytes);
  void fill_output(size_t output, int64_t begin, int64_t count, uint64_t pattern);
  void run_uniform(const CompiledBody& body, int64_t begin, int64_t end);
  void run_chunks(const CompiledBody& body, int64_t begin, int64_t end);
  int64_t past_caches(const CompiledBody& body, int64_t begin, int64_t end);
  int64_t elements_to_line(int64_t begin) const;
  void run_direct(const CompiledBody& body, int64_t begin, int64_t end);
  void call(const CompiledBody& body, BodyFunction function, int64_t begin, int64_t full,
            int64_t rest);
  void run_staged(const CompiledBody& body, int64_t begin, int64_t end);

  // Elements of a tensor at equal distances, in bytes.
  struct Elements {
    uint8_t* first;
    int64_t step;
  };

  template <class Place>
  void run_block(const CompiledBody& body, int64_t column, int64_t count, const Place& place);

  size_t tensor_of(size_t output) const { return program_.inputs.size() + output; }

  uint8_t* element(size_t tensor, int64_t column) const {
    return cursor_.row(tensor) + column * tensors_[tensor].step;
  }

  uint8_t* stage(size_t tensor) { return stage_[tensor].data(); }

  const RowProgram& program_;
  const CompiledProgram& code_;
  const RunArgs& args_;
  RowCursor cursor_;
  RowBounds bounds_;
  std::array<Tensor, RowCursor::kMaxTensors> tensors_;
  size_t tensor_count_ = 0;
  bool adjacent_ = true;   // all tensors are direct
  bool in_place_ = false;  // an output is the memory of an input
  uint32_t by_spans_ = 0;  // bodies whose spans may be written one after the other
  uint32_t nothing_ = 0;   // bodies whose results are in place already
  PointwiseFrame frame_;
  alignas(kMaxVecBytes) std::array<std::array<uint8_t, kStaged * 8>, RowCursor::kMaxTensors> stage_;
};

}  // namespace iotadnn::impl
