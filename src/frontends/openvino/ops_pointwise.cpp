// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "frontends/model/elements.h"
#include "frontends/openvino/table.h"
#include "frontends/openvino/types.h"

namespace iotadnn::models::ir_ops {
namespace {

std::vector<size_t> remainder(IrNode& n, bool truncating) {
  size_t second = n.input(1);
  const Broadcast rule = n.broadcast(n.input(0), second);
  return {n.b.add(Op::mod, {n.input(0), second},
                  {{"broadcast", static_cast<int64_t>(rule)}, {"fmod", int64_t{truncating}}})};
}

}  // namespace

std::vector<size_t> convert(IrNode& n) {
  return {n.b.add(Op::cast, {n.input(0)}, {{"type", int64_t{n.type_attr("destination_type")}}})};
}

std::vector<size_t> convert_like(IrNode& n) {
  return {n.b.add(Op::cast, {n.input(0)}, {{"type", int64_t{n.type(1)}}})};
}

// The condition has no say in what is aligned: pdpd is between the two sources.
std::vector<size_t> select(IrNode& n) {
  size_t otherwise = n.input(2);
  const Broadcast rule = n.broadcast(n.input(1), otherwise);
  if (rule == Broadcast::first && otherwise != n.input(2))
    n.fail("auto_broadcast 'pdpd' with an axis is not supported for Select");
  return {n.b.add(
      Op::select, {n.input(0), n.input(1), otherwise},
      {{"broadcast", static_cast<int64_t>(rule == Broadcast::first ? Broadcast::numpy : rule)}})};
}

// Quotients of integers are rounded down unless m_pythondiv says otherwise: one less than the
// truncated quotient where the remainders of the two differ.
std::vector<size_t> divide(IrNode& n) {
  const bool rounds_down = n.flag("m_pythondiv", true) && domain_of(n.type(0)) == Domain::integer;
  size_t second = n.input(1);
  const std::map<std::string, Attr> rule = {
      {"broadcast", static_cast<int64_t>(n.broadcast(n.input(0), second))}};
  const std::vector<size_t> operands = {n.input(0), second};
  const size_t quotient = n.b.add(Op::divide, operands, rule);
  if (!rounds_down) return {quotient};
  const size_t truncated = n.b.add(Op::mod, operands, {{"fmod", int64_t{1}}});
  const size_t floored = n.b.add(Op::mod, operands, {{"fmod", int64_t{0}}});
  const size_t differs = n.b.add(Op::not_equal, {truncated, floored});
  return {n.b.add(Op::subtract, {quotient, n.b.cast(differs, n.type(0))})};
}

std::vector<size_t> mod(IrNode& n) {
  return remainder(n, true);
}

std::vector<size_t> floor_mod(IrNode& n) {
  return remainder(n, false);
}

std::vector<size_t> squared_difference(IrNode& n) {
  const size_t difference = binary<Op::subtract>(n)[0];
  return {n.b.add(Op::multiply, {difference, difference})};
}

// Integers are bounded by the integers in [min, max].
std::vector<size_t> clamp(IrNode& n) {
  const DataType type = n.type(0);
  double least = n.real("min");
  double most = n.real("max");
  if (!is_numeric(type) || !(least <= most))
    n.fail("type " + ir_name_of(type) + " and bounds '" + n.required("min") + "' and '" +
           n.required("max") + "', allowed: numeric types, and min up to max");
  if (!is_floating(type)) {
    least = std::ceil(least);
    most = std::floor(most);
  }
  const auto bound = [&](double value) {
    Tensor one(type, {});
    storer<double>(type)(one.data(), 0, value);
    return n.b.add_constant(one);
  };
  const size_t raised = n.b.add(Op::maximum, {n.input(0), bound(least)});
  return {n.b.add(Op::minimum, {raised, bound(most)})};
}

std::vector<size_t> softmax(IrNode& n) {
  return {n.b.add(Op::softmax, {n.input(0)}, {{"axis", n.integer("axis", 1)}})};
}

std::vector<size_t> cum_sum(IrNode& n) {
  const size_t axis = n.has(1) ? n.index(1) : n.b.number(iotadnn_s64, 0);
  return {n.b.add(Op::cum_sum, {n.input(0), axis},
                  {{"exclusive", int64_t{n.flag("exclusive", false)}},
                   {"reverse", int64_t{n.flag("reverse", false)}}})};
}

std::vector<size_t> matmul(IrNode& n) {
  return {n.b.add(Op::matmul, n.inputs(),
                  {{"transpose_a", int64_t{n.flag("transpose_a", false)}},
                   {"transpose_b", int64_t{n.flag("transpose_b", false)}}})};
}

}  // namespace iotadnn::models::ir_ops
