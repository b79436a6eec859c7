// SPDX-License-Identifier: Apache-2.0
// Ops of two and three inputs. Floating types are computed in double and rounded once, which for
// sums, products, quotients and roots of f32, bf16 and f16 is what one rounding of the exact result
// gives; integers in 64 bits, from which they wrap.
#include <cmath>
#include <cstring>
#include <limits>

#include "frontends/model/broadcast.h"
#include "frontends/model/elements.h"
#include "frontends/model/rows.h"

namespace iotadnn::models::rows {
namespace {

using I = int64_t;
using N = uint64_t;

template <class C>
using Binary = C (*)(C, C);
template <class C>
using Compare = bool (*)(C, C);

I wrapping(N x) {
  return static_cast<I>(x);
}

N bits(I x) {
  return static_cast<N>(x);
}

// Truncates; x / 0 is 0 and the least number / -1 itself, as in doc/ops.md.
I divide_integers(I a, I b) {
  if (b == 0) return 0;
  return b == -1 ? wrapping(N{0} - bits(a)) : a / b;
}

N power_natural(N base, N exponent) {
  N result = 1;
  for (; exponent != 0; exponent >>= 1u, base *= base)
    if ((exponent & 1u) != 0) result *= base;
  return result;
}

I power_integers(I base, I exponent) {
  if (exponent >= 0) return wrapping(power_natural(bits(base), bits(exponent)));
  if (base == 1) return 1;
  if (base == -1) return exponent % 2 == 0 ? 1 : -1;
  return 0;  // 1 / base^n: 0 for |base| > 1, and for base 0, as division by it is
}

double largest(double a, double b) {
  return std::isnan(a) || std::isnan(b) ? std::numeric_limits<double>::quiet_NaN() : a < b ? b : a;
}

double least(double a, double b) {
  return std::isnan(a) || std::isnan(b) ? std::numeric_limits<double>::quiet_NaN() : b < a ? b : a;
}

// The remainder whose sign is that of b, as numpy.mod has it.
double floor_mod(double a, double b) {
  const double rest = std::fmod(a, b);
  return rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest;
}

I truncating_mod_integers(I a, I b) {
  return b == 0 || b == -1 ? 0 : a % b;
}

I floor_mod_integers(I a, I b) {
  const I rest = truncating_mod_integers(a, b);
  return rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest;
}

struct BinaryRow {
  Op op;
  Binary<double> real;
  Binary<I> integer;
  Binary<N> natural;
};

// clang-format off
const BinaryRow kBinary[] = {
    {Op::add,         [](double a, double b) { return a + b; }, [](I a, I b) { return wrapping(bits(a) + bits(b)); }, [](N a, N b) { return a + b; }},
    {Op::subtract,    [](double a, double b) { return a - b; }, [](I a, I b) { return wrapping(bits(a) - bits(b)); }, [](N a, N b) { return a - b; }},
    {Op::multiply,    [](double a, double b) { return a * b; }, [](I a, I b) { return wrapping(bits(a) * bits(b)); }, [](N a, N b) { return a * b; }},
    {Op::divide,      [](double a, double b) { return a / b; }, divide_integers, [](N a, N b) { return b == 0 ? 0 : a / b; }},
    {Op::power,       [](double a, double b) { return std::pow(a, b); }, power_integers, power_natural},
    {Op::maximum,     largest, [](I a, I b) { return a < b ? b : a; }, [](N a, N b) { return a < b ? b : a; }},
    {Op::minimum,     least,   [](I a, I b) { return b < a ? b : a; }, [](N a, N b) { return b < a ? b : a; }},
    {Op::mod,         floor_mod, floor_mod_integers, [](N a, N b) { return b == 0 ? 0 : a % b; }},
    {Op::logical_and, nullptr, nullptr, [](N a, N b) { return a & b; }},
    {Op::logical_or,  nullptr, nullptr, [](N a, N b) { return a | b; }},
    {Op::logical_xor, nullptr, nullptr, [](N a, N b) { return a ^ b; }},
};
const BinaryRow kTruncatingMod =
    {Op::mod,         [](double a, double b) { return std::fmod(a, b); }, truncating_mod_integers, [](N a, N b) { return b == 0 ? 0 : a % b; }};

// clang-format on

template <class C>
bool is_less(C a, C b) {
  return a < b;
}

template <class C>
bool is_less_equal(C a, C b) {
  return a <= b;
}

template <class C>
bool is_equal(C a, C b) {
  return !(a < b) && !(b < a) && a <= b;  // NaN is equal to nothing
}

template <class C>
Compare<C> comparison(Op op) {
  switch (op) {
    case Op::less:
      return is_less<C>;
    case Op::less_equal:
      return is_less_equal<C>;
    case Op::greater:
      return [](C a, C b) { return b < a; };
    case Op::greater_equal:
      return [](C a, C b) { return b <= a; };
    case Op::not_equal:
      return [](C a, C b) { return !is_equal(a, b); };
    default:
      return is_equal<C>;
  }
}

// out[i] = f(a[i], b[i]) with elements loaded as C and stored from R.
template <class C, class R>
void map(RunContext& c, R (*f)(C, C), Store<R> store) {
  const Tensor& a = c.input(0);
  const Tensor& b = c.input(1);
  Tensor& out = c.out[0];
  const Load<C> load = loader<C>(a.type());
  Walk walk(out.dims());
  walk.add_broadcast(a.dims());
  walk.add_broadcast(b.dims());
  for (int64_t i = 0; i < out.count(); ++i, walk.next())
    store(out.data(), i, f(load(a.data(), walk.at(0)), load(b.data(), walk.at(1))));
}

void store_truth(std::byte* data, int64_t index, bool truth) {
  data[index] = truth ? std::byte{1} : std::byte{0};
}

const BinaryRow& binary_row(const RunContext& c) {
  if (c.node.op == Op::mod && c.node.flag("fmod")) return kTruncatingMod;
  for (const BinaryRow& row : kBinary)
    if (row.op == c.node.op) return row;
  c.fail("the interpreter has no such op of two inputs");
}

}  // namespace

void infer_broadcast(ShapeContext& c) {
  const auto rule = static_cast<Broadcast>(c.node.integer("broadcast"));
  Dims common = c.dims(0);
  for (size_t port = 1; port < c.in.size(); ++port) {
    const Dims& dims = c.dims(port);
    const auto wider = broadcast(common, dims);
    if (!wider || (rule == Broadcast::none && dims != common) ||
        (rule == Broadcast::first && *wider != common))
      c.fail("input " + std::to_string(port) + " has shape " + shape_text(dims) +
             (rule == Broadcast::none ? ", which must be " : ", which does not broadcast to ") +
             shape_text(common));
    common = *wider;
  }
  c.out[0] = common;
}

void run_binary(RunContext& c) {
  const BinaryRow& row = binary_row(c);
  const DataType type = c.out[0].type();
  switch (domain_of(type)) {
    case Domain::real:
      return map(c, row.real, storer<double>(type));
    case Domain::integer:
      return map(c, row.integer, storer<I>(type));
    case Domain::natural:
      return map(c, row.natural, storer<N>(type));
  }
}

void run_compare(RunContext& c) {
  with_domain(c.input(0).type(), [&](auto zero) {
    return map(c, comparison<decltype(zero)>(c.node.op), store_truth);
  });
}

void run_select(RunContext& c) {
  Tensor& out = c.out[0];
  if (out.count() == 0) return;
  const size_t width = out.bytes() / static_cast<size_t>(out.count());
  Walk walk(out.dims());
  for (const Tensor* in : c.in)
    walk.add_broadcast(in->dims());
  for (int64_t i = 0; i < out.count(); ++i, walk.next()) {
    const size_t chosen = c.input(0).data()[walk.at(0)] != std::byte{0} ? 1 : 2;
    std::memcpy(out.data() + static_cast<size_t>(i) * width,
                c.input(chosen).data() + static_cast<size_t>(walk.at(chosen)) * width, width);
  }
}

}  // namespace iotadnn::models::rows
