// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "program/program.h"

namespace iotadnn::impl {

// What makes a program a constant with isolated points: one predicate "last coordinate equals the
// one before it + offset", and constants for both truths.
struct DiagonalForm {
  uint64_t background = 0;
  uint64_t point = 0;
  Bound offset;  // without the coordinate: at most one scalar, and a constant
};

bool is_diagonal(const RowProgram& program, DiagonalForm* form);

// The memory of one call of a points kernel. Points come in groups (matrices) of equal length.
struct PointsFrame {
  uint8_t* cur;   // what is next; cur <= from <= to <= end
  uint8_t* from;  // [from, to) consists of whole aligned vectors (lines for non-temporal stores)
  uint8_t* to;
  uint8_t* end;    // one past the last byte
  uint8_t* point;  // first point at or after cur
  int64_t left;    // points from `point` to the end of its group, at least 1
  int64_t per_group;
  int64_t step;  // bytes from point to point in a group
  int64_t skip;  // and from the last of a group to the first of the next
  int64_t group_bytes;
  uint8_t* group_end;  // address of what would be the next point after the group's last
};

// What a call for rows of a few whole vectors reads, besides the address of the first row, which is
// aligned to a vector. It writes nothing here: threads may share one.
struct PointRowsFrame {
  int64_t rows;           // to do, at least 1
  int64_t left_in_group;  // of them in the first matrix
  int64_t rows_per_group;
  int64_t column;           // of the first row's point, in an element
  int64_t column_of_group;  // of a matrix's first row's
};

}  // namespace iotadnn::impl
