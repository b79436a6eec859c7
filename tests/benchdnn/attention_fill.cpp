// SPDX-License-Identifier: Apache-2.0
#include "benchdnn/attention_fill.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "frontends/names.h"
#include "support/numbers.h"
#include "support/strided.h"

namespace iotadnn::benchdnn {
namespace {

using Index = std::vector<int64_t>;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// A number of 64 bits that follows from two (the finalizer of splitmix64): an element is the same
// whatever the strides, and whoever asks for it first.
uint64_t mix(uint64_t a, uint64_t b) {
  uint64_t x = a * 0x9e3779b97f4a7c15u + b + 0x632be59bd9b4e019u;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

// In [0, 1).
double unit_of(uint64_t draw) {
  return static_cast<double>(draw >> 11) * 0x1p-53;
}

int64_t whole_of(uint64_t draw, int64_t low, int64_t high) {
  return low + static_cast<int64_t>(draw % static_cast<uint64_t>(high - low + 1));
}

bool is_16_bit(iotadnn_data_type_t type) {
  return type == iotadnn_bf16 || type == iotadnn_f16;
}

double first_value(const frontends::TensorDesc& tensor) {
  return std::visit(
      [](const auto& list) { return list.empty() ? 1.0 : static_cast<double>(list[0]); },
      *tensor.value);
}

uint64_t bits_of(iotadnn_data_type_t type, double value) {
  if (type == iotadnn_f32 || type == iotadnn_bf16) {  // many elements, and what follows is slow
    const auto narrow = static_cast<float>(value);
    uint32_t bits = 0;
    std::memcpy(&bits, &narrow, sizeof bits);
    return type == iotadnn_f32 ? bits : (bits + 0x7fff + (bits >> 16 & 1)) >> 16;
  }
  if (test::is_floating(type)) return test::from_real(type, static_cast<long double>(value)).bits;
  return test::from_integer(type, static_cast<int64_t>(std::nearbyint(value))).bits;
}

bool is_scalar(const frontends::TensorDesc& tensor) {
  return tensor.dims &&
         std::all_of(tensor.dims->begin(), tensor.dims->end(), [](int64_t d) { return d == 1; });
}

}  // namespace

AttentionContent::AttentionContent(const frontends::GraphDesc& graph, AttentionFill fill)
    : graph_(graph), fill_(fill), roles_(attention_roles(graph)) {
  if (roles_.attention && fill == AttentionFill::small) find_scale();
}

// Scores are bounded by what they will be multiplied by: what we choose, or what is given.
void AttentionContent::find_scale() {
  for (const auto& [id, role] : roles_.inputs) {
    const double value =
        role.role == Role::scale || role.role == Role::divisor ? scalar(id, role, mix(id, 0)) : 1.0;
    scale_ *= role.role == Role::divisor ? 1 / value : value;
  }
  for (const frontends::OpDesc& op : graph_.ops) {
    const bool divides = op.kind == iotadnn_graph_op_divide;
    if (!divides && op.kind != iotadnn_graph_op_multiply) continue;
    const frontends::TensorDesc& by = graph_.tensors.at(op.inputs[1]);
    if (!by.value || !is_scalar(by) || first_value(by) == 0) continue;
    scale_ *= std::fabs(divides ? 1 / first_value(by) : first_value(by));
  }
}

frontends::GraphDesc AttentionContent::with_scalars() const {
  frontends::GraphDesc filled = graph_;
  for (const auto& [id, role] : roles_.inputs) {
    frontends::TensorDesc& tensor = filled.tensors.at(id);
    if (!is_scalar(tensor) || role.role == Role::stats) continue;
    const double value = element(id, role, Index(tensor.dims->size(), 0), *tensor.dims);
    if (test::is_floating(tensor.data_type))
      tensor.value = std::vector<double>{value};
    else
      tensor.value = std::vector<int64_t>{static_cast<int64_t>(std::nearbyint(value))};
  }
  return filled;
}

bool AttentionContent::fill(size_t id, const TensorView& view) const {
  const auto found = roles_.inputs.find(id);
  if (found == roles_.inputs.end() || found->second.role == Role::stats) return false;
  const auto bytes = static_cast<size_t>(frontends::bytes_of(view.data_type));
  auto* const data = static_cast<unsigned char*>(view.data);
  test::for_each_element(view.dims, view.strides, [&](const Index& index, int64_t offset) {
    const uint64_t bits = bits_of(view.data_type, element(id, found->second, index, view.dims));
    std::memcpy(data + static_cast<size_t>(offset) * bytes, &bits, bytes);
    return true;
  });
  return true;
}

double AttentionContent::element(size_t id, const InputRole& role, const Index& index,
                                 const Index& dims) const {
  uint64_t draw = mix(id, 0);
  for (const int64_t coordinate : index)
    draw = mix(draw, static_cast<uint64_t>(coordinate));
  switch (role.role) {
    case Role::masked_value:
      return -kInfinity;
    case Role::additive_mask:
      return is_masked(role, index, dims) ? -kInfinity : 0;
    case Role::keep:
      return is_masked(role, index, dims) == role.keeps_false ? 1 : 0;
    case Role::length: {
      // Of several sequences the later ones are padded more; no length is 0.
      const int64_t padding = index.empty() ? 0 : index[0] * role.extent / 4;
      return static_cast<double>(std::max<int64_t>(role.extent - padding, 1));
    }
    case Role::slope: {
      const int64_t head = *std::max_element(index.begin(), index.end());
      return std::ldexp(1, static_cast<int>(-1 - head % 8));
    }
    case Role::scale:
    case Role::divisor:
    case Role::quantization_scale:
    case Role::zero_point:
      return scalar(id, role, draw);
    case Role::factor:
    case Role::value:
    case Role::plain:
    case Role::stats:
      break;
  }
  return random_element(id, role, index, draw);
}

// Powers of two, or for small scores 1 / sqrt(n) for sums of n products.
double AttentionContent::scalar(size_t id, const InputRole& role, uint64_t draw) const {
  const bool is_small = fill_ == AttentionFill::small && roles_.attention;
  const auto power = static_cast<int>(draw % 3);
  if (role.role == Role::quantization_scale)
    return is_small ? quantum(*role.quantized) : std::ldexp(0.25, power);
  if (role.role == Role::zero_point) {
    const int64_t most = is_small ? 1 : 2;
    const bool has_sign = test::is_signed(graph_.tensors.at(id).data_type);
    return static_cast<double>(whole_of(draw, has_sign ? -most : 0, most));
  }
  if (!is_small) return role.role == Role::divisor ? std::ldexp(2, power) : std::ldexp(0.25, power);
  int64_t products = 1;
  for (const auto& [other, factor] : roles_.inputs)
    products = std::max(products, factor.sum_extent);
  const auto type = graph_.tensors.at(id).data_type;
  const double root = std::sqrt(static_cast<double>(products));
  const auto rounded =
      test::from_real(type, static_cast<long double>(role.role == Role::divisor ? root : 1 / root));
  return static_cast<double>(test::real_of(rounded));
}

// The bound of a factor's element in the small fill. The first four products of a score have most
// of its size, so that scores differ as much as their bound allows.
double AttentionContent::amplitude(const InputRole& role, const Index& index) const {
  constexpr double kBound = 7.4;  // 8, less what rounding and zero points add
  constexpr int64_t kLarge = 4;
  constexpr double kSmallShare = 0.9;
  const int64_t products = role.sum_extent;
  double share = kBound / static_cast<double>(std::max<int64_t>(products, 1));
  if (products > kLarge && role.sum_axis) {
    const bool is_large = index[*role.sum_axis] < kLarge;
    share = is_large ? (kBound - kSmallShare) / kLarge
                     : kSmallShare / static_cast<double>(products - kLarge);
  }
  return std::sqrt(share / scale_);
}

double AttentionContent::largest_number(const InputRole& role) const {
  if (role.role != Role::factor) return 1;
  return amplitude(role, Index(role.sum_axis.value_or(0) + 1, 0));
}

// The scale of a quantized input, such that its integers stay within 100.
double AttentionContent::quantum(size_t quantized) const {
  constexpr double kMost = 100;
  const auto found = roles_.inputs.find(quantized);
  const double most = found == roles_.inputs.end() ? 1 : largest_number(found->second);
  return std::ldexp(1, static_cast<int>(std::ceil(std::log2(most / kMost))));
}

double AttentionContent::random_element(size_t id, const InputRole& role, const Index& index,
                                        uint64_t draw) const {
  const auto type = graph_.tensors.at(id).data_type;
  if (test::is_boolean(type)) return static_cast<double>(draw & 1);
  const bool is_real = test::is_floating(type);
  const auto is_quantized = [&] {
    return std::any_of(roles_.inputs.begin(), roles_.inputs.end(),
                       [id](const auto& other) { return other.second.quantized == id; });
  };
  if (fill_ == AttentionFill::onednn || (!is_real && !is_quantized())) {
    // Products of integers within these bounds are summed exactly in f32.
    const int64_t most = !is_real || is_16_bit(type) ? 8 : 64;
    const bool has_sign = is_real || test::is_signed(type);
    return static_cast<double>(whole_of(draw, has_sign ? -most : 0, most));
  }
  double value = 2 * unit_of(draw) - 1;
  if (role.role == Role::factor)
    value = std::copysign(std::sqrt(std::fabs(value)), value) * amplitude(role, index);
  if (is_real) return value;
  const double whole = std::nearbyint(value / quantum(id));
  return test::is_signed(type) ? whole : std::fabs(whole);
}

// Over keys (the last dimension) and queries: causal from the top left, which keeps the first key
// for every query; without queries the last quarter of the keys. In modes that define a row without
// keys, the last row of a causal mask is one, as in oneDNN's driver.
bool AttentionContent::is_masked(const InputRole& /*role*/, const Index& index,
                                 const Index& dims) const {
  if (dims.empty()) return false;
  const size_t last = dims.size() - 1;
  const int64_t key = index[last];
  if (dims.size() == 1 || dims[last - 1] == 1) return key > 0 && key >= dims[last] - dims[last] / 4;
  const int64_t query = index[last - 1];
  return key > query || (roles_.empty_rows && query == dims[last - 1] - 1);
}

}  // namespace iotadnn::benchdnn
