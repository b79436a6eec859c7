// SPDX-License-Identifier: Apache-2.0
#include "program/pointwise.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "program/evaluate.h"
#include "program/opcodes.h"
#include "program/row_walk.h"

namespace iotadnn::impl {
namespace {

constexpr int64_t kLanes = 64;

// Elements of one width between a tensor's row (any stride) and adjacent lanes.
template <class T>
void gather(void* lanes, const unsigned char* from, int64_t stride, int64_t count) {
  auto* d = static_cast<unsigned char*>(lanes);
  for (int64_t i = 0; i < count; ++i)
    std::memcpy(d + i * int64_t{sizeof(T)}, from + i * stride * int64_t{sizeof(T)}, sizeof(T));
}

template <class T>
void scatter(unsigned char* to, int64_t stride, const void* lanes, int64_t count) {
  const auto* s = static_cast<const unsigned char*>(lanes);
  for (int64_t i = 0; i < count; ++i)
    std::memcpy(to + i * stride * int64_t{sizeof(T)}, s + i * int64_t{sizeof(T)}, sizeof(T));
}

// Calls f(T()) with an unsigned integer of `bytes` bytes.
template <class F>
void with_width(int bytes, F&& f) {
  switch (bytes) {
    case 1:
      return f(uint8_t{});
    case 2:
      return f(uint16_t{});
    case 4:
      return f(uint32_t{});
    default:
      return f(uint64_t{});
  }
}

void repeat(void* lanes, uint64_t bits, int bytes, int64_t count) {
  with_width(bytes, [&](auto width) {
    using T = decltype(width);
    std::fill_n(static_cast<T*>(lanes), count, static_cast<T>(bits));
  });
}

// One run: a body's values for up to kLanes columns at a time.
class Runner {
 public:
  Runner(const RowProgram& program, const RunArgs& args)
      : program_(program), args_(args), last_(program.rank - 1) {}

  void run_segment(const RowWalk& walk, const Body& body, int64_t begin, int64_t end) {
    for (int64_t column = begin; column < end; column += kLanes) {
      const int64_t count = std::min(kLanes, end - column);
      for (size_t i = 0; i < body.insts.size(); ++i)
        compute(walk, body, i, column, count);
      for (size_t o = 0; o < program_.outputs.size(); ++o)
        store(walk, o, body.results[o], column, count);
    }
  }

 private:
  void* lanes(size_t value) { return values_[value].data(); }

  void compute(const RowWalk& walk, const Body& body, size_t index, int64_t column, int64_t count) {
    const Inst& inst = body.insts[index];
    const int bytes = bytes_of(inst.type);
    void* const d = lanes(index);
    switch (inst.op) {
      case Opcode::constant:
        return repeat(d, inst.imm, bytes, count);
      case Opcode::scalar:
        return repeat(d, static_cast<uint64_t>(args_.scalars[inst.imm]), bytes, count);
      case Opcode::coord:
        return coordinate(walk, inst, d, column, count);
      case Opcode::load:
        return load(walk, inst.imm, d, column, count);
      default:
        break;
    }
    const void* operands[3] = {};
    for (int a = 0; a < info_of(inst.op).operands; ++a)
      operands[a] = lanes(inst.args[static_cast<size_t>(a)]);
    const Inst& typed = body.insts[inst.args[inst.op == Opcode::select ? 1 : 0]];
    evaluate(inst.op, inst.type, typed.type, d, operands, count);
  }

  void coordinate(const RowWalk& walk, const Inst& inst, void* d, int64_t column, int64_t count) {
    const int bytes = bytes_of(inst.type);
    if (inst.imm != static_cast<uint64_t>(last_))
      return repeat(d, static_cast<uint64_t>(walk.coords()[inst.imm]), bytes, count);
    with_width(bytes, [&](auto width) {
      using T = decltype(width);
      for (int64_t i = 0; i < count; ++i)
        static_cast<T*>(d)[i] = static_cast<T>(column + i);
    });
  }

  void load(const RowWalk& walk, size_t input, void* d, int64_t column, int64_t count) {
    const int64_t* strides = args_.src_strides + input * static_cast<size_t>(program_.rank);
    const DataType type = program_.inputs[input];
    const auto* from = static_cast<const unsigned char*>(args_.srcs[input]) +
                       walk.offset(strides, column) * bytes_of(type);
    with_width(bytes_of(type),
               [&](auto width) { gather<decltype(width)>(d, from, strides[last_], count); });
    if (type == DataType::boolean)  // any byte that is not 0 is true
      for (int64_t i = 0; i < count; ++i)
        static_cast<uint8_t*>(d)[i] = static_cast<uint8_t*>(d)[i] != 0 ? 1 : 0;
  }

  void store(const RowWalk& walk, size_t output, size_t value, int64_t column, int64_t count) {
    const int64_t* strides = args_.dst_strides + output * static_cast<size_t>(program_.rank);
    const int bytes = bytes_of(program_.outputs[output]);
    auto* to =
        static_cast<unsigned char*>(args_.dsts[output]) + walk.offset(strides, column) * bytes;
    with_width(bytes, [&](auto width) {
      scatter<decltype(width)>(to, strides[last_], lanes(value), count);
    });
  }

  const RowProgram& program_;
  const RunArgs& args_;
  const size_t last_;
  alignas(64) std::array<std::array<unsigned char, kLanes * 8>, kMaxInsts> values_;
};

}  // namespace

void run_pointwise(const RowProgram& program, const RunArgs& args) {
  Runner runner(program, args);
  RowWalk walk(program, args);
  for_each_unit(program, args, walk, [&](int64_t first, int64_t last) {
    walk.for_each_segment(first, last, [&](size_t body, int64_t begin, int64_t end) {
      runner.run_segment(walk, program.bodies[body], begin, end);
    });
  });
}

}  // namespace iotadnn::impl
