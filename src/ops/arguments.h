// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "ops/op_def.h"

namespace iotadnn::impl {

// An axis counted from 0, or the sentence that says what is wrong with it.
struct Axis {
  int axis = 0;
  std::string fault;
};

// The axis that `given` names in a tensor of this rank, negative ones counting from the end. `what`
// is how the sentence calls it ("attribute axis").
Axis resolve_axis(const Op& op, std::string_view what, int64_t given, int rank);

// "2x3", "a scalar", "unknown rank".
std::string shape_words(const LogicalTensor& t);

// What is wrong with the shape of an input that must have one element; "" if nothing, as far as it
// is known.
std::string one_element_fault(const Op& op, size_t port, const LogicalTensor& t);

// The first element of an input as `type`, in the sense of Opcode::convert; its bits in the low
// bytes.
uint64_t scalar_bits(const TensorView& view, DataType type);

}  // namespace iotadnn::impl
