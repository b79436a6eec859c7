// SPDX-License-Identifier: Apache-2.0
#include "frontends/model/attention.h"

#include <limits>

namespace iotadnn::models {

size_t extent_of(ModelBuilder& b, size_t value, int64_t axis) {
  std::map<std::string, Attr> part = {{"start", axis}};
  if (axis != -1) part.emplace("end", axis + 1);
  const size_t list = b.add(Op::shape, {value}, std::move(part));
  return b.add(Op::reshape, {list, b.add_constant(Tensor::of_s64({}))});
}

// Types of 16 bits have their root computed in f32: their own would round twice.
size_t default_scale(ModelBuilder& b, size_t query) {
  const DataType type = b.type_of(query);
  const DataType computed = type == iotadnn_f64 ? iotadnn_f64 : iotadnn_f32;
  const size_t root = b.add(Op::sqrt, {b.cast(extent_of(b, query, -1), computed)});
  return b.cast(b.add(Op::reciprocal, {root}), type);
}

size_t scaled_scores(ModelBuilder& b, size_t query, size_t key, size_t scale) {
  const size_t product = b.add(Op::matmul, {query, key}, {{"transpose_b", int64_t{1}}});
  return b.add(Op::multiply, {product, scale});
}

size_t capped(ModelBuilder& b, size_t scores, double cap) {
  const size_t bound = b.real(b.type_of(scores), cap);
  const size_t bent = b.add(Op::tanh, {b.add(Op::divide, {scores, bound})});
  return b.add(Op::multiply, {bent, bound});
}

size_t masked(ModelBuilder& b, size_t scores, size_t mask) {
  if (b.type_of(mask) != iotadnn_boolean) return b.add(Op::add, {scores, mask});
  const size_t hidden = b.real(b.type_of(scores), -std::numeric_limits<double>::infinity());
  return b.add(Op::select, {mask, scores, hidden});
}

size_t coordinate(ModelBuilder& b, size_t scores, int64_t axis) {
  return b.add(Op::gen_index, {scores}, {{"axis", axis}, {"type", int64_t{iotadnn_s32}}});
}

size_t causal(ModelBuilder& b, size_t scores, size_t offset) {
  size_t query = coordinate(b, scores, -2);
  if (offset != kNoValue) query = b.add(Op::add, {query, offset});
  return masked(b, scores, b.add(Op::greater_equal, {query, coordinate(b, scores, -1)}));
}

}  // namespace iotadnn::models
