// SPDX-License-Identifier: Apache-2.0
#include "codegen/ring_kernel.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

#include "codegen/isa_avx2.h"
#include "codegen/isa_avx512.h"
#include "codegen/jit_kernel.h"
#include "codegen/ring_emitter.h"
#include "codegen/ring_frame.h"
#include "codegen/scalar_sum.h"

namespace iotadnn::impl {
namespace {

using RingFunction = void (*)(RingFrame*);
using Digits = std::array<int64_t, kMaxRingDigits>;

constexpr int64_t kLineBytes = 64;

class RingKernel final : public JitKernel {
 public:
  RingKernel(const RowProgram& program, std::string name, std::unique_ptr<const ExecCode> code,
             int64_t vector_bytes, int64_t chains, bool nontemporal)
      : JitKernel(program, std::move(name), std::move(code)),
        plan_(ring_plan(program)),
        lanes_(vector_bytes / program.elem_bytes),
        chains_(chains),
        alignment_(nontemporal ? kLineBytes : vector_bytes),
        nontemporal_(nontemporal),
        function_(function_at<RingFunction>(0)) {}

  void run(const RunArgs& args) const override;

 private:
  Digits digits_of(int64_t element, const int64_t* extents) const;
  void set_step(RingFrame& frame, RingStep step, int64_t elements, const int64_t* extents) const;
  void set_lanes(RingFrame& frame, const RunArgs& args) const;
  void set_bounds(RingFrame& frame, const RunArgs& args) const;
  void set_counts(RingFrame& frame, int64_t elements, const int64_t* extents) const;

