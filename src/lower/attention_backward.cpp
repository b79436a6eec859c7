// SPDX-License-Identifier: Apache-2.0
#include "lower/attention_backward.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "lower/tile_region.h"
#include "ops/op_kinds.h"
#include "ops/op_table.h"

namespace iotadnn::impl {
namespace {

constexpr size_t kNone = static_cast<size_t>(-1);

// Positions of the ops of a backward pass.
struct Pass {
  size_t scores = kNone;
  size_t gradients = kNone;
  size_t dq = kNone;
  size_t dk = kNone;
  size_t dv = kNone;
  size_t sum = kNone;      // ReduceSum
  size_t product = kNone;  // what it sums
  size_t p = 0;            // ids
  size_t ds = 0;
  std::vector<size_t> pointwise;  // all others, but TypeCasts to operands of MatMuls
};

size_t producer_of(const std::vector<Op>& ops, size_t id) {
  for (size_t i = 0; i < ops.size(); ++i)
    for (const LogicalTensor& out : ops[i].outputs)
      if (out.id == id) return i;
  return kNone;
}

// Whether the value follows from the other, by ops that are no MatMuls.
bool follows(const std::vector<Op>& ops, size_t id, size_t from) {
  if (id == from) return true;
  const size_t producer = producer_of(ops, id);
  if (producer == kNone || ops[producer].kind == op_kind::kMatMul) return false;
  const auto& inputs = ops[producer].inputs;
  return std::any_of(inputs.begin(), inputs.end(),
                     [&](const LogicalTensor& in) { return follows(ops, in.id, from); });
}

// The value before TypeCasts, which are added to `casts`.
size_t before_casts(const std::vector<Op>& ops, size_t id, std::vector<size_t>& casts) {
  for (;;) {
    const size_t producer = producer_of(ops, id);
    if (producer == kNone || ops[producer].kind != op_kind::kTypeCast) return id;
    casts.push_back(producer);
    id = ops[producer].inputs[0].id;
  }
}

bool find_matmuls(const std::vector<Op>& ops, Pass& pass) {
  std::vector<size_t> matmuls;
  for (size_t i = 0; i < ops.size(); ++i)
    if (ops[i].kind == op_kind::kMatMul) matmuls.push_back(i);
  if (matmuls.size() != 5) return false;
  for (const size_t a : matmuls)
    for (const size_t b : matmuls)
      if (a != b && ops[a].inputs[0].id == ops[b].inputs[0].id &&
          !contraction_ops::transposes_a(ops[a]) && contraction_ops::transposes_a(ops[b]) &&
          producer_of(ops, ops[a].inputs[0].id) != kNone) {
        pass.dq = a;
        pass.dk = b;
      }
  if (pass.dq == kNone) return false;
  for (const size_t i : matmuls)
    if (i != pass.dk && contraction_ops::transposes_a(ops[i])) pass.dv = i;
  if (pass.dv == kNone) return false;
  std::vector<size_t> casts;
  pass.p = before_casts(ops, ops[pass.dv].inputs[0].id, casts);
  pass.ds = before_casts(ops, ops[pass.dq].inputs[0].id, casts);
  for (const size_t i : matmuls) {
    if (i == pass.dq || i == pass.dk || i == pass.dv) continue;
    const bool gives_p = follows(ops, pass.p, ops[i].outputs[0].id);
    (gives_p ? pass.scores : pass.gradients) = i;
  }
  return pass.scores != kNone && pass.gradients != kNone;
}

Result<Pass> find_pass(const std::vector<Op>& ops) {
  Pass pass;
  if (!find_matmuls(ops, pass))
    return unimplemented("the five MatMuls of an attention's backward pass are not there");
  for (size_t i = 0; i < ops.size(); ++i)
    if (ops[i].kind == op_kind::kReduceSum) pass.sum = i;
  if (pass.sum != kNone) pass.product = producer_of(ops, ops[pass.sum].inputs[0].id);
  if (pass.product == kNone || ops[pass.product].kind != op_kind::kMultiply)
    return unimplemented("a backward pass sums a product of the result and its gradient");
  std::vector<size_t> casts;
  before_casts(ops, ops[pass.dv].inputs[0].id, casts);
  before_casts(ops, ops[pass.dq].inputs[0].id, casts);
  for (size_t i = 0; i < ops.size(); ++i)
    if (ops[i].kind != op_kind::kMatMul && i != pass.sum && i != pass.product &&
        std::find(casts.begin(), casts.end(), i) == casts.end())
      pass.pointwise.push_back(i);
  return pass;
}

// The sum is along the last axis, which stays as an extent of 1.
Status check_sum(const Op& sum) {
  const auto* axes = sum.attr<std::vector<int64_t>>(attr_id::kAxes);
  const auto* keep = sum.attr<bool>(attr_id::kKeepDims);
  const int rank = sum.inputs[0].rank;
  if (axes == nullptr || axes->size() != 1 || ((*axes)[0] != -1 && (*axes)[0] != rank - 1) ||
      keep == nullptr || !*keep)
    return unimplemented(op_text(sum) + " does not sum along the last axis and keep it");
  return {};
}

// The MatMul's second operand is `id`, summed along its dimension `inner`.
bool multiplies(const Op& op, size_t id, int inner, int column) {
  if (op.inputs.size() > 2 || op.inputs[1].id != id || op.inputs[1].rank != op.inputs[0].rank)
    return false;
  const auto form = contraction_ops::matmul_form(op, op.inputs[0].rank, op.inputs[1].rank);
  return form.b_inner == inner && form.b_column == column;
}

Result<BackwardForm> form_of(const std::vector<Op>& ops, const Pass& pass) {
  BackwardForm form;
  auto scores = matrix_form(ops[pass.scores]);
  if (!scores.ok()) return scores.status();
  auto gradients = matrix_form(ops[pass.gradients]);
  if (!gradients.ok()) return gradients.status();
  for (const size_t i : {pass.dq, pass.dk, pass.dv, pass.product})
    IOTADNN_TRY(check_tile_types(ops[i]));
  IOTADNN_TRY(check_sum(ops[pass.sum]));
  form.scores = *scores;
  form.gradients = *gradients;
  form.q = ops[pass.scores].inputs[0].id;
  form.k = ops[pass.scores].inputs[1].id;
  form.d_out = ops[pass.gradients].inputs[0].id;
  form.v = ops[pass.gradients].inputs[1].id;
  form.sum_a = ops[pass.product].inputs[0].id;
  form.sum_b = ops[pass.product].inputs[1].id;
  form.dq = ops[pass.dq].outputs[0].id;
  form.dk = ops[pass.dk].outputs[0].id;
  form.dv = ops[pass.dv].outputs[0].id;
  form.domain = ops[pass.scores].outputs[0].id;
  if (!multiplies(ops[pass.dq], form.k, scores->b_column, scores->b_inner) ||
      !multiplies(ops[pass.dk], form.q, scores->a_row, scores->a_inner) ||
      !multiplies(ops[pass.dv], form.d_out, gradients->a_row, gradients->a_inner))
    return unimplemented(
        "the MatMuls of a backward pass do not multiply by keys, queries and the "
        "gradient");
  return form;
}

Result<LoweredRegion> lower_pointwise_ops(const Partition& partition, const Pass& pass) {
  const std::vector<Op>& ops = partition.ops;
  TileRegion region(partition);
  region.add_tile(ops[pass.scores].outputs[0], LoweredBackward::kScore);
  region.add_tile(ops[pass.gradients].outputs[0], LoweredBackward::kGradient);
  region.add_tile(ops[pass.sum].outputs[0], LoweredBackward::kRowSum);
  for (const size_t i : pass.pointwise)
    region.add_op(ops[i]);
  for (const size_t id : {pass.p, pass.ds}) {
    const size_t producer = producer_of(ops, id);
    if (producer == kNone || ops[producer].kind == op_kind::kMatMul || producer == pass.sum)
      return unimplemented("a backward pass computes its probabilities and gradients of scores");
    region.add_output(ops[producer].outputs[0]);
  }
  return region.lower();
}

}  // namespace

bool looks_like_backward(const Partition& partition) {
  return find_pass(partition.ops).ok();
}

Result<LoweredBackward> lower_backward(const Partition& partition) {
  const auto pass = find_pass(partition.ops);
  if (!pass.ok()) return pass.status();
  LoweredBackward lowered;
  auto form = form_of(partition.ops, *pass);
  if (!form.ok()) return form.status();
  lowered.form = *form;
  for (const LogicalTensor& out : partition.outputs)
    if (out.id != form->dq && out.id != form->dk && out.id != form->dv)
      return unimplemented("a backward pass hands out three gradients, not logical tensor " +
                           std::to_string(out.id));
  auto region = lower_pointwise_ops(partition, *pass);
  if (!region.ok()) return region.status();
  lowered.region = std::move(*region);
  return lowered;
}

}  // namespace iotadnn::impl
