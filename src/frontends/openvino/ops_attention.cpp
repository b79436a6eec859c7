// SPDX-License-Identifier: Apache-2.0
#include "frontends/model/attention.h"
#include "frontends/model/elements.h"
#include "frontends/openvino/table.h"
#include "frontends/openvino/types.h"

namespace iotadnn::models::ir_ops {
namespace {

constexpr size_t kMask = 3;
constexpr size_t kScale = 4;

bool is_scalar_zero(const Tensor* tensor) {
  return tensor != nullptr && tensor->dims().empty() && is_floating(tensor->type()) &&
         loader<double>(tensor->type())(tensor->data(), 0) == 0;
}

void check_types(const IrNode& n) {
  const DataType type = n.type(0);
  if (!is_floating(type))
    n.fail("input 0 has type " + ir_name_of(type) + ", allowed: f32, f16, bf16, f64");
  for (size_t port = 1; port < n.inputs().size(); ++port) {
    const bool may_be_boolean = port == kMask;
    if (n.type(port) != type && !(may_be_boolean && n.type(port) == iotadnn_boolean))
      n.fail("input " + std::to_string(port) + " has type " + ir_name_of(n.type(port)) +
             ", allowed: " + ir_name_of(type) + " as input 0 has" +
             (may_be_boolean ? ", and boolean" : ""));
  }
}

}  // namespace

// Query 0 is at key 0, however many there are. A scalar mask of 0 is no mask, and says that a scale
// follows. Rows with nothing to see are NaN, as the specification's Softmax makes them.
std::vector<size_t> scaled_dot_product_attention(IrNode& n) {
  check_types(n);
  static_cast<void>(n.required("causal"));
  const bool is_causal = n.flag("causal", false);
  const size_t scale =
      n.has(kScale) ? n.b.add(Op::reshape, {n.input(kScale), n.b.add_constant(Tensor::of_s64({}))})
                    : default_scale(n.b, n.input(0));
  size_t scores = scaled_scores(n.b, n.input(0), n.input(1), scale);
  if (is_causal) {
    scores = causal(n.b, scores, kNoValue);
  } else if (n.has(kMask) && !is_scalar_zero(n.b.constant(n.input(kMask)))) {
    scores = masked(n.b, scores, n.input(kMask));
  }
  const size_t weights = n.b.add(Op::softmax, {scores}, {{"axis", int64_t{-1}}});
  return {n.b.add(Op::matmul, {weights, n.input(2)})};
}

}  // namespace iotadnn::models::ir_ops
