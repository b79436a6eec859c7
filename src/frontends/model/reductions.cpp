// SPDX-License-Identifier: Apache-2.0
// Ops that look along axes. Floating types are summed in double and rounded once.
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "frontends/model/broadcast.h"
#include "frontends/model/elements.h"
#include "frontends/model/rows.h"

namespace iotadnn::models::rows {
namespace {

std::vector<int64_t> axes_of(const ShapeContext& c) {
  std::vector<int64_t> axes;
  if (c.has(1)) axes = c.list(1);
  if (axes.empty() && !c.node.flag("noop")) {
    axes.resize(static_cast<size_t>(c.rank(0)));
    std::iota(axes.begin(), axes.end(), 0);
  }
  return c.axes(axes, c.rank(0));
}

// The input's shape with 1 for each reduced axis.
Dims kept_dims(const ShapeContext& c) {
  Dims dims = c.dims(0);
  for (const int64_t axis : axes_of(c))
    dims[static_cast<size_t>(axis)] = 1;
  return dims;
}

template <class C>
C add(C a, C b) {
  if constexpr (std::is_same_v<C, double>)
    return a + b;
  else
    return static_cast<C>(static_cast<uint64_t>(a) + static_cast<uint64_t>(b));
}

template <class C>
C multiply(C a, C b) {
  if constexpr (std::is_same_v<C, double>)
    return a * b;
  else
    return static_cast<C>(static_cast<uint64_t>(a) * static_cast<uint64_t>(b));
}

template <class C>
bool is_nan(C value) {
  return !(value <= value);
}

template <class C>
C larger(C a, C b) {
  return is_nan(a) || !(is_nan(b) || a < b) ? a : b;
}

template <class C>
C smaller(C a, C b) {
  return is_nan(a) || !(is_nan(b) || b < a) ? a : b;
}

// The least and the greatest value of a type, in C.
template <class C>
C extreme_of(DataType type, bool greatest) {
  if constexpr (std::is_same_v<C, double>) {
    const double infinity = std::numeric_limits<double>::infinity();
    return greatest ? infinity : -infinity;
  } else {
    Tensor one(type, {1});
    storer<double>(type)(one.data(), 0, greatest ? 0x1p70 : -0x1p70);  // saturates
    return loader<C>(type)(one.data(), 0);
  }
}

template <class C>
struct Fold {
  C start;
  C (*step)(C, C);
};

template <class C>
Fold<C> fold_of(const RunContext& c) {
  const DataType type = c.input(0).type();
  switch (c.node.op) {
    case Op::reduce_prod:
      return {C{1}, multiply<C>};
    case Op::reduce_max:
      return {extreme_of<C>(type, false), larger<C>};
    case Op::reduce_min:
      return {extreme_of<C>(type, true), smaller<C>};
    default:
      return {C{0}, add<C>};
  }
}

template <class C>
void reduce(RunContext& c) {
  const Tensor& in = c.input(0);
  Tensor& out = c.out[0];
  const Fold<C> fold = fold_of<C>(c);
  std::vector<C> sums(static_cast<size_t>(out.count()), fold.start);
  const auto load = loader<C>(in.type());
  const auto store = storer<C>(out.type());
  Walk walk(in.dims());
  walk.add_broadcast(kept_dims(c.shapes));
  for (int64_t i = 0; i < in.count(); ++i, walk.next()) {
    C& sum = sums[static_cast<size_t>(walk.at(0))];
    sum = fold.step(sum, load(in.data(), i));
  }
  const auto each = out.count() == 0 ? 0 : in.count() / out.count();
  for (int64_t i = 0; i < out.count(); ++i) {
    C sum = sums[static_cast<size_t>(i)];
    if constexpr (std::is_same_v<C, double>)
      if (c.node.op == Op::reduce_mean) sum /= static_cast<double>(each);
    store(out.data(), i, sum);
  }
}

template <class C>
void cum_sum(RunContext& c) {
  const Tensor& in = c.input(0);
  Tensor& out = c.out[0];
  const auto axis = static_cast<size_t>(c.shapes.axis(c.shapes.scalar(1), c.shapes.rank(0)));
  const int64_t extent = in.dims()[axis];
  const int64_t inner = product(in.dims(), axis + 1, in.dims().size());
  if (in.count() == 0) return;
  const auto load = loader<C>(in.type());
  const auto store = storer<C>(out.type());
  const bool reverse = c.node.flag("reverse");
  for (int64_t line = 0; line < in.count() / extent; ++line) {
    const int64_t first = line / inner * inner * extent + line % inner;
    C sum{0};
    for (int64_t i = 0; i < extent; ++i) {
      const int64_t at = first + (reverse ? extent - 1 - i : i) * inner;
      const C before = sum;
      sum = add(sum, load(in.data(), at));
      store(out.data(), at, c.node.flag("exclusive") ? before : sum);
    }
  }
}

}  // namespace

void infer_reduce(ShapeContext& c) {
  const std::vector<int64_t> axes = axes_of(c);
  c.out[0].clear();
  for (size_t d = 0; d < c.dims(0).size(); ++d) {
    const bool goes = std::find(axes.begin(), axes.end(), static_cast<int64_t>(d)) != axes.end();
    if (!goes) c.out[0].push_back(c.dims(0)[d]);
    if (goes && c.node.flag("keep_dims")) c.out[0].push_back(1);
  }
}

void run_reduce(RunContext& c) {
  with_domain(c.out[0].type(), [&](auto zero) { return reduce<decltype(zero)>(c); });
}

std::string emit_reduce(EmitContext& c) {
  c.ports = {0};
  c.op.attrs.emplace("axes", axes_of(c.shapes));
  c.op.attrs.emplace("keep_dims", c.node.flag("keep_dims"));
  return "";
}

void infer_cum_sum(ShapeContext& c) {
  static_cast<void>(c.axis(c.scalar(1), c.rank(0)));
  c.out[0] = c.dims(0);
}

void run_cum_sum(RunContext& c) {
  with_domain(c.out[0].type(), [&](auto zero) { return cum_sum<decltype(zero)>(c); });
}

void infer_softmax(ShapeContext& c) {
  static_cast<void>(c.axis(c.node.integer("axis", -1), c.rank(0)));
  c.out[0] = c.dims(0);
}

void run_softmax(RunContext& c) {
  const Tensor& in = c.input(0);
  Tensor& out = c.out[0];
  if (in.count() == 0) return;
  const auto axis =
      static_cast<size_t>(c.shapes.axis(c.node.integer("axis", -1), c.shapes.rank(0)));
  const size_t end = c.node.flag("flatten") ? in.dims().size() : axis + 1;
  const int64_t extent = product(in.dims(), axis, end);
  const int64_t inner = product(in.dims(), end, in.dims().size());
  const auto load = loader<double>(in.type());
  const auto store = storer<double>(out.type());
  std::vector<double> line(static_cast<size_t>(extent));
  for (int64_t l = 0; l < in.count() / extent; ++l) {
    const int64_t first = l / inner * inner * extent + l % inner;
    double most = -std::numeric_limits<double>::infinity();
    for (int64_t i = 0; i < extent; ++i)
      most = larger(most, load(in.data(), first + i * inner));
    const bool is_hidden = c.node.flag("inf_as_zero") && most < 0 && std::isinf(most);
    double sum = 0;
    for (int64_t i = 0; i < extent; ++i) {
      double& power = line[static_cast<size_t>(i)];
      power = std::exp(load(in.data(), first + i * inner) - most);
      sum += power;
    }
    for (int64_t i = 0; i < extent; ++i)
      store(out.data(), first + i * inner, is_hidden ? 0 : line[static_cast<size_t>(i)] / sum);
  }
}

std::string emit_softmax(EmitContext& c) {
  if (c.node.flag("flatten")) return "it goes over several dimensions at once";
  c.op.attrs.emplace("axis", c.node.integer("axis", -1));
  if (c.node.flag("inf_as_zero")) c.op.attrs.emplace("mode", std::string("inf_as_zero"));
  return "";
}

}  // namespace iotadnn::models::rows
