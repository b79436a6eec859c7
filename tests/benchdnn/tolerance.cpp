// SPDX-License-Identifier: Apache-2.0
#include "benchdnn/tolerance.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "benchdnn/reference_run.h"

namespace iotadnn::benchdnn {
namespace {

using frontends::GraphDesc;
using frontends::OpDesc;

constexpr double kF32 = 0x1p-24;  // largest relative error of rounding to f32

double rounding_of(iotadnn_data_type_t type) {
  if (type == iotadnn_bf16) return 0x1p-8;
  return type == iotadnn_f16 ? 0x1p-11 : 0;
}

bool is_kind(const OpDesc& op, iotadnn_graph_op_kind_t kind) {
  return op.kind == kind;
}

std::vector<const OpDesc*> ops_of(const GraphDesc& graph, const PartitionRun& run) {
  const std::vector<size_t> ids = run.partition.get_ops();
  std::vector<const OpDesc*> ops;
  for (const OpDesc& op : graph.ops)
    if (std::find(ids.begin(), ids.end(), op.id) != ids.end()) ops.push_back(&op);
  return ops;
}

bool has_kind(const std::vector<const OpDesc*>& ops, iotadnn_graph_op_kind_t kind) {
  return std::any_of(ops.begin(), ops.end(),
                     [kind](const OpDesc* op) { return is_kind(*op, kind); });
}

// The most products that an op of the partition sums.
double longest_sum(const GraphDesc& graph, const std::vector<const OpDesc*>& ops) {
  int64_t longest = 1;
  for (const OpDesc* op : ops) {
    const bool sums = is_kind(*op, iotadnn_graph_op_matmul) ||
                      is_kind(*op, iotadnn_graph_op_softmax) ||
                      is_kind(*op, iotadnn_graph_op_reduce_sum);
    const auto& dims = graph.tensors.at(op->inputs[0]).dims;
    if (!sums || !dims || dims->empty()) continue;
    longest = std::max(longest, dims->back());
    if (dims->size() > 1 && is_kind(*op, iotadnn_graph_op_matmul))
      longest = std::max(longest, (*dims)[dims->size() - 2]);
  }
  return static_cast<double>(longest);
}

// Tensors of 16 bits between the ops: a kernel may keep more of them than the graph says, or round
// them at another point. An error of a score counts eight times: that is how large scores are, and
// exp makes relative errors of absolute ones.
double rounding_inside(const GraphDesc& graph, const PartitionRun& run,
                       const std::vector<const OpDesc*>& ops) {
  constexpr double kScores = 8;
  std::set<size_t> seen;
  for (const graph::logical_tensor& lt : run.outputs)
    seen.insert(lt.get_id());
  bool after_softmax = false;
  double sum = 0;
  for (const OpDesc* op : ops) {
    const bool is_dequantized = is_kind(*op, iotadnn_graph_op_dynamic_dequantize);
    after_softmax = after_softmax || is_kind(*op, iotadnn_graph_op_softmax) ||
                    is_kind(*op, iotadnn_graph_op_exp);
    for (const size_t id : op->outputs) {
      if (!seen.insert(id).second) continue;
      const double one = rounding_of(graph.tensors.at(id).data_type);
      sum += after_softmax && !is_dequantized ? one : kScores * one;
    }
  }
  return sum;
}

// Of a score of at most 8 (its sum, its scale, exp), and of a sum of values, which grow like the
// square root of the number of keys; relative to the largest value.
double of_types(const GraphDesc& graph, const PartitionRun& run,
                const std::vector<const OpDesc*>& ops, iotadnn_data_type_t output) {
  return kF32 * (64 + 2 * std::sqrt(longest_sum(graph, ops))) + rounding_inside(graph, run, ops) +
         2 * rounding_of(output);
}

// oneDNN's primitives sum products of f32 in f32, in an order of their own.
bool sums_in_f32(const PartitionRun& run, const std::vector<const OpDesc*>& ops) {
  return has_kind(ops, iotadnn_graph_op_matmul) && run.compiled.get_impl().rfind("onednn", 0) == 0;
}

}  // namespace

Tolerance tolerance_of(const GraphDesc& graph, const PartitionRun& run, size_t output,
                       const AttentionContent& content, AttentionFill fill) {
  constexpr double kEpsilon = 0x1p-23;
  const std::vector<const OpDesc*> ops = ops_of(graph, run);
  const auto type = graph.tensors.at(output).data_type;
  const bool normalizes = has_kind(ops, iotadnn_graph_op_softmax);
  const bool attends =
      content.roles().attention && (normalizes || has_kind(ops, iotadnn_graph_op_matmul));
  Tolerance tolerance;
  tolerance.ulps = allowed_ulps(graph);
  if (!attends && !normalizes && !sums_in_f32(run, ops)) return tolerance;
  tolerance.of_largest = of_types(graph, run, ops, type);
  if (!attends && !normalizes) return tolerance;
  if (content.roles().attention && fill == AttentionFill::small) return tolerance;
  const OpDesc* producer = graph.producer_of(output);
  const bool is_stats = producer != nullptr && is_kind(*producer, iotadnn_graph_op_softmax) &&
                        producer->outputs[0] != output;
  tolerance.by_norm = true;
  if (type == iotadnn_f32) tolerance.relative = is_stats ? 2e-5 : normalizes ? 10 * kEpsilon : 0;
  return tolerance;
}

}  // namespace iotadnn::benchdnn
