// SPDX-License-Identifier: Apache-2.0
#include "kernels/random_region_sources.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "support/numbers.h"
#include "support/oracle.h"
#include "support/strided.h"

namespace iotadnn::test {
namespace {

using kind = graph::op::kind;
using attr = graph::op::attr;

constexpr int64_t kMostElements = 20000;

// Elements, were no extent 0: shapes without these are made of others.
int64_t room_of(Extents dims) {
  std::replace(dims.begin(), dims.end(), int64_t{0}, int64_t{1});
  return elements_of(dims);
}

bool can_be_host_scalar(int type) {
  return type == iotadnn_s32 || type == iotadnn_s64 || type == iotadnn_f32;
}

}  // namespace

RegionSources::RegionSources(Random& random, RandomRegion& made) : r_(random), made_(made) {
  for (int64_t i = random.between(1, 3); i > 0; --i)
    palette_.push_back(random.pick(oracle_types()));
  if (random.coin()) palette_.push_back(iotadnn_boolean);
  const int64_t rank = random.between(0, 20) == 0 ? random.between(6, 12) : random.between(0, 4);
  const int64_t most = random.between(0, 15) == 0 ? kMostElements : 400;
  for (int64_t d = 0; d < rank; ++d) {
    const int64_t extent = d < 6 ? random_extent() : 1;
    domain_.push_back(extent);
    if (room_of(domain_) > most) domain_.back() = 1;
  }
  std::shuffle(domain_.begin(), domain_.end(), random.engine());
  if (rank < 2 || random.between(0, 3) != 0) return;
  const int64_t rows =
      domain_[domain_.size() - 2];  // a square one: transposed, the shape is the same
  domain_.back() = rows;
  if (room_of(domain_) > most) domain_.back() = domain_[domain_.size() - 2] = 7;
  if (room_of(domain_) > most) domain_ = {domain_.back(), domain_.back()};
}

int64_t RegionSources::random_extent() {
  if (r_.between(0, 60) == 0) return 0;
  if (r_.between(0, 5) == 0) return 1;
  if (r_.between(0, 60) == 0) return r_.between(100, 3000);
  return r_.coin()
             ? r_.between(2, 5)
             : r_.pick<int64_t>({6, 7, 8, 9, 15, 16, 17, 18, 31, 32, 33, 47, 63, 64, 65, 129});
}

int RegionSources::numeric_type() {
  const int found = random_type();
  return is_boolean(found) ? r_.pick<int>({iotadnn_s32, iotadnn_f32, iotadnn_s64}) : found;
}

int RegionSources::floating_type() {
  const int found = random_type();
  return is_floating(found)
             ? found
             : r_.pick<int>({iotadnn_f32, iotadnn_f32, iotadnn_f16, iotadnn_bf16, iotadnn_f64});
}

float RegionSources::random_float() {
  const Element e = r_.pick(special_values(iotadnn_f32));
  const auto value = static_cast<float>(real_of(e));
  if (r_.coin() && std::isfinite(value)) return value;
  return static_cast<float>(r_.between(-20, 20)) / 4;
}

int64_t RegionSources::diagonal(int64_t rows, int64_t columns) {
  if (r_.between(0, 19) == 0)
    return r_.coin() ? std::numeric_limits<int64_t>::min() + r_.between(0, 2)
                     : std::numeric_limits<int64_t>::max() - r_.between(0, 2);
  return r_.between(-rows - 1, columns + 1);
}

bool RegionSources::broadcast(Extents& into, const Extents& with) {
  Extents joined(std::max(into.size(), with.size()), 1);
  for (size_t d = 0; d < joined.size(); ++d) {
    const size_t back = joined.size() - d;
    const int64_t a = back <= into.size() ? into[into.size() - back] : 1;
    const int64_t b = back <= with.size() ? with[with.size() - back] : 1;
    if (a != b && a != 1 && b != 1) return false;
    joined[d] = a == 1 ? b : a;
  }
  if (room_of(joined) > kMostElements) return false;
  into = joined;
  return true;
}

Extents RegionSources::shape_for(const Extents& shape) {
  Extents made = shape;
  if (r_.coin()) return made;
  for (int64_t& extent : made)
    if (r_.between(0, 3) == 0) extent = 1;
  while (!made.empty() && r_.between(0, 3) == 0)
    made.erase(made.begin());
  if (made.size() == shape.size() && made.size() < 5 && r_.between(0, 9) == 0) {
    made.insert(made.begin(), r_.between(1, 3));
    if (room_of(made) > kMostElements) made.front() = 1;
  }
  return made;
}

size_t RegionSources::emit(kind op, const std::vector<size_t>& inputs, int output_type,
                           const Extents& output_dims, RegionAttrs attrs) {
  RegionValue out;
  out.type = output_type;
  out.dims = output_dims;
  out.strides = random_region_strides(r_, output_dims);
  made_.values.push_back(std::move(out));
  made_.ops.push_back({op, inputs, made_.values.size() - 1, std::move(attrs)});
  return made_.values.size() - 1;
}

size_t RegionSources::cast(size_t v) {
  return cast(v, random_type());
}

size_t RegionSources::cast(size_t v, int to) {
  if (to == type(v)) return v;
  return emit(kind::TypeCast, {v}, to, dims(v), {});
}

size_t RegionSources::input(int wanted, const Extents& shape) {
  RegionValue v;
  v.type = wanted;
  v.dims = shape;
  v.strides = random_region_strides(r_, shape);
  v.is_input = true;
  v.bits = random_elements(r_, wanted, elements_of(shape));
  made_.values.push_back(std::move(v));
  return made_.values.size() - 1;
}

size_t RegionSources::one_element(int wanted, std::vector<uint64_t> bits, bool host) {
  const Extents shape(host ? 0 : static_cast<size_t>(r_.between(0, 1)), 1);
  const size_t v = input(wanted, shape);
  made_.values[v].host_scalar = host;
  made_.values[v].bits = std::move(bits);
  return v;
}

size_t RegionSources::one_number(int wanted, const Element& e, bool host) {
  const int other = numeric_type();
  const bool computed = r_.between(0, 3) == 0;
  for (int64_t number = 0; number < 10 && computed && !is_boolean(wanted); ++number) {
    if (from_integer(wanted, number).bits != e.bits) continue;
    return cast(one_element(other, {from_integer(other, number).bits}, false), wanted);
  }
  return one_element(wanted, {e.bits}, host);
}

size_t RegionSources::source(int wanted, const Extents& shape) {
  switch (r_.between(0, 5)) {
    case 0:
      return one_element(wanted, random_elements(r_, wanted, 1), can_be_host_scalar(wanted));
    case 1: {
      const auto rank = static_cast<size_t>(r_.between(0, static_cast<int64_t>(shape.size())));
      return input(wanted, Extents(rank, 1));
    }
    case 2:
      return coordinates(wanted, shape_for(shape));
    default:
      return input(wanted, shape_for(shape));
  }
}

size_t RegionSources::coordinates(int wanted, const Extents& shape) {
  const bool is_index = wanted == iotadnn_s32 || wanted == iotadnn_s64;
  size_t made = 0;
  switch (r_.between(0, 6)) {
    case 0:
      made = shape.empty() ? fill(wanted, shape) : one_hot(wanted, shape);
      break;
    case 1:
      made = fill(wanted, shape);
      break;
    case 2:
    case 3:
      made = shape.size() == 1 && !is_boolean(wanted) ? range(wanted) : eye(wanted, shape);
      break;
    default:
      made = is_index || r_.coin() ? gen_index(shape) : eye(wanted, shape);
  }
  return cast(made, wanted);
}

// A tensor of the shape whose elements are not read: one that is there if possible.
size_t RegionSources::shape_source(const Extents& shape) {
  std::vector<size_t> found;
  for (size_t v = 0; v < made_.values.size(); ++v)
    if (dims(v) == shape && !made_.values[v].host_scalar) found.push_back(v);
  if (!found.empty() && r_.coin()) return r_.pick(found);
  return input(r_.pick(oracle_types()), shape);
}

size_t RegionSources::gen_index(const Extents& shape) {
  if (shape.empty()) return fill(iotadnn_s32, shape);
  const auto rank = static_cast<int64_t>(shape.size());
  return emit(kind::GenIndex, {shape_source(shape)}, r_.pick<int>({iotadnn_s32, iotadnn_s64}),
              shape, {{attr::axis, r_.between(-rank, rank - 1)}});
}

size_t RegionSources::eye(int wanted, const Extents& shape) {
  if (shape.size() < 2) return gen_index(shape);
  const int64_t rows = shape[shape.size() - 2];
  const int64_t columns = shape.back();
  const int64_t k = diagonal(rows, columns);
  if (shape.size() == 2 && r_.coin())
    return emit(kind::EyeLike, {shape_source(shape)}, wanted, shape, {{attr::k, k}});
  if (r_.coin()) return emit(kind::Eye, {}, wanted, shape, {{attr::shape, shape}, {attr::k, k}});
  const int64_t near = std::clamp<int64_t>(k, -100000, 100000);
  const int index_type = r_.pick<int>({iotadnn_s32, iotadnn_s64});
  const bool host = r_.coin();
  std::vector<size_t> inputs;
  for (const int64_t number : {rows, columns, index_type == iotadnn_s64 ? k : near})
    inputs.push_back(one_number(index_type, from_integer(index_type, number), host));
  if (shape.size() > 2) {
    const size_t batch = input(index_type, {static_cast<int64_t>(shape.size()) - 2});
    for (size_t d = 0; d + 2 < shape.size(); ++d)
      made_.values[batch].bits[d] = from_integer(index_type, shape[d]).bits;
    inputs.push_back(batch);
  }
  return emit(kind::Eye, inputs, wanted, shape, {});
}

size_t RegionSources::range(int wanted) {
  for (int attempt = 0; attempt < 20; ++attempt) {
    std::vector<Element> ends;
    for (int end = 0; end < 3; ++end)
      ends.push_back({wanted, random_elements(r_, wanted, 1)[0]});
    if (r_.coin()) {  // as many elements as the domain has columns, or nearly
      const int64_t count = domain_.empty() ? 3 : domain_.back();
      if (is_floating(wanted)) {
        const long double limit =
            real_of(ends[0]) + real_of(ends[2]) * static_cast<long double>(count);
        ends[1] = from_real(wanted, limit);
      } else {
        ends[2] = from_integer(wanted, r_.between(-3, 3));
        ends[1] = from_integer(wanted, integer_of(ends[0]) + integer_of(ends[2]) * count);
      }
    }
    const int64_t count = range_count(ends[0], ends[1], ends[2], kMostElements);
    if (count < 0) continue;
    const bool host = can_be_host_scalar(wanted) && r_.coin();
    std::vector<size_t> inputs;
    for (const Element& end : ends)
      inputs.push_back(one_number(wanted, end, host));
    return emit(kind::Range, inputs, wanted, {count}, {});
  }
  return fill(wanted, domain_);
}

size_t RegionSources::fill(int wanted, const Extents& shape) {
  if (r_.coin()) {
    const size_t value = one_number(wanted, {wanted, random_elements(r_, wanted, 1)[0]},
                                    can_be_host_scalar(wanted) && r_.coin());
    return emit(kind::Fill, {value}, wanted, shape, {{attr::shape, shape}});
  }
  return emit(kind::Fill, {}, wanted, shape, {{attr::shape, shape}, {attr::value, random_float()}});
}

size_t RegionSources::one_hot(int wanted, const Extents& shape) {
  const auto rank = static_cast<int64_t>(shape.size());
  const int64_t axis = r_.between(0, rank - 1);
  Extents inner = shape;
  inner.erase(inner.begin() + axis);
  const int index_type = r_.pick<int>({iotadnn_s32, iotadnn_s64});
  const int64_t depth = shape[static_cast<size_t>(axis)];
  const size_t indices = input(index_type, inner);
  for (uint64_t& bits : made_.values[indices].bits)
    if (r_.between(0, 9) != 0) bits = from_integer(index_type, r_.between(-1, depth)).bits;
  RegionAttrs attrs = {{attr::depth, depth}, {attr::axis, r_.coin() ? axis : axis - rank}};
  if (r_.coin()) attrs[attr::on_value] = random_float();
  if (r_.coin()) attrs[attr::off_value] = random_float();
  return emit(kind::OneHot, {indices}, wanted, shape, attrs);
}

}  // namespace iotadnn::test
