// SPDX-License-Identifier: Apache-2.0
// An attention's backward pass, as training graphs write it, on every ISA against a computation in
// double.
#include <cmath>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

#include "attention_builder.h"
#include "attention_graph.h"
#include "support/isa_param.h"
#include "support/random.h"

namespace iotadnn::test {
namespace {

using op = graph::op;

struct Shape {
  int64_t batch = 1;
  int64_t heads = 2;
  int64_t queries = 0;
  int64_t keys = 0;
  int64_t depth = 8;
  int64_t value_depth = 12;
  data_type type = data_type::f32;
  bool causal = true;
  bool heads_inside = false;
  float masked = -std::numeric_limits<float>::infinity();
};

// A head's matrices; gradients by the chain rule, written out.
struct Head {
  std::vector<double> q, k, v, d_out, out, stats, dq, dk, dv;
};

class Reference {
 public:
  Reference(const Shape& shape, Random& random) : shape_(shape) {
    for (int64_t h = 0; h < shape.batch * shape.heads; ++h) {
      Head head;
      fill(head.q, shape.queries * shape.depth, random);
      fill(head.k, shape.keys * shape.depth, random);
      fill(head.v, shape.keys * shape.value_depth, random);
      fill(head.d_out, shape.queries * shape.value_depth, random);
      compute(head);
      heads.push_back(std::move(head));
    }
  }

  static constexpr double kScale = 0.25;

  std::vector<Head> heads;

  std::vector<double> all(std::vector<double> Head::*part) const {
    std::vector<double> values;
    for (const Head& head : heads)
      values.insert(values.end(), (head.*part).begin(), (head.*part).end());
    return values;
  }

 private:
  void fill(std::vector<double>& values, int64_t size, Random& random) const {
    for (int64_t i = 0; i < size; ++i)
      values.push_back(rounded(shape_.type, static_cast<double>(random.between(-256, 256)) / 256));
  }

  static double& at(std::vector<double>& m, int64_t columns, int64_t r, int64_t c) {
    return m[static_cast<size_t>(r * columns + c)];
  }

  void compute(Head& h) const {
    const Shape& s = shape_;
    h.dq.assign(h.q.size(), 0);
    h.dk.assign(h.k.size(), 0);
    h.dv.assign(h.v.size(), 0);
    h.out.assign(h.d_out.size(), 0);
    for (int64_t i = 0; i < s.queries; ++i) {
      std::vector<double> p;
      double largest = -std::numeric_limits<double>::infinity();
      for (int64_t j = 0; j < s.keys; ++j) {
        double sum = 0;
        for (int64_t d = 0; d < s.depth; ++d)
          sum += at(h.q, s.depth, i, d) * at(h.k, s.depth, j, d);
        p.push_back(s.causal && j > i ? static_cast<double>(s.masked) : sum * kScale);
        largest = std::fmax(largest, p.back());
      }
      double total = 0;
      for (const double x : p)
        total += std::exp(x - largest);
      h.stats.push_back(static_cast<double>(static_cast<float>(largest + std::log(total))));
      double row_sum = 0;
      std::vector<double> dp;
      for (int64_t j = 0; j < s.keys; ++j) {
        p[static_cast<size_t>(j)] = std::exp(p[static_cast<size_t>(j)] - largest) / total;
        dp.push_back(0);
        for (int64_t c = 0; c < s.value_depth; ++c)
          dp.back() += at(h.d_out, s.value_depth, i, c) * at(h.v, s.value_depth, j, c);
      }
      for (int64_t c = 0; c < s.value_depth; ++c) {
        double& out = at(h.out, s.value_depth, i, c);
        for (int64_t j = 0; j < s.keys; ++j)
          out += p[static_cast<size_t>(j)] * at(h.v, s.value_depth, j, c);
        out = rounded(s.type, out);
        row_sum += out * at(h.d_out, s.value_depth, i, c);
      }
      for (int64_t j = 0; j < s.keys; ++j) {
        const double weight = p[static_cast<size_t>(j)];
        const double ds = weight * (dp[static_cast<size_t>(j)] - row_sum) * kScale;
        for (int64_t d = 0; d < s.depth; ++d) {
          at(h.dq, s.depth, i, d) += ds * at(h.k, s.depth, j, d);
          at(h.dk, s.depth, j, d) += ds * at(h.q, s.depth, i, d);
        }
        for (int64_t c = 0; c < s.value_depth; ++c)
          at(h.dv, s.value_depth, j, c) += weight * at(h.d_out, s.value_depth, i, c);
      }
    }
  }

