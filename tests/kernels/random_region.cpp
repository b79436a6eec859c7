// SPDX-License-Identifier: Apache-2.0
#include "kernels/random_region.h"

#include <algorithm>
#include <utility>

#include "kernels/random_region_sums.h"
#include "support/numbers.h"
#include "support/oracle.h"
#include "support/strided.h"

namespace iotadnn::test {
namespace {

using kind = graph::op::kind;
using attr = graph::op::attr;

// Grows a graph op by op from what is there; what an op lacks is made for it.
class Grower : public RegionSums {
 public:
  Grower(Random& random, RandomRegion& made) : RegionSums(random, made) {}

  void grow() {
    math_ = r_.between(0, 3) == 0;
    const int64_t steps = r_.between(1, 12);
    coordinates(random_type(), domain_);
    while (static_cast<int64_t>(made_.ops.size()) < steps)
      step();
  }

 private:
  void step() {
    switch (r_.between(0, 22)) {
      case 21:
      case 22:
        return sum();
      case 15:
      case 16:
        affine();
        return;
      case 17:
        return mask();
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
      case 19:
        return logical();
      case 8:
      case 9:
        return select();
      case 10:
      case 18:
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
    pointwise(op, in, out);
  }

  void pair() {
    const size_t a = any_numeric();
    const bool power = r_.between(0, 3) == 0 && (math_ || !is_floating(type(a)));
    std::vector<size_t> in = {a, operand(type(a), dims(a))};
    swap_some(in);
    const auto op = power ? kind::Power : r_.pick<kind>({kind::Maximum, kind::Minimum});
    const size_t v = pointwise(op, in, type(a));
    made_.values[v].is_math = power && is_floating(type(a));
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

  // A coordinate, perhaps moved and of another type: what comparisons of become intervals of
  // columns, as long as no arithmetic wraps or rounds.
  size_t affine_value(int wanted, const Extents& shape, int64_t edge) {
    int now = r_.between(0, 3) == 0 ? wanted : r_.pick<int>({iotadnn_s32, iotadnn_s64});
    size_t v = coordinates(now, shape);
    for (int64_t moves = edge != 0 ? 1 : r_.between(0, 2); moves > 0; --moves) {
      const bool times = edge == 0 && r_.between(0, 3) == 0;
      const auto op =
          times ? kind::Multiply : r_.pick<kind>({kind::Add, kind::Add, kind::Subtract});
      std::vector<size_t> in = {v, near_edge(now, times ? 0 : edge)};
      swap_some(in);
      v = pointwise(op, in, now);
      if (now != wanted && r_.coin()) v = cast(v, now = wanted);
    }
    return cast(v, wanted);
  }

  size_t affine() {
    const auto [wanted, edge] = random_edge();
    std::vector<size_t> in = {affine_value(wanted, shape_for(domain_), edge)};
    in.push_back(r_.coin() ? affine_value(wanted, shape_for(dims(in[0])), edge)
                           : near_edge(wanted, edge));
    Extents joined = dims(in[0]);
    if (!broadcast(joined, dims(in[1]))) in[1] = operand(wanted, dims(in[0]));
    swap_some(in);
    return pointwise(r_.pick<kind>({kind::Equal, kind::NotEqual, kind::Greater, kind::GreaterEqual,
                                    kind::Less, kind::LessEqual}),
                     in, iotadnn_boolean);
  }

  // Something where a comparison of coordinates holds, or times it.
  void mask() {
    const size_t condition = affine();
    const size_t a = operand(numeric_type(), dims(condition));
    if (r_.coin()) {
      std::vector<size_t> in = {cast(condition, type(a)), a};
      swap_some(in);
      pointwise(kind::Multiply, in, type(a));
      return;
    }
    std::vector<size_t> in = {condition, a, operand(type(a), joined({condition, a}))};
    if (r_.coin()) std::swap(in[1], in[2]);
    pointwise(kind::Select, in, type(a));
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
    const auto op = r_.pick<kind>(
        {kind::Abs, kind::Negative, kind::Square, kind::ReLU, kind::Sign, kind::Clamp});
    RegionAttrs attrs;
    if (op == kind::Clamp) {
      float lo = random_float();
      float hi = random_float();
      if (lo > hi) std::swap(lo, hi);
      attrs[attr::min] = lo;
      attrs[attr::max] = hi;
    }
    pointwise(op, {a}, type(a), attrs);
  }

  void floating() {
    const size_t a = any_floating();
    if (!math_) {
      if (r_.coin())
        pointwise(kind::Sqrt, {a}, type(a));
      else
        pointwise(kind::Reciprocal, {a}, type(a));
      return;
    }
    const auto op = r_.pick<kind>({kind::Exp, kind::Log, kind::Sigmoid, kind::Tanh, kind::Pow});
    RegionAttrs attrs;
    if (op == kind::Pow) attrs[attr::beta] = random_float();
    const size_t v = pointwise(op, {a}, type(a), std::move(attrs));
    made_.values[v].is_math = true;
  }

  void trilu() {
    const auto found = matching([this](size_t v) { return dims(v).size() >= 2; });
    if (found.empty()) return move();
    const size_t a = r_.pick(found);
    const Extents shape = dims(a);
    RegionAttrs attrs;
    if (r_.coin()) attrs[attr::k] = diagonal(shape[shape.size() - 2], shape.back());
    if (r_.coin()) attrs[attr::upper] = r_.coin();
    keep_math(a, emit(kind::Trilu, {a}, type(a), shape, attrs));
  }

  void move() {
    const auto found = matching([](size_t) { return true; });
    if (found.empty()) return;
    const size_t a = r_.pick(found);
    keep_math(a, r_.coin() ? transpose(a) : reshape(a));
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
};

}  // namespace

RandomRegion random_region(Random& random) {
  RandomRegion made;
  Grower(random, made).grow();
  made.fusion = random.between(0, 4) != 0;
  if (random.between(0, 7) == 0) made.strategy = "store=nontemporal";
  // Rarely, as threads that wait for work take the time of those that have some.
  if (random.between(0, 99) == 0)
    made.strategy += made.strategy.empty() ? "threads=2" : ",threads=3";
  made.in_place = random.between(0, 2) == 0;
  for (const RegionOp& op : made.ops)
    if (random.between(0, 9) == 0) made.extra_outputs.push_back(op.output);
  made.strict = random.between(0, 3) == 0;
  choose_knowledge(random, made);
  return made;
}

}  // namespace iotadnn::test
