// SPDX-License-Identifier: Apache-2.0
#include "kernels/random_region_operands.h"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "support/numbers.h"

namespace iotadnn::test {
namespace {

using kind = graph::op::kind;
using attr = graph::op::attr;

}  // namespace

size_t RegionOperands::any_exact() {
  const auto exact = matching([this](size_t v) { return !made_.values[v].is_math; });
  if (exact.empty()) return input(random_type(), domain_);
  return r_.coin() ? exact.back() : r_.pick(exact);
}

size_t RegionOperands::any_numeric() {
  const size_t v = any_exact();
  return is_boolean(type(v)) ? cast(v, numeric_type()) : v;
}

size_t RegionOperands::any_floating() {
  const size_t v = any_exact();
  return is_floating(type(v)) ? v : cast(v, floating_type());
}

size_t RegionOperands::any_boolean() {
  const size_t v = any_exact();
  if (is_boolean(type(v))) return v;
  return r_.coin() ? cast(v, iotadnn_boolean) : operand(iotadnn_boolean, dims(v));
}

std::vector<size_t> RegionOperands::matching(const std::function<bool(size_t)>& wanted) const {
  std::vector<size_t> found;
  for (size_t v = 0; v < made_.values.size(); ++v)
    if (!made_.values[v].host_scalar && wanted(v)) found.push_back(v);
  return found;
}

size_t RegionOperands::operand(int wanted, const Extents& with, bool math_allowed) {
  const auto fits = [&](size_t v) {
    Extents joined = with;
    return (math_allowed || !made_.values[v].is_math) && broadcast(joined, dims(v));
  };
  if (r_.between(0, 9) < 7) {
    const auto same = matching([&](size_t v) { return type(v) == wanted && fits(v); });
    if (!same.empty()) return r_.pick(same);
    const auto other = matching([&](size_t v) { return fits(v) && !made_.values[v].is_math; });
    if (!other.empty() && r_.coin()) return cast(r_.pick(other), wanted);
  }
  const size_t made = source(wanted, with);
  return fits(made) ? made : input(wanted, with);
}

Extents RegionOperands::joined(const std::vector<size_t>& inputs) const {
  Extents shape = dims(inputs.front());
  for (const size_t v : inputs)
    broadcast(shape, dims(v));
  return shape;
}

size_t RegionOperands::pointwise(kind op, const std::vector<size_t>& inputs, int output_type,
                                 RegionAttrs attrs) {
  bool same = true;
  for (const size_t v : inputs)
    same = same && dims(v) == dims(inputs.front());
  if (inputs.size() > 1 && (!same || r_.coin()))
    attrs[attr::auto_broadcast] = std::string("numpy");
  else if (inputs.size() > 1 && r_.coin())
    attrs[attr::auto_broadcast] = std::string("none");
  return emit(op, inputs, output_type, joined(inputs), std::move(attrs));
}

void RegionOperands::keep_math(size_t from, size_t to) {
  made_.values[to].is_math = made_.values[from].is_math;
}

std::pair<int, int64_t> RegionOperands::random_edge() {
  if (r_.coin()) return {numeric_type(), 0};
  using Edge = std::pair<int, int64_t>;
  const Edge edge = r_.pick<Edge>({{iotadnn_f16, 2048},
                                   {iotadnn_bf16, 256},
                                   {iotadnn_f32, int64_t{1} << 24},
                                   {iotadnn_f64, int64_t{1} << 53},
                                   {iotadnn_s8, 127},
                                   {iotadnn_u8, 255},
                                   {iotadnn_s16, 32767},
                                   {iotadnn_u16, 65535},
                                   {iotadnn_s32, INT32_MAX},
                                   {iotadnn_u32, UINT32_MAX},
                                   {iotadnn_s64, int64_t{1} << 58},
                                   {iotadnn_s64, int64_t{1} << 62}});
  return {edge.first, r_.between(0, 3) != 0 ? edge.second : -edge.second};
}

size_t RegionOperands::near_edge(int wanted, int64_t edge) {
  const int64_t number = edge + r_.between(-9, 9);
  if (r_.between(0, 3) == 0)
    return emit(kind::Fill, {}, wanted, {},
                {{attr::shape, Extents{}}, {attr::value, static_cast<float>(number)}});
  const size_t v = input(wanted, {});
  if (r_.between(0, 3) != 0) made_.values[v].bits = {from_integer(wanted, number).bits};
  return v;
}

}  // namespace iotadnn::test
