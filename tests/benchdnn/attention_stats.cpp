// SPDX-License-Identifier: Apache-2.0
#include "benchdnn/attention_stats.h"

#include <algorithm>
#include <cstring>
#include <set>

#include "benchdnn/errors.h"
#include "frontends/graph_builder.h"

namespace iotadnn::benchdnn {
namespace {

using frontends::GraphDesc;
using frontends::OpDesc;
using frontends::TensorDesc;

// The ops that a tensor is computed by.
std::vector<OpDesc> ops_behind(const GraphDesc& graph, size_t tensor) {
  std::set<size_t> wanted = {tensor};
  std::vector<OpDesc> ops;
  for (auto op = graph.ops.rbegin(); op != graph.ops.rend(); ++op) {
    if (wanted.count(op->outputs.empty() ? SIZE_MAX : op->outputs[0]) == 0) continue;
    wanted.insert(op->inputs.begin(), op->inputs.end());
    ops.insert(ops.begin(), *op);
  }
  return ops;
}

// Scores, then SoftMax with its stats as tensor `stats`.
GraphDesc forward_graph(const GraphDesc& graph, const OpDesc& reader, size_t stats) {
  GraphDesc forward = graph;
  const size_t scores = reader.inputs[0];
  forward.ops = ops_behind(graph, scores);
  TensorDesc probabilities = graph.tensors.at(scores);
  probabilities.id = graph.tensors.rbegin()->first + 1;
  probabilities.strides.clear();
  forward.tensors[probabilities.id] = probabilities;
  OpDesc softmax;
  softmax.id = reader.id;
  softmax.name = "stats";
  softmax.kind = iotadnn_graph_op_softmax;
  softmax.attrs = {{"axis", int64_t{-1}}, {"mode", std::string("inf_as_zero")}};
  softmax.inputs = {scores};
  softmax.outputs = {probabilities.id, stats};
  forward.ops.push_back(softmax);
  return forward;
}

}  // namespace

void fill_stats(const GraphDesc& graph, size_t reader, const graph::logical_tensor& lt,
                TensorMemory& memory, const graph::engine& engine, const MemoryOptions& options) {
  const auto op = std::find_if(graph.ops.begin(), graph.ops.end(),
                               [reader](const OpDesc& one) { return one.id == reader; });
  const GraphDesc forward = forward_graph(graph, *op, lt.get_id());
  graph::graph built = frontends::build_graph(forward, engine.get_kind());
  built.finalize();
  const auto partitions = built.get_partitions(graph::partition::policy::debug);
  for (const graph::partition& partition : partitions)
    if (!partition.is_supported())
      throw RewriteError(
          "tensor " + std::to_string(lt.get_id()) +
          ", the stats of a forward pass, cannot be computed: " + partition.get_reason());
  MemoryOptions apart = options;
  apart.inplace = false;
  Memories memories;
  graph::stream stream(engine);
  for (PartitionRun& run : compile_partitions(forward, partitions, engine, false, false)) {
    make_tensors(forward, run, memories, engine, apart);
    run.compiled.execute(stream, run.input_tensors, run.output_tensors);
    stream.wait();
  }
  std::memcpy(memory.data(), memories.at(lt.get_id())->data(), memory.bytes());
}

}  // namespace iotadnn::benchdnn
