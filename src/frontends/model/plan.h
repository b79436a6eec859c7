// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "iotadnn/graph.hpp"

#include "frontends/graph_desc.h"
#include "frontends/model/model.h"
#include "frontends/model/op_table.h"

// What a model becomes once the shapes of its inputs are known: shape arithmetic is computed, the
// rest is one graph of the public API, whose partitions are compiled where the library claims them
// and interpreted, node by node, where it does not.
namespace iotadnn::models {

struct PlanOptions {
  bool reference = false;  // interpret everything: nothing of the library runs
  bool unfused = false;    // one partition per op (partition::policy::debug)
};

struct Step {
  std::vector<size_t> nodes;  // indices into Model::nodes, in order
  bool is_compiled = false;
  std::string reason;          // why it is interpreted; "" when compiled
  std::vector<size_t> inputs;  // values, in the order of the node or the compiled partition
  std::vector<size_t> outputs;
  std::vector<iotadnn::graph::logical_tensor> input_types;  // of the compiled partition
  std::vector<iotadnn::graph::logical_tensor> output_types;
  iotadnn::graph::compiled_partition compiled;
  std::vector<size_t> last_uses;  // values that no later step reads
};

// What runs a step: "jit:avx512_core" and the like, or "interpreter".
std::string runner_of(const Step& step);

struct Plan {
  std::vector<std::optional<Dims>> dims;  // of every value
  std::map<size_t, Tensor> known;         // constants, what was folded, and what only the graph has
  std::vector<size_t> alias;              // of each value: the value that holds its data
  std::vector<size_t> folded;             // nodes that were computed while planning
  std::vector<size_t> unused;             // nodes whose results nothing reads
  frontends::GraphDesc graph;             // op ids are indices of nodes, tensor ids are values
  std::map<size_t, std::string> host;     // why a node is a Wildcard of the graph
  std::vector<Step> steps;
};

// Data of a value, or null.
using Lookup = std::function<const Tensor*(size_t value)>;

// A node with the shapes of the plan and the data that `data` has; outputs are inferred.
ShapeContext shapes_of(const Model& model, const Plan& plan, const Node& node, const Lookup& data);

// Which values' data must be known to plan. A property of the model.
std::vector<bool> values_that_shapes_need(const Model& model);

// `inputs` in the model's order, as many as it has and of its types; data are read only of those
// that `needed`, the model's values_that_shapes_need(), names. ModelError for inputs and nodes
// whose shapes do not fit.
Plan make_plan(const Model& model, const std::vector<Tensor>& inputs,
               const std::vector<bool>& needed, const PlanOptions& options,
               const iotadnn::engine& engine);

}  // namespace iotadnn::models
