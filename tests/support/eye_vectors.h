// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

// Expected values of Eye and EyeLike that others published, as data: each test level (ops, API,
// kernels) iterates the same tables. Data types are the numbers of iotadnn_data_type_t, statuses
// those of iotadnn_status_t, as plain int: a cast serves every layer's enum.
namespace iotadnn::test {

namespace type_number {
inline constexpr int f16 = 1, bf16 = 2, f32 = 3, s32 = 4, s8 = 5, u8 = 6, f64 = 7, boolean = 8,
                     s64 = 16, s16 = 0x100, u16 = 0x101, u32 = 0x102, u64 = 0x103;
}  // namespace type_number

// Cells that hold a one, in every matrix of the result; all others hold a zero.
using Cells = std::vector<std::pair<int64_t, int64_t>>;

struct EyeVector {
  std::string name;
  std::vector<int> ranks;  // of num_rows, num_columns, diagonal_index: 0 or 1 (one element)
  int64_t rows;
  int64_t columns;
  int64_t k;
  std::optional<std::vector<int64_t>> batch;  // nothing: no batch_shape input
  int data_type;
  Cells ones;

  std::vector<int64_t> dims() const {
    std::vector<int64_t> all = batch.value_or(std::vector<int64_t>());
    all.push_back(rows);
    all.push_back(columns);
    return all;
  }
};

// OpenVINO's op_reference tests of Eye-9, and the examples of its documentation (doc_*).
std::vector<EyeVector> openvino_eye_vectors();

struct EyeLikeVector {
  std::string name;
  int64_t rows;
  int64_t columns;
  int64_t k;
  int source_type;
  int data_type;
  Cells ones;
};

// ONNX's backend tests of EyeLike, ONNX Runtime's own (ort_*), MIGraphX's models of a diagonal
// outside the matrix (migraphx_*: it throws, ONNX wants zeros), and public bug reports (project and
// number), each with the value that the specification gives.
std::vector<EyeLikeVector> eye_like_vectors();

// Values of k at which arithmetic breaks: the limits of int64, and both sides of each corner of a
// rows x columns matrix.
std::vector<int64_t> extreme_diagonals(int64_t rows, int64_t columns);

// An input of Eye's tensor form.
struct EyePort {
  int data_type = type_number::s64;
  int rank = 0;               // -1: unknown
  std::vector<int64_t> dims;  // -1: unknown
  std::vector<int64_t> data;  // what it holds, row-major
  bool is_known = true;       // whether the data are known when the shape is inferred
};

inline EyePort eye_scalar(int64_t value, int data_type = type_number::s64) {
  return {data_type, 0, {}, {value}, true};
}

inline EyePort eye_list(std::vector<int64_t> values, int data_type = type_number::s64) {
  const auto length = static_cast<int64_t>(values.size());
  return {data_type, 1, {length}, std::move(values), true};
}

inline EyePort eye_unknown_scalar(int data_type = type_number::s64) {
  return {data_type, 0, {}, {}, false};
}

struct EyeShapeVector {
  std::string name;
  std::vector<EyePort> inputs;
  int data_type;
  int rank;                   // -1: unknown
  std::vector<int64_t> dims;  // -1: unknown
};

// OpenVINO's type_prop tests of Eye-9: what is known of the result.
std::vector<EyeShapeVector> eye_shape_vectors();

struct EyeErrorVector {
  std::string name;
  std::vector<EyePort> inputs;
  int data_type;
  bool at_add_op;  // refused when the op is added (invalid_graph_op), else by shape inference
  std::vector<std::string> words;  // that the sentence must hold
};

inline constexpr int kInvalidGraphOp = 8;
inline constexpr int kInvalidShape = 9;

// OpenVINO's validation of Eye-9, and public reports of sizes that overflow (project and number).
std::vector<EyeErrorVector> eye_error_vectors();

}  // namespace iotadnn::test
