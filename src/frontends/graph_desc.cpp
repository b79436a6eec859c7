// SPDX-License-Identifier: Apache-2.0
#include "frontends/graph_desc.h"

#include <algorithm>
#include <limits>
#include <set>

#include "frontends/names.h"

namespace iotadnn::frontends {
namespace {

std::map<size_t, size_t> producers_by_tensor(const std::vector<OpDesc>& ops) {
  std::map<size_t, size_t> producers;
  for (size_t i = 0; i < ops.size(); ++i)
    for (const size_t tensor : ops[i].outputs)
      if (const auto [at, fresh] = producers.emplace(tensor, i); !fresh)
        throw GraphError(describe(ops[i]) + " produces tensor " + std::to_string(tensor) +
                         ", which " + describe(ops[at->second]) + " already produces");
  return producers;
}

}  // namespace

const OpDesc* GraphDesc::producer_of(size_t tensor) const {
  for (const OpDesc& op : ops)
    if (std::find(op.outputs.begin(), op.outputs.end(), tensor) != op.outputs.end()) return &op;
  return nullptr;
}

OpDesc* GraphDesc::find_op(size_t op) {
  const auto found =
      std::find_if(ops.begin(), ops.end(), [op](const OpDesc& desc) { return desc.id == op; });
  return found == ops.end() ? nullptr : &*found;
}

bool GraphDesc::is_consumed(size_t tensor) const {
  return std::any_of(ops.begin(), ops.end(), [tensor](const OpDesc& op) {
    return std::find(op.inputs.begin(), op.inputs.end(), tensor) != op.inputs.end();
  });
}

std::vector<size_t> GraphDesc::graph_inputs() const {
  std::set<size_t> seen;
  for (const OpDesc& op : ops)
    seen.insert(op.outputs.begin(), op.outputs.end());
  std::vector<size_t> inputs;
  for (const OpDesc& op : ops)
    for (const size_t tensor : op.inputs)
      if (seen.insert(tensor).second) inputs.push_back(tensor);
  return inputs;
}

void sort_topologically(GraphDesc& graph) {
  const std::map<size_t, size_t> producers = producers_by_tensor(graph.ops);
  const size_t count = graph.ops.size();
  std::vector<size_t> missing(count, 0);  // inputs whose producers are not placed yet
  std::vector<std::vector<size_t>> readers(count);
  for (size_t i = 0; i < count; ++i) {
    for (const size_t tensor : graph.ops[i].inputs) {
      const auto producer = producers.find(tensor);
      if (producer == producers.end()) continue;
      readers[producer->second].push_back(i);
      ++missing[i];
    }
  }
  std::set<size_t> ready;  // the smallest index first keeps the file's order where it can
  for (size_t i = 0; i < count; ++i)
    if (missing[i] == 0) ready.insert(i);
  std::vector<OpDesc> sorted;
  sorted.reserve(count);
  while (!ready.empty()) {
    const size_t next = *ready.begin();
    ready.erase(ready.begin());
    for (const size_t reader : readers[next])
      if (--missing[reader] == 0) ready.insert(reader);
    sorted.push_back(graph.ops[next]);
  }
  if (sorted.size() != count) {
    const auto stuck = std::find_if(missing.begin(), missing.end(), [](size_t n) { return n > 0; });
    const auto& op = graph.ops[static_cast<size_t>(stuck - missing.begin())];
    throw GraphError("the graph is not a DAG: " + describe(op) + " depends on its own result");
  }
  graph.ops = std::move(sorted);
}

std::string describe(const OpDesc& op) {
  return "op " + std::to_string(op.id) + " ('" + op.name + "', " + std::string(name_of(op.kind)) +
         ")";
}

std::optional<std::vector<int64_t>> dense_strides(const std::vector<int64_t>& dims) {
  std::vector<int64_t> strides(dims.size(), 1);
  int64_t next = 1;
  for (size_t i = dims.size(); i-- > 0;) {
    strides[i] = next;
    if (dims[i] < 0 || __builtin_mul_overflow(next, std::max<int64_t>(dims[i], 1), &next))
      return std::nullopt;
  }
  return strides;
}

std::optional<int64_t> span_of(const std::vector<int64_t>& dims,
                               const std::vector<int64_t>& strides) {
  if (std::find(dims.begin(), dims.end(), 0) != dims.end()) return 0;
  int64_t last = 0;
  for (size_t i = 0; i < dims.size(); ++i) {
    int64_t reach = 0;
    if (dims[i] < 0 || strides[i] < 0 || __builtin_mul_overflow(dims[i] - 1, strides[i], &reach) ||
        __builtin_add_overflow(last, reach, &last))
      return std::nullopt;
  }
  constexpr int64_t kMost = std::numeric_limits<int64_t>::max() / 8;
  return last < kMost ? std::optional<int64_t>(last + 1) : std::nullopt;
}

}  // namespace iotadnn::frontends
