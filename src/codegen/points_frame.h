// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "program/program.h"

namespace iotadnn::impl {

// The memory of one call of a points kernel. Addresses ascend: cur <= from <= to <= end. Points are
// the elements that differ from the constant; they come in groups (matrices) of equal length.
struct PointsFrame {
  uint8_t* cur;   // what is next
  uint8_t* from;  // [from, to) consists of whole aligned vectors (lines for non-temporal stores)
  uint8_t* to;
  uint8_t* end;    // one past the last byte
  uint8_t* point;  // first point at or after cur
  int64_t left;    // points from `point` to the end of its group, at least 1
  int64_t per_group;
  int64_t step;  // bytes from point to point in a group
  int64_t skip;  // and from the last of a group to the first of the next
};

// What makes a program a constant with isolated points: one predicate "last coordinate equals the
// one before it + offset", and constants for both truths.
struct DiagonalForm {
  uint64_t background = 0;
  uint64_t point = 0;
  Bound offset;  // without the coordinate: at most one scalar, and a constant
};

bool is_diagonal(const RowProgram& program, DiagonalForm* form);

}  // namespace iotadnn::impl
