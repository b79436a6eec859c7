// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "frontends/model/op.h"
#include "frontends/model/tensor.h"

// A model as the readers leave it, whatever file it comes from: nodes of one small set of ops
// (model/op.h) over values. Readers write what differs between formats and their versions (axes as
// attribute or input, Clip, CastLike, ...) as these ops; a node keeps the name and kind that it has
// in the file, for messages.
namespace iotadnn::models {

inline constexpr size_t kNoValue = SIZE_MAX;  // an optional input that is not given

struct Value {
  std::string name;  // of the file; empty for what the reader put between
  DataType type = iotadnn_data_type_undef;
  std::optional<Dims> dims;          // as the file states them (inputs, outputs, constants)
  std::vector<std::string> symbols;  // names of unknown extents, "" without; as long as dims
};

using Attr = std::variant<int64_t, Tensor>;

struct Node {
  std::string name;  // may be empty
  std::string kind;  // as the file spells it
  Op op = Op::identity;
  std::vector<size_t> inputs;
  std::vector<size_t> outputs;
  std::map<std::string, Attr> attrs;
  size_t number = 0;  // of the file's node; several nodes may come from one

  [[nodiscard]] int64_t integer(const std::string& attr, int64_t otherwise = 0) const;

  [[nodiscard]] bool flag(const std::string& attr) const { return integer(attr) != 0; }

  [[nodiscard]] const Tensor* tensor(const std::string& attr) const;  // null without
};

struct Model {
  std::string name;
  std::string format;  // "ONNX, opset 22", for people
  std::vector<Value> values;
  std::vector<size_t> inputs;  // in the file's order
  std::vector<size_t> outputs;
  std::vector<std::string> output_names;  // a value may be handed out under several names
  std::map<size_t, Tensor> constants;
  std::map<size_t, Dims> promised;  // shapes of computed values that the file insists on
  std::vector<Node> nodes;          // each after those whose results it reads

  [[nodiscard]] std::optional<size_t> find_input(const std::string& input) const;
};

// The name on one line: control characters as \x0a.
std::string printable(const std::string& name);

// "node 'mask' (EyeLike)", or "node 3 (EyeLike)" for one without a name.
std::string describe(const Node& node);
std::string describe(const Value& value);

// The node's name, or its kind and number where it has none.
std::string label(const Node& node);

}  // namespace iotadnn::models
