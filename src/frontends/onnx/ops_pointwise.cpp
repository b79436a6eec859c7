// SPDX-License-Identifier: Apache-2.0
#include "frontends/model/elements.h"
#include "frontends/onnx/table.h"

namespace iotadnn::models::onnx_ops {
namespace {

// Attributes that only concern types which are not computed here (8-bit floats).
void accept_float8_attrs(OnnxNode& n) {
  n.has_attr("saturate");
  n.has_attr("round_mode");
}

// Max and Min of any number of inputs.
std::vector<size_t> chain(OnnxNode& n, Op op) {
  size_t result = n.input(0);
  if (n.inputs().size() == 1) return {n.b.add(Op::identity, {result})};
  for (size_t port = 1; port < n.inputs().size(); ++port)
    result = n.b.add(op, {result, n.input(port)});
  return {result};
}

// Before opset 11 the bounds are attributes, f32 whatever the type is; then scalars.
size_t bound(OnnxNode& n, const std::string& name, size_t port) {
  if (n.opset() >= 11) {
    if (!n.has(port)) return kNoValue;
    return n.b.add(Op::reshape, {n.input(port), n.b.add_constant(Tensor::of_s64({}))});
  }
  if (!n.has_attr(name)) return kNoValue;
  Tensor value(n.type(0), {});
  storer<double>(value.type())(value.data(), 0, static_cast<double>(n.real(name, 0)));
  return n.b.add_constant(value);
}

}  // namespace

std::vector<size_t> cast(OnnxNode& n) {
  accept_float8_attrs(n);
  return {n.b.add(Op::cast, {n.input(0)}, {{"type", int64_t{n.type_attr("to")}}})};
}

std::vector<size_t> cast_like(OnnxNode& n) {
  accept_float8_attrs(n);
  return {n.b.add(Op::cast, {n.input(0)}, {{"type", int64_t{n.type(1)}}})};
}

// Since opset 12 the exponent may have a type of its own; the result has the base's. Both are taken
// in a type that holds either, as numpy does.
DataType power_type(DataType base, DataType exponent) {
  if (base == exponent) return base;
  const bool any_real = is_floating(base) || is_floating(exponent);
  if (any_real) {
    const auto is_small = [](DataType type) {
      return type != iotadnn_f64 && type != iotadnn_s32 && type != iotadnn_u32 &&
             type != iotadnn_s64 && type != iotadnn_u64;
    };
    return is_small(base) && is_small(exponent) ? iotadnn_f32 : iotadnn_f64;
  }
  const auto is_unsigned = [](DataType type) {
    return type == iotadnn_u8 || type == iotadnn_u16 || type == iotadnn_u32 || type == iotadnn_u64;
  };
  return is_unsigned(base) && is_unsigned(exponent) ? iotadnn_u64 : iotadnn_s64;
}

std::vector<size_t> pow(OnnxNode& n) {
  const DataType base = n.type(0);
  const DataType type = power_type(base, n.type(1));
  const size_t power = n.b.add(Op::power, {n.b.cast(n.input(0), type), n.b.cast(n.input(1), type)});
  return {n.b.cast(power, base)};
}

// As Maximum and Minimum, which take every type; where min > max the result is max.
std::vector<size_t> clip(OnnxNode& n) {
  if (n.opset() < 11 && n.inputs().size() > 1)
    n.fail("bounds are given as inputs, in opset " + std::to_string(n.opset()) +
           " they are attributes");
  const size_t least = bound(n, "min", 1);
  const size_t most = bound(n, "max", 2);
  size_t result = n.input(0);
  if (least != kNoValue) result = n.b.add(Op::maximum, {result, least});
  if (most != kNoValue) result = n.b.add(Op::minimum, {result, most});
  return {result == n.input(0) ? n.b.add(Op::identity, {result}) : result};
}

std::vector<size_t> max(OnnxNode& n) {
  return chain(n, Op::maximum);
}

std::vector<size_t> min(OnnxNode& n) {
  return chain(n, Op::minimum);
}

std::vector<size_t> mod(OnnxNode& n) {
  const bool fmod = n.integer("fmod", 0) != 0;
  if (!fmod && is_floating(n.type(0))) n.fail("fmod is 0, floating types need fmod = 1");
  return {n.b.add(Op::mod, n.inputs(), {{"fmod", int64_t{fmod}}})};
}

}  // namespace iotadnn::models::onnx_ops
