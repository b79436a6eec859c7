// SPDX-License-Identifier: Apache-2.0
#include "lower/attention.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "lower/tile_region.h"
#include "ops/op_kinds.h"
#include "ops/op_table.h"
#include "ops/softmax_op.h"

namespace iotadnn::impl {
namespace {

constexpr size_t kNoOp = static_cast<size_t>(-1);

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

bool is_of_bf16(const Op& matmul) {
  return matmul.inputs[0].type == DataType::bf16 && matmul.inputs[1].type == DataType::bf16;
}

Result<AttentionForm> form_of(const Partition& partition, const Chain& chain) {
  const std::vector<Op>& ops = partition.ops;
  const Op& scores = ops[chain.scores];
  const Op& softmax = ops[chain.softmax];
  const Op& values = ops[chain.values];
  AttentionForm form;
  auto of_scores = matrix_form(scores);
  if (!of_scores.ok()) return of_scores.status();
  auto of_values = matrix_form(values);
  if (!of_values.ok()) return of_values.status();
  IOTADNN_TRY(check_tile_types(softmax));
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
  const bool strict = partition.math_mode == MathMode::strict_bits;
  form.scores_of_bf16 = !strict && is_of_bf16(scores);
  form.values_of_bf16 = !strict && is_of_bf16(values);
  form.prepared = chain.prepared;
  for (const size_t i : chain.prepared) {
    const size_t made = ops[i].outputs[0].id;
    if (made != form.q && made != form.k && made != form.v)
      return unimplemented(op_text(ops[i]) + " makes no operand of the attention's MatMuls");
  }
  return form;
}

// Beside what the MatMul by values and, as stats, the SoftMax give, scores of one kind may leave
// the partition.
Status set_handed_out(const Partition& partition, const Chain& chain, AttentionForm& form) {
  std::vector<size_t> scores{form.score};
  for (const size_t i : chain.mask)
    scores.push_back(partition.ops[i].outputs[0].id);
  for (const LogicalTensor& out : partition.outputs) {
    if (out.id == form.out || out.id == form.stats) continue;
    if (form.handed_out != AttentionForm::kNone ||
        std::find(scores.begin(), scores.end(), out.id) == scores.end() || !is_tile_type(out.type))
      return unimplemented(
          "an attention hands out its result, the stats of its SoftMax and one tensor of scores "
          "(f32, bf16 or f16), not logical tensor " +
          std::to_string(out.id) + " (" + std::string(name_of(out.type)) + ")");
    form.handed_out = out.id;
  }
  return {};
}

const LogicalTensor& output_of(const Partition& partition, size_t id) {
  return *std::find_if(partition.outputs.begin(), partition.outputs.end(),
                       [id](const LogicalTensor& out) { return out.id == id; });
}

// The ops between the first MatMul and the SoftMax as a region over f32 scores.
Result<LoweredRegion> lower_mask(const Partition& partition, const Chain& chain,
                                 const AttentionForm& form) {
  TileRegion region(partition);
  region.add_tile(partition.ops[chain.scores].outputs[0], LoweredAttention::kScore);
  for (const size_t i : chain.mask)
    region.add_op(partition.ops[i]);
  region.add_output(partition.ops[chain.softmax].inputs[0]);
  if (form.hands_out_others()) region.add_output(output_of(partition, form.handed_out));
  return region.lower();
}

}  // namespace

bool looks_like_attention(const Partition& partition) {
  return find_chain(partition).ok();
}

Result<LoweredAttention> lower_attention(const Partition& partition) {
  const auto chain = find_chain(partition);
  if (!chain.ok()) return chain.status();
  LoweredAttention lowered;
  auto form = form_of(partition, *chain);
  if (!form.ok()) return form.status();
  lowered.form = *form;
  for (const size_t i : chain->casts)
    IOTADNN_TRY(check_tile_types(partition.ops[i]));
  IOTADNN_TRY(set_handed_out(partition, *chain, lowered.form));
  if (lowered.form.domain == lowered.form.score && !lowered.form.hands_out_others() &&
      partition.ops[chain->softmax].inputs[0].type == DataType::f32)
    return lowered;
  auto mask = lower_mask(partition, *chain, lowered.form);
  if (!mask.ok()) return mask.status();
  lowered.mask = std::move(*mask);
  return lowered;
}

}  // namespace iotadnn::impl
