// SPDX-License-Identifier: Apache-2.0
#include "ops/arguments.h"

#include <cstring>

#include "ops/op_table.h"
#include "program/evaluate.h"

namespace iotadnn::impl {

Axis resolve_axis(const Op& op, std::string_view what, int64_t given, int rank) {
  if (given >= -rank && given < rank)
    return {static_cast<int>(given < 0 ? given + rank : given), ""};
  return {0, op_text(op) + ": " + std::string(what) + " is " + std::to_string(given) +
                 ", allowed for rank " + std::to_string(rank) + ": " +
                 (rank == 0 ? "none" : std::to_string(-rank) + " to " + std::to_string(rank - 1))};
}

std::string shape_words(const LogicalTensor& t) {
  return t.rank == 0 ? "a scalar" : shape_text(t.dims, t.rank);
}

std::string one_element_fault(const Op& op, size_t port, const LogicalTensor& t) {
  if (t.rank == kUnknownRank || t.rank == 0) return "";
  if (t.rank > 1)
    return input_text(op, port) + " has rank " + std::to_string(t.rank) +
           ", allowed: a scalar, or rank 1 with one element";
  if (t.dims[0] == 1 || t.dims[0] == kUnknownDim) return "";
  return input_text(op, port) + " has " + std::to_string(t.dims[0]) + " elements, allowed: one";
}

uint64_t scalar_bits(const TensorView& view, DataType type) {
  uint64_t element = 0;  // a copy, since the buffer need not be aligned
  std::memcpy(&element, view.data, static_cast<size_t>(bytes_of(view.lt->type)));
  return convert_bits(type, view.lt->type, element);
}

}  // namespace iotadnn::impl
