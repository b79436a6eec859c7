// SPDX-License-Identifier: Apache-2.0
#include <cstring>
#include <memory>
#include <string>

#include "iotadnn/graph.h"

#include "api/call.h"
#include "api/convert.h"
#include "api/handles.h"
#include "ops/op_table.h"

namespace iotadnn::impl {
namespace {

Status create_op(iotadnn_graph_op_t* op, size_t id, iotadnn_graph_op_kind_t kind,
                 const char* verbose_name) {
  IOTADNN_REQUIRE(op);
  IOTADNN_REQUIRE(verbose_name);
  const OpDef* def = find_op(OpKind{raw(kind)});
  if (def == nullptr)
    return invalid_arguments("op " + std::to_string(id) + " has kind " + std::to_string(raw(kind)) +
                             ", which is not the number of an op kind");
  auto result = std::make_unique<iotadnn_graph_op>();
  result->op.id = id;
  result->op.kind = raw(kind);
  result->op.name = *verbose_name != '\0' ? std::string(verbose_name)
                                          : std::string(def->name) + "_" + std::to_string(id);
  *op = result.release();
  return {};
}

Status add_port(std::vector<LogicalTensor>& ports, const iotadnn_graph_logical_tensor_t& c_lt) {
  const auto lt = to_impl(c_lt);
  if (!lt.ok()) return lt.status();
  ports.push_back(*lt);
  return {};
}

// The attribute, and whether `count` values of `value` are there and fit its arity.
Result<const AttrInfo*> check_attr(const Op& op, iotadnn_graph_op_attr_t name, const void* value,
                                   size_t count) {
  const AttrInfo* info = find_attr(AttrId{raw(name)});
  if (info == nullptr)
    return invalid_arguments(op_text(op) + ": " + std::to_string(raw(name)) +
                             " is not the number of an attribute");
  const std::string attr = op_text(op) + ": attribute " + std::string(info->name);
  if (value == nullptr && count != 0) return invalid_arguments(attr + ": the value is null");
  const bool is_list = info->type == AttrType::f32_vector || info->type == AttrType::s64_vector;
  if (!is_list && info->type != AttrType::string && count != 1)
    return invalid_arguments(attr + " is one value, given are " + std::to_string(count));
  return info;
}

// Numbers of one setter, one or a list as the attribute is. A setter of another type than the
// attribute's is kept as it is: the schema refuses it when the op is added, as in oneDNN.
template <class T>
Status set_numbers(iotadnn_graph_op_t op, iotadnn_graph_op_attr_t name, const T* value,
                   size_t count) {
  IOTADNN_REQUIRE(op);
  const auto info = check_attr(op->op, name, value, count);
  if (!info.ok()) return info.status();
  const AttrType type = (*info)->type;
  if (type == AttrType::f32_vector || type == AttrType::s64_vector)
    op->op.attrs[raw(name)] = std::vector<T>(value, value + count);
  else if (count == 1)
    op->op.attrs[raw(name)] = *value;
  else
    return invalid_arguments(op_text(op->op) + ": attribute " + std::string((*info)->name) +
                             " is a string, given are " + std::to_string(count) + " numbers");
  return {};
}

Status set_bool(iotadnn_graph_op_t op, iotadnn_graph_op_attr_t name, const uint8_t* value,
                size_t count) {
  IOTADNN_REQUIRE(op);
  const auto info = check_attr(op->op, name, value, count);
  if (!info.ok()) return info.status();
  if (count != 1)
    return invalid_arguments(op_text(op->op) + ": a bool is one value, given are " +
                             std::to_string(count));
  op->op.attrs[raw(name)] = *value != 0;
  return {};
}

Status set_string(iotadnn_graph_op_t op, iotadnn_graph_op_attr_t name, const char* value,
                  size_t count) {
  IOTADNN_REQUIRE(op);
  IOTADNN_REQUIRE(value);
  if (find_attr(AttrId{raw(name)}) == nullptr)
    return invalid_arguments(op_text(op->op) + ": " + std::to_string(raw(name)) +
                             " is not the number of an attribute");
  if (count == 0) return invalid_arguments(op_text(op->op) + ": a string attribute is empty");
  // A length that counts the terminating 0 is forgiven.
  op->op.attrs[raw(name)] = std::string(value, strnlen(value, count));
  return {};
}

}  // namespace
}  // namespace iotadnn::impl

using namespace iotadnn::impl;  // NOLINT(google-build-using-namespace): C functions over it

iotadnn_status_t iotadnn_graph_op_create(iotadnn_graph_op_t* op, size_t id,
                                         iotadnn_graph_op_kind_t kind, const char* verbose_name) {
  return guarded([&] { return create_op(op, id, kind, verbose_name); });
}

iotadnn_status_t iotadnn_graph_op_destroy(iotadnn_graph_op_t op) {
  delete op;
  return iotadnn_success;
}

iotadnn_status_t iotadnn_graph_op_add_input(iotadnn_graph_op_t op,
                                            const iotadnn_graph_logical_tensor_t* input) {
  return guarded([&]() -> Status {
    IOTADNN_REQUIRE(op);
    IOTADNN_REQUIRE(input);
    return add_port(op->op.inputs, *input);
  });
}

iotadnn_status_t iotadnn_graph_op_add_output(iotadnn_graph_op_t op,
                                             const iotadnn_graph_logical_tensor_t* output) {
  return guarded([&]() -> Status {
    IOTADNN_REQUIRE(op);
    IOTADNN_REQUIRE(output);
    return add_port(op->op.outputs, *output);
  });
}

iotadnn_status_t iotadnn_graph_op_set_attr_f32(iotadnn_graph_op_t op, iotadnn_graph_op_attr_t name,
                                               const float* value, size_t value_len) {
  return guarded([&] { return set_numbers(op, name, value, value_len); });
}

iotadnn_status_t iotadnn_graph_op_set_attr_bool(iotadnn_graph_op_t op, iotadnn_graph_op_attr_t name,
                                                const uint8_t* value, size_t value_len) {
  return guarded([&] { return set_bool(op, name, value, value_len); });
}

iotadnn_status_t iotadnn_graph_op_set_attr_s64(iotadnn_graph_op_t op, iotadnn_graph_op_attr_t name,
                                               const int64_t* value, size_t value_len) {
  return guarded([&] { return set_numbers(op, name, value, value_len); });
}

iotadnn_status_t iotadnn_graph_op_set_attr_str(iotadnn_graph_op_t op, iotadnn_graph_op_attr_t name,
                                               const char* value, size_t value_len) {
  return guarded([&] { return set_string(op, name, value, value_len); });
}

iotadnn_status_t iotadnn_graph_op_get_id(const_iotadnn_graph_op_t op, size_t* id) {
  return guarded([&]() -> Status {
    IOTADNN_REQUIRE(op);
    IOTADNN_REQUIRE(id);
    *id = op->op.id;
    return {};
  });
}

iotadnn_status_t iotadnn_graph_op_get_kind(const_iotadnn_graph_op_t op,
                                           iotadnn_graph_op_kind_t* kind) {
  return guarded([&]() -> Status {
    IOTADNN_REQUIRE(op);
    IOTADNN_REQUIRE(kind);
    *kind = static_cast<iotadnn_graph_op_kind_t>(op->op.kind);
    return {};
  });
}
