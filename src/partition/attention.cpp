// SPDX-License-Identifier: Apache-2.0
#include "partition/attention.h"

#include <algorithm>
#include <unordered_set>

#include "ops/op_kinds.h"

namespace iotadnn::impl {
namespace {

constexpr size_t kNone = static_cast<size_t>(-1);

using OpSet = std::unordered_set<size_t>;

// What comes behind the SoftMax: TypeCasts and the MatMul. Empty when there is something else.
std::vector<size_t> behind(const ValueIndex& values, size_t softmax) {
  const std::vector<Op>& ops = values.ops();
  std::vector<size_t> found;
  size_t id = ops[softmax].outputs[0].id;
  for (;;) {
    const Span<const size_t> consumers = values.consumers(id);
    if (consumers.size() != 1) return {};
    const Op& next = ops[consumers[0]];
    found.push_back(consumers[0]);
    if (next.kind == op_kind::kMatMul) {
      if (next.inputs[0].id != id) return {};
      return found;
    }
    if (next.kind != op_kind::kTypeCast) return {};
    id = next.outputs[0].id;
  }
}

// Whether all that the op gives is read, by ops of the set only.
bool is_read_only_by(const ValueIndex& values, size_t op, const OpSet& set) {
  for (const LogicalTensor& out : values.ops()[op].outputs) {
    const Span<const size_t> consumers = values.consumers(out.id);
    if (consumers.empty()) return false;
    for (const size_t consumer : consumers)
      if (set.count(consumer) == 0) return false;
  }
  return true;
}

// Of `set`, what follows from the op.
OpSet reached_from(const ValueIndex& values, size_t op, const OpSet& set) {
  OpSet reached;
  std::vector<size_t> left{op};
  while (!left.empty()) {
    const size_t at = left.back();
    left.pop_back();
    for (const LogicalTensor& out : values.ops()[at].outputs)
      for (const size_t consumer : values.consumers(out.id))
        if (set.count(consumer) != 0 && reached.insert(consumer).second) left.push_back(consumer);
  }
  return reached;
}

// Adds what dequantizes an operand of the MatMul, for it alone.
void add_dequantizers(const ValueIndex& values, size_t matmul, OpSet& set) {
  for (const LogicalTensor& in : values.ops()[matmul].inputs) {
    const size_t producer = values.producer(in.id);
    if (producer == kNone || values.ops()[producer].kind != op_kind::kDynamicDequantize) continue;
    if (is_read_only_by(values, producer, {matmul})) set.insert(producer);
  }
}

// Whether what the SoftMax gives comes back to the MatMul over ops outside: by its stats.
bool comes_back(const ValueIndex& values, size_t softmax, const OpSet& set) {
  OpSet seen;
  std::vector<size_t> left;
  const std::vector<Op>& ops = values.ops();
  for (size_t port = 1; port < ops[softmax].outputs.size(); ++port)
    for (const size_t consumer : values.consumers(ops[softmax].outputs[port].id))
      left.push_back(consumer);
  while (!left.empty()) {
    const size_t at = left.back();
    left.pop_back();
    if (set.count(at) != 0) return true;
    if (!seen.insert(at).second) continue;
    for (const LogicalTensor& out : ops[at].outputs)
      for (const size_t consumer : values.consumers(out.id))
        left.push_back(consumer);
  }
  return false;
}

bool is_transposed(const Op& op) {
  constexpr AttrId kTransposeA = 0x65;
  const auto* given = op.attr<bool>(kTransposeA);
  return op.kind == op_kind::kMatMul && given != nullptr && *given;
}

// Adds the TypeCasts that make the MatMul's first operand, up to the op that is returned.
size_t add_casts(const ValueIndex& values, size_t matmul, OpSet& set) {
  size_t producer = values.producer(values.ops()[matmul].inputs[0].id);
  while (producer != kNone && values.ops()[producer].kind == op_kind::kTypeCast) {
    set.insert(producer);
    producer = values.producer(values.ops()[producer].inputs[0].id);
  }
  return producer;
}

// Adds the ops before `end` that join and are read by the set only, and MatMuls of which that is
// true: in front of these, nothing joins.
void add_before(const ValueIndex& values, size_t end, const std::function<bool(size_t)>& joins,
                OpSet& set) {
  OpSet matmuls;
  for (size_t i = end; i-- > 0;) {
    if (set.count(i) != 0 || !is_read_only_by(values, i, set)) continue;
    if (values.ops()[i].kind == op_kind::kMatMul)
      matmuls.insert(i);
    else if (joins(i))
      set.insert(i);
  }
  set.insert(matmuls.begin(), matmuls.end());
}

}  // namespace

std::vector<std::vector<size_t>> backwards_around(const ValueIndex& values, size_t dk,
                                                  const std::function<bool(size_t)>& joins) {
  const std::vector<Op>& ops = values.ops();
  if (!is_transposed(ops[dk])) return {};
  const Span<const size_t> consumers = values.consumers(ops[dk].inputs[0].id);
  if (consumers.size() != 2) return {};
  const size_t dq = consumers[0] == dk ? consumers[1] : consumers[0];
  if (dq == dk || ops[dq].kind != op_kind::kMatMul || is_transposed(ops[dq])) return {};
  std::vector<std::vector<size_t>> found;
  for (size_t dv = 0; dv < ops.size(); ++dv) {
    if (dv == dk || !is_transposed(ops[dv])) continue;
    OpSet set{dk, dq, dv};
    const size_t ds = add_casts(values, dk, set);
    const size_t p = add_casts(values, dv, set);
    if (ds == kNone || p == kNone || p >= ds) continue;
    add_before(values, ds + 1, joins, set);
    if (set.count(p) == 0 || set.count(ds) == 0) continue;
    std::vector<size_t> sorted(set.begin(), set.end());
    std::sort(sorted.begin(), sorted.end());
    found.push_back(std::move(sorted));
  }
  return found;
}

std::vector<std::vector<size_t>> attentions_around(const ValueIndex& values, size_t softmax,
                                                   const std::function<bool(size_t)>& joins) {
  const std::vector<Op>& ops = values.ops();
  const std::vector<size_t> after = behind(values, softmax);
  if (after.empty()) return {};
  // Ops are in topological order, so that consumers come first here.
  OpSet before{softmax};
  std::vector<size_t> matmuls;
  for (size_t i = softmax; i-- > 0;) {
    if (!is_read_only_by(values, i, before)) continue;
    if (ops[i].kind == op_kind::kMatMul)
      matmuls.push_back(i);
    else if (joins(i))
      before.insert(i);
  }
  std::vector<std::vector<size_t>> found;
  for (const bool all : {true, false})
    for (const size_t matmul : matmuls) {
      OpSet set = all ? before : reached_from(values, matmul, before);
      if (!all && set.size() == before.size()) continue;
      set.insert(matmul);
      set.insert(after.begin(), after.end());
      add_dequantizers(values, matmul, set);
      add_dequantizers(values, after.back(), set);
      if (comes_back(values, softmax, set)) continue;
      std::vector<size_t> sorted(set.begin(), set.end());
      std::sort(sorted.begin(), sorted.end());
      found.push_back(std::move(sorted));
    }
  return found;
}

}  // namespace iotadnn::impl
