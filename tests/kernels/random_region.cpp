// SPDX-License-Identifier: Apache-2.0
#include "kernels/random_region.h"

#include <algorithm>
#include <functional>

#include "kernels/random_region_sources.h"
#include "support/numbers.h"
#include "support/oracle.h"
#include "support/strided.h"

namespace iotadnn::test {
namespace {

using kind = graph::op::kind;
using attr = graph::op::attr;

// Grows a graph op by op from what is there; what an op lacks is made for it.
class Grower : public RegionSources {
 public:
  Grower(Random& random, RandomRegion& made) : RegionSources(random, made) {}

  void grow() {
    math_ = r_.between(0, 3) == 0;
    const int64_t steps = r_.between(1, 12);
    coordinates(random_type(), domain_);
    while (static_cast<int64_t>(made_.ops.size()) < steps)
      step();
  }

 private:
  void step() {
    switch (r_.between(0, 15)) {
      case 0:
      case 1:
      case 2:
        return arithmetic();
      case 3:
      case 4:
        return pair();
      case 5:
      case 6:
        return comparison();
      case 7:
        return logical();
      case 8:
      case 9:
        return select();
      case 10:
        return unary();
      case 11:
        return floating();
      case 12:
        cast(any_exact());
        return;
      case 13:
        return move();
      case 14:
        return trilu();
      default:
        coordinates(random_type(), shape_for(domain_));
    }
  }

  // A value that is there, or the newest.
  size_t any_exact() {
    const auto exact = matching([this](size_t v) { return !made_.values[v].is_math; });
    if (exact.empty()) return input(random_type(), domain_);
    return r_.coin() ? exact.back() : r_.pick(exact);
  }

  size_t any_numeric() {
    const size_t v = any_exact();
    return is_boolean(type(v)) ? cast(v, numeric_type()) : v;
  }

  size_t any_floating() {
    const size_t v = any_exact();
    return is_floating(type(v)) ? v : cast(v, floating_type());
  }

  size_t any_boolean() {
    const size_t v = any_exact();
    if (is_boolean(type(v))) return v;
    return r_.coin() ? cast(v, iotadnn_boolean) : operand(iotadnn_boolean, dims(v));
  }

  std::vector<size_t> matching(const std::function<bool(size_t)>& wanted) const {
    std::vector<size_t> found;
    for (size_t v = 0; v < made_.values.size(); ++v)
      if (!made_.values[v].host_scalar && wanted(v)) found.push_back(v);
    return found;
  }

