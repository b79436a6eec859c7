// SPDX-License-Identifier: Apache-2.0
#include "frontends/openvino/node_reader.h"

#include <cstdlib>

#include "frontends/model/elements.h"
#include "frontends/openvino/types.h"

namespace iotadnn::models {
namespace {

bool is_integer(DataType type) {
  return is_numeric(type) && !is_floating(type);
}

}  // namespace

void IrNode::fail(const std::string& text) const {
  throw ModelError(b.where() + ": " + text);
}

size_t IrNode::index(size_t port) const {
  const DataType given = type(port);
  if (!is_integer(given))
    fail("input " + std::to_string(port) + " has type " + ir_name_of(given) +
         ", allowed: integer types");
  return given == iotadnn_s32 ? input(port) : b.cast(input(port), iotadnn_s64);
}

int64_t IrNode::constant_integer(size_t port, const char* what) const {
  const Tensor* tensor = b.constant(input(port));
  if (tensor == nullptr || !is_integer(tensor->type()) || tensor->count() != 1)
    fail("input " + std::to_string(port) + " (" + what + ") must be a Const of one integer");
  return loader<int64_t>(tensor->type())(tensor->data(), 0);
}

bool IrNode::has_attr(const std::string& name) {
  used_.insert(name);
  return layer_.attrs.count(name) != 0;
}

std::string IrNode::text(const std::string& name, const std::string& otherwise) {
  return has_attr(name) ? layer_.attrs.at(name) : otherwise;
}

std::string IrNode::required(const std::string& name) {
  if (!has_attr(name)) fail("attribute '" + name + "' is missing");
  return layer_.attrs.at(name);
}

bool IrNode::flag(const std::string& name, bool otherwise) {
  const std::string value = text(name, otherwise ? "true" : "false");
  const bool truth = value == "true" || value == "1";
  if (!truth && value != "false" && value != "0")
    fail("attribute '" + name + "' is '" + value + "', allowed: true, false");
  return truth;
}

int64_t IrNode::integer(const std::string& name, int64_t otherwise) {
  int64_t value = otherwise;
  if (has_attr(name) && !parse_integer(layer_.attrs.at(name), value))
    fail("attribute '" + name + "' is '" + layer_.attrs.at(name) + "', allowed: an integer");
  return value;
}

double IrNode::real(const std::string& name) {
  const std::string given = required(name);
  char* end = nullptr;
  const double value = std::strtod(given.c_str(), &end);
  if (given.empty() || *end != '\0')
    fail("attribute '" + name + "' is '" + given + "', allowed: a number");
  return value;
}

DataType IrNode::type_attr(const std::string& name) {
  return data_type_from_ir(required(name), b.where() + ", attribute '" + name + "'");
}

Broadcast IrNode::broadcast(size_t a, size_t& b_value) {
  const std::string rule = text("auto_broadcast", "numpy");
  if (rule == "numpy") return Broadcast::numpy;
  // Both names stand for one value in OpenVINO.
  if (rule == "none" || rule == "explicit") return Broadcast::none;
  if (rule != "pdpd")
    fail("attribute 'auto_broadcast' is '" + rule + "', allowed: none, numpy, pdpd");
  const int64_t axis = integer("auto_broadcast_axis", -1);
  if (axis < -1)
    fail("attribute 'auto_broadcast_axis' is " + std::to_string(axis) + ", allowed: -1 and more");
  if (axis >= 0) b_value = aligned(a, b_value, axis);
  return Broadcast::first;
}

// B with dimensions of 1 behind its own, so that its first one is A's dimension `axis`: its shape
// followed by rank(A) - axis - rank(B) ones.
size_t IrNode::aligned(size_t a, size_t b_value, int64_t axis) const {
  const auto rank_of = [this](size_t value) {
    return b.add(Op::size, {b.add(Op::shape, {value})});
  };
  const size_t behind =
      b.add(Op::subtract,
            {b.add(Op::subtract, {rank_of(a), b.number(iotadnn_s64, axis)}), rank_of(b_value)});
  const size_t count = b.add(Op::reshape, {behind, b.number(iotadnn_s64, 1, {1})});
  Tensor one(iotadnn_s64, {1});
  storer<int64_t>(iotadnn_s64)(one.data(), 0, 1);
  const size_t ones = b.add(Op::fill, {count}, {{"value", one}});
  const size_t shape =
      b.add(Op::concat, {b.add(Op::shape, {b_value}), ones}, {{"axis", int64_t{0}}});
  return b.add(Op::reshape, {b_value, shape}, {{"allow_zero", int64_t{1}}});
}

void IrNode::check_all_used() const {
  for (const auto& entry : layer_.attrs)
    if (used_.count(entry.first) == 0)
      fail("attribute '" + entry.first + "' is not known in opset" + std::to_string(opset()));
}

}  // namespace iotadnn::models
