// SPDX-License-Identifier: Apache-2.0
#include "api/dump.h"

#include <atomic>
#include <cctype>
#include <cstdint>
#include <fstream>
#include <numeric>
#include <string>
#include <unordered_map>

#include "iotadnn/iotadnn_types.h"

#include "base/env.h"
#include "ops/graph_json.h"
#include "partition/ports.h"

namespace iotadnn::impl {
namespace {

constexpr unsigned kUnread = ~0u;  // the environment has not been looked at yet
std::atomic<unsigned> g_mode{kUnread};

unsigned mode_from_env() {
  unsigned mode = iotadnn_graph_dump_mode_none;
  std::string token;
  for (const char c : env_value(EnvVar::graph_dump).value_or("") + ",") {
    if (c != ',') {
      token += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
      continue;
    }
    if (token == "graph")
      mode |= iotadnn_graph_dump_mode_graph;
    else if (token == "subgraph")
      mode |= iotadnn_graph_dump_mode_subgraph;
    else if (!token.empty())
      mode = iotadnn_graph_dump_mode_none;
    token.clear();
  }
  return mode;
}

bool wanted(unsigned bit) {
  unsigned mode = g_mode.load(std::memory_order_relaxed);
  if (mode == kUnread) {
    const unsigned from_env = mode_from_env();
    // A set_dump_mode() that came in between wins.
    if (g_mode.compare_exchange_strong(mode, from_env)) mode = from_env;
  }
  return (mode & bit) != 0;
}

void write_file(const std::string& name, const std::string& text) {
  std::ofstream(name, std::ios::binary) << text;
}

std::string whole_graph_json(const Graph& graph, Span<const OpPlacement> placements) {
  const ValueIndex values(graph.ops());
  std::vector<size_t> all(graph.ops().size());
  std::iota(all.begin(), all.end(), size_t{0});
  const RegionPorts ports = ports_of(values, {all.data(), all.size()});
  return graph_json(graph.ops(), graph.engine_kind(), graph.fpmath_mode(),
                    graph.fpmath_apply_to_int(), ports.inputs, ports.outputs, placements,
                    graph.math_mode());
}

// FNV-1a over the tensors' text: one file per set of shapes.
uint64_t hash_of(Span<const LogicalTensor> tensors, uint64_t hash) {
  for (const LogicalTensor& lt : tensors)
    for (const char c : verbose_text(lt) + "\n")
      hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
  return hash;
}

// The ops with the ports' logical tensors as compiled.
std::vector<Op> with_tensors(std::vector<Op> ops, Span<const LogicalTensor> inputs,
                             Span<const LogicalTensor> outputs) {
  std::unordered_map<size_t, const LogicalTensor*> compiled;
  for (const auto& tensors : {inputs, outputs})
    for (const LogicalTensor& lt : tensors)
      compiled[lt.id] = &lt;
  for (Op& op : ops)
    for (auto* ports : {&op.inputs, &op.outputs})
      for (LogicalTensor& lt : *ports)
        if (const auto found = compiled.find(lt.id); found != compiled.end()) lt = *found->second;
  return ops;
}

}  // namespace

void set_dump_mode(unsigned mode) {
  g_mode.store(mode, std::memory_order_relaxed);
}

void dump_graph(const Graph& graph) {
  if (!wanted(iotadnn_graph_dump_mode_graph)) return;
  write_file("graph-" + std::to_string(graph.id()) + ".json", whole_graph_json(graph, {}));
}

void dump_partitioning(const Graph& graph,
                       const std::vector<std::shared_ptr<const Partition>>& partitions) {
  if (!wanted(iotadnn_graph_dump_mode_graph)) return;
  std::unordered_map<size_t, const Partition*> partition_of;
  for (const auto& partition : partitions)
    for (const Op& op : partition->ops)
      partition_of[op.id] = partition.get();
  std::vector<OpPlacement> placements;
  for (const Op& op : graph.ops()) {
    const Partition& partition = *partition_of.at(op.id);
    placements.push_back({partition.id, partition.supported ? "iotadnn_backend" : "fake_backend"});
  }
  write_file("graph-" + std::to_string(graph.id()) + "-partitioning.json",
             whole_graph_json(graph, placements));
}

void dump_subgraph(const Partition& partition, Span<const LogicalTensor> inputs,
                   Span<const LogicalTensor> outputs) {
  if (!wanted(iotadnn_graph_dump_mode_subgraph)) return;
  const uint64_t hash = hash_of(outputs, hash_of(inputs, 0xcbf29ce484222325u));
  const std::vector<Op> ops = with_tensors(partition.ops, inputs, outputs);
  write_file("graph-" + std::to_string(partition.id) + "-" + std::to_string(hash) + ".json",
             graph_json(ops, partition.engine_kind, partition.fpmath_mode,
                        partition.fpmath_apply_to_int, inputs, outputs, {}, partition.math_mode));
}

}  // namespace iotadnn::impl