  RingPlan plan_;
  int64_t lanes_;
  int64_t chains_;
  int64_t alignment_;
  bool nontemporal_;
  RingFunction function_;
};

// The digits of a position or of a distance. Those of a distance may leave out what a digit that
// never wraps does not need.
Digits RingKernel::digits_of(int64_t element, const int64_t* extents) const {
  Digits digits{};
  for (int d = plan_.digits - 1; d >= 0; d--) {
    const int64_t extent = extents[plan_.first_dim + d];
    const auto at = static_cast<size_t>(d);
    if (!plan_.wraps(d)) {
      digits[at] = element;
    } else if (element < extent) {
      digits[at] = element;
      element = 0;
    } else {
      digits[at] = element % extent;
      element /= extent;
    }
  }
  return digits;
}

void RingKernel::set_step(RingFrame& frame, RingStep step, int64_t elements,
                          const int64_t* extents) const {
  if (plan_.digits == 0) return;
  const auto s = static_cast<size_t>(step);
  const Digits digits = digits_of(elements, extents);
  std::copy(digits.begin(), digits.end(), frame.step[s]);
  const int last = plan_.digits - 1;
  frame.last_wrapped[s] = digits[static_cast<size_t>(last)] - extents[plan_.first_dim + last];
}

// The digits of the lanes of a vector that starts at `digits`.
template <class Element>
void fill_lanes(RingFrame& frame, Digits digits, const int64_t* extents, const RingPlan& plan,
                size_t lanes) {
  for (size_t lane = 0; lane < lanes; lane++) {
    for (size_t d = 0; d < static_cast<size_t>(plan.digits); d++) {
      const auto element = static_cast<Element>(digits[d]);
      std::memcpy(frame.lanes[d] + lane * sizeof element, &element, sizeof element);
    }
    for (int d = plan.digits - 1; d >= 0; d--) {
      const auto at = static_cast<size_t>(d);
      if (++digits[at] < extents[d] || !plan.wraps(d)) break;
      digits[at] = 0;
    }
  }
}

void RingKernel::set_lanes(RingFrame& frame, const RunArgs& args) const {
  const int64_t* extents = args.extents + plan_.first_dim;
  const Digits digits = args.begin == 0 ? Digits{} : digits_of(args.begin, args.extents);
  const auto lanes = static_cast<size_t>(lanes_);
  switch (program().elem_bytes) {
    case 1:
      return fill_lanes<uint8_t>(frame, digits, extents, plan_, lanes);
    case 2:
      return fill_lanes<uint16_t>(frame, digits, extents, plan_, lanes);
    case 4:
      return fill_lanes<uint32_t>(frame, digits, extents, plan_, lanes);
    default:
      return fill_lanes<uint64_t>(frame, digits, extents, plan_, lanes);
  }
}

void RingKernel::set_bounds(RingFrame& frame, const RunArgs& args) const {
  // What is beyond the reach of the lanes' coordinates on either side is all the same to them.
  const auto limit = [&](const Predicate& p, const Bound& bound) {
    int64_t reach = args.extents[p.axis];
    for (const Term& term : bound.terms)
      if (term.kind == Term::Kind::coord) reach += args.extents[term.index];
    return std::clamp(scalar_sum(bound, args.scalars), -reach - 1, reach + 1);
  };
  for (size_t i = 0; i < program().predicates.size(); i++) {
    const Predicate& p = program().predicates[i];
    frame.above_lo[i] = limit(p, p.lo) - (is_single(p) ? 0 : 1);
    frame.above_hi[i] = limit(p, p.hi) - 1;
  }
}

void RingKernel::set_counts(RingFrame& frame, int64_t elements, const int64_t* extents) const {
  const int64_t bytes = program().elem_bytes;
  frame.part = frame.head_vectors = frame.head_rest = frame.blocks = frame.vectors = 0;
  frame.tail_rest = 0;
  set_step(frame, RingStep::vector, lanes_, extents);
  if (elements < lanes_) {
    frame.part = elements;
    return;
  }
  const auto address = reinterpret_cast<intptr_t>(frame.cur);
  // A head is worth it when there is something to align.
  const bool align = address % bytes == 0 && elements >= 2 * chains_ * lanes_;
  if (align) {
    const int64_t head = (-address & (alignment_ - 1)) / bytes;
    frame.head_vectors = head / lanes_;
    frame.head_rest = head % lanes_;
    elements -= head;
    if (frame.head_rest > 0) set_step(frame, RingStep::head, frame.head_rest, extents);
  }
  const int64_t vectors = elements / lanes_;
  // Non-temporal stores need aligned lines; the last vectors are stored as usual, and there is
  // always one that the tail can start from.
  if (align || !nontemporal_) frame.blocks = (vectors - 1) / chains_;
  frame.vectors = vectors - frame.blocks * chains_;
  frame.tail_rest = elements % lanes_;
  if (frame.blocks > 0) set_step(frame, RingStep::blocks, chains_ * lanes_, extents);
  if (frame.tail_rest > 0) set_step(frame, RingStep::tail, frame.tail_rest, extents);
}

void RingKernel::run(const RunArgs& args) const {
  if (args.begin >= args.end) return;
  RingFrame frame;  // NOLINT(cppcoreguidelines-pro-type-member-init): steps not taken are not read
  frame.cur = static_cast<uint8_t*>(args.dst) + args.begin * program().elem_bytes;
  for (int d = 0; d < plan_.digits; d++)
    frame.extent[d] = args.extents[plan_.first_dim + d];
  set_counts(frame, args.end - args.begin, args.extents);
  set_lanes(frame, args);
  set_bounds(frame, args);
  function_(&frame);
}

}  // namespace

template <class T>
Result<std::shared_ptr<const Kernel>> make_ring_kernel(const RowProgram& program,
                                                       const KernelConfig& config) {
  VecAsm<T> v(program.elem_bytes);
  RingEmitter<T>(v, program, config.store).stream();
  std::string name = kernel_name(program, config);
  auto code = publish_kernel(v, name);
  if (!code.ok()) return code.status();
  return std::shared_ptr<const Kernel>(std::make_shared<RingKernel>(
      program, std::move(name), std::move(*code), T::kVecBytes, RingEmitter<T>::chains(program),
      config.store == Store::nontemporal));
}

template Result<std::shared_ptr<const Kernel>> make_ring_kernel<Avx2>(const RowProgram&,
                                                                      const KernelConfig&);
template Result<std::shared_ptr<const Kernel>> make_ring_kernel<Avx512>(const RowProgram&,
                                                                        const KernelConfig&);

}  // namespace iotadnn::impl
