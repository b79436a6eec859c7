// SPDX-License-Identifier: Apache-2.0
#include "partition/attention.h"

#include <algorithm>
#include <unordered_set>

#include "ops/contraction_ops.h"
#include "ops/op_kinds.h"

namespace iotadnn::impl {
namespace {

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

// Whether all that the op gives is read by ops of the set.
bool is_read_by(const ValueIndex& values, size_t op, const OpSet& set) {
  const std::vector<LogicalTensor>& outputs = values.ops()[op].outputs;
  return std::all_of(outputs.begin(), outputs.end(), [&](const LogicalTensor& out) {
    const Span<const size_t> consumers = values.consumers(out.id);
    return std::any_of(consumers.begin(), consumers.end(),
                       [&](size_t consumer) { return set.count(consumer) != 0; });
  });
}

// And by no others.
bool is_read_only_by(const ValueIndex& values, size_t op, const OpSet& set) {
  for (const LogicalTensor& out : values.ops()[op].outputs)
    for (const size_t consumer : values.consumers(out.id))
      if (set.count(consumer) == 0) return false;
  return is_read_by(values, op, set);
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
    if (producer == ValueIndex::kNone || values.ops()[producer].kind != op_kind::kDynamicDequantize)
      continue;
    if (is_read_only_by(values, producer, {matmul})) set.insert(producer);
  }
}

bool is_transposed(const Op& op) {
  return op.kind == op_kind::kMatMul && contraction_ops::transposes_a(op);
}

// Adds the TypeCasts that make the MatMul's first operand, up to the op that is returned.
size_t add_casts(const ValueIndex& values, size_t matmul, OpSet& set) {
  size_t producer = values.producer(values.ops()[matmul].inputs[0].id);
  while (producer != ValueIndex::kNone && values.ops()[producer].kind == op_kind::kTypeCast) {
    set.insert(producer);
    producer = values.producer(values.ops()[producer].inputs[0].id);
  }
  return producer;
}

// Adds the ops before `end` that join and are read by the set only, and MatMuls of which that is
// true: in front of these, nothing joins.
void add_before(const ValueIndex& values, const std::vector<size_t>& candidates, OpSet& set) {
  OpSet matmuls;
  for (const size_t i : candidates) {
    if (set.count(i) != 0 || !is_read_only_by(values, i, set)) continue;
    (values.ops()[i].kind == op_kind::kMatMul ? matmuls : set).insert(i);
  }
  set.insert(matmuls.begin(), matmuls.end());
}

// What the op's value follows from over ops that join, itself included, MatMuls ending paths; last
// in the graph first. Empty beyond kMostOps.
std::vector<size_t> predecessors(const ValueIndex& values, size_t op,
                                 const std::function<bool(size_t)>& joins) {
  constexpr size_t kMostOps = 64;
  std::vector<size_t> found;
  OpSet seen{op};
  std::vector<size_t> left{op};
  while (!left.empty()) {
    const size_t at = left.back();
    left.pop_back();
    const bool is_matmul = values.ops()[at].kind == op_kind::kMatMul;
    if (!is_matmul && !joins(at)) continue;
    found.push_back(at);
    if (found.size() > kMostOps) return {};
    if (is_matmul) continue;
    for (const LogicalTensor& in : values.ops()[at].inputs)
      if (const size_t producer = values.producer(in.id);
          producer != ValueIndex::kNone && seen.insert(producer).second)
        left.push_back(producer);
  }
  std::sort(found.rbegin(), found.rend());
  return found;
}

// The transposed MatMuls whose first operand the op gives, over any TypeCasts.
std::vector<size_t> transposed_consumers(const ValueIndex& values, size_t op) {
  std::vector<size_t> found;
  std::vector<size_t> left{op};
  while (!left.empty()) {
    const Op& at = values.ops()[left.back()];
    left.pop_back();
    for (const size_t consumer : values.consumers(at.outputs[0].id)) {
      const Op& next = values.ops()[consumer];
      if (next.kind == op_kind::kTypeCast)
        left.push_back(consumer);
      else if (is_transposed(next) && next.inputs[0].id == at.outputs[0].id)
        found.push_back(consumer);
    }
  }
  return found;
}

// What the SoftMax takes follows from: ops that join, itself included, and MatMuls before these.
struct BeforeSoftMax {
  OpSet ops;
  std::vector<size_t> matmuls;
};

BeforeSoftMax ops_before(const ValueIndex& values, size_t softmax,
                         const std::function<bool(size_t)>& joins, bool hands_out) {
  BeforeSoftMax before{{softmax}, {}};
  // Ops are in topological order, so that consumers come first here.
  for (size_t i = softmax; i-- > 0;) {
    if (hands_out ? !is_read_by(values, i, before.ops) : !is_read_only_by(values, i, before.ops))
      continue;
    if (values.ops()[i].kind == op_kind::kMatMul)
      before.matmuls.push_back(i);
    else if (joins(i))
      before.ops.insert(i);
  }
  return before;
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
  OpSet gradient_of_scores{dk, dq};
  const size_t ds = add_casts(values, dk, gradient_of_scores);
  if (ds == ValueIndex::kNone || ops[ds].kind == op_kind::kMatMul ||
      !is_read_only_by(values, ds, gradient_of_scores))
    return {};
  const std::vector<size_t> before = predecessors(values, ds, joins);
  if (std::none_of(before.begin(), before.end(),
                   [&](size_t i) { return ops[i].kind == op_kind::kReduceSum; }))
    return {};
  std::vector<std::vector<size_t>> found;
  for (const size_t p : before)
    for (const size_t dv : transposed_consumers(values, p)) {
      if (dv == dk || p == ds) continue;
      OpSet set = gradient_of_scores;
      set.insert(dv);
      add_casts(values, dv, set);
      add_before(values, before, set);
      if (set.count(p) == 0 || set.count(ds) == 0) continue;
      std::vector<size_t> sorted(set.begin(), set.end());
      std::sort(sorted.begin(), sorted.end());
      found.push_back(std::move(sorted));
    }
  return found;
}

std::vector<std::vector<size_t>> attentions_around(const ValueIndex& values, size_t softmax,
                                                   const std::function<bool(size_t)>& joins) {
  const std::vector<size_t> after = behind(values, softmax);
  std::vector<std::vector<size_t>> found;
  if (after.empty()) return found;
  // What is read elsewhere, too, stays apart if it can: as a mask, not as the scores.
  for (const bool hands_out : {false, true}) {
    const BeforeSoftMax before = ops_before(values, softmax, joins, hands_out);
    for (const bool all : {true, false})
      for (const size_t matmul : before.matmuls) {
        OpSet set = all ? before.ops : reached_from(values, matmul, before.ops);
        if (!all && set.size() == before.ops.size()) continue;
        set.insert(matmul);
        set.insert(after.begin(), after.end());
        add_dequantizers(values, matmul, set);
        add_dequantizers(values, after.back(), set);
        std::vector<size_t> sorted(set.begin(), set.end());
        std::sort(sorted.begin(), sorted.end());
        if (found.empty() || found.back() != sorted) found.push_back(std::move(sorted));
      }
  }
  return found;
}

}  // namespace iotadnn::impl
