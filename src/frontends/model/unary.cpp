// SPDX-License-Identifier: Apache-2.0
// Ops of one input; see pointwise.cpp for the arithmetic.
#include <cmath>
#include <cstring>

#include "frontends/model/elements.h"
#include "frontends/model/rows.h"

namespace iotadnn::models::rows {
namespace {

using I = int64_t;
using N = uint64_t;

struct UnaryRow {
  Op op;
  double (*real)(double);
  I (*integer)(I);
  N (*natural)(N);
};

I negative_integer(I a) {
  return static_cast<I>(N{0} - static_cast<N>(a));
}

N same(N a) {
  return a;
}

// clang-format off
const UnaryRow kUnary[] = {
    {Op::logical_not, nullptr, nullptr, [](N a) { return a == 0 ? N{1} : N{0}; }},
    {Op::negative,    [](double a) { return -a; }, negative_integer, [](N a) { return N{0} - a; }},
    {Op::abs,         [](double a) { return std::fabs(a); }, [](I a) { return a < 0 ? negative_integer(a) : a; }, same},
    {Op::sqrt,        [](double a) { return std::sqrt(a); }, nullptr, nullptr},
    {Op::exp,         [](double a) { return std::exp(a); }, nullptr, nullptr},
    {Op::log,         [](double a) { return std::log(a); }, nullptr, nullptr},
    {Op::reciprocal,  [](double a) { return 1 / a; }, nullptr, nullptr},
    {Op::sigmoid,     [](double a) { return 1 / (1 + std::exp(-a)); }, nullptr, nullptr},
    {Op::tanh,        [](double a) { return std::tanh(a); }, nullptr, nullptr},
    {Op::relu,        [](double a) { return a <= 0 ? 0 : a; }, [](I a) { return a <= 0 ? 0 : a; }, same},
    {Op::ceil,        [](double a) { return std::ceil(a); }, nullptr, nullptr},
    {Op::floor,       [](double a) { return std::floor(a); }, nullptr, nullptr},
};

// clang-format on

template <class C>
void map(RunContext& c, C (*f)(C)) {
  const Tensor& in = c.input(0);
  Tensor& out = c.out[0];
  const Load<C> load = loader<C>(in.type());
  const Store<C> store = storer<C>(out.type());
  for (int64_t i = 0; i < out.count(); ++i)
    store(out.data(), i, f(load(in.data(), i)));
}

template <class C>
void convert(RunContext& c) {
  map<C>(c, [](C value) { return value; });
}

}  // namespace

void run_unary(RunContext& c) {
  for (const UnaryRow& row : kUnary) {
    if (row.op != c.node.op) continue;
    switch (domain_of(c.input(0).type())) {
      case Domain::real:
        return map(c, row.real);
      case Domain::integer:
        return map(c, row.integer);
      case Domain::natural:
        return map(c, row.natural);
    }
  }
  c.fail("the interpreter has no such op of one input");
}

void run_cast(RunContext& c) {
  with_domain(c.input(0).type(), [&](auto zero) { return convert<decltype(zero)>(c); });
}

void run_identity(RunContext& c) {
  if (c.out[0].bytes() > 0) std::memcpy(c.out[0].data(), c.input(0).data(), c.out[0].bytes());
}

}  // namespace iotadnn::models::rows
