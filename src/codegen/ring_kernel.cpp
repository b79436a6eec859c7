// SPDX-License-Identifier: Apache-2.0
#include "codegen/ring_kernel.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

#include "base/cpu.h"
#include "codegen/isa_avx2.h"
#include "codegen/isa_avx512.h"
#include "codegen/jit_kernel.h"
#include "codegen/ring_emitter.h"
#include "codegen/ring_frame.h"
#include "codegen/scalar_sum.h"

namespace iotadnn::impl {
namespace {

using RingFunction = void (*)(const RingFrame*, uint8_t*);
using Digits = std::array<int64_t, kMaxRingDigits>;

int log2_of(int64_t power_of_two) {
  return __builtin_ctzll(static_cast<uint64_t>(power_of_two));
}

class RingKernel final : public JitKernel {
 public:
  RingKernel(const RowProgram& program, PublishedKernel published, int64_t vector_bytes,
             int64_t chains, bool nontemporal)
      : JitKernel(program, std::move(published)),
        plan_(ring_plan(program)),
        bytes_log2_(log2_of(program.elem_bytes)),
        lanes_log2_(log2_of(vector_bytes) - bytes_log2_),
        chains_log2_(log2_of(chains)),
        alignment_(nontemporal ? kLineBytes : vector_bytes),
        nontemporal_(nontemporal),
        function_(function_at<RingFunction>(0)) {}

  using JitKernel::program;

  void run(const RunArgs& args) const override;
  std::unique_ptr<const BoundKernel> bind(const RunArgs& args) const override;

  // The parts of a frame, in this order.
  void set_shape(RingFrame& frame, const RunArgs& args, int64_t elements) const;
  void set_counts(RingFrame& frame, const uint8_t* first, int64_t elements) const;
  void set_bounds(RingFrame& frame, const int64_t* scalars) const;

  // set_counts() says the same for all addresses without these bits.
  uintptr_t unaligned_bits(int64_t elements) const {
    return elements < aligned_from() ? 0 : static_cast<uintptr_t>(alignment_ - 1);
  }

  RingFunction function() const { return function_; }

 private:
  int64_t lanes() const { return int64_t{1} << lanes_log2_; }

  int64_t block() const { return int64_t{1} << (lanes_log2_ + chains_log2_); }

  // Elements from which on it is worth it to align the stores.
  int64_t aligned_from() const { return 2 * block(); }

  Digits digits_of(int64_t element, const int64_t* extents) const;
  void set_step(RingFrame& frame, RingStep step, int64_t elements) const;
  void set_lanes(RingFrame& frame, int64_t begin) const;

