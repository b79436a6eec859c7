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
  std::string expected_impl = "";  // "" accepts any

  std::string text() const;
  ExpectedElement expected() const;
};

// A case compiled as a graph of one op, which runs on any output of its rank.
class CompiledCase {
 public:
  // Throws iotadnn::error where the library refuses.
  explicit CompiledCase(const OpCase& op_case);

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

}  // namespace iotadnn::test
