// SPDX-License-Identifier: Apache-2.0
#include "runtime/attention_plan.h"

#include <algorithm>
#include <utility>

#include "base/log.h"
#include "runtime/kernel_cache.h"
#include "runtime/parallel.h"

namespace iotadnn::impl {
namespace {

constexpr double kProductsPerByte = 4;

// An operand whose batch is aligned with the outer dimensions at their end; false when one of its
// extents is neither 1 nor theirs.
bool set_outer(const LogicalTensor& t, const HeadsPlan& plan, MatrixLayout& layout) {
  layout.type = t.type;
  const int first = plan.outer_rank - (t.rank - 2);
  for (int d = 0; d + 2 < t.rank; ++d) {
    const auto axis = static_cast<size_t>(first + d);
    if (t.dims[d] != 1 && t.dims[d] != plan.outer[axis]) return false;
    layout.outer[axis] = stride_of(t, d);
  }
  return true;
}

Status set_extents(const AttentionForm& form, const RegionShapes& shapes, AttentionPlan& plan) {
  const LogicalTensor& domain = *shapes.find(form.domain);
  const LogicalTensor& q = *shapes.find(form.q);
  const LogicalTensor& v = *shapes.find(form.v);
  const LogicalTensor& out = *shapes.find(form.out);
  set_domain(domain, plan);
  plan.depth = q.dims[form.scores.a_inner];
  plan.value_depth = v.dims[form.values.b_column];
  if (plan.heads == 0 || plan.queries == 0 || plan.keys == 0 || plan.value_depth == 0)
    return unimplemented("an extent is 0");
  if (plan.is_too_deep()) return unimplemented("queries or values are too long for tiles");
  if (!same_extents(*shapes.find(form.score), domain))
    return unimplemented("the mask has more elements than the scores");
  LogicalTensor expected = domain;
  expected.dims[domain.rank - 1] = plan.value_depth;
  if (!same_extents(out, expected))
    return unimplemented("the values have more heads than the scores");
  if (form.handed_out != AttentionForm::kNone &&
      !same_extents(*shapes.find(form.handed_out), domain))
    return unimplemented("the scores that are handed out are fewer than the SoftMax takes");
  return {};
}

// The ops that run first: what they make takes the memory of a dense tensor.
Status set_prepared(const AttentionForm& form, const RegionShapes& shapes, AttentionPlan& plan) {
  for (const size_t i : form.prepared) {
    PreparedOp prepared{shapes.ops[i], {}, 0};
    LogicalTensor& out = prepared.op.outputs[0];
    const auto strides = dense_strides(out.dims, out.rank);
    if (!strides.ok()) return strides.status();
    out.strides = *strides;
    out.layout = LayoutType::strided;
    const auto bytes = buffer_bytes(out);
    if (!bytes.ok()) return bytes.status();
    prepared.bytes = *bytes;
    for (const LogicalTensor& in : prepared.op.inputs) {
      prepared.inputs.push_back(position_of(shapes.inputs, in.id));
      if (prepared.inputs.back() == shapes.inputs.size())
        return unimplemented("an operand is computed from what the partition computes");
    }
    plan.prepared.push_back(std::move(prepared));
  }
  return {};
}

Status set_layouts(const AttentionForm& form, const RegionShapes& shapes, AttentionPlan& plan) {
  const auto input = [&](size_t id, int row, int column, MatrixLayout& layout) {
    layout.tensor = position_of(shapes.inputs, id);
    if (layout.tensor < shapes.inputs.size())
      return set_layout(shapes.inputs[layout.tensor], row, column, plan, layout);
    for (const PreparedOp& prepared : plan.prepared) {
      const LogicalTensor& made = prepared.op.outputs[0];
      if (made.id == id) return set_layout(made, row, column, plan, layout);
      ++layout.tensor;
    }
    return false;
  };
  const auto output = [&](size_t id, MatrixLayout& layout) {
    layout.tensor = position_of(shapes.outputs, id);
    if (layout.tensor == shapes.outputs.size()) return false;
    const LogicalTensor& t = shapes.outputs[layout.tensor];
    return set_layout(t, t.rank - 2, t.rank - 1, plan, layout);
  };
  if (!input(form.q, form.scores.a_row, form.scores.a_inner, plan.q) ||
      !input(form.k, form.scores.b_column, form.scores.b_inner, plan.k) ||
      !input(form.v, form.values.b_inner, form.values.b_column, plan.v) ||
      !output(form.out, plan.out))
    return unimplemented("an operand is computed by the partition, or broadcast");
  plan.hands_out_others = form.hands_out_others();
  const auto other_output = [&](size_t id, std::optional<MatrixLayout>& layout) {
    if (position_of(shapes.outputs, id) == shapes.outputs.size()) return true;
    return output(id, layout.emplace());
  };
  if (!other_output(form.stats, plan.stats) || !other_output(form.handed_out, plan.handed_out))
    return unimplemented("the stats or scores are broadcast");
  return {};
}

}  // namespace

void set_domain(const LogicalTensor& domain, HeadsPlan& plan) {
  plan.outer_rank = domain.rank - 2;
  plan.outer = domain.dims;
  for (int d = 0; d < plan.outer_rank; ++d)
    plan.heads *= domain.dims[d];
  plan.queries = domain.dims[domain.rank - 2];
  plan.keys = domain.dims[domain.rank - 1];
}

bool set_layout(const LogicalTensor& tensor, int row, int column, const HeadsPlan& plan,
                MatrixLayout& layout) {
  layout.row = stride_of(tensor, row);
  layout.column = stride_of(tensor, column);
  return set_outer(tensor, plan, layout);
}

Status set_tiles(Isa isa, HeadsPlan& plan) {
  plan.tiles = &portable_tile_functions();
  plan.tiles_isa = Isa::portable;
  if (isa < Isa::avx2) return {};
  const auto tiles = tile_functions(isa);
  if (tiles.ok()) {
    plan.tiles = *tiles;
    plan.tiles_isa = isa;
    return {};
  }
  const StatusCode code = tiles.status().code();
  if (code != StatusCode::runtime_error && code != StatusCode::unimplemented) return tiles.status();
  log_fallback(tiles.status());
  return {};
}

// Threads are chosen as for a program that moves as many bytes as take about the same time.
void set_threads(double products, int64_t units, const ForcedStrategy& forced, HeadsPlan& plan) {
  const auto bytes = static_cast<int64_t>(std::min(products / kProductsPerByte, 1e15));
  plan.threads = static_cast<int>(
      std::min<int64_t>(units, choose_threads(bytes, available_threads(), forced)));
}

Isa tiles_isa(const AttentionForm& form, Isa cap) {
  return form.scores_of_bf16 || form.values_of_bf16 ? cap : kernel_isa(cap);
}

namespace {

bool may_read_rows(const AttentionPlan& plan) {
  constexpr int64_t kFewQueries = 4;
  const auto has_vectors = [&](const MatrixLayout& layout, int64_t columns) {
    return layout.column == 1 && columns > 0 && columns % plan.tiles->vector == 0;
  };
  return plan.queries <= kFewQueries && !plan.handed_out && has_vectors(plan.k, plan.depth) &&
         has_vectors(plan.v, plan.value_depth);
}

// Scores are multiplied by what is taken out of either form.
bool same_factors(const std::optional<MaskForm>& a, const std::optional<MaskForm>& b) {
  if (!a || !b) return !a && !b;
  if (!a->factor || !b->factor) return !a->factor && !b->factor;
  return a->factor->divides == b->factor->divides && a->factor->value == b->factor->value;
}

Status set_masks(const LoweredRegion& mask, const RegionShapes& shapes, const LogicalTensor& domain,
                 const PlanOptions& options, AttentionPlan& plan) {
  MaskOptions wanted{options.isa, options.mode == MathMode::strict_bits};
  if (plan.has_few_queries) {
    wanted.by_queries = true;
    auto forms = make_mask_forms(mask, shapes, domain, wanted);
    if (!forms.ok() && forms.status().code() != StatusCode::unimplemented) return forms.status();
    plan.has_few_queries = forms.ok();
    if (forms.ok()) plan.mask_by_queries = std::move(*forms);
    wanted.by_queries = false;
  }
  auto forms = make_mask_forms(mask, shapes, domain, wanted);
  if (!forms.ok()) return forms.status();
  plan.mask = std::move(*forms);
  plan.has_few_queries = plan.has_few_queries &&
                         same_factors(plan.mask.split, plan.mask_by_queries.split) &&
                         same_factors(plan.mask.pointwise, plan.mask_by_queries.pointwise);
  return {};
}

// In products. For few queries reading takes longest.
double cost_of(const AttentionPlan& plan) {
  const auto rows = static_cast<double>(plan.heads) * static_cast<double>(plan.keys);
  if (plan.has_few_queries)
    return rows * kProductsPerByte *
           static_cast<double>(plan.depth * bytes_of(plan.k.type) +
                               plan.value_depth * bytes_of(plan.v.type));
  return rows * static_cast<double>(plan.queries) *
         static_cast<double>(plan.depth + plan.value_depth);
}

}  // namespace

Result<AttentionPlan> make_attention_plan(const AttentionForm& form, const LoweredRegion& mask,
                                          const RegionShapes& shapes, const PlanOptions& options) {
  AttentionPlan plan;
  plan.inf_as_zero = form.inf_as_zero;
  IOTADNN_TRY(set_extents(form, shapes, plan));
  IOTADNN_TRY(set_prepared(form, shapes, plan));
  IOTADNN_TRY(set_layouts(form, shapes, plan));
  IOTADNN_TRY(set_tiles(tiles_isa(form, options.isa), plan));
  plan.has_few_queries = may_read_rows(plan);
  if (!mask.split.program.bodies.empty())
    IOTADNN_TRY(set_masks(mask, shapes, *shapes.find(form.domain), options, plan));
  plan.scores_of_bf16 = form.scores_of_bf16 && plan.tiles->product_bf16 != nullptr;
  plan.values_of_bf16 = form.values_of_bf16 && plan.tiles->accumulate_bf16 != nullptr;
  set_threads(cost_of(plan), plan.heads * plan.tiles_of_queries(), options.forced, plan);
  return plan;
}

}  // namespace iotadnn::impl
