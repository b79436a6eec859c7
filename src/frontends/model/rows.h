// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "frontends/model/op_table.h"

// What the rows of the table are made of, by family; each declared where its file begins.
namespace iotadnn::models::rows {

// types.cpp: the types that a row allows, and of its outputs
void same_numeric(TypeContext& c);  // inputs of one numeric type, which the output has
void same_any(TypeContext& c);      // of any one type
void same_floating(TypeContext& c);
void compare_any(TypeContext& c);  // inputs of one type, boolean output
void compare_numeric(TypeContext& c);
void logical(TypeContext& c);  // boolean all over
void select(TypeContext& c);
void first(TypeContext& c);   // outputs have the type of input 0, whatever it is
void given(TypeContext& c);   // attribute "type"
void counts(TypeContext& c);  // attribute "type" of s32 or s64, s64 without
void range(TypeContext& c);
void fill(TypeContext& c);
void one_hot(TypeContext& c);
void gather(TypeContext& c);
void first_numeric(TypeContext& c);
void first_floating(TypeContext& c);

// pointwise.cpp, unary.cpp
void infer_broadcast(ShapeContext& c);
void run_binary(RunContext& c);  // by the op's row in a table of functions
void run_compare(RunContext& c);
void run_unary(RunContext& c);
void run_select(RunContext& c);
void run_cast(RunContext& c);
void run_identity(RunContext& c);

// generators.cpp
void infer_eye(ShapeContext& c);
void run_eye(RunContext& c);
std::string emit_eye(EmitContext& c);
void infer_eye_like(ShapeContext& c);
void run_eye_like(RunContext& c);
std::string emit_eye_like(EmitContext& c);
void infer_first(ShapeContext& c);
void infer_gen_index(ShapeContext& c);
void run_gen_index(RunContext& c);
void infer_range(ShapeContext& c);
void run_range(RunContext& c);
void infer_fill(ShapeContext& c);
void run_fill(RunContext& c);
std::string emit_fill(EmitContext& c);
void infer_trilu(ShapeContext& c);
void run_trilu(RunContext& c);
std::string emit_trilu(EmitContext& c);
void infer_one_hot(ShapeContext& c);
void run_one_hot(RunContext& c);
std::string emit_one_hot(EmitContext& c);

// shapes.cpp: ops that read shapes or only change them
void infer_shape(ShapeContext& c);
void run_shape(RunContext& c);
void infer_size(ShapeContext& c);
void run_size(RunContext& c);
void infer_reshape(ShapeContext& c);
void infer_squeeze(ShapeContext& c);
void infer_unsqueeze(ShapeContext& c);
void infer_flatten(ShapeContext& c);
std::string emit_reshape(EmitContext& c);

// moves.cpp
void infer_expand(ShapeContext& c);
void run_expand(RunContext& c);
std::string emit_expand(EmitContext& c);
void infer_transpose(ShapeContext& c);
void run_transpose(RunContext& c);
std::string emit_transpose(EmitContext& c);
void infer_concat(ShapeContext& c);
void run_concat(RunContext& c);
std::string emit_axis(EmitContext& c);  // attribute "axis" and all inputs
void infer_slice(ShapeContext& c);
void run_slice(RunContext& c);
void infer_split(ShapeContext& c);
void run_split(RunContext& c);
void infer_gather(ShapeContext& c);
void run_gather(RunContext& c);
std::string emit_gather(EmitContext& c);

// reductions.cpp
void infer_reduce(ShapeContext& c);
void run_reduce(RunContext& c);
std::string emit_reduce(EmitContext& c);
void infer_cum_sum(ShapeContext& c);
void run_cum_sum(RunContext& c);
void infer_softmax(ShapeContext& c);
void run_softmax(RunContext& c);
std::string emit_softmax(EmitContext& c);

// matmul.cpp
void infer_matmul(ShapeContext& c);
void run_matmul(RunContext& c);
std::string emit_matmul(EmitContext& c);

// attention_shapes.cpp
void attention_shapes(TypeContext& c);
void infer_attention_shapes(ShapeContext& c);
void run_attention_shapes(RunContext& c);

}  // namespace iotadnn::models::rows
