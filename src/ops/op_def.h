// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "base/span.h"
#include "base/status.h"
#include "graph/op.h"
#include "ops/type_set.h"

namespace iotadnn::impl {

class ExpandContext;  // ops/expand_context.h; interp and partition never look inside
class LowerContext;   // ops/lower_context.h; the same

// One tensor as a reference function sees it. Data may be null where the op never reads it.
struct TensorView {
  const LogicalTensor* lt = nullptr;  // fully known
  void* data = nullptr;               // a host scalar's value, or element (0, ..., 0)
};

struct RefContext {
  const Op* op = nullptr;
  std::vector<TensorView> inputs;
  std::vector<TensorView> outputs;  // strided
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
  coordinate,   // computes from coordinates, too, and is lowered as part of a region (expand)
  pointwise,    // element by element: a region may hold it, none starts with it (expand)
  relabel,      // moves elements, so that a coordinate gets another axis: StaticReshape, -Transpose
  gather,       // replaces a coordinate by data: Gather
  reduction,    // combines the elements along axes
  contraction,  // sums products along an axis: MatMul
  normalization,  // scales elements by what those along an axis come to: SoftMax
  quantization,   // integers and what they stand for: DynamicDequantize
  unsupported,    // known to the graph, not ours (yet): always an unsupported partition
};

struct PortSpec {
  std::string_view name;  // as the op's specification calls it
  TypeSet types;
  char variable = 0;  // ports of an op with the same letter have the same type; 0 for none
};

struct AttrSpec {
  AttrId id;
  bool required;
  // Default as text ("" = none; numbers in decimal, true or false), documentation and schema alike.
  std::string_view default_value;
  // Allowed strings, separated by '|' ("" = any value).
  std::string_view allowed = {};
};

// What an op's ports and attributes may be. The ports beyond the minimum are optional and last.
struct Signature {
  Span<const PortSpec> inputs;
  int min_inputs;
  Span<const PortSpec> outputs;
  int min_outputs;
  Span<const AttrSpec> attrs;
};

// One row of the op table.
struct OpDef {
  OpKind kind;
  std::string_view name;  // spelling in JSON files, dumps and messages
  OpClass op_class;
  const Signature* signature;  // null: any ports and attributes (ops that are not ours)
  uint32_t data_inputs;   // bit p: the data of input port p are read, so a null handle is wrong
  uint32_t shape_inputs;  // those of them whose data decide the output's shape: integers
  // What the signature cannot say: relations of types, ranks and attribute values as far as they
  // are known when the op is added. invalid_graph_op with the sentence. Null: nothing more to
  // check.
  Status (*check)(const Op& op);
  Status (*infer)(ShapeContext& ctx);          // null for unsupported ops
  Status (*reference)(const RefContext& ctx);  // null for unsupported ops
  Status (*lower)(LowerContext& ctx);          // generators: a row program of its own, else null
  // One element of the output as instructions, for ops of which every element stands for itself;
  // else null.
  Status (*expand)(ExpandContext& ctx) = nullptr;
  // Forms of the op that the schema allows and that stay with the host: unimplemented with the
  // sentence. Null: there are none.
  Status (*claimable)(const Op& op) = nullptr;
};

}  // namespace iotadnn::impl
