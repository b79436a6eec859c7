// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ops/op_def.h"
#include "program/program.h"

// Ops whose output elements each follow from the input elements at the same coordinates. doc/ops.md
// says what each computes; program/evaluate.h is the meaning of the instructions that they become.
namespace iotadnn::impl::pointwise_ops {

extern const Signature kArithmetic;   // numeric types, which may differ (see expand_arithmetic)
extern const Signature kNumericPair;  // of one numeric type
extern const Signature kOrder;        // the same, to boolean
extern const Signature kEquality;     // any one type, to boolean
extern const Signature kLogicalPair;
extern const Signature kLogicalNot;
extern const Signature kSelect;
extern const Signature kTypeCast;
extern const Signature kNumeric;
extern const Signature kFloating;
extern const Signature kClamp;
extern const Signature kPow;

Status check_type_cast(const Op& op);
Status check_clamp(const Op& op);

// The op is one instruction over its inputs.
template <Opcode opcode>
Status expand_as(ExpandContext& ctx);

// The same, where input and output types may differ, as oneDNN allows: computed in the common type
// (f64 if any is f64, else f32 if any is floating point, else u64 if any is u64, else s64) and
// converted. With one type it is one instruction.
template <Opcode opcode>
Status expand_arithmetic(ExpandContext& ctx);

Status expand_clamp(ExpandContext& ctx);
Status expand_pow(ExpandContext& ctx);
Status expand_reciprocal(ExpandContext& ctx);
Status expand_relu(ExpandContext& ctx);
Status expand_sign(ExpandContext& ctx);
Status expand_square(ExpandContext& ctx);
Status expand_type_cast(ExpandContext& ctx);

// The reference of every op with an expand function: expands once, then evaluates the instructions
// on rows of gathered operands, with any strides.
Status reference(const RefContext& ctx);

// What the templates above are made of.
Status expand_opcode(ExpandContext& ctx, Opcode opcode);
Status expand_mixed(ExpandContext& ctx, Opcode opcode);

template <Opcode opcode>
Status expand_as(ExpandContext& ctx) {
  return expand_opcode(ctx, opcode);
}

template <Opcode opcode>
Status expand_arithmetic(ExpandContext& ctx) {
  return expand_mixed(ctx, opcode);
}

}  // namespace iotadnn::impl::pointwise_ops
