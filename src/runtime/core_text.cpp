// SPDX-License-Identifier: Apache-2.0
// What compiled partitions say of themselves to people: row programs and kernels. None of it is
// kept; it is put together when it is asked for.
#include <algorithm>
#include <cstdio>
#include <cstring>

#include "program/evaluate.h"
#include "program/text.h"
#include "runtime/kernel_cache.h"
#include "runtime/partition_core.h"
#include "runtime/region_core.h"

namespace iotadnn::impl {
namespace {

constexpr const char* kReferenceRuns = "# no row program: the reference runs op by op\n";
constexpr const char* kShapesAtRun =
    "# shapes are known when it runs: dimensions are in logical order here, and each shape has a "
    "kernel of its own\n";
constexpr const char* kNothingRuns = "# the output is empty: nothing runs\n";

std::string extents_text(const int64_t* extents, int rank) {
  std::string text;
  for (int d = 0; d < rank; ++d)
    text += (d > 0 ? "x" : "") + std::to_string(extents[d]);
  return text;
}

std::string threads_text(int threads) {
  return std::to_string(threads) + (threads == 1 ? " thread" : " threads");
}

std::string runner_text(const Kernel* kernel) {
  return kernel == nullptr ? "the portable interpreter" : "kernel " + kernel->name();
}

std::string how(const Plan& plan) {
  std::string text = "# over " + extents_text(plan.shape.extents.data(), plan.shape.order.rank) +
                     ", by " + runner_text(plan.kernel.get());
  if (plan.strategy.template_bytes > 0)
    text += ", the first " + std::to_string(plan.strategy.template_bytes) +
            " bytes of each share, which are copied on";
  return text + ", " + threads_text(plan.strategy.threads) + "\n";
}

std::string how(const RegionPlan& plan) {
  return "# over " + extents_text(plan.domain.extents.data(), plan.program->rank) + ", by " +
         runner_text(plan.kernel.get()) + ", " + threads_text(plan.threads) + "\n" +
         (plan.in_place_kernel ? "# in place: kernel " + plan.in_place_kernel->name() + "\n" : "");
}

// A scalar's bits as a number.
std::string value_text(DataType type, int64_t bits) {
  const char kind = name_of(type).front();
  if (kind == 's' || kind == 'u') return std::to_string(bits);
  const uint64_t wide = convert_bits(DataType::f64, type, static_cast<uint64_t>(bits));
  double value = 0;
  std::memcpy(&value, &wide, sizeof value);
  char text[32];
  std::snprintf(text, sizeof text, "%.9g", value);
  return text;
}

void add(const Kernel* kernel, std::vector<KernelCode>& codes) {
  if (kernel == nullptr) return;
  const KernelCode code = kernel->code();
  const bool is_known = std::any_of(codes.begin(), codes.end(), [&](const KernelCode& known) {
    return known.bytes == code.bytes;
  });
  if (!is_known) codes.push_back(code);
}

}  // namespace

std::string PartitionCore::program_text() const {
  if (isa_ == Isa::reference) return kReferenceRuns;
  std::string text;
  for (size_t s = 0; s < lowered_.scalars.size(); ++s) {
    const ScalarSource& source = lowered_.scalars[s];
    text += "# s" + std::to_string(s) + ": ";
    if (source.kind == ScalarSource::Kind::attribute)
      text += std::to_string(source.value) + "\n";
    else
      text += "the element of input " +
              std::to_string(input_of_port_[static_cast<size_t>(source.port)]) + "\n";
  }
  if (fixed_plan_) return text + how(*fixed_plan_) + to_text(*fixed_plan_->program);
  return (fixed_shape_ ? kNothingRuns : kShapesAtRun) + text + to_text(lowered_.program);
}

std::vector<KernelCode> PartitionCore::kernels() const {
  std::vector<KernelCode> codes;
  if (!fixed_plan_) return codes;
  add(fixed_plan_->kernel.get(), codes);
  if (fixed_plan_->replicate != nullptr)
    codes.push_back(replicate_code(kernel_isa(isa_), fixed_plan_->strategy.store));
  return codes;
}

std::string RegionCore::split_condition() const {
  std::string when;
  if (!guards_.empty() || lowered_->assumed.any())
    when = "what it assumes of extents and scalars holds";
  if (!lowered_->finite_checks.empty())
    when += std::string(when.empty() ? "" : " and ") +
            "all that an identity's zeros are multiplied by is finite";
  return when.empty() ? when : ", where " + when;
}

std::string RegionCore::scalars_text() const {
  std::string text;
  for (size_t s = 0; s < lowered_->scalars.size(); ++s) {
    const RegionScalar& scalar = lowered_->scalars[s];
    text += "# s" + std::to_string(s) + ", " + std::string(name_of(scalar.type)) + ": ";
    switch (scalar.kind) {
      case RegionScalar::Kind::parameter:
        text += value_text(scalar.type, parameters_[s]);
        break;
      case RegionScalar::Kind::extent:
        text += "an extent";
        break;
      case RegionScalar::Kind::input:
      case RegionScalar::Kind::diagonal:
        text += "the element of input " + std::to_string(bound_.input_at[scalar_inputs_[s]]);
        break;
    }
    text += '\n';
  }
  return text;
}

// One form: when it runs, what its inputs are, how it runs (no plan: as shapes will have it).
std::string RegionCore::form_text(const std::string& when, const RegionProgram& program,
                                  const RegionPlan* plan) const {
  std::string text = "# " + when + "\n" + inputs_text(program);
  if (plan != nullptr) return text + how(*plan) + to_text(*plan->program);
  if (fixed_) text += "# planned when it is needed; dimensions are in logical order\n";
  return text + to_text(program.program);
}

// Which of the caller's inputs the program's i0, i1, ... are.
std::string RegionCore::inputs_text(const RegionProgram& program) const {
  std::string text;
  for (size_t i = 0; i < program.inputs.size(); ++i) {
    const RegionInput& in = program.inputs[i];
    const bool is_count = in.id >= RegionInput::kCounts;
    const size_t id = is_count ? lowered_->finite_checks[in.id - RegionInput::kCounts].id : in.id;
    text += (i == 0 ? "# i" : ", i") + std::to_string(i) + ": " +
            (primitive_ && id == primitive_->result
                 ? "the primitive's result"
                 : (is_count ? "how many are not finite along an axis of input " : "input ") +
                       std::to_string(bound_.input_at[position_of(bound_.partition.inputs, id)]));
    if (!in.offsets.empty()) text += ", moved";
  }
  return text.empty() ? text : text + "\n";
}

// Whether an execution may need another form than the split one; the guards that hold for the shape
// at hand have been settled.
bool RegionCore::may_leave_split() const {
  return !fixed_ || !fixed_->split || !guards_.empty() || lowered_->assumed.any();
}

// Of the plan at hand; null without one.
const MaskForms* RegionCore::tile_forms() const {
  if (!fixed_) return nullptr;
  if (fixed_->attention) return &fixed_->attention->mask;
  return fixed_->backward ? &fixed_->backward->mask : nullptr;
}

// The forms of an attention's mask, on tiles.
std::string RegionCore::attention_text() const {
  std::string text = attention_ ? "# attention: a tile of queries at a time, keys in blocks\n"
                                : "# backward pass of an attention: a head at a time\n";
  if (fixed_ && !fixed_->attention && !fixed_->backward) return text + kReferenceRuns;
  if (!fixed_) text += kShapesAtRun;
  text += scalars_text();
  const auto add_form = [&](const std::string& when, const RegionProgram& program,
                            const std::optional<MaskForm>* form) {
    text += (attention_ ? "# mask, " : "# probabilities and gradients of scores, ") + when + "\n";
    if (form == nullptr || !*form) {
      text += to_text(program.program);
      return;
    }
    text += "# keys by queries, by " + runner_text((*form)->kernel.get()) +
            ((*form)->factor ? ", scores are multiplied by a factor before it" : "") + "\n" +
            to_text((*form)->program);
  };
  if (lowered_->split.program.bodies.empty()) return text;
  const MaskForms* const forms = tile_forms();
  add_form("split" + split_condition(), lowered_->split,
           forms != nullptr ? &forms->split : nullptr);
  if (lowered_->is_conditional())
    add_form("pointwise, otherwise", *lowered_->pointwise,
             forms != nullptr ? &forms->pointwise : nullptr);
  return text;
}

std::string RegionCore::primitive_text() const {
  const Op& op = bound_.partition.ops[primitive_->op];
  std::string text = "# " + op.name + ": a primitive of oneDNN";
  if (fixed_) text += ", " + threads_text(fixed_->primitive->threads);
  if (lowered_->split.program.bodies.empty()) return text + "\n";
  if (!fixed_) return text + "; what follows reads its result\n";
  return text + (fixed_->primitive->output ? "; what follows works in place\n"
                                           : "; its result has memory of its own\n");
}

std::string RegionCore::program_text() const {
  if (!lowered_) return kReferenceRuns;
  if (has_tiles()) return attention_text();
  const auto plan_of = [](const std::optional<RegionPlan>& plan) {
    return plan ? &*plan : nullptr;
  };
  const RegionPlan* const split = fixed_ ? plan_of(fixed_->split) : nullptr;
  const RegionPlan* const pointwise = fixed_ ? plan_of(fixed_->pointwise) : nullptr;
  const bool has_split = !fixed_ || split != nullptr;
  std::string text = empty_ ? kNothingRuns : fixed_ ? "" : kShapesAtRun;
  if (primitive_) {
    if (fixed_ && !fixed_->primitive) return kReferenceRuns;
    text += primitive_text();
    if (lowered_->split.program.bodies.empty()) return text;
  }
  text += scalars_text();
  if (has_split) text += form_text("split" + split_condition(), lowered_->split, split);
  if (may_leave_split() && lowered_->pointwise && (!fixed_ || pointwise != nullptr))
    text += form_text(has_split ? "pointwise, otherwise" : "pointwise", *lowered_->pointwise,
                      pointwise);
  else if (may_leave_split())
    text += "# otherwise the reference runs op by op\n";
  if (lowered_->repair)
    text += form_text("repair, where something is not finite", *lowered_->repair, nullptr);
  else if (!lowered_->finite_checks.empty())
    text += "# where something is not finite the reference runs op by op\n";
  return text;
}

std::vector<KernelCode> RegionCore::kernels() const {
  std::vector<KernelCode> codes;
  if (!fixed_) return codes;
  if (const MaskForms* const forms = tile_forms()) {
    if (isa_ >= Isa::avx2 && impl_ != name_of(Isa::portable))
      codes.push_back(tile_code(isa_of_tiles()));
    for (const auto* form : {&forms->split, &forms->pointwise})
      if (*form) add((*form)->kernel.get(), codes);
    return codes;
  }
  for (const auto* plan : {&fixed_->split, &fixed_->pointwise}) {
    if (!*plan || (plan == &fixed_->pointwise && !may_leave_split())) continue;
    add((*plan)->kernel.get(), codes);
    add((*plan)->in_place_kernel.get(), codes);
  }
  return codes;
}

}  // namespace iotadnn::impl
