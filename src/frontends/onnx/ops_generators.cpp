// SPDX-License-Identifier: Apache-2.0
#include "frontends/model/elements.h"
#include "frontends/onnx/table.h"

namespace iotadnn::models::onnx_ops {

// Without dtype the type is the input's. Types are taken as they come: bf16 below opset 22, too.
std::vector<size_t> eye_like(OnnxNode& n) {
  DataType type = n.type(0);
  if (n.has_attr("dtype")) type = n.type_attr("dtype");
  return {n.b.add(Op::eye_like, {n.input(0)}, {{"k", n.integer("k", 0)}, {"type", int64_t{type}}})};
}

std::vector<size_t> trilu(OnnxNode& n) {
  return {n.b.add(Op::trilu, {n.input(0), n.optional(1)},
                  {{"upper", int64_t{n.integer("upper", 1) != 0}}})};
}

std::vector<size_t> constant_of_shape(OnnxNode& n) {
  Tensor value(iotadnn_f32, {1});
  storer<double>(iotadnn_f32)(value.data(), 0, 0);
  if (n.has_attr("value")) value = n.tensor("value");
  return {n.b.add(Op::fill, {n.input(0)}, {{"value", value}})};
}

std::vector<size_t> constant(OnnxNode& n) {
  const auto floats = [](const std::vector<float>& values) {
    Tensor made(iotadnn_f32, {static_cast<int64_t>(values.size())});
    for (size_t i = 0; i < values.size(); ++i)
      storer<double>(iotadnn_f32)(made.data(), static_cast<int64_t>(i),
                                  static_cast<double>(values[i]));
    return made;
  };
  if (n.has_attr("value")) return {n.b.add_constant(n.tensor("value"))};
  if (n.has_attr("value_int"))
    return {n.b.add_constant(Tensor::scalar_s64(n.integer("value_int", 0)))};
  if (n.has_attr("value_ints")) return {n.b.add_constant(Tensor::of_s64(n.integers("value_ints")))};
  if (n.has_attr("value_float"))
    return {n.b.add_constant(floats({n.real("value_float", 0)}).reshaped({}))};
  if (n.has_attr("value_floats")) return {n.b.add_constant(floats(n.reals("value_floats")))};
  n.fail(
      "no attribute 'value', 'value_int', 'value_ints', 'value_float' or 'value_floats'; "
      "strings and sparse tensors are not supported");
}

// ONNX takes indices and a depth of any type, and counts indices below 0 from the end.
std::vector<size_t> one_hot(OnnxNode& n) {
  const size_t scalar_shape = n.b.add_constant(Tensor::of_s64({}));
  const size_t depth = n.b.add(Op::reshape, {n.b.cast(n.input(1), iotadnn_s64), scalar_shape});
  const size_t given = n.b.cast(n.input(0), iotadnn_s64);
  const size_t is_negative = n.b.add(Op::less, {given, n.b.number(iotadnn_s64, 0)});
  const size_t from_end = n.b.add(Op::add, {given, depth});
  const size_t index = n.b.add(Op::select, {is_negative, from_end, given});
  return {n.b.add(Op::one_hot, {index, depth, n.input(2)}, {{"axis", n.integer("axis", -1)}})};
}

}  // namespace iotadnn::models::onnx_ops
