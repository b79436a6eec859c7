// SPDX-License-Identifier: Apache-2.0
#include "codegen/points_kernel.h"

#include <algorithm>
#include <utility>

#include "codegen/isa_avx2.h"
#include "codegen/isa_avx512.h"
#include "codegen/jit_kernel.h"
#include "codegen/points_emitter.h"
#include "codegen/points_frame.h"
#include "codegen/scalar_sum.h"

namespace iotadnn::impl {
namespace {

using PointsFunction = void (*)(PointsFrame*);

constexpr int64_t kLineBytes = 64;

// Where the points of one matrix lie, in elements.
struct Diagonal {
  int64_t first = 0;  // of the flat matrix
  int64_t count = 0;
};

Diagonal diagonal_of(int64_t rows, int64_t columns, int64_t k) {
  // Compared before it is negated: k may be INT64_MIN.
  if (k >= columns || k <= -rows) return {};
  const int64_t first_row = k < 0 ? -k : 0;
  Diagonal d;
  d.first = first_row * columns + first_row + k;
  d.count = std::min(rows, columns - k) - first_row;
  return d;
}

uint8_t* align_up(uint8_t* address, int64_t to) {
  return address + (-reinterpret_cast<intptr_t>(address) & (to - 1));
}

class PointsKernel final : public JitKernel {
 public:
  PointsKernel(const RowProgram& program, const DiagonalForm& form, std::string name,
               std::unique_ptr<const ExecCode> code, int64_t alignment)
      : JitKernel(program, std::move(name), std::move(code)),
        offset_(form.offset),
        alignment_(alignment),
        function_(function_at<PointsFunction>(0)) {}

  void run(const RunArgs& args) const override;

 private:
  void enter_points(PointsFrame& frame, const RunArgs& args) const;
  void choose_vectors(PointsFrame& frame) const;

  Bound offset_;
  int64_t alignment_;  // of whole vectors; 0 when the kernel does not care
  PointsFunction function_;
};

// The first point at or after element args.begin.
void PointsKernel::enter_points(PointsFrame& frame, const RunArgs& args) const {
  const int64_t bytes = program().elem_bytes;
  const size_t last = static_cast<size_t>(program().rank) - 1;
  const int64_t columns = args.extents[last];
  const int64_t rows = args.extents[last - 1];
  const int64_t matrix = rows * columns;
  const Diagonal diagonal = diagonal_of(rows, columns, scalar_sum(offset_, args.scalars));
  const int64_t start = args.begin == 0 ? 0 : args.begin % matrix;  // within its matrix
  int64_t passed = 0;
  if (start > diagonal.first) passed = (start - diagonal.first + columns) / (columns + 1);
  int64_t at = diagonal.first + passed * (columns + 1);
  if (passed >= diagonal.count) {  // the first of the next matrix
    passed = 0;
    at = matrix + diagonal.first;
  }
  auto* base = static_cast<uint8_t*>(args.dst) + (args.begin - start) * bytes;
  frame.point = diagonal.count > 0 ? base + at * bytes : frame.end;
  frame.left = std::max<int64_t>(1, diagonal.count - passed);
  frame.per_group = std::max<int64_t>(1, diagonal.count);
  frame.step = (columns + 1) * bytes;
  frame.skip = (matrix - (frame.per_group - 1) * (columns + 1)) * bytes;
}

void PointsKernel::choose_vectors(PointsFrame& frame) const {
  constexpr int64_t kFewVectors = 4;
  frame.from = frame.to = frame.end;
  if (alignment_ == 0) return;
  const auto address = reinterpret_cast<uintptr_t>(frame.cur);
  const bool aligned_elements = address % static_cast<uintptr_t>(program().elem_bytes) == 0;
  if (!aligned_elements || frame.end - frame.cur < kFewVectors * alignment_) return;
  frame.from = align_up(frame.cur, alignment_);
  frame.to = frame.from + (frame.end - frame.from) / alignment_ * alignment_;
}

void PointsKernel::run(const RunArgs& args) const {
  if (args.begin >= args.end) return;
  PointsFrame frame;  // NOLINT(cppcoreguidelines-pro-type-member-init): all is set below
  frame.cur = static_cast<uint8_t*>(args.dst) + args.begin * program().elem_bytes;
  frame.end = static_cast<uint8_t*>(args.dst) + args.end * program().elem_bytes;
  enter_points(frame, args);
  choose_vectors(frame);
  function_(&frame);
}

}  // namespace

bool is_diagonal(const RowProgram& program, DiagonalForm* form) {
  if (program.rank < 2 || program.predicates.size() != 1) return false;
  const Predicate& p = program.predicates[0];
  if (p.axis != program.rank - 1 || !(p.lo.terms == p.hi.terms)) return false;
  if (!scalars_separate(p.lo) || p.hi.imm != p.lo.imm + 1) return false;
  DiagonalForm found;
  int rows = 0;
  for (const Term& term : p.lo.terms) {
    if (term.kind == Term::Kind::scalar)
      found.offset.terms.push_back(term);
    else if (term.index == program.rank - 2 && !term.negated)
      rows++;
    else
      return false;
  }
  if (rows != 1) return false;
  for (const Body& body : program.bodies)
    if (body.insts.back().op != Opcode::constant) return false;
  found.offset.imm = p.lo.imm;
  found.background = program.bodies[0].insts.back().imm;
  found.point = program.bodies[1].insts.back().imm;
  *form = found;
  return true;
}

bool points_applies(const RowProgram& program) {
  DiagonalForm form;
  return is_diagonal(program, &form);
}

template <class T>
Result<std::shared_ptr<const Kernel>> make_points_kernel(const RowProgram& program,
                                                         const KernelConfig& config) {
  DiagonalForm form;
  if (!is_diagonal(program, &form)) return unimplemented("the program is not a diagonal");
  VecAsm<T> v(program.elem_bytes);
  PointsEmitter<T> emitter(v, form, config.store);
  int64_t alignment = T::kVecBytes;
  switch (config.store) {
    case Store::normal:
      emitter.stream();
      break;
    case Store::nontemporal:
      emitter.stream();
      alignment = kLineBytes;
      break;
    case Store::rep:
      emitter.rep_blocks();
      alignment = 0;
      break;
  }
  std::string name = kernel_name(program, config);
  auto code = publish_kernel(v, name);
  if (!code.ok()) return code.status();
  return std::shared_ptr<const Kernel>(
      std::make_shared<PointsKernel>(program, form, std::move(name), std::move(*code), alignment));
}

template Result<std::shared_ptr<const Kernel>> make_points_kernel<Avx2>(const RowProgram&,
                                                                        const KernelConfig&);
template Result<std::shared_ptr<const Kernel>> make_points_kernel<Avx512>(const RowProgram&,
                                                                          const KernelConfig&);

}  // namespace iotadnn::impl
