// SPDX-License-Identifier: Apache-2.0
// How the kinds of the graph API are said in the ops of models; doc/ops.md has their meaning.
#include <limits>

#include "frontends/json/json_node.h"
#include "frontends/model/broadcast.h"
#include "frontends/model/elements.h"

namespace iotadnn::models {
namespace {

std::map<std::string, Attr> typed(JsonNode& n) {
  return {{"type", int64_t{n.out_type()}}};
}

std::map<std::string, Attr> broadcast(JsonNode& n) {
  const std::string mode = n.attr<std::string>("auto_broadcast", "numpy");
  if (mode != "numpy" && mode != "none")
    n.fail("auto_broadcast is '" + mode + "', allowed: numpy, none");
  return {{"broadcast", static_cast<int64_t>(mode == "none" ? Broadcast::none : Broadcast::numpy)}};
}

template <Op op>
size_t plain(JsonNode& n) {
  return n.b.add(op, n.inputs(), broadcast(n));
}

// Add and its like take ports of different types: what they then compute in stands in doc/ops.md.
DataType common_type(const JsonNode& n) {
  const DataType types[] = {n.type(0), n.type(1), n.out_type()};
  if (types[0] == types[1] && types[1] == types[2]) return types[0];
  const auto any = [&](auto fits) {
    for (const DataType type : types)
      if (fits(type)) return true;
    return false;
  };
  if (any([](DataType type) { return type == iotadnn_f64; })) return iotadnn_f64;
  if (any(is_floating)) return iotadnn_f32;
  return any([](DataType type) { return type == iotadnn_u64; }) ? iotadnn_u64 : iotadnn_s64;
}

template <Op op>
size_t mixed(JsonNode& n) {
  const DataType type = common_type(n);
  const size_t result =
      n.b.add(op, {n.b.cast(n.input(0), type), n.b.cast(n.input(1), type)}, broadcast(n));
  return n.b.cast(result, n.out_type());
}

size_t cast(JsonNode& n) {
  return n.b.add(Op::cast, {n.input(0)}, typed(n));
}

size_t square(JsonNode& n) {
  return n.b.add(Op::multiply, {n.input(0), n.input(0)});
}

Tensor element(DataType type, float value) {
  Tensor made(type, {});
  storer<double>(type)(made.data(), 0, static_cast<double>(value));
  return made;
}

size_t clamp(JsonNode& n) {
  const size_t least = n.b.add_constant(element(n.type(0), n.required<float>("min")));
  const size_t most = n.b.add_constant(element(n.type(0), n.required<float>("max")));
  // Clamp lets NaN through as it is, and so do these.
  return n.b.add(Op::minimum, {n.b.add(Op::maximum, {n.input(0), least}), most});
}

// The exponent is not rounded to the type: both are taken as f64.
size_t pow(JsonNode& n) {
  const size_t exponent = n.b.add_constant(element(iotadnn_f64, n.required<float>("beta")));
  const size_t power = n.b.add(Op::power, {n.b.cast(n.input(0), iotadnn_f64), exponent});
  return n.b.cast(power, n.out_type());
}

size_t gen_index(JsonNode& n) {
  auto attrs = typed(n);
  attrs.emplace("axis", n.required<int64_t>("axis"));
  return n.b.add(Op::gen_index, {n.input(0)}, attrs);
}

size_t eye_like(JsonNode& n) {
  auto attrs = typed(n);
  attrs.emplace("k", n.attr<int64_t>("k", 0));
  return n.b.add(Op::eye_like, {n.input(0)}, attrs);
}

// Three or four inputs, or none and the attributes shape and k.
size_t eye(JsonNode& n) {
  if (!n.inputs().empty()) return n.b.add(Op::eye, n.inputs(), typed(n));
  Dims shape = n.required<Dims>("shape");
  if (shape.size() < 2) n.fail("the shape has rank " + std::to_string(shape.size()));
  const size_t columns = n.b.number(iotadnn_s64, shape.back());
  shape.pop_back();
  const size_t rows = n.b.number(iotadnn_s64, shape.back());
  shape.pop_back();
  const size_t k = n.b.number(iotadnn_s64, n.attr<int64_t>("k", 0));
  return n.b.add(Op::eye, {rows, columns, k, n.list(shape)}, typed(n));
}

size_t fill(JsonNode& n) {
  const size_t shape = n.list(n.required<Dims>("shape"));
  if (n.inputs().empty())
    return n.b.add(Op::fill, {shape},
                   {{"value", element(n.out_type(), n.attr<float>("value", 0))}});
  const size_t scalar = n.b.add(Op::reshape, {n.input(0), n.list({})});
  return n.b.add(Op::expand, {scalar, shape});
}

size_t trilu(JsonNode& n) {
  return n.b.add(Op::trilu, {n.input(0), n.b.number(iotadnn_s64, n.attr<int64_t>("k", 0))},
                 {{"upper", int64_t{n.attr<bool>("upper", true)}}});
}

size_t one_hot(JsonNode& n) {
  Tensor values(n.out_type(), {2});
  const auto store = storer<double>(n.out_type());
  store(values.data(), 0, static_cast<double>(n.attr<float>("off_value", 0)));
  store(values.data(), 1, static_cast<double>(n.attr<float>("on_value", 1)));
  const size_t depth = n.b.number(iotadnn_s64, n.required<int64_t>("depth"));
  return n.b.add(Op::one_hot, {n.input(0), depth, n.b.add_constant(values)},
                 {{"axis", n.attr<int64_t>("axis", -1)}});
}

size_t reshape(JsonNode& n) {
  const int64_t allow_zero = n.required<bool>("special_zero") ? 0 : 1;
  return n.b.add(Op::reshape, {n.input(0), n.list(n.required<Dims>("shape"))},
                 {{"allow_zero", allow_zero}});
}

size_t transpose(JsonNode& n) {
  return n.b.add(Op::transpose, {n.input(0), n.list(n.required<Dims>("order"))});
}

template <Op op>
size_t reduce(JsonNode& n) {
  if (n.inputs().size() > 1) n.fail("axes as an input are not supported");
  return n.b.add(op, {n.input(0), n.list(n.attr<Dims>("axes", {}))},
                 {{"keep_dims", int64_t{n.attr<bool>("keep_dims", false)}}, {"noop", int64_t{1}}});
}

size_t concat(JsonNode& n) {
  return n.b.add(Op::concat, n.inputs(), {{"axis", n.required<int64_t>("axis")}});
}

size_t gather(JsonNode& n) {
  return n.b.add(Op::gather, n.inputs(), {{"axis", n.attr<int64_t>("axis", 0)}});
}

// 1, -1, or the element where it is 0 or NaN. Unsigned ones are never below 0.
size_t sign(JsonNode& n) {
  const DataType type = n.type(0);
  const size_t x = n.input(0);
  const size_t none = n.b.number(type, 0);
  size_t result = n.b.add(Op::select, {n.b.add(Op::greater, {x, none}), n.b.number(type, 1), x});
  if (is_floating(type) || domain_of(type) == Domain::integer)
    result = n.b.add(Op::select, {n.b.add(Op::less, {x, none}), n.b.number(type, -1), result});
  return result;
}

// The largest element plus the logarithm of the sum of exp(x - largest), as f32; of a row of
// nothing but -inf 0 with `inf_as_zero`, and NaN without.
size_t softmax_stats(JsonNode& n, size_t x, int64_t axis, bool inf_as_zero) {
  const DataType type = n.b.type_of(x);
  const auto reduce = [&](Op op, size_t value) {
    return n.b.add(op, {value, n.list({axis})}, {{"keep_dims", int64_t{1}}});
  };
  const size_t largest = reduce(Op::reduce_max, x);
  const size_t none = n.b.add_constant(element(type, -std::numeric_limits<float>::infinity()));
  const size_t is_masked = n.b.add(Op::equal, {largest, none});
  const size_t shift = n.b.add(Op::select, {is_masked, n.b.number(type, 0), largest});
  const size_t powers = n.b.add(Op::exp, {n.b.add(Op::subtract, {x, shift})});
  const size_t sum = n.b.add(Op::log, {reduce(Op::reduce_sum, powers)});
  const float masked = inf_as_zero ? 0 : std::numeric_limits<float>::quiet_NaN();
  const size_t stats = n.b.add(Op::select, {is_masked, n.b.add_constant(element(type, masked)),
                                            n.b.add(Op::add, {shift, sum})});
  return n.b.cast(stats, iotadnn_f32);
}

size_t softmax(JsonNode& n) {
  const std::string mode = n.attr<std::string>("mode", "none");
  if (mode != "none" && mode != "inf_as_zero")
    n.fail("mode is '" + mode + "', allowed: none, inf_as_zero");
  if (n.inputs().size() > 1) n.fail("more than one input is not supported");
  const bool inf_as_zero = mode == "inf_as_zero";
  const int64_t axis = n.attr<int64_t>("axis", 1);
  const size_t result =
      n.b.add(Op::softmax, {n.input(0)}, {{"axis", axis}, {"inf_as_zero", int64_t{inf_as_zero}}});
  if (n.outputs() > 1) n.more = {softmax_stats(n, n.input(0), axis, inf_as_zero)};
  return n.b.cast(result, n.out_type());
}

// Sums of f16 and bf16 inputs may be asked for in f32.
size_t matmul(JsonNode& n) {
  n.has("accumulation_mode");
  const bool same = n.type(0) == n.type(1) && n.type(0) == n.out_type();
  const DataType type = same ? n.type(0) : iotadnn_f32;
  size_t result = n.b.add(Op::matmul, {n.b.cast(n.input(0), type), n.b.cast(n.input(1), type)},
                          {{"transpose_a", int64_t{n.attr<bool>("transpose_a", false)}},
                           {"transpose_b", int64_t{n.attr<bool>("transpose_b", false)}}});
  if (n.inputs().size() > 2) result = n.b.add(Op::add, {result, n.b.cast(n.input(2), type)});
  return n.b.cast(result, n.out_type());
}

struct Row {
  iotadnn_graph_op_kind_t kind;
  JsonRead read;
};

// clang-format off
constexpr Row kRows[] = {
    {iotadnn_graph_op_abs,              plain<Op::abs>},
    {iotadnn_graph_op_add,              mixed<Op::add>},
    {iotadnn_graph_op_clamp,            clamp},
    {iotadnn_graph_op_concat,           concat},
    {iotadnn_graph_op_divide,           mixed<Op::divide>},
    {iotadnn_graph_op_equal,            plain<Op::equal>},
    {iotadnn_graph_op_exp,              plain<Op::exp>},
    {iotadnn_graph_op_eye,              eye},
    {iotadnn_graph_op_eye_like,         eye_like},
    {iotadnn_graph_op_fill,             fill},
    {iotadnn_graph_op_gather,           gather},
    {iotadnn_graph_op_gen_index,        gen_index},
    {iotadnn_graph_op_greater,          plain<Op::greater>},
    {iotadnn_graph_op_greater_equal,    plain<Op::greater_equal>},
    {iotadnn_graph_op_less,             plain<Op::less>},
    {iotadnn_graph_op_less_equal,       plain<Op::less_equal>},
    {iotadnn_graph_op_log,              plain<Op::log>},
    {iotadnn_graph_op_logical_and,      plain<Op::logical_and>},
    {iotadnn_graph_op_logical_not,      plain<Op::logical_not>},
    {iotadnn_graph_op_logical_or,       plain<Op::logical_or>},
    {iotadnn_graph_op_matmul,           matmul},
    {iotadnn_graph_op_maximum,          plain<Op::maximum>},
    {iotadnn_graph_op_minimum,          plain<Op::minimum>},
    {iotadnn_graph_op_multiply,         mixed<Op::multiply>},
    {iotadnn_graph_op_negative,         plain<Op::negative>},
    {iotadnn_graph_op_not_equal,        plain<Op::not_equal>},
    {iotadnn_graph_op_one_hot,          one_hot},
    {iotadnn_graph_op_pow,              pow},
    {iotadnn_graph_op_power,            plain<Op::power>},
    {iotadnn_graph_op_range,            plain<Op::range>},
    {iotadnn_graph_op_reciprocal,       plain<Op::reciprocal>},
    {iotadnn_graph_op_reduce_max,       reduce<Op::reduce_max>},
    {iotadnn_graph_op_reduce_mean,      reduce<Op::reduce_mean>},
    {iotadnn_graph_op_reduce_min,       reduce<Op::reduce_min>},
    {iotadnn_graph_op_reduce_prod,      reduce<Op::reduce_prod>},
    {iotadnn_graph_op_reduce_sum,       reduce<Op::reduce_sum>},
    {iotadnn_graph_op_relu,             plain<Op::relu>},
    {iotadnn_graph_op_select,           plain<Op::select>},
    {iotadnn_graph_op_sigmoid,          plain<Op::sigmoid>},
    {iotadnn_graph_op_sign,             sign},
    {iotadnn_graph_op_softmax,          softmax},
    {iotadnn_graph_op_sqrt,             plain<Op::sqrt>},
    {iotadnn_graph_op_square,           square},
    {iotadnn_graph_op_static_reshape,   reshape},
    {iotadnn_graph_op_static_transpose, transpose},
    {iotadnn_graph_op_subtract,         mixed<Op::subtract>},
    {iotadnn_graph_op_tanh,             plain<Op::tanh>},
    {iotadnn_graph_op_trilu,            trilu},
    {iotadnn_graph_op_type_cast,        cast},
};
// clang-format on

}  // namespace

JsonRead find_json_row(iotadnn_graph_op_kind_t kind) {
  for (const Row& row : kRows)
    if (row.kind == kind) return row.read;
  return nullptr;
}

}  // namespace iotadnn::models
