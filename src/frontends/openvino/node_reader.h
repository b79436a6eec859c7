// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <set>
#include <string>
#include <utility>
#include <vector>

#include "frontends/model/broadcast.h"
#include "frontends/model/builder.h"
#include "frontends/model/error.h"
#include "frontends/model/read_row.h"
#include "frontends/openvino/net.h"

namespace iotadnn::models {

// One layer of the file while it is made into ops: its inputs as values of the model and its
// attributes. What an op's function does not ask for is refused afterwards: an attribute that is
// not known may matter.
class IrNode {
 public:
  IrNode(ModelBuilder& builder, const IrLayer& layer, std::vector<size_t> inputs)
      : b(builder), layer_(layer), inputs_(std::move(inputs)) {}

  ModelBuilder& b;

  [[nodiscard]] int64_t opset() const { return layer_.opset; }

  [[nodiscard]] const std::vector<size_t>& inputs() const { return inputs_; }

  [[nodiscard]] bool has(size_t port) const { return port < inputs_.size(); }

  [[nodiscard]] size_t input(size_t port) const { return inputs_.at(port); }

  [[nodiscard]] DataType type(size_t port) const { return b.type_of(input(port)); }

  // A list of axes, extents and the like: any integer type, made s64 unless it is s32.
  [[nodiscard]] size_t index(size_t port) const;

  // The same, kNoValue where it is not given.
  [[nodiscard]] size_t optional_index(size_t port) const {
    return has(port) ? index(port) : kNoValue;
  }

  // One integer that must be a Const.
  [[nodiscard]] int64_t constant_integer(size_t port, const char* what) const;

  // Attributes; ModelError for one that does not read as its type.
  bool has_attr(const std::string& name);
  std::string text(const std::string& name, const std::string& otherwise);
  bool flag(const std::string& name, bool otherwise);
  int64_t integer(const std::string& name, int64_t otherwise);
  double real(const std::string& name);         // required
  DataType type_attr(const std::string& name);  // required
  std::string required(const std::string& name);

  // Attribute "auto_broadcast": where it asks for B's shape to be aligned to A's, B's value is
  // replaced; returns the attribute of the pointwise op.
  Broadcast broadcast(size_t a, size_t& b_value);

  [[noreturn]] void fail(const std::string& text) const;

  // ModelError for attributes that nobody has asked for.
  void check_all_used() const;

 private:
  size_t aligned(size_t a, size_t b_value, int64_t axis) const;

  const IrLayer& layer_;
  std::vector<size_t> inputs_;
  std::set<std::string> used_;
};

using IrRow = ReadRow<IrNode>;

// Null for an op that is not in the table.
const IrRow* find_ir_row(const std::string& type);

}  // namespace iotadnn::models
