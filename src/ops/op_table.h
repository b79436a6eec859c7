// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "base/span.h"
#include "ops/op_def.h"

namespace iotadnn::impl {

// THE TABLE: one row per op kind that the public header names. doc/adding_an_op.md.
Span<const OpDef> op_table();

const OpDef* find_op(OpKind kind);            // null for kinds outside the table
const OpDef* find_op(std::string_view name);  // exact JSON spelling

// How messages name an op and its ports: "Eye 'mask'", "Eye 'mask': input 0 (num_rows)".
std::string op_text(const Op& op);
std::string input_text(const Op& op, size_t port);
std::string output_text(const Op& op, size_t port);

// Schema verification in oneDNN's order: defaults filled in, number and types of inputs and
// outputs, required attributes, attribute types and strings, unknown attributes, then the row's own
// check (ranks, axis and shape where they are known). invalid_graph_op with the sentence. Kinds
// outside the table pass, as in oneDNN.
Status check_schema(Op& op);

// Runs the row's shape rule and merges with what the user gave for the outputs: known dims must
// agree (invalid_shape). Strides that the user did not give become dense, and the layout strided
// (but opaque, which stays), as soon as the shape is known. A fully known output is then checked:
// no overlap, no negative stride, and a size that memory can have. unimplemented for ops without a
// rule.
Status infer_shapes(ShapeContext& ctx);

}  // namespace iotadnn::impl
