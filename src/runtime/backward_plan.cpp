// SPDX-License-Identifier: Apache-2.0
#include "runtime/backward_plan.h"

#include <algorithm>
#include <utility>

#include "runtime/kernel_cache.h"

namespace iotadnn::impl {
namespace {

// What is broadcast along heads would have to be summed over them.
bool has_every_head(const LogicalTensor& t, const HeadsPlan& plan) {
  return t.rank == plan.outer_rank + 2 &&
         std::equal(t.dims.begin(), t.dims.begin() + plan.outer_rank, plan.outer.begin());
}

Status set_layouts(const BackwardForm& form, const RegionShapes& shapes, BackwardPlan& plan) {
  const auto set = [&](const std::vector<LogicalTensor>& tensors, size_t id, int row, int column,
                       MatrixLayout& layout) {
    layout.tensor = position_of(tensors, id);
    return layout.tensor < tensors.size() && has_every_head(tensors[layout.tensor], plan) &&
           set_layout(tensors[layout.tensor], row, column, plan, layout);
  };
  const int row = plan.outer_rank;
  const int column = plan.outer_rank + 1;
  const auto& ins = shapes.inputs;
  const auto& outs = shapes.outputs;
  if (!set(ins, form.q, form.scores.a_row, form.scores.a_inner, plan.q) ||
      !set(ins, form.k, form.scores.b_column, form.scores.b_inner, plan.k) ||
      !set(ins, form.v, form.gradients.b_column, form.gradients.b_inner, plan.v) ||
      !set(ins, form.d_out, form.gradients.a_row, form.gradients.a_inner, plan.d_out) ||
      !set(ins, form.sum_a, row, column, plan.sum_a) ||
      !set(ins, form.sum_b, row, column, plan.sum_b) || !set(outs, form.dq, row, column, plan.dq) ||
      !set(outs, form.dk, row, column, plan.dk) || !set(outs, form.dv, row, column, plan.dv))
    return unimplemented("an operand is computed by the partition, or broadcast");
  return {};
}

}  // namespace

Result<BackwardPlan> make_backward_plan(const BackwardForm& form, const LoweredRegion& region,
                                        const RegionShapes& shapes, const PlanOptions& options) {
  BackwardPlan plan;
  const LogicalTensor& domain = *shapes.find(form.domain);
  const LogicalTensor& q = *shapes.find(form.q);
  const LogicalTensor& v = *shapes.find(form.v);
  set_domain(domain, plan);
  plan.depth = q.dims[form.scores.a_inner];
  plan.value_depth = v.dims[form.gradients.b_inner];
  if (plan.heads == 0 || plan.queries == 0 || plan.keys == 0 || plan.depth == 0 ||
      plan.value_depth == 0)
    return unimplemented("an extent is 0");
  constexpr int64_t kMostKeys = int64_t{1} << 40;
  if (plan.is_too_deep() || plan.keys > kMostKeys / (plan.depth + plan.value_depth))
    return unimplemented("the gradients of a head are too large for scratch memory");
  for (const size_t id : {form.sum_a, form.sum_b}) {
    const LogicalTensor& sum = *shapes.find(id);
    if (sum.rank != domain.rank || sum.dims[sum.rank - 1] != plan.value_depth ||
        sum.dims[sum.rank - 2] != plan.queries)
      return unimplemented("the sum has another shape than the result");
  }
  IOTADNN_TRY(set_layouts(form, shapes, plan));
  auto forms = make_mask_forms(region, shapes, domain,
                               {options.isa, options.mode == MathMode::strict_bits, true});
  if (!forms.ok()) return forms.status();
  plan.mask = std::move(*forms);
  IOTADNN_TRY(set_tiles(kernel_isa(options.isa), plan));
  set_threads(static_cast<double>(plan.heads) * static_cast<double>(plan.queries) *
                  static_cast<double>(plan.keys) *
                  static_cast<double>(3 * plan.depth + 2 * plan.value_depth),
              plan.heads, options.forced, plan);
  return plan;
}

}  // namespace iotadnn::impl
