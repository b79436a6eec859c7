// SPDX-License-Identifier: Apache-2.0
#include "attention_graph.h"

#include <algorithm>
#include <cmath>

#include "attention_builder.h"

namespace iotadnn::test {
namespace {

using namespace graph;  // NOLINT(google-build-using-namespace): the API under test
using type = logical_tensor::data_type;

constexpr int64_t kWindow = 5;
constexpr int64_t kPrefix = 7;

// dims of q, k, v, scores from the batch dimensions.
dims with(dims outer, int64_t rows, int64_t columns) {
  outer.push_back(rows);
  outer.push_back(columns);
  return outer;
}

dims strides_in(Layout layout, const dims& d, bool heads_inside) {
  const size_t last = d.size() - 1;
  dims room = d;
  if (layout == Layout::padded) room[last] = d[last] / 2 * 2 + 1;
  dims strides = strides_of(room, heads_inside && layout == Layout::rows);
  if (layout == Layout::columns) {
    strides[last] = d[last - 1];
    strides[last - 1] = 1;
  } else if (layout == Layout::heads_last) {
    strides[last] = d[1];
    strides[last - 1] = d[1] * d[last];
    strides[1] = 1;
  }
  return strides;
}

}  // namespace

std::string name_of(Mask mask) {
  constexpr const char* kNames[] = {
      "none",    "causal",       "bottom_right",   "window",       "prefix", "alibi",
      "padding", "explicit_add", "causal_and_add", "added_causal", "swapped"};
  return kNames[static_cast<size_t>(mask)];
}

std::string text_of(const AttentionSpec& s) {
  return name_of(s.mask) + " " + std::to_string(s.batch) + "x" + std::to_string(s.heads) + "x" +
         std::to_string(s.groups) + "x" + std::to_string(s.queries) + "x" + std::to_string(s.keys) +
         " depths " + std::to_string(s.depth) + ", " + std::to_string(s.value_depth) + " types " +
         std::to_string(number_of(s.dtype)) + ", " + std::to_string(number_of(s.score)) + ", " +
         std::to_string(number_of(s.value_type())) + " layout " +
         std::to_string(static_cast<int>(s.layout)) + " hands out " +
         std::to_string(static_cast<int>(s.handed_out));
}

AttentionGraph::AttentionGraph(const AttentionSpec& spec, Random& random) : spec_(spec) {
  const auto fill = [&](std::vector<double>& values, type t, int64_t size, double largest) {
    for (int64_t i = 0; i < size; ++i)
      values.push_back(rounded(t, largest * static_cast<double>(random.between(-512, 512)) / 512));
  };
  const int64_t outer = spec.batch * spec.heads;
  fill(q, spec.dtype, outer * spec.groups_or_one() * spec.queries * spec.depth, 2);
  fill(k, spec.dtype, outer * spec.keys * spec.depth, 2);
  fill(v, spec.value_type(), outer * spec.keys * spec.value_depth, 1);
  scale = rounded(spec.score, (spec.divides ? 0.5 : 2.0) / static_cast<double>(spec.depth));
  if (spec.divides) scale = rounded(spec.score, static_cast<double>(spec.depth) / 2);
  for (int64_t i = 0; i < spec.queries * spec.keys; ++i)
    added.push_back(random.between(0, 3) == 0
                        ? -std::numeric_limits<double>::infinity()
                        : rounded(spec.score, static_cast<double>(random.between(-8, 8)) / 4));
  for (int64_t b = 0; b < spec.batch; ++b)
    lengths.push_back(static_cast<int32_t>(random.between(0, spec.keys)));
  for (int64_t h = 0; h < spec.heads; ++h)
    slopes.push_back(rounded(spec.score, 1.0 / static_cast<double>(1 << (h + 1))));
}

AttentionGraph::Results AttentionGraph::run() const {
  const AttentionSpec& s = spec_;
  AttentionBuilder b(s.heads_inside);
  dims outer{s.batch, s.heads};
  dims shared = outer;
  if (s.groups != 0) {
    outer.push_back(s.groups);
    shared.push_back(1);
  }
  const dims scores = with(outer, s.queries, s.keys);
  const auto operand = [&](const dims& d, type t, const std::vector<double>& values) {
    return b.input(d, t, values, strides_in(s.layout, d, s.heads_inside));
  };
  const auto q_lt = operand(with(outer, s.queries, s.depth), s.dtype, q);
  const auto k_lt = operand(with(shared, s.keys, s.depth), s.dtype, k);
  const auto v_lt = operand(with(shared, s.keys, s.value_depth), s.value_type(), v);
  const auto dot = b.value(scores, s.score);
  b.add(op::kind::MatMul, {q_lt, k_lt}, {dot}).set_attr<bool>(op::attr::transpose_b, true);
  logical_tensor score = b.apply(s.divides ? op::kind::Divide : op::kind::Multiply,
                                 {dot, b.input({1}, s.score, {scale})}, scores, s.score);
  if (s.handed_out == HandedOut::products) b.hand_out(dot);
  if (s.handed_out == HandedOut::scaled) b.hand_out(score);
  const dims mask_dims(scores.size() - 2, 1);
  dims mask_strides = strides_of(with(mask_dims, s.queries, s.keys), false);
  if (s.mask_by_keys) {
    mask_strides.back() = s.queries;
    mask_strides[mask_strides.size() - 2] = 1;
  }
  if (s.mask == Mask::explicit_add || s.mask == Mask::causal_and_add)
    score =
        b.apply(op::kind::Add,
                {score, b.input(with(mask_dims, s.queries, s.keys), s.score, added, mask_strides)},
                scores, s.score);
  if (s.mask != Mask::none && s.mask != Mask::explicit_add) {
    logical_tensor row;
    if (s.mask != Mask::padding) row = b.index(score, -2);
    const logical_tensor column = b.index(score, -1);
    const auto combine = [&](op::kind kind, const logical_tensor& x, const logical_tensor& y) {
      return b.apply(kind, {x, y}, scores, type::boolean);
    };
    if (s.mask == Mask::alibi) {
      const auto distance = b.apply(op::kind::Subtract, {column, row}, scores, type::s32);
      const auto wide = b.apply(op::kind::TypeCast, {distance}, scores, s.score);
      dims per_head(scores.size(), 1);
      per_head[1] = s.heads;
      const auto bias =
          b.apply(op::kind::Multiply, {wide, b.input(per_head, s.score, slopes)}, scores, s.score);
      score = b.apply(op::kind::Add, {score, bias}, scores, s.score);
    }
    if (s.mask == Mask::bottom_right) {
      row = b.apply(op::kind::Add, {row, b.host_scalar(type::s32, static_cast<int32_t>(s.keys))},
                    scores, type::s32);
      row = b.apply(op::kind::Subtract,
                    {row, b.host_scalar(type::s32, static_cast<int32_t>(s.queries))}, scores,
                    type::s32);
    }
    logical_tensor keeps;
    if (s.mask != Mask::padding) keeps = combine(op::kind::GreaterEqual, row, column);
    if (s.mask == Mask::window) {
      const auto back =
          b.apply(op::kind::Add, {column, b.host_scalar(type::s32, static_cast<int32_t>(kWindow))},
                  scores, type::s32);
      keeps = combine(op::kind::LogicalAnd, keeps, combine(op::kind::Greater, back, row));
    } else if (s.mask == Mask::prefix) {
      const auto first = b.input({1}, type::s32, {static_cast<double>(kPrefix)});
      keeps = combine(op::kind::LogicalOr, keeps, combine(op::kind::Less, column, first));
    } else if (s.mask == Mask::padding) {
      dims per_batch(scores.size(), 1);
      per_batch[0] = s.batch;
      const auto length = b.input(per_batch, type::s32, {lengths.begin(), lengths.end()});
      keeps = combine(op::kind::Less, column, length);
    }
    const auto masked = b.input({1}, s.score, {static_cast<double>(s.masked)});
    if (s.mask == Mask::added_causal) {
      const auto zero = b.input({1}, s.score, {0});
      const auto bias = b.apply(op::kind::Select, {keeps, zero, masked}, scores, s.score);
      score = b.apply(op::kind::Add, {score, bias}, scores, s.score);
    } else if (s.mask == Mask::swapped) {
      score = b.apply(op::kind::Select, {keeps, masked, score}, scores, s.score);
    } else {
      score = b.apply(op::kind::Select, {keeps, score, masked}, scores, s.score);
    }
  }
  if (s.handed_out == HandedOut::masked) b.hand_out(score);
  logical_tensor probabilities = b.value(scores, s.casts ? type::f32 : s.value_type());
  const auto out = b.output(with(outer, s.queries, s.value_depth), s.value_type(), true);
  std::vector<logical_tensor> softmax_out{probabilities};
  if (s.stats) softmax_out.push_back(b.output(with(outer, s.queries, 1), type::f32, false));
  op& softmax = b.add(op::kind::SoftMax, {score}, softmax_out);
  softmax.set_attr<int64_t>(op::attr::axis, -1);
  softmax.set_attr<std::string>(op::attr::mode, s.inf_as_zero ? "inf_as_zero" : "none");
  if (s.casts) probabilities = b.apply(op::kind::TypeCast, {probabilities}, scores, s.value_type());
  b.add(op::kind::MatMul, {probabilities, v_lt}, {out});

  iotadnn::graph::graph g(engine::kind::cpu);
  if (s.strict) g.set_math_mode(iotadnn::graph::graph::math_mode::strict_bits);
  for (const op& o : b.ops)
    g.add_op(o);
  g.finalize();
  Results results;
  auto partitions = g.get_partitions();
  // An End is one, which is not supported.
  if (s.handed_out != HandedOut::none)
    partitions.erase(std::remove_if(partitions.begin(), partitions.end(),
                                    [](const partition& p) { return !p.is_supported(); }),
                     partitions.end());
  results.partitions = partitions.size();
  if (partitions.size() != 1 || !partitions.front().is_supported()) return results;
  const auto compiled = partitions.front().compile(b.ins, b.outs, b.eng);
  results.impl = compiled.get_impl();
  stream st(b.eng);
  compiled.execute(st, b.in_tensors, b.out_tensors);
  st.wait();
  for (size_t o = 0; o < b.outs.size(); ++o) {
    const size_t id = b.outs[o].get_id();
    if (id == out.get_id())
      results.out = b.elements(o);
    else if (s.stats && id == softmax_out[1].get_id())
      results.stats = b.elements(o);
    else
      results.handed_out = b.elements(o);
  }
  return results;
}

double AttentionGraph::product(int64_t b, int64_t h, int64_t g, int64_t query, int64_t key) const {
  const AttentionSpec& s = spec_;
  const int64_t head = b * s.heads + h;
  const double* const x = q.data() + ((head * s.groups_or_one() + g) * s.queries + query) * s.depth;
  const double* const y = k.data() + (head * s.keys + key) * s.depth;
  double sum = 0;
  for (int64_t d = 0; d < s.depth; ++d)
    sum += x[d] * y[d];
  return sum;
}

double AttentionGraph::scaled(double product) const {
  return spec_.divides ? product / scale : product * scale;
}

// What the SoftMax takes.
double AttentionGraph::masked(double scaled, int64_t b, int64_t h, int64_t query,
                              int64_t key) const {
  const AttentionSpec& s = spec_;
  double x = scaled;
  if (s.mask == Mask::explicit_add || s.mask == Mask::causal_and_add)
    x += added[static_cast<size_t>(query * s.keys + key)];
  if (s.mask == Mask::alibi) x += slopes[static_cast<size_t>(h)] * static_cast<double>(key - query);
  bool keeps = key <= query;
  switch (s.mask) {
    case Mask::none:
    case Mask::explicit_add:
      keeps = true;
      break;
    case Mask::bottom_right:
      keeps = key <= query + s.keys - s.queries;
      break;
    case Mask::window:
      keeps = keeps && key + kWindow > query;
      break;
    case Mask::prefix:
      keeps = keeps || key < kPrefix;
      break;
    case Mask::padding:
      keeps = key < lengths[static_cast<size_t>(b)];
      break;
    case Mask::swapped:
      keeps = !keeps;
      break;
    default:
      break;
  }
  if (s.mask == Mask::added_causal) return keeps ? x : x + static_cast<double>(s.masked);
  return keeps ? x : static_cast<double>(s.masked);
}

AttentionGraph::Results AttentionGraph::expected() const {
  const AttentionSpec& s = spec_;
  const double infinity = std::numeric_limits<double>::infinity();
  Results results;
  for (int64_t b = 0; b < s.batch; ++b)
    for (int64_t h = 0; h < s.heads; ++h)
      for (int64_t g = 0; g < s.groups_or_one(); ++g)
        for (int64_t i = 0; i < s.queries; ++i) {
          std::vector<double> x;
          double largest = -infinity;
          for (int64_t j = 0; j < s.keys; ++j) {
            const double dot = product(b, h, g, i, j);
            x.push_back(masked(scaled(dot), b, h, i, j));
            results.handed_out.push_back(s.handed_out == HandedOut::products ? dot
                                         : s.handed_out == HandedOut::scaled ? scaled(dot)
                                                                             : x.back());
            largest = std::fmax(largest, x.back());
          }
          const bool nothing = largest == -infinity;
          double sum = 0;
          std::vector<double> weights;
          for (const double e : x) {
            weights.push_back(std::exp(e - largest));
            sum += weights.back();
          }
          results.stats.push_back(nothing && s.inf_as_zero ? 0 : largest + std::log(sum));
          for (int64_t c = 0; c < s.value_depth; ++c) {
            double out = 0;
            for (int64_t j = 0; j < s.keys; ++j)
              if (x[static_cast<size_t>(j)] != -infinity)
                out += weights[static_cast<size_t>(j)] / sum *
                       v[static_cast<size_t>(((b * s.heads + h) * s.keys + j) * s.value_depth + c)];
            results.out.push_back(
                nothing && !s.inf_as_zero ? std::numeric_limits<double>::quiet_NaN() : out);
          }
        }
  return results;
}

}  // namespace iotadnn::test
