// SPDX-License-Identifier: Apache-2.0
#include "codegen/pointwise_run.h"

#include <immintrin.h>

#include <algorithm>
#include <cstring>

#include "codegen/staging.h"

namespace iotadnn::impl {

// Most arrays are longer than what is used of them, and are not set behind that: a run of few
// elements takes less time than clearing them would.
// NOLINTNEXTLINE(cppcoreguidelines-pro-type-member-init)
PointwiseRun::PointwiseRun(const RowProgram& program, const CompiledProgram& code,
                           const RunArgs& args)
    : program_(program), code_(code), args_(args), cursor_(program, args) {
  const auto rank = static_cast<size_t>(program.rank);
  for (size_t i = 0; i < program.inputs.size(); ++i)
    add_tensor(args.srcs[i], args.src_strides + i * rank,
               (code.row_constant_inputs >> i & 1u) != 0);
  for (size_t o = 0; o < program.outputs.size(); ++o)
    add_tensor(args.dsts[o], args.dst_strides + o * rank, false);
  for (size_t i = 0; i < program.inputs.size(); ++i)
    for (size_t o = 0; o < program.outputs.size(); ++o)
      in_place_ = in_place_ || args.srcs[i] == args.dsts[o];
  by_spans_ = code.bodies_of_spans;
  if (in_place_)
    for (size_t b = 0; b < code.bodies.size(); ++b)
      look_at_spans(b);
  frame_.coords = cursor_.coords().data();
  frame_.scalars = args.scalars;
}

void PointwiseRun::add_tensor(const void* first, const int64_t* strides, bool row_constant) {
  const int last = program_.rank - 1;
  const int bytes = code_.tensor_bytes[tensor_count_];
  Tensor& tensor = tensors_[tensor_count_++];
  tensor.bytes = bytes;
  tensor.row_constant = row_constant;
  tensor.adjacent = !row_constant && (strides[last] == 1 || args_.extents[last] == 1);
  tensor.step = row_constant ? 0 : tensor.adjacent ? bytes : strides[last] * bytes;
  adjacent_ = adjacent_ && tensor.direct();
  cursor_.add(first, strides, bytes);
}

// Whether each element of the output is that of the input.
bool PointwiseRun::same_memory(size_t input, size_t output) const {
  if (args_.srcs[input] != args_.dsts[output]) return false;
  const auto rank = static_cast<size_t>(program_.rank);
  for (size_t d = 0; d < rank; ++d)
    if (args_.extents[d] != 1 &&
        args_.src_strides[input * rank + d] != args_.dst_strides[output * rank + d])
      return false;
  return true;
}

// Spans are written output by output, unless one of them would overwrite what another is a copy of.
void PointwiseRun::look_at_spans(size_t body) {
  const std::vector<Inst>& spans = code_.bodies[body].spans;
  if (spans.empty()) return;
  bool nothing = true;
  bool independent = true;
  for (size_t o = 0; o < spans.size(); ++o) {
    const bool here = spans[o].op == Opcode::load && same_memory(spans[o].imm, o);
    nothing = nothing && here;
    for (size_t other = 0; !here && other < spans.size(); ++other)
      if (other != o && spans[other].op == Opcode::load &&
          args_.srcs[spans[other].imm] == args_.dsts[o])
        independent = false;
  }
  if (nothing) nothing_ |= 1u << body;
  if (!independent) by_spans_ &= ~(1u << body);
}

void PointwiseRun::run_segment(size_t index, int64_t begin, int64_t end) {
  if ((nothing_ >> index & 1u) != 0) return;
  const CompiledBody& body = code_.bodies[index];
  if ((by_spans_ >> index & 1u) != 0) return run_spans(body, begin, end);
  run_chunks(body, begin, end);
}

// Where the next row will be cut, if not far from here: a line that is stored in parts must be read
// first, and the stores behind that would wait for it. A prefetch of no memory does nothing.
void PointwiseRun::prefetch_break(size_t destination, int64_t begin) const {
  const uint8_t* const next = cursor_.next_row(destination) + begin * tensors_[destination].step;
  _mm_prefetch(reinterpret_cast<const char*>(next), _MM_HINT_T0);
}

void PointwiseRun::run_spans(const CompiledBody& body, int64_t begin, int64_t end) {
  for (size_t o = 0; o < body.spans.size(); ++o)
    run_span(body.spans[o], o, begin, end - begin);
}

void PointwiseRun::run_span(const Inst& inst, size_t output, int64_t begin, int64_t count) {
  const size_t destination = tensor_of(output);
  const Tensor& to = tensors_[destination];
  const bool copies = inst.op == Opcode::load && !tensors_[inst.imm].row_constant;
  if (copies && args_.srcs[inst.imm] == args_.dsts[output]) return;  // in place
  uint8_t* const first = element(destination, begin);
  if (code_.nontemporal) prefetch_break(destination, begin);
  if (copies && to.adjacent && tensors_[inst.imm].adjacent)
    return code_.copy(first, element(inst.imm, begin), count * to.bytes);
  if (copies)
    return copy_elements(first, to.step, element(inst.imm, begin), tensors_[inst.imm].step,
                         to.bytes, count);
  fill_output(output, begin, count, pattern_of(inst, to.bytes));
}

// Elements of an output that are all the pattern's.
void PointwiseRun::fill_output(size_t output, int64_t begin, int64_t count, uint64_t pattern) {
  const size_t destination = tensor_of(output);
  const Tensor& to = tensors_[destination];
  uint8_t* const first = element(destination, begin);
  if (to.adjacent) return code_.fill(first, pattern, count * to.bytes);
  copy_elements(first, to.step, reinterpret_cast<const uint8_t*>(&pattern), 0, to.bytes, count);
}

// The element that an instruction is all along the row, repeated to 8 bytes.
uint64_t PointwiseRun::pattern_of(const Inst& inst, int bytes) const {
  uint64_t bits = inst.imm;
  if (inst.op == Opcode::scalar) bits = static_cast<uint64_t>(args_.scalars[inst.imm]);
  if (inst.op == Opcode::coord) bits = static_cast<uint64_t>(cursor_.coords()[inst.imm]);
  if (inst.op == Opcode::load)
    std::memcpy(&bits, cursor_.row(inst.imm), static_cast<size_t>(bytes));
  return repeat(bits, bytes);
}

// The low bytes over all 8.
uint64_t PointwiseRun::repeat(uint64_t bits, int bytes) {
  switch (bytes) {
    case 1:
      return (bits & 0xff) * 0x0101010101010101u;
    case 2:
      return (bits & 0xffff) * 0x0001000100010001u;
    case 4:
      return (bits & 0xffffffff) * 0x0000000100000001u;
    default:
      return bits;
  }
}

// A body whose elements are all one in a row: computed once, and then filled.
void PointwiseRun::run_uniform(const CompiledBody& body, int64_t begin, int64_t end) {
  frame_.column = begin;
  frame_.full = body.lanes;
  frame_.rest = 0;
  for (const size_t i : body.inputs)
    frame_.src[i] = cursor_.row(i);
  for (size_t o = 0; o < program_.outputs.size(); ++o)
    frame_.dst[o] = stage(tensor_of(o));
  body.function(&frame_);
  for (size_t o = 0; o < program_.outputs.size(); ++o) {
    const size_t tensor = tensor_of(o);
    const int bytes = tensors_[tensor].bytes;
    uint64_t bits = 0;
    std::memcpy(&bits, stage(tensor), static_cast<size_t>(bytes));
    fill_output(o, begin, end - begin, repeat(bits, bytes));
  }
}

void PointwiseRun::run_chunks(const CompiledBody& body, int64_t begin, int64_t end) {
  // Fewer are computed as fast as they are filled.
  constexpr int64_t kFilled = 64;
  if (body.is_uniform && end - begin >= kFilled) return run_uniform(body, begin, end);
  if (!adjacent_) return run_staged(body, begin, end);
  if (body.nontemporal != nullptr) begin = past_caches(body, begin, end);
  if (begin < end) run_direct(body, begin, end);
}

// Elements of a line, where they have 4 bytes: in whole lines of these, chunks of every body end.
constexpr int64_t kLine = 16;

// Whole lines of the destinations, and what is in front of them. Returns where they end; nothing is
// done where destinations have no line in common or the segment is short.
int64_t PointwiseRun::past_caches(const CompiledBody& body, int64_t begin, int64_t end) {
  const int64_t head = elements_to_line(begin);
  if (head < 0 || end - begin < head + 8 * kLine) return begin;
  if (head > 0) run_direct(body, begin, begin + head);
  const int64_t lines = (end - begin - head) / kLine * kLine;
  for (size_t o = 0; o < program_.outputs.size(); ++o)
    prefetch_break(tensor_of(o), begin);
  call(body, body.nontemporal, begin + head, lines, 0);
  return begin + head + lines;
}

// How many elements on a line begins in each destination of 4- or 8-byte elements; or -1.
int64_t PointwiseRun::elements_to_line(int64_t begin) const {
  for (int64_t head = 0; head < kLine; ++head) {
    bool all = true;
    for (size_t o = 0; o < program_.outputs.size(); ++o) {
      const size_t tensor = tensor_of(o);
      if (tensors_[tensor].bytes < 4) continue;
      all = all && reinterpret_cast<uintptr_t>(element(tensor, begin + head)) % 64 == 0;
    }
    if (all) return head;
  }
  return -1;
}

// Adjacent elements. Where the body has no parts, the last chunk ends with the segment, unless it
// would read again what it has overwritten.
void PointwiseRun::run_direct(const CompiledBody& body, int64_t begin, int64_t end) {
  const int64_t rest = (end - begin) % body.lanes;
  const int64_t full = end - begin - rest;
  if (body.has_parts) return call(body, body.function, begin, full, rest);
  if (full > 0) call(body, body.function, begin, full, 0);
  if (rest == 0) return;
  if (full > 0 && !in_place_) return call(body, body.function, end - body.lanes, body.lanes, 0);
  run_staged(body, begin + full, end);
}

void PointwiseRun::call(const CompiledBody& body, BodyFunction function, int64_t begin,
                        int64_t full, int64_t rest) {
  frame_.column = begin;
  frame_.full = full;
  frame_.rest = rest;
  for (const size_t i : body.inputs)
    frame_.src[i] = element(i, begin);
  for (size_t o = 0; o < program_.outputs.size(); ++o)
    frame_.dst[o] = element(tensor_of(o), begin);
  function(&frame_);
}

void PointwiseRun::run_staged(const CompiledBody& body, int64_t begin, int64_t end) {
  for (int64_t at = begin; at < end; at += kStaged)
    run_block(body, at, std::min(kStaged, end - at), [&](size_t tensor) {
      return Elements{element(tensor, at), tensors_[tensor].step};
    });
}

// Elements are read before any is written, as they may be the same.
template <class Place>
void PointwiseRun::run_block(const CompiledBody& body, int64_t column, int64_t count,
                             const Place& place) {
  const int64_t whole = (count + body.lanes - 1) / body.lanes * body.lanes;
  frame_.column = column;
  frame_.full = whole;
  frame_.rest = 0;
  for (const size_t i : body.inputs) {
    const Tensor& source = tensors_[i];
    frame_.src[i] = source.row_constant ? cursor_.row(i) : stage(i);
    if (source.row_constant) continue;
    const Elements from = place(i);
    copy_elements(stage(i), source.bytes, from.first, from.step, source.bytes, count);
    std::memset(stage(i) + count * source.bytes, 0,
                static_cast<size_t>((whole - count) * source.bytes));
  }
  for (size_t o = 0; o < program_.outputs.size(); ++o)
    frame_.dst[o] = stage(tensor_of(o));
  body.function(&frame_);
  for (size_t o = 0; o < program_.outputs.size(); ++o) {
    const size_t tensor = tensor_of(o);
    const Elements to = place(tensor);
    copy_elements(to.first, to.step, stage(tensor), tensors_[tensor].bytes, tensors_[tensor].bytes,
                  count);
  }
}

// Blocks have no element in common, so that none is read after it was written.
void PointwiseRun::run_diagonal(size_t index, const Diagonal& diagonal) {
  for (int64_t at = 0; at < diagonal.count; at += kStaged) {
    const int64_t row = diagonal.row + at;
    const int64_t column = diagonal.column + at * diagonal.column_step;
    run_block(code_.bodies[index], column, std::min(kStaged, diagonal.count - at),
              [&](size_t tensor) {
                const int64_t step = tensors_[tensor].step;
                const int64_t row_step = cursor_.row_step(tensor);
                return Elements{cursor_.row(tensor) + row * row_step + column * step,
                                row_step + diagonal.column_step * step};
              });
  }
}

}  // namespace iotadnn::impl
