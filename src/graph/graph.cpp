// SPDX-License-Identifier: Apache-2.0
#include "graph/graph.h"

#include <algorithm>
#include <atomic>
#include <functional>
#include <limits>
#include <queue>
#include <string>
#include <unordered_map>
#include <utility>

namespace iotadnn::impl {
namespace {

constexpr size_t kNoOp = std::numeric_limits<size_t>::max();

std::string text_of(const Op& op) {
  return "op '" + op.name + "' (id " + std::to_string(op.id) + ")";
}

// One appearance of a logical tensor: the port of an op.
struct Port {
  size_t op = 0;
  size_t index = 0;
  bool is_output = false;
};

std::string text_of(const std::vector<Op>& ops, const Port& port) {
  return (port.is_output ? "output " : "input ") + std::to_string(port.index) + " of " +
         text_of(ops[port.op]);
}

// Edges by logical-tensor id.
class Edges {
 public:
  explicit Edges(const std::vector<Op>& ops) : ops_(ops) {}

  Status collect() {
    first_.reserve(2 * ops_.size());
    for (size_t i = 0; i < ops_.size(); ++i) {
      for (size_t p = 0; p < ops_[i].inputs.size(); ++p)
        IOTADNN_TRY(check_same(ops_[i].inputs[p], {i, p, false}));
      for (size_t p = 0; p < ops_[i].outputs.size(); ++p) {
        IOTADNN_TRY(check_same(ops_[i].outputs[p], {i, p, true}));
        IOTADNN_TRY(set_producer(ops_[i].outputs[p].id, {i, p, true}));
      }
    }
    return {};
  }

  // The op that writes this value, or kNoOp for an input of the graph.
  size_t producer(size_t id) const {
    const auto found = producers_.find(id);
    return found == producers_.end() ? kNoOp : found->second.op;
  }

 private:
  Status check_same(const LogicalTensor& tensor, const Port& port) {
    const auto [found, is_new] = first_.try_emplace(tensor.id, tensor, port);
    if (is_new || *found->second.tensor == tensor) return {};
    return invalid_graph("logical tensor " + std::to_string(tensor.id) + " is " +
                         verbose_text(*found->second.tensor) + " at " +
                         text_of(ops_, found->second.port) + " but " + verbose_text(tensor) +
                         " at " + text_of(ops_, port) +
                         "; every appearance of an id must describe the same tensor");
  }

  Status set_producer(size_t id, const Port& port) {
    const auto [found, is_new] = producers_.try_emplace(id, port);
    if (is_new) return {};
    return invalid_graph("logical tensor " + std::to_string(id) + " is written twice, as " +
                         text_of(ops_, found->second) + " and as " + text_of(ops_, port) +
                         "; a value has one producer");
  }

  struct Appearance {
    Appearance(const LogicalTensor& t, const Port& p) : tensor(&t), port(p) {}

    const LogicalTensor* tensor;
    Port port;
  };

  const std::vector<Op>& ops_;
  std::unordered_map<size_t, Appearance> first_;
  std::unordered_map<size_t, Port> producers_;
};

// The ops of one cycle, in the direction of the data. `waiting[i]` is set for ops that cannot run;
// each of them waits for another such op, so walking against the data must come round.
std::vector<size_t> find_cycle(const std::vector<Op>& ops, const Edges& edges,
                               const std::vector<bool>& waiting) {
  const auto cause = [&](size_t i) {
    for (const LogicalTensor& in : ops[i].inputs) {
      const size_t from = edges.producer(in.id);
      if (from != kNoOp && waiting[from]) return from;
    }
    return kNoOp;
  };
  std::vector<bool> seen(ops.size(), false);
  size_t at =
      static_cast<size_t>(std::find(waiting.begin(), waiting.end(), true) - waiting.begin());
  while (!seen[at]) {
    seen[at] = true;
    at = cause(at);
  }
  std::vector<size_t> cycle{at};
  for (size_t i = cause(at); i != at; i = cause(i))
    cycle.push_back(i);
  std::reverse(cycle.begin(), cycle.end());
  return cycle;
}

Status cycle_error(const std::vector<Op>& ops, const std::vector<size_t>& cycle) {
  constexpr size_t kShown = 8;
  std::string text = "the graph has a cycle: ";
  for (size_t i = 0; i < std::min(cycle.size(), kShown); ++i)
    text += text_of(ops[cycle[i]]) + " -> ";
  if (cycle.size() > kShown) text += "... -> ";
  return invalid_graph(text + text_of(ops[cycle.front()]));
}

// Kahn's algorithm; among the ops that are ready the one added first comes first, so that a list
// that is in topological order already stays as it is.
Result<std::vector<size_t>> topological_order(const std::vector<Op>& ops, const Edges& edges) {
  std::vector<std::vector<size_t>> consumers(ops.size());
  std::vector<size_t> missing(ops.size(), 0);
  for (size_t i = 0; i < ops.size(); ++i) {
    for (const LogicalTensor& in : ops[i].inputs) {
      const size_t from = edges.producer(in.id);
      if (from == kNoOp) continue;
      consumers[from].push_back(i);
      ++missing[i];
    }
  }
  std::priority_queue<size_t, std::vector<size_t>, std::greater<>> ready;
  for (size_t i = 0; i < ops.size(); ++i)
    if (missing[i] == 0) ready.push(i);
  std::vector<size_t> order;
  order.reserve(ops.size());
  while (!ready.empty()) {
    const size_t i = ready.top();
    ready.pop();
    order.push_back(i);
    for (const size_t to : consumers[i])
      if (--missing[to] == 0) ready.push(to);
  }
  if (order.size() == ops.size()) return order;
  std::vector<bool> waiting(ops.size(), true);
  for (const size_t i : order)
    waiting[i] = false;
  return cycle_error(ops, find_cycle(ops, edges, waiting));
}

}  // namespace

size_t next_object_id() {
  static std::atomic<size_t> next{100001};
  return next.fetch_add(1, std::memory_order_relaxed);
}

Status Graph::add_op(Op op) {
  if (finalized_) return invalid_graph(text_of(op) + " cannot be added: the graph is finalized");
  if (op_ids_.count(op.id) != 0)
    return invalid_graph_op(text_of(op) +
                            " cannot be added: the graph has an op with this id already");
  const size_t id = op.id;
  ops_.push_back(std::move(op));
  try {
    op_ids_.insert(id);
  } catch (...) {
    ops_.pop_back();  // out of memory leaves the graph as it was
    throw;
  }
  return {};
}

Status Graph::finalize() {
  if (finalized_) return {};
  Edges edges(ops_);
  IOTADNN_TRY(edges.collect());
  const auto order = topological_order(ops_, edges);
  if (!order.ok()) return order.status();
  if (!std::is_sorted(order->begin(), order->end())) {
    std::vector<Op> sorted;
    sorted.reserve(ops_.size());
    for (const size_t i : *order)
      sorted.push_back(std::move(ops_[i]));
    ops_ = std::move(sorted);
  }
  finalized_ = true;
  return {};
}

}  // namespace iotadnn::impl
