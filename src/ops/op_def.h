// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "graph/op.h"

namespace iotadnn::impl {

class LowerContext;  // defined in lower/; interp and partition never look inside

// One tensor as a reference function sees it. Data may be null where the op never reads it.
struct TensorView {
  const LogicalTensor* lt = nullptr;  // fully known
  void* data = nullptr;               // a host scalar's value, or element (0, ..., 0)
};

struct RefContext {
  const Op* op = nullptr;
  std::vector<TensorView> inputs;
  std::vector<TensorView> outputs;
};

// Shape inference: inputs' logical tensors and, for ops whose shape depends on data, the inputs'
// data (null when unknown at this time). Sets outputs[i].rank and dims; leaves unknown what cannot
// be known yet.
struct ShapeContext {
  const Op* op = nullptr;
  std::vector<TensorView> inputs;
  std::vector<LogicalTensor> outputs;  // in: what the user gave; out: rank and dims inferred
};

enum class OpClass {
  generator,    // computes its output from coordinates; a region may grow from it
  unsupported,  // known to the graph, not ours (yet): always an unsupported partition
};

struct AttrSpec {
  AttrId id;
  bool required;
  // Default as text in the attribute's own grammar ("" = none), documentation and schema alike.
  std::string_view default_value;
};

// One row of the op table.
struct OpDef {
  OpKind kind;
  std::string_view name;        // spelling in JSON files, dumps and messages
  OpClass op_class;
  int min_inputs, max_inputs;   // -1: any number
  int num_outputs;              // -1: any number
  const AttrSpec* attrs;        // allowed attributes
  int num_attrs;
  // Types, ranks and attribute values as far as they are known when the op is added:
  // invalid_graph_op with the sentence. Null: nothing to check (ops that are not ours).
  Status (*check)(const Op& op);
  Status (*infer)(ShapeContext& ctx);          // null for unsupported ops
  Status (*reference)(const RefContext& ctx);  // null for unsupported ops
  Status (*lower)(LowerContext& ctx);          // null for unsupported ops
  // Bit p: the value of input p is read (shape rule, reference or lowering); the other inputs lend
  // their shape only and may come without data.
  uint32_t data_inputs = 0;
};

}  // namespace iotadnn::impl
