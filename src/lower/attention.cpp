// SPDX-License-Identifier: Apache-2.0
#include "lower/attention.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "ops/op_kinds.h"
#include "ops/op_table.h"
#include "ops/softmax_op.h"

namespace iotadnn::impl {
namespace {

constexpr size_t kNoOp = static_cast<size_t>(-1);
// Beside LoweredAttention::kScore: what the mask gives before it is f32.
constexpr size_t kMasked = LoweredAttention::kScore + 1;

// Positions of the ops of an attention.
struct Chain {
  size_t scores = kNoOp;
  size_t softmax = kNoOp;
  size_t values = kNoOp;
  std::vector<size_t> casts;     // of the probabilities
  std::vector<size_t> prepared;  // dequantize an operand
  std::vector<size_t> mask;      // all others
};

size_t only_op(const std::vector<Op>& ops, OpKind kind) {
  size_t found = kNoOp;
  for (size_t i = 0; i < ops.size(); ++i) {
    if (ops[i].kind != kind) continue;
    if (found != kNoOp) return kNoOp;
    found = i;
  }
  return found;
}

size_t consumer_of(const std::vector<Op>& ops, size_t id) {
  for (size_t i = 0; i < ops.size(); ++i)
    for (const LogicalTensor& in : ops[i].inputs)
      if (in.id == id) return i;
  return kNoOp;
}

Result<Chain> find_chain(const Partition& partition) {
  const std::vector<Op>& ops = partition.ops;
  Chain chain;
  chain.softmax = only_op(ops, op_kind::kSoftMax);
  if (chain.softmax == kNoOp) return unimplemented("an attention has one SoftMax");
  size_t id = ops[chain.softmax].outputs[0].id;
  size_t next = consumer_of(ops, id);
  while (next != kNoOp && ops[next].kind == op_kind::kTypeCast) {
    chain.casts.push_back(next);
    id = ops[next].outputs[0].id;
    next = consumer_of(ops, id);
  }
  if (next == kNoOp || ops[next].kind != op_kind::kMatMul || ops[next].inputs[0].id != id)
    return unimplemented("the probabilities of " + op_text(ops[chain.softmax]) +
                         " are not the first input of a MatMul");
  chain.values = next;
  for (size_t i = 0; i < ops.size(); ++i) {
    if (i == chain.softmax || i == chain.values ||
        std::find(chain.casts.begin(), chain.casts.end(), i) != chain.casts.end())
      continue;
    if (ops[i].kind == op_kind::kDynamicDequantize)
      chain.prepared.push_back(i);
    else if (ops[i].kind != op_kind::kMatMul)
      chain.mask.push_back(i);
    else if (chain.scores == kNoOp)
      chain.scores = i;
    else
      return unimplemented("an attention has two MatMuls");
  }
  if (chain.scores == kNoOp)
    return unimplemented("no MatMul gives the scores that " + op_text(ops[chain.softmax]) +
                         " takes");
  return chain;
}

bool is_single_float(DataType type) {
  return type == DataType::f32 || type == DataType::bf16 || type == DataType::f16;
}

Status check_types(const Op& op) {
  for (size_t p = 0; p < op.inputs.size(); ++p)
    if (!is_single_float(op.inputs[p].type))
      return unimplemented(input_text(op, p) + " is " + std::string(name_of(op.inputs[p].type)) +
                           ", an attention has f32, bf16 or f16");
  for (size_t p = 0; p < op.outputs.size(); ++p)
    if (!is_single_float(op.outputs[p].type))
      return unimplemented(output_text(op, p) + " is " + std::string(name_of(op.outputs[p].type)) +
                           ", an attention has f32, bf16 or f16");
  return {};
}

// A MatMul of matrices, without a bias; the second operand's batch is at most that of the first.
Result<contraction_ops::MatMulForm> matrix_form(const Op& op) {
  if (op.inputs.size() > 2) return unimplemented(op_text(op) + " adds a bias");
  IOTADNN_TRY(check_types(op));
  const int a = op.inputs[0].rank;
  const int b = op.inputs[1].rank;
  if (a < 2 || b < 2 || b > a)
    return unimplemented(op_text(op) + " multiplies tensors of ranks " + std::to_string(a) +
                         " and " + std::to_string(b) +
                         ", an attention has at least 2, and not more in the second");
  return contraction_ops::matmul_form(op, a, b);
}

Result<AttentionForm> form_of(const std::vector<Op>& ops, const Chain& chain) {
  const Op& scores = ops[chain.scores];
  const Op& softmax = ops[chain.softmax];
  const Op& values = ops[chain.values];
  AttentionForm form;
  auto of_scores = matrix_form(scores);
  if (!of_scores.ok()) return of_scores.status();
  auto of_values = matrix_form(values);
  if (!of_values.ok()) return of_values.status();
  IOTADNN_TRY(check_types(softmax));
  form.scores = *of_scores;
  form.values = *of_values;
  const int rank = softmax.inputs[0].rank;
  if (rank != form.scores.rank() || values.inputs[0].rank != rank)
    return unimplemented(op_text(softmax) + " takes rank " + std::to_string(rank) +
                         ", the scores have " + std::to_string(form.scores.rank()));
  const int64_t axis = *softmax.attr<int64_t>(attr_id::kAxis);
  if (axis != -1 && axis != rank - 1)
    return unimplemented(op_text(softmax) + " works along axis " + std::to_string(axis) +
                         ", an attention along the last");
  if (form.values.a_inner != rank - 1)
    return unimplemented(op_text(values) + " transposes the probabilities");
  form.q = scores.inputs[0].id;
  form.k = scores.inputs[1].id;
  form.v = values.inputs[1].id;
  form.score = scores.outputs[0].id;
  form.domain = softmax.inputs[0].id;
  form.out = values.outputs[0].id;
  if (softmax.outputs.size() > 1) form.stats = softmax.outputs[1].id;
  form.inf_as_zero = softmax_op::has_inf_as_zero(softmax);
  form.prepared = chain.prepared;
  for (const size_t i : chain.prepared) {
    const size_t made = ops[i].outputs[0].id;
    if (made != form.q && made != form.k && made != form.v)
      return unimplemented(op_text(ops[i]) + " makes no operand of the attention's MatMuls");
  }
  return form;
}

// Only what the MatMul by values and, as stats, the SoftMax give may leave the partition.
Status check_outputs(const Partition& partition, const AttentionForm& form) {
  for (const LogicalTensor& out : partition.outputs)
    if (out.id != form.out && out.id != form.stats)
      return unimplemented(
          "an attention hands out its result and the stats of its SoftMax, not "
          "logical tensor " +
          std::to_string(out.id));
  return {};
}

Op cast_of(const LogicalTensor& from, size_t to_id, DataType to) {
  Op op;
  op.kind = op_kind::kTypeCast;
  op.name = "TypeCast";
  op.inputs.push_back(from);
  op.outputs.push_back(from);
  op.outputs[0].id = to_id;
  op.outputs[0].type = to;
  return op;
}

// The ops between the first MatMul and the SoftMax as a region over f32 scores. Where the graph
// says that scores are bf16 or f16, they are rounded as there.
Result<LoweredRegion> lower_mask(const Partition& partition, const Chain& chain,
                                 const AttentionForm& form) {
  LogicalTensor score = partition.ops[chain.scores].outputs[0];
  LogicalTensor domain = partition.ops[chain.softmax].inputs[0];
  Partition region;
  region.math_mode = partition.math_mode;
  region.fpmath_mode = partition.fpmath_mode;
  region.inputs = partition.inputs;
  LogicalTensor computed = score;
  computed.id = LoweredAttention::kScore;
  computed.type = DataType::f32;
  region.inputs.push_back(computed);
  const bool rounds_score = score.type != DataType::f32;
  if (rounds_score) region.ops.push_back(cast_of(computed, score.id, score.type));
  for (const size_t i : chain.mask) {
    region.ops.push_back(partition.ops[i]);
    if (rounds_score) continue;
    for (LogicalTensor& in : region.ops.back().inputs)
      if (in.id == form.score) in.id = LoweredAttention::kScore;
  }
  if (domain.type != DataType::f32) {
    region.ops.push_back(cast_of(domain, kMasked, DataType::f32));
    domain = region.ops.back().outputs[0];
  }
  region.outputs.push_back(domain);
  auto lowered = lower_region(region);
  if (!lowered.ok()) return lowered.status();
  if (!lowered->pointwise || !lowered->summed_extents.empty())
    return unimplemented("the mask of an attention sums or gathers");
  return lowered;
}

}  // namespace

bool looks_like_attention(const Partition& partition) {
  return find_chain(partition).ok();
}

Result<LoweredAttention> lower_attention(const Partition& partition) {
  const auto chain = find_chain(partition);
  if (!chain.ok()) return chain.status();
  LoweredAttention lowered;
  auto form = form_of(partition.ops, *chain);
  if (!form.ok()) return form.status();
  lowered.form = *form;
  for (const size_t i : chain->casts)
    IOTADNN_TRY(check_types(partition.ops[i]));
  IOTADNN_TRY(check_outputs(partition, lowered.form));
  if (lowered.form.domain == lowered.form.score &&
      partition.ops[chain->softmax].inputs[0].type == DataType::f32)
    return lowered;
  auto mask = lower_mask(partition, *chain, lowered.form);
  if (!mask.ok()) return mask.status();
  lowered.mask = std::move(*mask);
  return lowered;
}

}  // namespace iotadnn::impl
