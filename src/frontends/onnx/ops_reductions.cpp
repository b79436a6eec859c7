// SPDX-License-Identifier: Apache-2.0
#include "frontends/onnx/table.h"

namespace iotadnn::models::onnx_ops {
namespace {

// The axes became an input in the opset `since`.
std::vector<size_t> reduce(OnnxNode& n, Op op, int64_t since) {
  const size_t axes = n.list("axes", 1, since);
  const int64_t noop = n.opset() >= since ? n.integer("noop_with_empty_axes", 0) : 0;
  return {
      n.b.add(op, {n.input(0), axes}, {{"keep_dims", n.integer("keepdims", 1)}, {"noop", noop}})};
}

}  // namespace

// Before opset 13 the dimensions from the axis on are one.
std::vector<size_t> softmax(OnnxNode& n) {
  const bool is_flat = n.opset() < 13;
  return {n.b.add(Op::softmax, {n.input(0)},
                  {{"axis", n.integer("axis", is_flat ? 1 : -1)}, {"flatten", int64_t{is_flat}}})};
}

std::vector<size_t> reduce_sum(OnnxNode& n) {
  return reduce(n, Op::reduce_sum, 13);
}

std::vector<size_t> reduce_max(OnnxNode& n) {
  return reduce(n, Op::reduce_max, 18);
}

std::vector<size_t> reduce_min(OnnxNode& n) {
  return reduce(n, Op::reduce_min, 18);
}

std::vector<size_t> reduce_prod(OnnxNode& n) {
  return reduce(n, Op::reduce_prod, 18);
}

std::vector<size_t> reduce_mean(OnnxNode& n) {
  return reduce(n, Op::reduce_mean, 18);
}

std::vector<size_t> cum_sum(OnnxNode& n) {
  return {
      n.b.add(Op::cum_sum, n.inputs(),
              {{"exclusive", n.integer("exclusive", 0)}, {"reverse", n.integer("reverse", 0)}})};
}

}  // namespace iotadnn::models::onnx_ops
