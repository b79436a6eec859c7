// SPDX-License-Identifier: Apache-2.0
#include "codegen/pointwise_run.h"

#include <algorithm>
#include <cstring>

#include "codegen/staging.h"

namespace iotadnn::impl {

// The room in the frame and the buffer is not set: it is not read before it is written.
// NOLINTNEXTLINE(cppcoreguidelines-pro-type-member-init)
PointwiseRun::PointwiseRun(const RowProgram& program, const std::vector<CompiledBody>& bodies,
                           uint32_t row_constant_inputs, const RunArgs& args)
    : program_(program), bodies_(bodies), args_(args) {
  const auto last = static_cast<size_t>(program.rank) - 1;
  const bool one_column = args.extents[last] == 1;
  const auto describe = [&](Tensor& tensor, DataType type, int64_t stride, bool row_constant) {
    tensor.bytes = bytes_of(type);
    tensor.step = stride * tensor.bytes;
    tensor.row_constant = row_constant;
    if (!row_constant && stride != 1 && !one_column) adjacent_ = false;
  };
  const auto rank = static_cast<size_t>(program.rank);
  for (size_t i = 0; i < program.inputs.size(); ++i)
    describe(sources_[i], program.inputs[i], args.src_strides[i * rank + last],
             (row_constant_inputs >> i & 1u) != 0);
  for (size_t o = 0; o < program.outputs.size(); ++o)
    describe(destinations_[o], program.outputs[o], args.dst_strides[o * rank + last], false);
  frame_.scalars = args.scalars;
}

void PointwiseRun::run() {
  if (args_.begin >= args_.end) return;
  for_each_unit(program_, args_, [&](const RowWalk& walk, int64_t first, int64_t last) {
    enter_row(walk);
    walk.for_each_segment(first, last, [&](size_t body, int64_t begin, int64_t end) {
      run_segment(bodies_[body], begin, end);
    });
  });
}

void PointwiseRun::enter_row(const RowWalk& walk) {
  const auto rank = static_cast<size_t>(program_.rank);
  frame_.coords = walk.coords().data();
  for (size_t i = 0; i < program_.inputs.size(); ++i)  // inputs are not written through `first`
    sources_[i].first = static_cast<uint8_t*>(const_cast<void*>(args_.srcs[i])) +
                        walk.offset(args_.src_strides + i * rank, 0) * sources_[i].bytes;
  for (size_t o = 0; o < program_.outputs.size(); ++o)
    destinations_[o].first = static_cast<uint8_t*>(args_.dsts[o]) +
                             walk.offset(args_.dst_strides + o * rank, 0) * destinations_[o].bytes;
}

void PointwiseRun::run_segment(const CompiledBody& body, int64_t begin, int64_t end) {
  if (adjacent_) {
    const int64_t whole = (end - begin) / body.lanes * body.lanes;
    if (whole > 0) run_adjacent(body, begin, whole);
    begin += whole;
  }
  run_staged(body, begin, end);
}

void PointwiseRun::run_adjacent(const CompiledBody& body, int64_t begin, int64_t count) {
  frame_.column = begin;
  frame_.full = count;
  frame_.rest = 0;
  for (size_t i = 0; i < program_.inputs.size(); ++i)
    frame_.src[i] = sources_[i].first + (sources_[i].row_constant ? 0 : begin * sources_[i].bytes);
  for (size_t o = 0; o < program_.outputs.size(); ++o)
    frame_.dst[o] = destinations_[o].first + begin * destinations_[o].bytes;
  body.function(&frame_);
}

void PointwiseRun::run_staged(const CompiledBody& body, int64_t begin, int64_t end) {
  for (int64_t at = begin; at < end; at += kStaged)
    run_block(body, at, std::min(kStaged, end - at));
}

// Elements are read before any is written, as they may be the same.
void PointwiseRun::run_block(const CompiledBody& body, int64_t begin, int64_t count) {
  const int64_t whole = (count + body.lanes - 1) / body.lanes * body.lanes;
  frame_.column = begin;
  frame_.full = whole;
  frame_.rest = 0;
  for (size_t i = 0; i < program_.inputs.size(); ++i) {
    const Tensor& source = sources_[i];
    frame_.src[i] = source.row_constant ? source.first : stage(i);
    if (source.row_constant) continue;
    gather_elements(stage(i), source.first + begin * source.step, source.step, source.bytes, count);
    std::memset(stage(i) + count * source.bytes, 0,
                static_cast<size_t>((whole - count) * source.bytes));
  }
  for (size_t o = 0; o < program_.outputs.size(); ++o)
    frame_.dst[o] = stage(kMaxInputs + o);
  body.function(&frame_);
  for (size_t o = 0; o < program_.outputs.size(); ++o) {
    const Tensor& to = destinations_[o];
    scatter_elements(to.first + begin * to.step, to.step, stage(kMaxInputs + o), to.bytes, count);
  }
}

}  // namespace iotadnn::impl
