// SPDX-License-Identifier: Apache-2.0
#include "frontends/model/elements.h"
#include "frontends/openvino/table.h"
#include "frontends/openvino/types.h"

namespace iotadnn::models::ir_ops {

std::vector<size_t> eye(IrNode& n) {
  constexpr const char* kNames[] = {"num_rows", "num_columns", "diagonal_index", "batch_shape"};
  for (size_t port = 0; port < n.inputs().size(); ++port)
    if (n.type(port) != iotadnn_s32 && n.type(port) != iotadnn_s64)
      n.fail("Type of the '" + std::string(kNames[port]) +
             "' should be int32 or int64. Got: " + ir_name_of(n.type(port)));
  return {n.b.add(Op::eye, n.inputs(), {{"type", int64_t{n.type_attr("output_type")}}})};
}

// The inputs are converted before anything is counted, floating ones by truncation where the output
// is of integers. Since opset 4 types may differ; 16-bit outputs are accumulated in f32, which the
// specification allows ("better or equal accuracy").
std::vector<size_t> range(IrNode& n) {
  const DataType type = n.opset() < 4 ? n.type(0) : n.type_attr("output_type");
  const bool is_short = type == iotadnn_f16 || type == iotadnn_bf16;
  const DataType computed = n.opset() >= 4 && is_short ? iotadnn_f32 : type;
  std::vector<size_t> bounds;
  for (size_t port = 0; port < 3; ++port) {
    if (n.opset() < 4 && n.type(port) != type)
      n.fail("inputs have types " + ir_name_of(type) + " and " + ir_name_of(n.type(port)) +
             "; before opset4 they must agree");
    bounds.push_back(n.b.cast(n.input(port), computed));
  }
  return {n.b.cast(n.b.add(Op::range, bounds), type)};
}

std::vector<size_t> shape_of(IrNode& n) {
  const bool has_type = n.opset() >= 3 && n.has_attr("output_type");
  const DataType type = has_type ? n.type_attr("output_type") : iotadnn_s64;
  return {n.b.add(Op::shape, {n.input(0)}, {{"type", int64_t{type}}})};
}

}  // namespace iotadnn::models::ir_ops
