// SPDX-License-Identifier: Apache-2.0
// How a run walks over rows: one by one, or those together in which bounds are lines.
#include <immintrin.h>

#include <algorithm>

#include "codegen/pointwise_run.h"

namespace iotadnn::impl {

void PointwiseRun::run() {
  if (args_.begin >= args_.end) return;
  const auto last = static_cast<size_t>(program_.rank) - 1;
  const int64_t per_row = (args_.extents[last] - 1) / kColumnsPerUnit + 1;
  if (per_row == 1 && last > 0) {  // divisions take longer than some rows
    if (args_.begin > 0) cursor_.seek(args_.begin);
    run_rows(args_.end - args_.begin, 1);
  } else if (last == 0) {
    run_units(args_.begin, args_.end, per_row);
  } else {
    const int64_t first_whole = (args_.begin + per_row - 1) / per_row;
    const int64_t behind_whole = args_.end / per_row;
    cursor_.seek(args_.begin / per_row);
    run_units(args_.begin, std::min(args_.end, first_whole * per_row), per_row);
    if (first_whole < behind_whole) run_rows(behind_whole - first_whole, per_row);
    if (first_whole <= behind_whole) run_units(behind_whole * per_row, args_.end, per_row);
  }
  if (code_.nontemporal) _mm_sfence();
}

// Parts of the current row.
void PointwiseRun::run_units(int64_t begin, int64_t end, int64_t per_row) {
  if (begin >= end) return;
  const int64_t first = begin % per_row;
  for (int64_t unit = first; unit < first + end - begin; ++unit)
    run_unit(unit);
  if (program_.rank > 1) cursor_.advance();
}

void PointwiseRun::run_unit(int64_t unit) {
  const int64_t first = unit * kColumnsPerUnit;
  const int64_t last = std::min(args_.extents[program_.rank - 1], first + kColumnsPerUnit);
  cursor_.for_each_segment(first, last, [this](size_t body, int64_t begin, int64_t end) {
    run_segment(body, begin, end);
  });
}

void PointwiseRun::run_rows(int64_t rows, int64_t per_row) {
  while (rows > 0) {
    int64_t part = std::min(rows, cursor_.rows_left());
    if (bounds_.look_at(program_, cursor_.values(), cursor_.moving_inputs(), part)) {
      part = bounds_.rows();
      Diagonal diagonal;
      if (diagonal_of(part, diagonal)) {
        if (diagonal.count > 0) run_diagonal(bounds_.whole_row() | bounds_[0].bit, diagonal);
        cursor_.skip(part);
      } else if (move_rows(part)) {
        cursor_.skip(part);
      } else {
        cut_rows(part);
      }
    } else {
      for (int64_t row = 0; row < part; ++row)
        run_units(0, per_row, per_row);
    }
    rows -= part;
  }
}

void PointwiseRun::cut_rows(int64_t rows) {
  const int64_t columns = args_.extents[program_.rank - 1];
  for (int64_t row = 0; row < rows; ++row) {
    bounds_.for_each_segment(columns, [this](size_t body, int64_t begin, int64_t end) {
      for (; end - begin > kColumnsPerUnit; begin += kColumnsPerUnit)
        run_segment(body, begin, begin + kColumnsPerUnit);
      run_segment(body, begin, end);
    });
    bounds_.step();
    cursor_.advance();
  }
}

bool PointwiseRun::move_of(size_t body, Move& move) const {
  move = {Move::Kind::nothing, 0, nullptr, 0};
  if ((nothing_ >> body & 1u) != 0) return true;
  if ((by_spans_ >> body & 1u) == 0 || program_.outputs.size() != 1) return false;
  const Inst& inst = code_.bodies[body].spans[0];
  const Tensor& to = tensors_[tensor_of(0)];
  if (inst.op == Opcode::load && !tensors_[inst.imm].row_constant) {
    if (!to.adjacent || !tensors_[inst.imm].adjacent) return false;
    if (args_.srcs[inst.imm] == args_.dsts[0]) return true;
    move = {Move::Kind::copy, 0, cursor_.row(inst.imm), cursor_.row_step(inst.imm)};
    return true;
  }
  if (!to.adjacent) return false;
  if (inst.op == Opcode::load && cursor_.row_step(inst.imm) != 0) return false;
  if (inst.op == Opcode::coord && static_cast<int>(inst.imm) == program_.rank - 2) return false;
  move = {Move::Kind::fill, pattern_of(inst, to.bytes), nullptr, 0};
  return true;
}

bool PointwiseRun::move_rows(int64_t rows) {
  if (bounds_.count() > 1) return false;
  const size_t body = bounds_.whole_row();
  const RowBounds::Interval nowhere{0, 0, 0, 0, 0};
  const RowBounds::Interval& where = bounds_.count() == 1 ? bounds_[0] : nowhere;
  Move outside;
  Move inside;
  if (!move_of(body, outside) || !move_of(body | where.bit, inside)) return false;
  if (outside.kind != Move::Kind::nothing || inside.kind != Move::Kind::nothing)
    move_rows(where, outside, inside, rows);
  return true;
}

void PointwiseRun::move_rows(const RowBounds::Interval& where, const Move& outside,
                             const Move& inside, int64_t rows) const {
  const size_t destination = tensor_of(0);
  const int64_t bytes = tensors_[destination].bytes;
  const int64_t columns = args_.extents[program_.rank - 1];
  const int64_t to_step = cursor_.row_step(destination);
  const bool nontemporal = code_.nontemporal;
  const CopyFunction copy = code_.copy;
  const FillFunction fill = code_.fill;
  uint8_t* to = cursor_.row(destination);
  const uint8_t* outer_from = outside.from;
  const uint8_t* inner_from = inside.from;
  int64_t where_lo = where.lo;
  int64_t where_hi = where.hi;
  const auto move = [&](const Move& m, const uint8_t* from, int64_t begin, int64_t end) {
    if (m.kind == Move::Kind::nothing) return;
    begin *= bytes;
    end *= bytes;
    if (nontemporal) _mm_prefetch(reinterpret_cast<const char*>(to + to_step + begin), _MM_HINT_T0);
    if (m.kind == Move::Kind::copy)
      copy(to + begin, from + begin, end - begin);
    else
      fill(to + begin, m.pattern, end - begin);
  };
  for (;;) {
    const int64_t lo = std::clamp<int64_t>(where_lo, 0, columns);
    const int64_t hi = std::clamp<int64_t>(where_hi, lo, columns);
    if (lo < hi) {
      if (lo > 0) move(outside, outer_from, 0, lo);
      move(inside, inner_from, lo, hi);
      if (hi < columns) move(outside, outer_from, hi, columns);
    } else {
      move(outside, outer_from, 0, columns);
    }
    if (--rows == 0) return;
    where_lo += where.lo_step;
    where_hi += where.hi_step;
    to += to_step;
    outer_from += outside.from_step;
    inner_from += inside.from_step;
  }
}

// Where all that the rows need is one element of each: these are as good as adjacent ones, once
// they have been gathered, and the reads of memory overlap.
bool PointwiseRun::diagonal_of(int64_t rows, Diagonal& diagonal) const {
  if (bounds_.count() != 1 || (nothing_ >> bounds_.whole_row() & 1u) == 0) return false;
  const RowBounds::Interval& at = bounds_[0];
  const int64_t step = at.lo_step;
  if (at.hi_step != step || step < -1 || step > 1) return false;
  int64_t one_more = 0;
  if (__builtin_add_overflow(at.lo, 1, &one_more) || at.hi != one_more) return false;
  const int64_t columns = args_.extents[program_.rank - 1];
  int64_t first = 0;
  int64_t behind = rows;
  if (step == 1) {
    first = at.lo < 0 ? (at.lo < -rows ? rows : -at.lo) : 0;
    behind = at.lo >= columns ? 0 : std::min(rows, columns - std::max(at.lo, -rows));
  } else if (step == -1) {
    first = at.lo < columns ? 0 : std::min(rows, at.lo - (columns - 1));
    behind = at.lo < 0 ? 0 : at.lo >= rows ? rows : at.lo + 1;
  } else if (at.lo < 0 || at.lo >= columns) {
    behind = 0;
  }
  diagonal = {first, std::max<int64_t>(0, behind - first), 0, step};
  if (diagonal.count > 0) diagonal.column = at.lo + first * step;
  return is_along_columns(code_.bodies[bounds_.whole_row() | at.bit], diagonal);
}

// Whether a body's function, which is made for elements of one row, is right for the diagonal.
bool PointwiseRun::is_along_columns(const CompiledBody& body, const Diagonal& diagonal) const {
  if (body.function == nullptr || body.reads_row) return false;
  if (body.reads_column && diagonal.column_step != 1) return false;
  return std::all_of(body.inputs.begin(), body.inputs.end(), [this](size_t i) {
    return !tensors_[i].row_constant || cursor_.row_step(i) == 0;
  });
}

}  // namespace iotadnn::impl
