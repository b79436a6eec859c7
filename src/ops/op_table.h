// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "base/span.h"
#include "ops/op_def.h"

namespace iotadnn::impl {

// THE TABLE: one row per op kind that the public header names. doc/adding_an_op.md.
Span<const OpDef> op_table();

const OpDef* find_op(OpKind kind);          // null for kinds outside the table
const OpDef* find_op(std::string_view name);  // exact JSON spelling

// Schema verification in oneDNN's order: number and types of inputs and outputs, required
// attributes, attribute types, unknown attributes, then the row's own check (ranks, axis and k ranges
// where they are known). Fills default attribute values. invalid_graph_op with the sentence. Kinds
// outside the table pass, as in oneDNN.
Status check_schema(Op& op);

// Runs the row's shape rule and merges with what the user gave for the outputs: known dims must
// agree (invalid_shape), unknown strides of a strided or `any` layout become dense.
Status infer_shapes(ShapeContext& ctx);

}  // namespace iotadnn::impl
