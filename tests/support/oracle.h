// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

// The element-wise oracle: what the specifications say a generator's output holds, one element at a
// time. It shares no code with src/, so that an error there cannot hide here.
//   Eye, EyeLike   a one where column - row == k, else a zero; batch dimensions repeat the matrix
//                  (OpenVINO Eye-9, ONNX EyeLike-22)
//   GenIndex       the coordinate along the axis (oneDNN Graph GenIndex)
// Data types are the numbers of iotadnn_data_type_t, as plain int: a cast serves every layer's
// enum.
namespace iotadnn::test {

// The thirteen computed types, by number.
const std::vector<int>& oracle_types();

std::string type_name(int data_type);  // "f32", "bf16", ...; "type 99" for what is not computed
int type_bytes(int data_type);         // 1, 2, 4 or 8; 0 for what is not computed

// Bit patterns in the low type_bytes() bytes.
uint64_t eye_element(int data_type, int64_t row, int64_t column, int64_t k);
uint64_t index_element(int data_type, int64_t coordinate);  // s32 or s64

// The bit pattern that a tensor's element holds at an index.
using ExpectedElement = std::function<uint64_t(const std::vector<int64_t>& index)>;

ExpectedElement expect_eye(int data_type, int64_t k);           // rank 2 or more
ExpectedElement expect_gen_index(int data_type, int64_t axis);  // axis in [-rank, rank-1]

struct TensorSpec {
  int data_type = 0;
  std::vector<int64_t> dims;
  std::vector<int64_t> strides;  // in elements

  int64_t span_bytes() const;  // from the first to one past the last byte that the tensor touches
};

TensorSpec dense_spec(int data_type, std::vector<int64_t> dims);

// Success when every element at `data` (element (0, ..., 0)) has the expected bits; else the number
// of wrong elements and, for the first of them, index, expected and found bits.
testing::AssertionResult holds(const void* data, const TensorSpec& spec,
                               const ExpectedElement& expected);

// Success when both tensors (same dims and type, any strides) hold the same bits.
testing::AssertionResult same_bits(const void* want, const TensorSpec& want_spec, const void* got,
                                   const TensorSpec& got_spec);

}  // namespace iotadnn::test
