// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "frontends/graph_desc.h"
#include "frontends/model/error.h"
#include "frontends/model/model.h"

namespace iotadnn::models {

// What each function of a row sees of a node. `where` names it for messages.
struct NodeContext {
  const Node& node;
  std::string where;

  [[noreturn]] void fail(const std::string& text) const { throw ModelError(where + ": " + text); }
};

struct TypeContext : NodeContext {
  std::vector<DataType> in;   // undef for inputs that are not given
  std::vector<DataType> out;  // to be set, as many as the node has

  // Input `port` must be given and fit.
  void require(size_t port, bool (*fits)(DataType), const char* allowed) const;
  void require_same(size_t port, size_t other) const;
};

struct ShapeContext : NodeContext {
  std::vector<DataType> types;
  std::vector<const Dims*> in;       // null for inputs that are not given
  std::vector<const Tensor*> known;  // data of inputs; null where not given or not known
  std::vector<DataType> out_types;
  std::vector<Dims> out;  // to be set, as many as the node has

  [[nodiscard]] bool has(size_t port) const { return port < in.size() && in[port] != nullptr; }

  [[nodiscard]] const Dims& dims(size_t port) const { return *in.at(port); }

  [[nodiscard]] int64_t rank(size_t port) const { return static_cast<int64_t>(dims(port).size()); }

  // Data of a shape port; such data are known whenever rows are asked.
  [[nodiscard]] const Tensor& data(size_t port) const;
  [[nodiscard]] std::vector<int64_t> list(size_t port) const;  // of rank 0 or 1
  [[nodiscard]] int64_t scalar(size_t port) const;             // one element

  // -rank..rank-1 made 0..rank-1.
  [[nodiscard]] int64_t axis(int64_t given, int64_t rank) const;
  // The same for each of a list; duplicates are refused.
  [[nodiscard]] std::vector<int64_t> axes(const std::vector<int64_t>& given, int64_t rank) const;
};

struct RunContext : NodeContext {
  const ShapeContext& shapes;
  std::vector<const Tensor*> in;  // null for inputs that are not given
  std::vector<Tensor> out;        // of the inferred types and shapes, to be filled

  [[nodiscard]] const Tensor& input(size_t port) const { return *in.at(port); }
};

// The node as an op of the graph API.
struct EmitContext : NodeContext {
  const ShapeContext& shapes;
  frontends::OpDesc& op;               // kind set; attributes to be set
  std::vector<size_t> ports;           // inputs that stay inputs, in order
  std::vector<Tensor> constant_ports;  // further inputs behind those
};

using TypesFn = void (*)(TypeContext&);
using InferFn = void (*)(ShapeContext&);
using RunFn = void (*)(RunContext&);
// "" or why the op cannot be said in the graph API.
using EmitFn = std::string (*)(EmitContext&);

struct OpRow {
  Op op;
  size_t min_inputs;
  size_t max_inputs;
  uint32_t shape_ports;   // bit per input: its data decide shapes, or attributes of the graph API
  uint32_t unread_ports;  // bit per input: only its type and shape matter
  TypesFn types;
  InferFn infer;
  RunFn run;
  iotadnn_graph_op_kind_t kind;  // wildcard: the graph API has no such op
  EmitFn emit;                   // null: all inputs, no attributes
};

const OpRow& row_of(Op op);

// Of a row's sets of ports.
inline bool has_bit(uint32_t bits, size_t port) {
  return port < 32 && (bits >> port & 1u) != 0;
}

// Fills `out` of the contexts by the row and checks the number of inputs.
void infer_types(TypeContext& context);
void infer_shapes(ShapeContext& context);

// Runs one node on the interpreter: allocates outputs and fills them. Shapes are inferred before.
std::vector<Tensor> interpret(const ShapeContext& shapes, std::vector<const Tensor*> inputs);

}  // namespace iotadnn::models
