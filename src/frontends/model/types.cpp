// SPDX-License-Identifier: Apache-2.0
#include "frontends/model/elements.h"
#include "frontends/model/rows.h"

namespace iotadnn::models::rows {
namespace {

bool is_index(DataType type) {
  return type == iotadnn_s32 || type == iotadnn_s64;
}

bool is_boolean(DataType type) {
  return type == iotadnn_boolean;
}

constexpr const char* kNumeric = "numeric types";
constexpr const char* kFloating = "f32, bf16, f16, f64";
constexpr const char* kAny = "numeric types and boolean";
constexpr const char* kIndex = "s32, s64";

void set_all(TypeContext& c, DataType type) {
  for (DataType& out : c.out)
    out = type;
}

bool is_shape_port(const TypeContext& c, size_t port) {
  return has_bit(row_of(c.node.op).shape_ports, port);
}

// All inputs that are no shape ports have one type.
void require_one_type(TypeContext& c, bool (*fits)(DataType), const char* allowed) {
  for (size_t port = 0; port < c.in.size(); ++port) {
    if (is_shape_port(c, port)) continue;
    c.require(port, fits, allowed);
    c.require_same(port, 0);
  }
}

// Inputs that are shape ports, as far as they are given, are lists of integers.
void require_index_ports(TypeContext& c) {
  for (size_t port = 0; port < c.in.size(); ++port)
    if (is_shape_port(c, port) && c.node.inputs[port] != kNoValue)
      c.require(port, is_index, kIndex);
}

DataType type_attr(const TypeContext& c) {
  return static_cast<DataType>(c.node.integer("type", iotadnn_data_type_undef));
}

}  // namespace

void same_numeric(TypeContext& c) {
  require_one_type(c, is_numeric, kNumeric);
  set_all(c, c.in[0]);
}

void same_any(TypeContext& c) {
  require_one_type(c, is_computed, kAny);
  require_index_ports(c);
  set_all(c, c.in[0]);
}

void same_floating(TypeContext& c) {
  require_one_type(c, is_floating, kFloating);
  set_all(c, c.in[0]);
}

void compare_any(TypeContext& c) {
  require_one_type(c, is_computed, kAny);
  set_all(c, iotadnn_boolean);
}

void compare_numeric(TypeContext& c) {
  require_one_type(c, is_numeric, kNumeric);
  set_all(c, iotadnn_boolean);
}

void logical(TypeContext& c) {
  require_one_type(c, is_boolean, "boolean");
  set_all(c, iotadnn_boolean);
}

void select(TypeContext& c) {
  c.require(0, is_boolean, "boolean");
  c.require(1, is_computed, kAny);
  c.require_same(2, 1);
  set_all(c, c.in[1]);
}

void first(TypeContext& c) {
  c.require(0, is_computed, kAny);
  require_index_ports(c);
  set_all(c, c.in[0]);
}

void given(TypeContext& c) {
  const DataType type = type_attr(c);
  if (!is_computed(type)) c.fail("type " + type_text(type) + " is asked for, allowed: " + kAny);
  if (c.node.op == Op::gen_index && !is_index(type))
    c.fail("type " + type_text(type) + " is asked for, allowed: " + kIndex);
  if (c.node.op == Op::cast) c.require(0, is_computed, kAny);
  require_index_ports(c);
  set_all(c, type);
}

void counts(TypeContext& c) {
  const auto type = static_cast<DataType>(c.node.integer("type", iotadnn_s64));
  if (!is_index(type)) c.fail("type " + type_text(type) + " is asked for, allowed: " + kIndex);
  set_all(c, type);
}

void range(TypeContext& c) {
  for (size_t port = 0; port < 3; ++port) {
    c.require(port, is_numeric, kNumeric);
    c.require_same(port, 0);
  }
  set_all(c, c.in[0]);
}

void fill(TypeContext& c) {
  c.require(0, is_index, kIndex);
  const Tensor* value = c.node.tensor("value");
  if (value == nullptr || value->count() != 1) c.fail("the value is not one element");
  set_all(c, value->type());
}

void one_hot(TypeContext& c) {
  c.require(0, is_index, kIndex);
  c.require(1, is_index, kIndex);
  c.require(2, is_computed, kAny);
  set_all(c, c.in[2]);
}

void gather(TypeContext& c) {
  c.require(0, is_computed, kAny);
  c.require(1, is_index, kIndex);
  set_all(c, c.in[0]);
}

void first_numeric(TypeContext& c) {
  c.require(0, is_numeric, kNumeric);
  require_index_ports(c);
  set_all(c, c.in[0]);
}

void first_floating(TypeContext& c) {
  c.require(0, is_floating, kFloating);
  require_index_ports(c);
  set_all(c, c.in[0]);
}

}  // namespace iotadnn::models::rows
