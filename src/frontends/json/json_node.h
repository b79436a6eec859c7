// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <set>
#include <string>
#include <vector>

#include "frontends/graph_desc.h"
#include "frontends/model/builder.h"
#include "frontends/model/error.h"

namespace iotadnn::models {

// One op of a graph while it is made into ops of a model.
class JsonNode {
 public:
  JsonNode(ModelBuilder& builder, const frontends::OpDesc& op, std::vector<size_t> inputs,
           DataType out_type)
      : b(builder), op_(op), inputs_(std::move(inputs)), out_type_(out_type) {}

  ModelBuilder& b;

  [[nodiscard]] const std::vector<size_t>& inputs() const { return inputs_; }

  [[nodiscard]] size_t input(size_t port) const {
    if (port >= inputs_.size()) fail("input " + std::to_string(port) + " is missing");
    return inputs_[port];
  }

  [[nodiscard]] DataType type(size_t port) const { return b.type_of(input(port)); }

  [[nodiscard]] DataType out_type() const { return out_type_; }

  [[nodiscard]] size_t outputs() const { return op_.outputs.size(); }

  bool has(const std::string& name) {
    used_.insert(name);
    return op_.attrs.count(name) != 0;
  }

  // ModelError for an attribute of another type.
  template <class T>
  T attr(const std::string& name, const T& otherwise) {
    if (!has(name)) return otherwise;
    const T* value = std::get_if<T>(&op_.attrs.at(name));
    if (value == nullptr) fail("attribute '" + name + "' has another type");
    return *value;
  }

  template <class T>
  T required(const std::string& name) {
    if (!has(name)) fail("attribute '" + name + "' is missing, it is required");
    return attr<T>(name, T());
  }

  // The results behind the first.
  std::vector<size_t> more;

  size_t list(const std::vector<int64_t>& values) { return b.add_constant(Tensor::of_s64(values)); }

  [[noreturn]] void fail(const std::string& text) const {
    throw ModelError(b.where() + ": " + text);
  }

  void check_all_used() const {
    for (const auto& entry : op_.attrs)
      if (used_.count(entry.first) == 0) fail("attribute '" + entry.first + "' is not supported");
  }

 private:
  const frontends::OpDesc& op_;
  std::vector<size_t> inputs_;
  DataType out_type_;
  std::set<std::string> used_;
};

// Returns the first result; others go to JsonNode::more.
using JsonRead = size_t (*)(JsonNode&);

// Null for a kind without a row.
JsonRead find_json_row(iotadnn_graph_op_kind_t kind);

}  // namespace iotadnn::models
