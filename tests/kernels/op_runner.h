// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "iotadnn/graph.hpp"

#include "support/guarded_buffer.h"
#include "support/isa_param.h"
#include "support/oracle.h"

namespace iotadnn::test {

// How the values that Eye takes are handed over.
enum class EyeForm { attributes, host_scalars, tensors };

// One generator op, its output and, for EyeLike and GenIndex, the type of its source.
struct OpCase {
  enum class Kind { eye, eye_like, gen_index };
  Kind kind = Kind::eye_like;
  TensorSpec out;
  int64_t k = 0;     // eye, eye_like
  int64_t axis = 0;  // gen_index
  int source_type = iotadnn_f32;
  EyeForm form = EyeForm::attributes;
  int scalar_type = iotadnn_s64;   // of Eye's inputs: s32 or s64
  bool unknown_dims = false;       // compile without knowing any extent
  bool unknown_rank = false;       // nor the rank of the output: id, type and `strided` alone
  std::string expected_impl = "";  // "" accepts any
  // Several cases in one graph: the op's id, the first input's, and kOutputId below the output's.
  size_t first_id = 0;

  std::string text() const;
  ExpectedElement expected() const;
};

inline constexpr size_t kOutputId = 100;  // added to first_id

// The op with its logical tensors as a graph has them, and these alone.
graph::op op_of(const OpCase& op_case);
std::vector<graph::logical_tensor> inputs_of(const OpCase& op_case);
graph::logical_tensor output_of(const OpCase& op_case);

// A case compiled as a graph of one op, which runs on any output of its rank.
class CompiledCase {
 public:
  // Throws iotadnn::error where the library refuses.
  explicit CompiledCase(const OpCase& op_case);
  // The partition of a larger graph that holds op_of(op_case) and nothing else.
  CompiledCase(const OpCase& op_case, const graph::partition& partition);

  // Writes `out` (which may have other extents than the case when it was compiled without).
  void execute(const TensorSpec& out, int64_t k, void* data) const;

  std::string impl() const { return compiled_.get_impl(); }

  const graph::compiled_partition& partition() const { return compiled_; }

  const engine& get_engine() const { return engine_; }

 private:
  std::vector<graph::tensor> input_tensors(const TensorSpec& out, int64_t k) const;

  OpCase case_;
  engine engine_;
  std::vector<graph::logical_tensor> inputs_;
  graph::compiled_partition compiled_;
};

// Compiles and runs the case into a guarded buffer, in both placements, and compares each element
// with the oracle and each gap with its canary.
testing::AssertionResult runs_right(const OpCase& op_case);
testing::AssertionResult runs_right(const OpCase& op_case, const graph::partition& partition);

}  // namespace iotadnn::test
