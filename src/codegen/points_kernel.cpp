// SPDX-License-Identifier: Apache-2.0
#include "codegen/points_kernel.h"

#include <algorithm>
#include <utility>

#include "base/cpu.h"
#include "codegen/isa_avx2.h"
#include "codegen/isa_avx512.h"
#include "codegen/jit_kernel.h"
#include "codegen/points_emitter.h"
#include "codegen/points_frame.h"
#include "codegen/scalar_sum.h"

namespace iotadnn::impl {
namespace {

using PointsFunction = void (*)(PointsFrame*);
using PointRowsFunction = void (*)(const PointRowsFrame*, uint8_t*);

constexpr int kVectorRows = 4;  // functions for rows of 1, 2, 4 and 8 vectors

// Offsets of the functions in a kernel's code.
struct PointsCode {
  size_t flat = 0;
  size_t blocks = 0;
  size_t vector_rows[kVectorRows] = {};
};

// The matrices of a run, in elements. A point stands in row r at column r + k.
struct Matrices {
  int64_t rows, columns, k;
  int64_t first = 0;  // the first point of a flat matrix
  int64_t count = 0;  // points in a matrix

  Matrices(int64_t the_rows, int64_t the_columns, int64_t offset)
      : rows(the_rows), columns(the_columns), k(offset) {
    // Compared before it is negated: k may be INT64_MIN.
    if (k >= columns || k <= -rows) return;
    const int64_t first_row = k < 0 ? -k : 0;
    first = first_row * columns + first_row + k;
    count = std::min(rows, columns - k) - first_row;
  }
};

// Alignments and element sizes are powers of two, and a division costs as much as half of the
// arithmetic of a short call.
uint8_t* align_up(uint8_t* address, int64_t to) {
  return address + (-reinterpret_cast<intptr_t>(address) & (to - 1));
}

bool is_aligned(const uint8_t* address, int64_t to) {
  return (reinterpret_cast<uintptr_t>(address) & static_cast<uintptr_t>(to - 1)) == 0;
}

class PointsKernel final : public JitKernel {
 public:
  using JitKernel::program;

  PointsKernel(const RowProgram& program, const DiagonalForm& form, PublishedKernel published,
               const PointsCode& at, Store store, int64_t vector_bytes)
      : JitKernel(program, std::move(published)),
        offset_(form.offset),
        store_(store),
        vector_bytes_(vector_bytes),
        flat_(function_at<PointsFunction>(at.flat)),
        blocks_(function_at<PointsFunction>(at.blocks)) {
    for (int i = 0; i < kVectorRows; i++)
      vector_rows_[i] = function_at<PointRowsFunction>(at.vector_rows[i]);
  }

  void run(const RunArgs& args) const override;
  std::unique_ptr<const BoundKernel> bind(const RunArgs& args) const override;

  Matrices matrices(const RunArgs& args) const;

  int64_t alignment() const { return store_ == Store::nontemporal ? kLineBytes : vector_bytes_; }

  // For an aligned output.
  PointRowsFunction rows_function(const Matrices& m) const;
  void run_rows(const Matrices& m, const RunArgs& args, PointRowsFunction function) const;
  void run_stream(const Matrices& m, uint8_t* dst, int64_t begin, int64_t end) const;

 private:
  void enter_points(PointsFrame& frame, const Matrices& m, int64_t begin) const;

