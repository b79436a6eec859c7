// SPDX-License-Identifier: Apache-2.0
#include "runtime/mask_form.h"

#include <algorithm>
#include <utility>

#include "lower/layout.h"
#include "lower/window.h"
#include "program/opcodes.h"
#include "program/verify.h"
#include "runtime/kernel_cache.h"
#include "runtime/region_plan.h"

namespace iotadnn::impl {
namespace {

// The factor of the score if each use of it in the body is a product with the same.
bool find_factor(const MaskForm& form, const Body& body, std::optional<ScoreFactor>& factor) {
  for (size_t r = 0; r < body.insts.size(); ++r) {
    if (!form.is_score(body.insts[r])) continue;
    for (size_t o = 0; o < form.program.outputs.size(); ++o)
      if (body.result(o) == r) return false;
    for (const Inst& inst : body.insts) {
      const int count = info_of(inst.op).operands;
      for (int a = 0; a < count; ++a) {
        if (inst.args[static_cast<size_t>(a)] != r) continue;
        const bool divides = inst.op == Opcode::divide && a == 0;
        if (!divides && inst.op != Opcode::multiply) return false;
        const Inst& other = body.insts[inst.args[static_cast<size_t>(1 - a)]];
        if (other.op != Opcode::constant && other.op != Opcode::scalar) return false;
        if (factor && !(factor->divides == divides && factor->value == other)) return false;
        factor = ScoreFactor{divides, other};
      }
    }
  }
  return true;
}

// The body without what its results do not need.
Body pruned(const Body& body) {
  std::vector<bool> needed(body.insts.size(), false);
  for (const uint16_t result : body.results)
    needed[result] = true;
  for (size_t i = body.insts.size(); i-- > 0;)
    for (int a = 0; needed[i] && a < info_of(body.insts[i].op).operands; ++a)
      needed[body.insts[i].args[static_cast<size_t>(a)]] = true;
  Body kept;
  std::vector<uint16_t> now(body.insts.size(), 0);
  for (size_t i = 0; i < body.insts.size(); ++i) {
    if (!needed[i]) continue;
    Inst inst = body.insts[i];
    for (int a = 0; a < info_of(inst.op).operands; ++a)
      inst.args[static_cast<size_t>(a)] = now[inst.args[static_cast<size_t>(a)]];
    now[i] = static_cast<uint16_t>(kept.insts.size());
    kept.insts.push_back(inst);
  }
  for (const uint16_t result : body.results)
    kept.results.push_back(now[result]);
  return kept;
}

// Takes the factor out: what used its product with the score uses the score.
void drop_factor(const MaskForm& form, RowProgram& program) {
  for (Body& body : program.bodies) {
    if (body.results.empty()) body.results = {body.result(0)};
    std::vector<uint16_t> now;  // what is used instead of each value
    for (size_t i = 0; i < body.insts.size(); ++i) {
      now.push_back(static_cast<uint16_t>(i));
      Inst& inst = body.insts[i];
      for (int a = 0; a < info_of(inst.op).operands; ++a) {
        const uint16_t arg = inst.args[static_cast<size_t>(a)];
        if (form.is_score(body.insts[arg])) now[i] = arg;
      }
      for (int a = 0; now[i] == i && a < info_of(inst.op).operands; ++a)
        inst.args[static_cast<size_t>(a)] = now[inst.args[static_cast<size_t>(a)]];
    }
    for (uint16_t& result : body.results)
      result = now[result];
    body = pruned(body);
  }
}

void take_factor(MaskForm& form, bool strict) {
  std::optional<ScoreFactor> factor;
  for (const Body& body : form.program.bodies)
    if (!find_factor(form, body, factor)) return;
  if (!factor || (factor->divides && strict)) return;
  form.factor = factor;
  drop_factor(form, form.program);
}

// Whether no predicate reads an element that changes along keys or queries.
bool has_steady_elements(const MaskForm& form) {
  const auto rank = static_cast<size_t>(form.program.rank);
  const uint32_t read = bound_inputs(form.program);
  for (size_t i = 0; i < form.inputs.size(); ++i)
    if ((read >> i & 1u) != 0 &&
        (form.strides[i * rank + rank - 1] != 0 || form.strides[i * rank + rank - 2] != 0))
      return false;
  return true;
}

bool is_flat(const MaskForm& form) {
  const auto rank = static_cast<size_t>(form.program.rank);
  const AxisSet told_apart = used_axes(form.program);
  if ((told_apart >> (rank - 2)) != 0) return false;
  for (size_t t = 0; t < form.tile_strides.size() / rank; ++t) {
    const int64_t* const strides = form.tile_strides.data() + (t + 1) * rank - 2;
    if (strides[0] == 0 && strides[1] == 0) continue;
    const bool is_output = t >= form.inputs.size();
    if (!is_output && !MaskForm::is_tile(form.inputs[t]) && (form.turned >> t & 1u) == 0)
      return false;
    if (strides[0] != kTileStride || strides[1] != 1) return false;
  }
  return true;
}

// The program's inputs: their strides over (outer, keys, queries).
Status bind_inputs(const RegionProgram& program, const RegionShapes& shapes, MaskForm& form) {
  const int rank = program.program.rank;
  for (const RegionInput& in : program.inputs) {
    Dims logical{};
    int64_t& queries = logical[static_cast<size_t>(rank - 2)];
    int64_t& keys = logical[static_cast<size_t>(rank - 1)];
    if (in.id == LoweredBackward::kScore || in.id == LoweredBackward::kGradient) {
      const bool is_score = in.id == LoweredBackward::kScore;
      form.inputs.push_back(is_score ? MaskForm::kScoreInput : MaskForm::kGradientInput);
      queries = form.by_queries ? kRowStride : 1;
      keys = form.by_queries ? 1 : kTileStride;
    } else if (in.id == LoweredBackward::kRowSum) {
      form.inputs.push_back(MaskForm::kRowSumInput);
      queries = 1;
    } else {
      form.inputs.push_back(position_of(shapes.inputs, in.id));
      if (!in.offsets.empty())
        return unimplemented(
            "what works point by point in an attention reads elements that are moved");
      logical = input_strides(in, shapes.inputs[form.inputs.back()]);
    }
    if (!form.by_queries) std::swap(queries, keys);
    form.strides.insert(form.strides.end(), logical.begin(), logical.begin() + rank);
  }
  for (size_t o = 0; o < program.program.outputs.size(); ++o) {
    form.strides.insert(form.strides.end(), static_cast<size_t>(rank - 2), 0);
    form.strides.push_back(form.by_queries ? kRowStride : kTileStride);
    form.strides.push_back(1);
  }
  form.tile_strides = form.strides;
  for (size_t i = 0; i < form.inputs.size(); ++i) {
    int64_t* const strides = form.tile_strides.data() + (i + 1) * static_cast<size_t>(rank) - 2;
    if (form.by_queries || MaskForm::is_tile(form.inputs[i]) || strides[0] != 1 || strides[1] <= 1)
      continue;
    form.turned |= 1u << i;
    strides[0] = kTileStride;
    strides[1] = 1;
  }
  return {};
}

}  // namespace

Result<MaskForm> make_mask_form(const RegionProgram& program, const RegionShapes& shapes,
                                const LogicalTensor& domain, const MaskOptions& options) {
  MaskForm form;
  form.gives_weights = options.gives_weights;
  form.by_queries = options.by_queries;
  AxisOrder order;
  order.rank = program.program.rank;
  for (int d = 0; d < order.rank; ++d)
    order.axes[static_cast<size_t>(d)] = static_cast<int8_t>(d);
  if (!form.by_queries)
    std::swap(order.axes[static_cast<size_t>(order.rank - 1)],
              order.axes[static_cast<size_t>(order.rank - 2)]);
  if (order.rank != domain.rank)
    return unimplemented("scores have another rank than what works point by point on them");
  form.program = to_physical(program.program, order);
  IOTADNN_TRY(bind_inputs(program, shapes, form));
  take_factor(form, options.strict);
  auto window = to_window(form.program);
  if (!window.ok()) return window.status();
  form.window = std::move(*window);
  form.cuts = has_steady_elements(form);
  form.is_flat = !form.by_queries && is_flat(form);
  if (!verify(form.program).ok() || !verify(form.window).ok())
    return unimplemented("a condition of an attention cannot be solved for queries");
  const uint32_t read = bound_inputs(form.program);
  const auto rank = static_cast<size_t>(order.rank);
  for (const Predicate& predicate : form.program.predicates)
    for (size_t i = 0; i < form.inputs.size(); ++i)
      if ((read >> i & 1u) != 0 &&
          (form.strides[i * rank + rank - 1] != 0 || form.strides[i * rank + predicate.axis] != 0))
        return unimplemented("a condition of an attention reads an element that changes along it");
  if (options.isa >= Isa::avx2)
    IOTADNN_TRY(pointwise_kernel(form.window, form.tile_strides.data(), Store::normal, options.isa,
                                 form.kernel));
  return form;
}

Result<MaskForms> make_mask_forms(const LoweredRegion& region, const RegionShapes& shapes,
                                  const LogicalTensor& domain, const MaskOptions& options) {
  MaskForms forms;
  auto split = make_mask_form(region.split, shapes, domain, options);
  if (split.ok())
    forms.split = std::move(*split);
  else if (split.status().code() != StatusCode::unimplemented)
    return split.status();
  if (forms.split && !region.is_conditional()) return forms;
  auto pointwise = make_mask_form(*region.pointwise, shapes, domain, options);
  if (!pointwise.ok()) return pointwise.status();
  forms.pointwise = std::move(*pointwise);
  return forms;
}

}  // namespace iotadnn::impl
