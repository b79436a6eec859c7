// SPDX-License-Identifier: Apache-2.0
#include "frontends/onnx/table.h"

namespace iotadnn::models::onnx_ops {

std::vector<size_t> shape(OnnxNode& n) {
  std::map<std::string, Attr> attrs;
  for (const char* name : {"start", "end"})
    if (n.opset() >= 15 && n.has_attr(name)) attrs.emplace(name, n.integer(name, 0));
  return {n.b.add(Op::shape, {n.input(0)}, attrs)};
}

std::vector<size_t> gather(OnnxNode& n) {
  return {n.b.add(Op::gather, n.inputs(), {{"axis", n.integer("axis", 0)}})};
}

std::vector<size_t> concat(OnnxNode& n) {
  if (!n.has_attr("axis")) n.fail("attribute 'axis' is missing");
  return {n.b.add(Op::concat, n.inputs(), {{"axis", n.integer("axis", 0)}})};
}

// Before opset 10 all but the source are attributes.
std::vector<size_t> slice(OnnxNode& n) {
  const size_t starts = n.list("starts", 1, 10);
  const size_t ends = n.list("ends", 2, 10);
  const size_t axes = n.list("axes", 3, 10);
  if (starts == kNoValue || ends == kNoValue) n.fail("starts or ends are missing");
  return {n.b.add(Op::slice, {n.input(0), starts, ends, axes, n.optional(4)})};
}

std::vector<size_t> squeeze(OnnxNode& n) {
  return {n.b.add(Op::squeeze, {n.input(0), n.list("axes", 1, 13)})};
}

std::vector<size_t> unsqueeze(OnnxNode& n) {
  const size_t axes = n.list("axes", 1, 13);
  if (axes == kNoValue) n.fail("the axes are missing");
  return {n.b.add(Op::unsqueeze, {n.input(0), axes})};
}

std::vector<size_t> reshape(OnnxNode& n) {
  const int64_t allow_zero = n.opset() >= 14 ? n.integer("allowzero", 0) : 0;
  return {n.b.add(Op::reshape, n.inputs(), {{"allow_zero", allow_zero}})};
}

std::vector<size_t> flatten(OnnxNode& n) {
  return {n.b.add(Op::flatten, {n.input(0)}, {{"axis", n.integer("axis", 1)}})};
}

std::vector<size_t> transpose(OnnxNode& n) {
  const size_t order =
      n.has_attr("perm") ? n.b.add_constant(Tensor::of_s64(n.integers("perm"))) : kNoValue;
  return {n.b.add(Op::transpose, {n.input(0), order})};
}

// Since opset 18 the number of parts is an attribute, and the last part may be shorter.
std::vector<size_t> split(OnnxNode& n) {
  const size_t lengths = n.list("split", 1, 13);
  const bool uneven = n.opset() >= 18 && n.has_attr("num_outputs");
  if (uneven && n.integer("num_outputs", 0) != static_cast<int64_t>(n.outputs()))
    n.fail("num_outputs is " + std::to_string(n.integer("num_outputs", 0)) + ", the node has " +
           std::to_string(n.outputs()) + " outputs");
  if (uneven && lengths != kNoValue)
    n.fail("lengths and attribute 'num_outputs' are both given, allowed: one of them");
  return n.b.add(Op::split, {n.input(0), lengths},
                 {{"axis", n.integer("axis", 0)}, {"uneven", int64_t{uneven}}}, n.outputs());
}

}  // namespace iotadnn::models::onnx_ops