  Shape shape_;
};

class AttentionBackward : public testing::TestWithParam<NamedIsa> {
 protected:
  void check(const Shape& s) {
    const Reference reference(s, random_);
    AttentionBuilder b(s.heads_inside);
    const auto of = [&](int64_t rows, int64_t columns) {
      return dims{s.batch, s.heads, rows, columns};
    };
    const dims scores = of(s.queries, s.keys);
    const auto d_out =
        b.input(of(s.queries, s.value_depth), s.type, reference.all(&Head::d_out), true);
    const auto q = b.input(of(s.queries, s.depth), s.type, reference.all(&Head::q), true);
    const auto k = b.input(of(s.keys, s.depth), s.type, reference.all(&Head::k), true);
    const auto v = b.input(of(s.keys, s.value_depth), s.type, reference.all(&Head::v), true);
    const auto out = b.input(of(s.queries, s.value_depth), s.type, reference.all(&Head::out), true);
    const auto stats =
        b.input(of(s.queries, 1), data_type::f32, reference.all(&Head::stats), false);
    const auto scale = b.host_scalar(data_type::f32, static_cast<float>(Reference::kScale));
    const auto matmul = [&](const graph::logical_tensor& x, bool turn_x,
                            const graph::logical_tensor& y, bool turn_y,
                            const graph::logical_tensor& to) {
      op& o = b.add(op::kind::MatMul, {x, y}, {to});
      o.set_attr<bool>(op::attr::transpose_a, turn_x);
      o.set_attr<bool>(op::attr::transpose_b, turn_y);
    };
    const auto f32 = data_type::f32;
    const auto dot = b.value(scores, f32);
    matmul(q, false, k, true, dot);
    graph::logical_tensor x = b.apply(op::kind::Multiply, {dot, scale}, scores, f32);
    if (s.causal) {
      const auto keeps = b.apply(op::kind::GreaterEqual, {b.index(x, -2), b.index(x, -1)}, scores,
                                 data_type::boolean);
      x = b.apply(op::kind::Select, {keeps, x, b.host_scalar(f32, s.masked)}, scores, f32);
    }
    x = b.apply(op::kind::Subtract, {x, stats}, scores, f32);
    const auto p = b.apply(op::kind::Exp, {x}, scores, f32);
    const auto cast = [&](const graph::logical_tensor& from) {
      return s.type == f32 ? from : b.apply(op::kind::TypeCast, {from}, scores, s.type);
    };
    const auto dv = b.output(of(s.keys, s.value_depth), s.type, true);
    matmul(cast(p), true, d_out, false, dv);
    const auto dp = b.value(scores, f32);
    matmul(d_out, false, v, true, dp);
    const auto product =
        b.apply(op::kind::Multiply, {out, d_out}, of(s.queries, s.value_depth), f32);
    const auto row_sum = b.value(of(s.queries, 1), f32);
    op& sum = b.add(op::kind::ReduceSum, {product}, {row_sum});
    sum.set_attr<std::vector<int64_t>>(op::attr::axes, {-1});
    sum.set_attr<bool>(op::attr::keep_dims, true);
    const auto difference = b.apply(op::kind::Subtract, {dp, row_sum}, scores, f32);
    const auto weighted = b.apply(op::kind::Multiply, {p, difference}, scores, f32);
    const auto ds = cast(b.apply(op::kind::Multiply, {weighted, scale}, scores, f32));
    const auto dq = b.output(of(s.queries, s.depth), s.type, true);
    const auto dk = b.output(of(s.keys, s.depth), s.type, true);
    matmul(ds, false, k, false, dq);
    matmul(ds, true, q, false, dk);

    graph::graph g(graph::engine::kind::cpu);
    for (const op& o : b.ops)
      g.add_op(o);
    g.finalize();
    const auto partitions = g.get_partitions();
    ASSERT_EQ(partitions.size(), 1u);
    ASSERT_TRUE(partitions.front().is_supported());
    const auto compiled = partitions.front().compile(b.ins, b.outs, b.eng);
    ASSERT_EQ(compiled.get_impl(), GetParam().impl);
    graph::stream st(b.eng);
    compiled.execute(st, b.in_tensors, b.out_tensors);
    st.wait();
    expect_near(s, b.elements(0), reference.all(&Head::dv), "dv");
    expect_near(s, b.elements(1), reference.all(&Head::dq), "dq");
    expect_near(s, b.elements(2), reference.all(&Head::dk), "dk");
  }

  // Each of the gradients is a sum of terms below one half, as many as there are queries or keys.
  static void expect_near(const Shape& s, const std::vector<double>& got,
                          const std::vector<double>& expected, const char* what) {
    const double unit = s.type == data_type::f32 ? 1e-6 : s.type == data_type::f16 ? 2e-3 : 1.6e-2;
    ASSERT_EQ(got.size(), expected.size());
    for (size_t i = 0; i < got.size(); ++i)
      ASSERT_NEAR(got[i], expected[i], unit * (1 + std::fabs(expected[i])) * 2)
          << what << " " << i << ", " << s.queries << " queries, " << s.keys << " keys";
  }

  bool is_reference() const { return GetParam().isa == iotadnn_cpu_isa_reference; }

  Random random_;
  ScopedMaxCpuIsa cap_{GetParam().isa};
};

TEST_P(AttentionBackward, AcrossTheEdgesOfTiles) {
  for (const int64_t queries : {1, 5, 64, 65, 130})
    for (const int64_t keys : {1, 7, 64, 129, 150})
      for (const bool causal : {true, false}) {
        if (is_reference() && queries * keys > 500) continue;
        Shape s;
        s.queries = queries;
        s.keys = keys;
        s.causal = causal;
        check(s);
        if (HasFatalFailure()) return;
      }
}

TEST_P(AttentionBackward, TypesStridesAndMaskedValues) {
  for (const data_type type : {data_type::f32, data_type::bf16, data_type::f16})
    for (const bool heads_inside : {false, true})
      for (const float masked : {-std::numeric_limits<float>::infinity(), -2.0F}) {
        Shape s;
        s.batch = 2;
        s.queries = is_reference() ? 9 : 70;
        s.keys = is_reference() ? 11 : 140;
        s.depth = 19;
        s.value_depth = 35;
        s.type = type;
        s.heads_inside = heads_inside;
        s.masked = masked;
        check(s);
        if (HasFatalFailure()) return;
      }
}

INSTANTIATE_TEST_SUITE_P(Isa, AttentionBackward, testing::ValuesIn(host_named_isas()),
                         named_isa_test_name);

}  // namespace
}  // namespace iotadnn::test
