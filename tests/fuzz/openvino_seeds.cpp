// SPDX-License-Identifier: Apache-2.0
#include "fuzz/seeds.h"
#include "support/ir_writer.h"

namespace iotadnn::fuzz {
namespace {

using test::IrWriter;
using Out = IrWriter::Out;

IrWriter added_identity() {
  IrWriter ir;
  const auto x = ir.parameter("x", "f32", "?,?");
  const auto rows = ir.parameter("rows", "i32", "");
  const auto eye = ir.layer("Eye", "opset9", {rows, ir.i64(3), ir.i32(0)}, {{"output_type", "i32"}},
                            "I32", "eye");
  const auto real = ir.layer("Convert", "opset1", {eye}, {{"destination_type", "f32"}}, "FP32");
  ir.result(ir.layer("Add", "opset1", {x, real}, {{"auto_broadcast", "numpy"}}, "FP32", "y"));
  return ir;
}

IrWriter batched_identity() {
  IrWriter ir(10);
  const auto three = ir.list({3});
  ir.result(ir.layer("Eye", "opset9", {three, three, ir.i64(-1), ir.list({2, 1})},
                     {{"output_type", "boolean"}}, "BOOL"));
  return ir;
}

IrWriter mask() {
  IrWriter ir;
  const auto x = ir.parameter("x", "f32", "1..8,3");
  const auto shape = ir.layer("ShapeOf", "opset3", {x}, {{"output_type", "i64"}}, "I64");
  const auto count =
      ir.layer("Gather", "opset8", {shape, ir.i64(-1), ir.i64(0)}, {{"batch_dims", "0"}}, "I64");
  const auto range =
      ir.layer("Range", "opset4", {ir.i64(0), count, ir.i64(1)}, {{"output_type", "i64"}}, "I64");
  const auto rows = ir.layer("Unsqueeze", "opset1", {range, ir.i64(1)}, {}, "I64");
  const auto keep = ir.layer("GreaterEqual", "opset1", {rows, range}, {}, "BOOL");
  const auto masked = ir.layer("Select", "opset1", {keep, x, ir.f32(-1)}, {}, "FP32");
  ir.result(ir.layer("SoftMax", "opset8", {masked}, {{"axis", "-1"}}, "FP32"));
  return ir;
}

// One op over constants.
IrWriter one(const std::string& type, const std::string& opset,
             std::vector<Out> (*inputs)(IrWriter&), const IrWriter::Attrs& attrs) {
  IrWriter ir;
  ir.result(ir.layer(type, opset, inputs(ir), attrs, ""));
  return ir;
}

std::vector<Out> matrix(IrWriter& ir) {
  return {ir.constant<float>("f32", {2, 3}, {1, 2, 3, 4, 5, 6})};
}

std::vector<Out> matrix_and_list(IrWriter& ir) {
  return {ir.constant<int64_t>("i64", {2, 3}, {1, 2, 3, 4, 5, 6}), ir.list({1, 0})};
}

std::vector<Out> matrix_and_shape(IrWriter& ir) {
  return {matrix(ir)[0], ir.list({0, -1, 1})};
}

std::vector<Out> two_matrices(IrWriter& ir) {
  return {matrix(ir)[0], ir.constant<float>("f32", {2, 3}, {1, 0, 0, 0, 1, 0})};
}

std::vector<Out> slice_inputs(IrWriter& ir) {
  return {matrix(ir)[0], ir.list({0}), ir.list({-1}), ir.list({2}), ir.list({1})};
}

std::vector<Out> broadcast_inputs(IrWriter& ir) {
  return {ir.list({1, 2}), ir.list({2, 2, 2}), ir.list({1})};
}

}  // namespace

std::vector<std::string> openvino_seeds() {
  const std::vector<IrWriter> files = {
      added_identity(),
      batched_identity(),
      mask(),
      one("Reshape", "opset1", matrix_and_shape, {{"special_zero", "true"}}),
      one("Transpose", "opset1", matrix_and_list, {}),
      one("ReduceSum", "opset1", matrix_and_list, {{"keep_dims", "true"}}),
      one("Squeeze", "opset15", matrix_and_list, {{"allow_axis_skip", "false"}}),
      one("Concat", "opset1", two_matrices, {{"axis", "0"}}),
      one("MatMul", "opset1", two_matrices, {{"transpose_a", "false"}, {"transpose_b", "true"}}),
      one("Multiply", "opset1", two_matrices,
          {{"auto_broadcast", "pdpd"}, {"auto_broadcast_axis", "0"}}),
      one("Divide", "opset1", two_matrices, {{"m_pythondiv", "true"}}),
      one("Slice", "opset8", slice_inputs, {}),
      one("Broadcast", "opset3", broadcast_inputs, {{"mode", "explicit"}}),
      one("Clamp", "opset1", matrix, {{"min", "0"}, {"max", "2.5"}}),
      one("Negative", "opset1", matrix, {}),
  };
  std::vector<std::string> inputs;
  for (const IrWriter& ir : files)
    inputs.push_back(ir.xml() + std::string(1, '\0') + ir.bin());
  return inputs;
}

std::vector<std::string> openvino_tokens() {
  return {"<",
          "/>",
          "<layer ",
          "</layer>",
          "<port id=\"",
          "<data ",
          "<edge ",
          "<dim>",
          "</dim>",
          " id=\"0\"",
          " id=\"",
          "from-layer=\"",
          "to-port=\"",
          "\"",
          "-1",
          "0",
          "1",
          "9223372036854775807",
          "-9223372036854775808",
          "18446744073709551616",
          "?",
          "..",
          "...",
          ",",
          "opset1",
          "opset9",
          "Eye",
          "Const",
          "Result",
          "Parameter",
          "Add",
          "f32",
          "i64",
          "boolean",
          "FP32",
          "I64",
          "&amp;",
          "&#x0;",
          "<![CDATA[",
          "]]>",
          "<!--",
          "<!DOCTYPE x [",
          std::string(1, '\0'),
          "\xff"};
}

}  // namespace iotadnn::fuzz
