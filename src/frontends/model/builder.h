// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "frontends/model/model.h"

namespace iotadnn::models {

// How readers make a model: nodes are added after what they read, and are checked and given their
// types at once. Values are numbers.
class ModelBuilder {
 public:
  // The file's node that the following ops are made of, for messages and listings.
  void begin_node(std::string name, std::string kind);

  size_t add_input(std::string name, DataType type, std::optional<Dims> dims,
                   std::vector<std::string> symbols = {});
  size_t add_constant(Tensor tensor, std::string name = "");
  void add_output(std::string name, size_t value);

  // ModelError for a wrong number of inputs and types that the op does not take. Trailing inputs
  // that are kNoValue are dropped.
  std::vector<size_t> add(Op op, std::vector<size_t> inputs, std::map<std::string, Attr> attrs,
                          size_t outputs);

  // An op of one output.
  size_t add(Op op, std::vector<size_t> inputs, std::map<std::string, Attr> attrs = {}) {
    return add(op, std::move(inputs), std::move(attrs), 1)[0];
  }

  // The same value as another type; nothing where it has that type already.
  size_t cast(size_t value, DataType type);

  // A constant of one element that every type holds, made of an integer.
  size_t number(DataType type, int64_t value, const Dims& dims = {});

  // A constant of rank 0 and a floating type.
  size_t real(DataType type, double value);

  [[nodiscard]] DataType type_of(size_t value) const { return model_.values[value].type; }

  // Null unless the value is a constant of the file.
  [[nodiscard]] const Tensor* constant(size_t value) const;

  // How many nodes of the file, calls of functions among them, were begun.
  [[nodiscard]] size_t nodes_begun() const { return node_number_; }

  // "node 'x' (Kind)" of the file's node.
  [[nodiscard]] std::string where() const;

  void name_value(size_t value, const std::string& name);

  // What the file says of a computed value's shape, for listings; unless it has a shape already.
  void state_dims(size_t value, std::optional<Dims> dims);

  // The same, to be held against what is computed. Unknown extents may be any.
  void promise_dims(size_t value, const Dims& dims) { model_.promised.emplace(value, dims); }

  Model& model() { return model_; }

  Model finish() { return std::move(model_); }

 private:
  size_t add_value(Value value);

  Model model_;
  std::string node_name_;
  std::string node_kind_;
  size_t node_number_ = 0;
};

}  // namespace iotadnn::models