  // A value of the type that broadcasts with the shape.
  size_t operand(int wanted, const Extents& with, bool math_allowed = false) {
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

  bool loose(const std::vector<size_t>& inputs) const {
    return std::any_of(inputs.begin(), inputs.end(),
                       [this](size_t v) { return made_.values[v].loose_zero; });
  }

  Extents joined(const std::vector<size_t>& inputs) const {
    Extents shape = dims(inputs.front());
    for (const size_t v : inputs)
      broadcast(shape, dims(v));
    return shape;
  }

  size_t pointwise(kind op, const std::vector<size_t>& inputs, int output_type,
                   RegionAttrs attrs = {}) {
    bool same = true;
    for (const size_t v : inputs)
      same = same && dims(v) == dims(inputs.front());
    if (inputs.size() > 1 && (!same || r_.coin()))
      attrs[attr::auto_broadcast] = std::string("numpy");
    else if (inputs.size() > 1 && r_.coin())
      attrs[attr::auto_broadcast] = std::string("none");
    const size_t out = emit(op, inputs, output_type, joined(inputs), std::move(attrs));
    made_.values[out].loose_zero = is_floating(output_type) && loose(inputs);
    return out;
  }

  void swap_some(std::vector<size_t>& inputs) {
    if (r_.coin()) std::swap(inputs[0], inputs[1]);
  }

  // x + 0 is x and x * 0 is 0 in the default mode, so that the sign of a zero is not defined.
  void arithmetic() {
    const auto op = r_.pick<kind>({kind::Add, kind::Subtract, kind::Multiply, kind::Divide});
    const size_t a = any_numeric();
    const bool mixed = r_.between(0, 4) == 0;
    std::vector<size_t> in = {a, operand(mixed ? numeric_type() : type(a), dims(a))};
    swap_some(in);
    const int out = mixed ? numeric_type() : type(a);
    const bool real = is_floating(type(in[0])) || is_floating(type(in[1])) || is_floating(out);
    if (op == kind::Divide && real) in[1] = with_sure_zero(in[1]);
    const size_t v = pointwise(op, in, out);
    made_.values[v].loose_zero = is_floating(out);
  }

  void pair() {
    const size_t a = any_numeric();
    const bool power = r_.between(0, 3) == 0 && (math_ || !is_floating(type(a)));
    std::vector<size_t> in = {a, operand(type(a), dims(a))};
    swap_some(in);
    if (power && is_floating(type(a)))
      for (size_t& v : in)
        v = with_sure_zero(v);
    const auto op = power ? kind::Power : r_.pick<kind>({kind::Maximum, kind::Minimum});
    const size_t v = pointwise(op, in, type(a));
    made_.values[v].is_math = power && is_floating(type(a));
    made_.values[v].loose_zero = is_floating(type(a));
  }

  void comparison() {
    const bool any = r_.between(0, 3) == 0;
    const size_t a = any ? any_exact() : any_numeric();
    std::vector<size_t> in = {a, operand(type(a), dims(a))};
    swap_some(in);
    const auto op = any ? r_.pick<kind>({kind::Equal, kind::NotEqual})
                        : r_.pick<kind>({kind::Equal, kind::NotEqual, kind::Greater,
                                         kind::GreaterEqual, kind::Less, kind::LessEqual});
    pointwise(op, in, iotadnn_boolean);
  }

  void logical() {
    const size_t a = any_boolean();
    if (r_.between(0, 2) == 0) {
      pointwise(kind::LogicalNot, {a}, iotadnn_boolean);
      return;
    }
    std::vector<size_t> in = {a, operand(iotadnn_boolean, dims(a))};
    swap_some(in);
    pointwise(r_.pick<kind>({kind::LogicalAnd, kind::LogicalOr}), in, iotadnn_boolean);
  }

  void select() {
    const size_t condition = any_boolean();
    const size_t a = operand(random_type(), dims(condition), true);
    const size_t b = operand(type(a), joined({condition, a}), true);
    std::vector<size_t> in = {condition, a, b};
    if (r_.coin()) std::swap(in[1], in[2]);
    const size_t v = pointwise(kind::Select, in, type(a));
    made_.values[v].is_math = made_.values[a].is_math || made_.values[b].is_math;
  }

  void unary() {
    const size_t a = any_numeric();
    const auto op =
        r_.pick<kind>({kind::Abs, kind::Negative, kind::Square, kind::ReLU, kind::Clamp});
    RegionAttrs attrs;
    if (op == kind::Clamp) {
      float lo = random_float();
      float hi = random_float();
      if (lo > hi) std::swap(lo, hi);
      attrs[attr::min] = lo;
      attrs[attr::max] = hi;
    }
    const size_t v = pointwise(op, {a}, type(a), attrs);
    if (op == kind::Abs || op == kind::Square) made_.values[v].loose_zero = false;
  }

  void floating() {
    const size_t a = any_floating();
    if (!math_) {
      if (r_.coin())
        pointwise(kind::Sqrt, {a}, type(a));
      else
        pointwise(kind::Reciprocal, {with_sure_zero(a)}, type(a));
      return;
    }
    const auto op = r_.pick<kind>({kind::Exp, kind::Log, kind::Sigmoid, kind::Tanh, kind::Pow});
    RegionAttrs attrs;
    if (op == kind::Pow) attrs[attr::beta] = random_float();
    const size_t v =
        pointwise(op, {op == kind::Pow ? with_sure_zero(a) : a}, type(a), std::move(attrs));
    made_.values[v].is_math = true;
  }

  // Where the sign of a zero decides about the result.
  size_t with_sure_zero(size_t v) {
    if (!made_.values[v].loose_zero) return v;
    const size_t out = pointwise(kind::Abs, {v}, type(v));
    made_.values[out].loose_zero = false;
    return out;
  }

  void keep_marks(size_t from, size_t to) {
    made_.values[to].is_math = made_.values[from].is_math;
    made_.values[to].loose_zero = made_.values[from].loose_zero;
  }

  void trilu() {
    const auto found = matching([this](size_t v) { return dims(v).size() >= 2; });
    if (found.empty()) return move();
    const size_t a = r_.pick(found);
    const Extents shape = dims(a);
    RegionAttrs attrs;
    if (r_.coin()) attrs[attr::k] = diagonal(shape[shape.size() - 2], shape.back());
    if (r_.coin()) attrs[attr::upper] = r_.coin();
    keep_marks(a, emit(kind::Trilu, {a}, type(a), shape, attrs));
  }

  void move() {
    const auto found = matching([](size_t) { return true; });
    if (found.empty()) return;
    const size_t a = r_.pick(found);
    keep_marks(a, r_.coin() ? transpose(a) : reshape(a));
  }

  size_t transpose(size_t a) {
    Extents order(dims(a).size());
    for (size_t d = 0; d < order.size(); ++d)
      order[d] = static_cast<int64_t>(d);
    std::shuffle(order.begin(), order.end(), r_.engine());
    Extents shape;
    for (const int64_t d : order)
      shape.push_back(dims(a)[static_cast<size_t>(d)]);
    for (int64_t& d : order)
      if (r_.between(0, 3) == 0) d -= static_cast<int64_t>(order.size());
    return emit(kind::StaticTranspose, {a}, type(a), shape, {{attr::order, order}});
  }

  size_t reshape(size_t a) {
    Extents shape;
    for (const int64_t extent : dims(a))
      if (extent != 1 || r_.coin()) shape.push_back(extent);
    while (shape.size() < 6 && r_.between(0, 2) == 0)
      shape.insert(shape.begin() + r_.between(0, static_cast<int64_t>(shape.size())), 1);
    Extents given = shape;
    const bool rest = elements_of(shape) > 0 && !given.empty() && r_.between(0, 3) == 0;
    if (rest)
      given[static_cast<size_t>(r_.between(0, static_cast<int64_t>(given.size()) - 1))] = -1;
    return emit(kind::StaticReshape, {a}, type(a), shape,
                {{attr::shape, given}, {attr::special_zero, false}});
  }

  bool math_ = false;
};

}  // namespace

namespace {

// Strides that are not given are dense as soon as the shape is known, so that others need a shape
// that cannot be found from what is known at compile.
void make_found_shapes_dense(RandomRegion& region) {
  enum Found { from_nothing, no, yes };

  std::vector<Found> found(region.values.size(), from_nothing);
  const auto settle = [&](size_t v) {
    RegionValue& value = region.values[v];
    if (value.known_in_graph || value.known_at_compile) found[v] = yes;
    if (!value.dims.empty() && value.is_input && found[v] != yes) found[v] = no;
  };
  for (size_t v = 0; v < region.values.size(); ++v)
    if (region.values[v].is_input && !region.values[v].host_scalar) settle(v);
  for (const RegionOp& op : region.ops) {
    Found& out = found[op.output];
    for (const size_t v : op.inputs)
      out = std::max(out, found[v]);
    if (op.attrs.count(attr::shape) != 0 || op.kind == kind::OneHot || out == from_nothing)
      out = yes;
    if (op.kind == kind::Range || (op.kind == kind::Eye && !op.inputs.empty())) out = no;
    settle(op.output);
    RegionValue& value = region.values[op.output];
    if (out == yes && !(value.known_in_graph && value.known_at_compile))
      value.strides = dense_strides(value.dims);
  }
}

}  // namespace

RandomRegion random_region(Random& random) {
  RandomRegion made;
  Grower(random, made).grow();
  made.fusion = random.between(0, 4) != 0;
  made.in_place = random.between(0, 3) == 0;
  for (const RegionOp& op : made.ops)
    if (random.between(0, 9) == 0) made.extra_outputs.push_back(op.output);
  const int64_t knowledge = random.between(0, 7);
  for (RegionValue& v : made.values) {
    if (v.host_scalar) continue;
    const bool some = knowledge == 0 && random.coin();
    v.known_in_graph = knowledge > 2 && !some;
    v.known_at_compile = v.known_in_graph || knowledge == 1 || (knowledge == 0 && random.coin());
  }
  make_found_shapes_dense(made);
  return made;
}

}  // namespace iotadnn::test
