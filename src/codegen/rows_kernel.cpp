// SPDX-License-Identifier: Apache-2.0
#include "codegen/rows_kernel.h"

#include <algorithm>
#include <utility>

#include "codegen/isa_avx2.h"
#include "codegen/isa_avx512.h"
#include "codegen/jit_kernel.h"
#include "codegen/rows_emitter.h"
#include "codegen/rows_frame.h"

namespace iotadnn::impl {
namespace {

using RowsFunction = void (*)(RowsFrame*);

class RowsKernel final : public JitKernel {
 public:
  RowsKernel(const RowProgram& program, PublishedKernel published, size_t strided_at)
      : JitKernel(program, std::move(published)),
        unit_rows_(function_at<RowsFunction>(0)),
        strided_rows_(function_at<RowsFunction>(strided_at)) {}

  void run(const RunArgs& args) const override;

  std::unique_ptr<const BoundKernel> bind(const RunArgs& /*args*/) const override {
    return nullptr;
  }

 private:
  void enter_row(RowsFrame& frame, const RunArgs& args) const;

  RowsFunction unit_rows_;
  RowsFunction strided_rows_;
};

// The coordinates and the address of row args.begin.
void RowsKernel::enter_row(RowsFrame& frame, const RunArgs& args) const {
  const int64_t bytes = program().elem_bytes;
  int64_t row = args.begin;
  int64_t offset = 0;
  for (size_t d = static_cast<size_t>(program().rank) - 1; d-- > 0;) {
    const int64_t extent = args.extents[d];
    const int64_t coord = row == 0 ? 0 : row % extent;
    row = row == 0 ? 0 : row / extent;
    frame.coord[d] = coord;
    frame.extent[d] = extent;
    frame.forward[d] = args.strides[d] * bytes;
    frame.back[d] = extent * frame.forward[d];
    offset += coord * frame.forward[d];
  }
  frame.row = static_cast<uint8_t*>(args.dst) + offset;
}

void RowsKernel::run(const RunArgs& args) const {
  if (args.begin >= args.end) return;
  const size_t last = static_cast<size_t>(program().rank) - 1;
  const int64_t bytes = program().elem_bytes;
  RowsFrame frame;  // NOLINT(cppcoreguidelines-pro-type-member-init): the rest is not read
  enter_row(frame, args);
  frame.rows = args.end - args.begin;
  frame.columns = args.extents[last];
  frame.step = args.strides[last] * bytes;
  frame.scalars = args.scalars;
  // Vectors in a row start at multiples of an element's size.
  const bool aligned =
      (reinterpret_cast<uintptr_t>(args.dst) & static_cast<uintptr_t>(bytes - 1)) == 0;
  const bool unit = aligned && (args.strides[last] == 1 || frame.columns == 1);
  (unit ? unit_rows_ : strided_rows_)(&frame);
}

}  // namespace

template <class T>
Result<std::shared_ptr<const Kernel>> make_rows_kernel(const RowProgram& program,
                                                       const KernelConfig& config) {
  VecAsm<T> v(program.elem_bytes);
  RowsEmitter<T> emitter(v, program, config.store);
  emitter.unit_rows();
  const size_t strided_at = v.getSize();
  emitter.strided_rows();
  auto published = publish_kernel(v, kernel_name(program, config));
  if (!published.ok()) return published.status();
  return std::shared_ptr<const Kernel>(
      std::make_shared<RowsKernel>(program, std::move(*published), strided_at));
}

template Result<std::shared_ptr<const Kernel>> make_rows_kernel<Avx2>(const RowProgram&,
                                                                      const KernelConfig&);
template Result<std::shared_ptr<const Kernel>> make_rows_kernel<Avx512>(const RowProgram&,
                                                                        const KernelConfig&);

}  // namespace iotadnn::impl