  Bound offset_;
  Store store_;
  int64_t vector_bytes_;
  PointsFunction flat_;
  PointsFunction blocks_;
  PointRowsFunction vector_rows_[kVectorRows];
};

// The first point at or after element `begin`, which is at frame.cur.
void PointsKernel::enter_points(PointsFrame& frame, const Matrices& m, int64_t begin) const {
  const int64_t bytes = program().elem_bytes;
  const int64_t matrix = m.rows * m.columns;
  const int64_t start = begin == 0 ? 0 : begin % matrix;  // within its matrix
  int64_t passed = 0;
  if (start > m.first) passed = (start - m.first + m.columns) / (m.columns + 1);
  int64_t at = m.first + passed * (m.columns + 1);
  if (passed >= m.count) {  // the first of the next matrix
    passed = 0;
    at = matrix + m.first;
  }
  frame.point = m.count > 0 ? frame.cur + (at - start) * bytes : frame.end;
  frame.left = std::max<int64_t>(1, m.count - passed);
  frame.per_group = std::max<int64_t>(1, m.count);
  frame.step = (m.columns + 1) * bytes;
  frame.skip = (matrix - (frame.per_group - 1) * (m.columns + 1)) * bytes;
  frame.group_bytes = matrix * bytes;
  frame.group_end = frame.point + frame.left * frame.step;
}

void PointsKernel::run_stream(const Matrices& m, uint8_t* dst, int64_t begin, int64_t end) const {
  if (begin >= end) return;
  // Up to this size, points this far apart: fewer mispredictions than second stores.
  constexpr int64_t kFlatBytes = 40 * 1024;
  constexpr int64_t kFlatVectors = 4;
  PointsFrame frame;  // NOLINT(cppcoreguidelines-pro-type-member-init): all is set below
  frame.cur = dst + begin * program().elem_bytes;
  frame.end = dst + end * program().elem_bytes;
  enter_points(frame, m, begin);
  const int64_t total = frame.end - frame.cur;
  // Aligned vectors cannot start at elements when those are not aligned themselves.
  const bool aligned_elements = is_aligned(dst, program().elem_bytes);
  frame.from = frame.to = frame.end;
  if ((aligned_elements || store_ == Store::normal) && total >= 2 * alignment()) {
    frame.from = aligned_elements ? align_up(frame.cur, alignment()) : frame.cur;
    frame.to = frame.from + ((frame.end - frame.from) & -alignment());
  }
  const bool far =
      aligned_elements && frame.step >= kFlatVectors * vector_bytes_ && total <= kFlatBytes;
  const bool flat = store_ != Store::normal || total < 2 * vector_bytes_ || far;
  (flat ? flat_ : blocks_)(&frame);
}

// The function for rows of a few whole vectors, or null.
PointRowsFunction PointsKernel::rows_function(const Matrices& m) const {
  if (store_ == Store::rep || m.count == 0) return nullptr;
  const int64_t bytes = m.columns * program().elem_bytes;
  if ((bytes & (alignment() - 1)) != 0) return nullptr;
  // Columns and points are compared as numbers of an element's width.
  if (program().elem_bytes < 8) {
    const int64_t range = int64_t{1} << (8 * program().elem_bytes);
    if (m.k <= m.columns - range || m.k >= range - m.rows) return nullptr;
  }
  for (int i = 0; i < kVectorRows; i++)
    if (bytes == vector_bytes_ << i) return vector_rows_[i];
  return nullptr;
}

void PointsKernel::run_rows(const Matrices& m, const RunArgs& args,
                            PointRowsFunction function) const {
  auto* dst = static_cast<uint8_t*>(args.dst);
  int64_t first = 0;
  int64_t last = program().rank > 2 ? 0 : m.rows;
  if (args.begin != 0 || args.end != last * m.columns) {  // divisions only where they are needed
    first = (args.begin + m.columns - 1) / m.columns;
    last = args.end / m.columns;
  }
  if (first >= last) return run_stream(m, dst, args.begin, args.end);
  const int64_t row = first == 0 ? 0 : first % m.rows;
  PointRowsFrame frame;  // NOLINT(cppcoreguidelines-pro-type-member-init): all is set here
  frame.rows = last - first;
  frame.left_in_group = m.rows - row;
  frame.rows_per_group = m.rows;
  frame.column = m.k + row;
  frame.column_of_group = m.k;
  run_stream(m, dst, args.begin, first * m.columns);
  function(&frame, dst + first * m.columns * program().elem_bytes);
  run_stream(m, dst, last * m.columns, args.end);
}

Matrices PointsKernel::matrices(const RunArgs& args) const {
  const size_t last = static_cast<size_t>(program().rank) - 1;
  return {args.extents[last - 1], args.extents[last], scalar_sum(offset_, args.scalars)};
}

void PointsKernel::run(const RunArgs& args) const {
  if (args.begin >= args.end) return;
  const Matrices m = matrices(args);
  auto* dst = static_cast<uint8_t*>(args.dst);
  const auto function = is_aligned(dst, alignment()) ? rows_function(m) : nullptr;
  if (function != nullptr) return run_rows(m, args, function);
  run_stream(m, dst, args.begin, args.end);
}

// All of an output whose scalars are known.
class BoundPoints final : public BoundKernel {
 public:
  BoundPoints(const PointsKernel& kernel, const RunArgs& args)
      : kernel_(kernel), matrices_(kernel.matrices(args)), rows_(kernel.rows_function(matrices_)) {
    int64_t rows = 1;
    for (int d = 0; d < kernel.program().rank - 1; d++)
      rows *= args.extents[d];
    elements_ = rows * matrices_.columns;
    frame_.rows = rows;
    frame_.left_in_group = frame_.rows_per_group = matrices_.rows;
    frame_.column = frame_.column_of_group = matrices_.k;
  }

  void run(void* dst, const int64_t* /*scalars*/) const override {
    auto* first = static_cast<uint8_t*>(dst);
    if (rows_ != nullptr && is_aligned(first, kernel_.alignment())) return rows_(&frame_, first);
    kernel_.run_stream(matrices_, first, 0, elements_);
  }

 private:
  const PointsKernel& kernel_;
  Matrices matrices_;
  PointRowsFunction rows_;
  PointRowsFrame frame_{};
  int64_t elements_;
};

std::unique_ptr<const BoundKernel> PointsKernel::bind(const RunArgs& args) const {
  if (args.scalars == nullptr && program().num_scalars > 0) return nullptr;
  return std::make_unique<const BoundPoints>(*this, args);
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
  PointsCode at;
  if (config.store == Store::rep) {
    emitter.rep_blocks();
  } else {
    emitter.flat();
    for (int i = 0; i < kVectorRows; i++) {
      at.vector_rows[i] = v.getSize();
      emitter.vector_rows(1 << i);
    }
  }
  if (config.store == Store::normal) {
    at.blocks = v.getSize();
    emitter.blocks();
  }
  auto published = publish_kernel(v, kernel_name(program, config));
  if (!published.ok()) return published.status();
  return std::shared_ptr<const Kernel>(std::make_shared<PointsKernel>(
      program, form, std::move(*published), at, config.store, T::kVecBytes));
}

template Result<std::shared_ptr<const Kernel>> make_points_kernel<Avx2>(const RowProgram&,
                                                                        const KernelConfig&);
template Result<std::shared_ptr<const Kernel>> make_points_kernel<Avx512>(const RowProgram&,
                                                                          const KernelConfig&);

}  // namespace iotadnn::impl
