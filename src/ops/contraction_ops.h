// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ops/op_def.h"

// Ops that sum products along an axis. doc/ops.md says what each computes.
namespace iotadnn::impl::contraction_ops {

// oneDNN Graph MatMul: numpy's matmul, with transposed matrices and a bias. Products and sums in
// f64 from +0, of integers modulo 2^64, the bias added last, rounded once to the output's type.
extern const Signature kMatMul;
Status check_matmul(const Op& op);
Status claimable_matmul(const Op& op);  // not integers with an output of floating point
Status infer_matmul(ShapeContext& ctx);
Status reference_matmul(const RefContext& ctx);

// Whether the first operand's matrix is transposed.
bool transposes_a(const Op& op);

// Which dimension of an operand is what; kNone where it has none: a vector has no row or column,
// and the output lacks it.
struct MatMulForm {
  static constexpr int kNone = -1;

  int batch = 0;  // dimensions of the output in front of the matrix
  int out_row = kNone;
  int out_column = kNone;
  int a_row = kNone;
  int a_inner = kNone;
  int b_inner = kNone;
  int b_column = kNone;

  int rank() const { return batch + (out_row != kNone ? 1 : 0) + (out_column != kNone ? 1 : 0); }

  // The output's dimension with which dimension d of an operand of this rank, in front of its
  // matrix, is aligned.
  int batch_axis(int d, int operand_rank) const { return d + batch - (operand_rank - 2); }
};

// Of an op whose operands' ranks are known and not 0.
MatMulForm matmul_form(const Op& op, int a_rank, int b_rank);

}  // namespace iotadnn::impl::contraction_ops
