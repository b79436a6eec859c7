// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "benchdnn/tensor_memory.h"

namespace iotadnn::benchdnn {

// What an output must hold, by the specifications of the op that produces it.
struct Expectation {
  enum class Kind { eye, index };
  Kind kind = Kind::eye;
  int64_t k = 0;    // eye
  size_t axis = 0;  // index
};

struct CompareResult {
  int64_t errors = 0;
  int64_t total = 0;
  int64_t zeros = 0;        // of the expected elements
  double err_max_diff = 0;  // over wrong elements
  double err_max_rdiff = 0;
  double all_max_diff = 0;
  double all_max_rdiff = 0;
};

// Compares every element's bits with the oracle's (tests/support/oracle.h). Prints the first ten
// wrong elements (all of them from verbose level 99 on) and, from level 6 on or when there are
// errors, oneDNN's [COMPARE...] lines; `name` stands in their brackets.
CompareResult compare(const TensorView& got, const Expectation& expected, const std::string& name,
                      int64_t verbose);

// Compares the bits of two tensors of one type and shape.
CompareResult compare_bits(const TensorView& got, const TensorView& first, const std::string& name,
                           int64_t verbose);

// When a floating-point element is right: by any of these. NaN is right where NaN is expected, and
// an infinity where it is.
struct Tolerance {
  int64_t ulps = 0;       // units in the last place
  double relative = 0;    // of the expected element; then also up to 2^-23 where it is below 1e-5
  double of_largest = 0;  // of the largest expected element that is finite
  // oneDNN's norm check decides: elements that only `of_largest` allows, or one in 1024 of them,
  // are right if the difference has at most 3e-3 of the norm of what is expected.
  bool by_norm = false;
};

// Compares two tensors of one type and shape as numbers; zeros whatever their sign.
CompareResult compare_numbers(const TensorView& got, const TensorView& want,
                              const std::string& name, const Tolerance& tolerance, int64_t verbose);

// An element's value in words: integers exactly, floats as %g, NaN as "nan".
std::string element_text(iotadnn_data_type_t type, uint64_t bits);

}  // namespace iotadnn::benchdnn
