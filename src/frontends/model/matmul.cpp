// SPDX-License-Identifier: Apache-2.0
#include <utility>

#include "frontends/model/broadcast.h"
#include "frontends/model/elements.h"
#include "frontends/model/rows.h"

namespace iotadnn::models::rows {
namespace {

// The operands as stacks of matrices: a vector on the left is one row, on the right one column.
struct Shapes {
  Dims batch;  // broadcast
  Dims a_batch;
  Dims b_batch;
  int64_t rows, inner, columns;
  bool a_is_vector, b_is_vector;
};

Dims all_but_two(const Dims& dims) {
  return {dims.begin(), dims.end() - 2};
}

Shapes shapes_of(const ShapeContext& c) {
  Dims a = c.dims(0);
  Dims b = c.dims(1);
  if (a.empty() || b.empty())
    c.fail("shapes " + shape_text(a) + " and " + shape_text(b) + ", allowed: rank 1 and more");
  const bool a_is_vector = a.size() == 1;
  const bool b_is_vector = b.size() == 1;
  if (a_is_vector) {
    a.insert(a.begin(), 1);
  } else if (c.node.flag("transpose_a")) {
    std::swap(a[a.size() - 1], a[a.size() - 2]);
  }
  if (b_is_vector) {
    b.push_back(1);
  } else if (c.node.flag("transpose_b")) {
    std::swap(b[b.size() - 1], b[b.size() - 2]);
  }
  const auto batch = broadcast(all_but_two(a), all_but_two(b));
  if (!batch || a.back() != b[b.size() - 2])
    c.fail("shapes " + shape_text(c.dims(0)) + " and " + shape_text(c.dims(1)) +
           " cannot be multiplied");
  return {*batch,   all_but_two(a), all_but_two(b), a[a.size() - 2],
          a.back(), b.back(),       a_is_vector,    b_is_vector};
}

template <class C>
void multiply(RunContext& c) {
  using Sum = std::conditional_t<std::is_same_v<C, double>, double, uint64_t>;  // integers wrap
  const Shapes s = shapes_of(c.shapes);
  const Tensor& a = c.input(0);
  const Tensor& b = c.input(1);
  Tensor& out = c.out[0];
  const auto load = loader<C>(a.type());
  const auto store = storer<C>(out.type());
  const bool a_turned = c.node.flag("transpose_a") && !s.a_is_vector;
  const bool b_turned = c.node.flag("transpose_b") && !s.b_is_vector;
  Walk walk(s.batch);
  walk.add_broadcast(s.a_batch);
  walk.add_broadcast(s.b_batch);
  for (int64_t to = 0; to < out.count(); walk.next()) {
    const int64_t a_first = walk.at(0) * s.rows * s.inner;
    const int64_t b_first = walk.at(1) * s.inner * s.columns;
    for (int64_t row = 0; row < s.rows; ++row) {
      for (int64_t column = 0; column < s.columns; ++column, ++to) {
        Sum sum{0};
        for (int64_t i = 0; i < s.inner; ++i) {
          const int64_t a_at = a_turned ? i * s.rows + row : row * s.inner + i;
          const int64_t b_at = b_turned ? column * s.inner + i : i * s.columns + column;
          sum += static_cast<Sum>(load(a.data(), a_first + a_at)) *
                 static_cast<Sum>(load(b.data(), b_first + b_at));
        }
        store(out.data(), to, static_cast<C>(sum));
      }
    }
  }
}

}  // namespace

void infer_matmul(ShapeContext& c) {
  const Shapes s = shapes_of(c);
  c.out[0] = s.batch;
  if (!s.a_is_vector) c.out[0].push_back(s.rows);
  if (!s.b_is_vector) c.out[0].push_back(s.columns);
}

void run_matmul(RunContext& c) {
  with_domain(c.out[0].type(), [&](auto zero) { return multiply<decltype(zero)>(c); });
}

std::string emit_matmul(EmitContext& c) {
  c.op.attrs.emplace("transpose_a", c.node.flag("transpose_a"));
  c.op.attrs.emplace("transpose_b", c.node.flag("transpose_b"));
  return "";
}

}  // namespace iotadnn::models::rows