  RingPlan plan_;
  // All sizes are powers of two: a division would cost as much as the rest of a short call.
  int bytes_log2_;
  int lanes_log2_;
  int chains_log2_;
  int64_t alignment_;
  bool nontemporal_;
  RingFunction function_;
};

// The digits of a position or of a distance, from the extents of digits. Those of a distance may
// leave out what a digit that never wraps does not need.
Digits RingKernel::digits_of(int64_t element, const int64_t* extents) const {
  Digits digits{};
  for (int d = plan_.digits - 1; d >= 0; d--) {
    const int64_t extent = extents[d];
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

void RingKernel::set_step(RingFrame& frame, RingStep step, int64_t elements) const {
  if (plan_.digits == 0) return;
  const auto s = static_cast<size_t>(step);
  const Digits digits = digits_of(elements, frame.extent);
  std::copy(digits.begin(), digits.end(), frame.step[s]);
  const int last = plan_.digits - 1;
  frame.last_wrapped[s] = digits[static_cast<size_t>(last)] - frame.extent[last];
}

// The digits of the lanes of a vector that starts at `digits`.
template <class Element>
void fill_lanes(RingFrame& frame, Digits digits, const RingPlan& plan, int64_t lanes) {
  for (size_t lane = 0; lane < static_cast<size_t>(lanes); lane++) {
    for (size_t d = 0; d < static_cast<size_t>(plan.digits); d++) {
      const auto element = static_cast<Element>(digits[d]);
      std::memcpy(frame.lanes[d] + lane * sizeof element, &element, sizeof element);
    }
    for (int d = plan.digits - 1; d >= 0; d--) {
      const auto at = static_cast<size_t>(d);
      if (++digits[at] < frame.extent[d] || !plan.wraps(d)) break;
      digits[at] = 0;
    }
  }
}

void RingKernel::set_lanes(RingFrame& frame, int64_t begin) const {
  const Digits digits = begin == 0 ? Digits{} : digits_of(begin, frame.extent);
  switch (program().elem_bytes) {
    case 1:
      return fill_lanes<uint8_t>(frame, digits, plan_, lanes());
    case 2:
      return fill_lanes<uint16_t>(frame, digits, plan_, lanes());
    case 4:
      return fill_lanes<uint32_t>(frame, digits, plan_, lanes());
    default:
      return fill_lanes<uint64_t>(frame, digits, plan_, lanes());
  }
}

void RingKernel::set_shape(RingFrame& frame, const RunArgs& args, int64_t elements) const {
  for (int d = 0; d < plan_.digits; d++)
    frame.extent[d] = args.extents[plan_.first_dim + d];
  set_step(frame, RingStep::vector, lanes());
  if (elements > block()) set_step(frame, RingStep::blocks, block());
  set_lanes(frame, args.begin);
}

void RingKernel::set_counts(RingFrame& frame, const uint8_t* first, int64_t elements) const {
  frame.part = frame.head_vectors = frame.head_rest = frame.blocks = frame.vectors = 0;
  frame.tail_rest = 0;
  if (elements < lanes()) {
    frame.part = elements;
    return;
  }
  const auto address = reinterpret_cast<intptr_t>(first);
  // A head is worth it when there is something to align.
  const bool align = (address & (program().elem_bytes - 1)) == 0 && elements >= aligned_from();
  if (align) {
    const int64_t head = (-address & (alignment_ - 1)) >> bytes_log2_;
    frame.head_vectors = head >> lanes_log2_;
    frame.head_rest = head & (lanes() - 1);
    elements -= head;
    if (frame.head_rest > 0) set_step(frame, RingStep::head, frame.head_rest);
  }
  const int64_t vectors = elements >> lanes_log2_;
  // Non-temporal stores need aligned lines; the last vectors are stored as usual, and there is
  // always one that the tail can start from.
  if (align || !nontemporal_) frame.blocks = (vectors - 1) >> chains_log2_;
  frame.vectors = vectors - (frame.blocks << chains_log2_);
  frame.tail_rest = elements & (lanes() - 1);
  if (frame.tail_rest > 0) set_step(frame, RingStep::tail, frame.tail_rest);
}

void RingKernel::set_bounds(RingFrame& frame, const int64_t* scalars) const {
  const auto extent_of = [&](int dim) { return frame.extent[dim - plan_.first_dim]; };
  // What is beyond the reach of the lanes' coordinates on either side is all the same to them.
  const auto limit = [&](const Predicate& p, const Bound& bound) {
    int64_t reach = extent_of(p.axis);
    for (const Term& term : bound.terms)
      if (term.kind == Term::Kind::coord) reach += extent_of(term.index);
    return std::clamp(scalar_sum(bound, scalars), -reach - 1, reach + 1);
  };
  for (size_t i = 0; i < program().predicates.size(); i++) {
    const Predicate& p = program().predicates[i];
    const bool single = is_single(p);
    frame.above_lo[i] = limit(p, p.lo) - (single ? 0 : 1);
    frame.above_hi[i] = single ? 0 : limit(p, p.hi) - 1;
  }
}

void RingKernel::run(const RunArgs& args) const {
  if (args.begin >= args.end) return;
  RingFrame frame;  // NOLINT(cppcoreguidelines-pro-type-member-init): steps not taken are not read
  auto* first = static_cast<uint8_t*>(args.dst) + (args.begin << bytes_log2_);
  const int64_t elements = args.end - args.begin;
  set_shape(frame, args, elements);
  set_counts(frame, first, elements);
  set_bounds(frame, args.scalars);
  function_(&frame, first);
}

// The frame for an aligned address, which is taken as it is when the scalars are known. Another
// address, or other scalars, change a few numbers in a copy.
class BoundRing final : public BoundKernel {
 public:
  BoundRing(const RingKernel& kernel, RunArgs args)
      : kernel_(kernel), function_(kernel.function()) {
    for (int d = 0; d < kernel.program().rank; d++)
      elements_ *= args.extents[d];
    args.begin = 0;
    kernel.set_shape(frame_, args, elements_);
    kernel.set_counts(frame_, nullptr, elements_);
    has_bounds_ = args.scalars != nullptr || kernel.program().num_scalars == 0;
    if (has_bounds_) kernel.set_bounds(frame_, args.scalars);
    unaligned_bits_ = kernel.unaligned_bits(elements_);
  }

  void run(void* dst, const int64_t* scalars) const override {
    auto* first = static_cast<uint8_t*>(dst);
    if (is_aligned(first) && has_bounds_) return function_(&frame_, first);
    run_adjusted(first, scalars);
  }

 private:
  bool is_aligned(const uint8_t* first) const {
    return (reinterpret_cast<uintptr_t>(first) & unaligned_bits_) == 0;
  }

  // Not inlined: its frame would cost the other way a stack that is aligned to a line.
  [[gnu::noinline]] void run_adjusted(uint8_t* first, const int64_t* scalars) const {
    RingFrame frame = frame_;
    if (!is_aligned(first)) kernel_.set_counts(frame, first, elements_);
    if (!has_bounds_) kernel_.set_bounds(frame, scalars);
    function_(&frame, first);
  }

  RingFrame frame_{};
  const RingKernel& kernel_;
  RingFunction function_;
  uintptr_t unaligned_bits_ = 0;
  int64_t elements_ = 1;
  bool has_bounds_ = false;
};

std::unique_ptr<const BoundKernel> RingKernel::bind(const RunArgs& args) const {
  return std::make_unique<const BoundRing>(*this, args);
}

}  // namespace

template <class T>
Result<std::shared_ptr<const Kernel>> make_ring_kernel(const RowProgram& program,
                                                       const KernelConfig& config) {
  VecAsm<T> v(program.elem_bytes);
  RingEmitter<T>(v, program, config.store).stream();
  auto published = publish_kernel(v, kernel_name(program, config));
  if (!published.ok()) return published.status();
  return std::shared_ptr<const Kernel>(std::make_shared<RingKernel>(
      program, std::move(*published), T::kVecBytes, RingEmitter<T>::chains(program),
      config.store == Store::nontemporal));
}

template Result<std::shared_ptr<const Kernel>> make_ring_kernel<Avx2>(const RowProgram&,
                                                                      const KernelConfig&);
template Result<std::shared_ptr<const Kernel>> make_ring_kernel<Avx512>(const RowProgram&,
                                                                        const KernelConfig&);

}  // namespace iotadnn::impl
