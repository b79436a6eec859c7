// SPDX-License-Identifier: Apache-2.0
#include "program/portable.h"

#include <cstring>

#include "program/pointwise.h"
#include "program/row_walk.h"

namespace iotadnn::impl {

namespace {

// The element i of a destination whose elements are sizeof(T) bytes. Stored through memcpy: the
// buffer may belong to objects of another type and need not be aligned.
template <class T>
void store(char* dst, int64_t i, T value) {
  std::memcpy(dst + i * static_cast<int64_t>(sizeof(T)), &value, sizeof(T));
}

template <class T>
void fill(char* dst, int64_t count, int64_t stride, T value) {
  if (stride == 1 && value == 0) {
    std::memset(dst, 0, static_cast<size_t>(count) * sizeof(T));
  } else if (stride == 1) {
    for (int64_t i = 0; i < count; ++i)
      store<T>(dst, i, value);
  } else {
    for (int64_t i = 0; i < count; ++i)
      store<T>(dst, i * stride, value);
  }
}

// first, first + 1, ..., each truncated to T.
template <class T>
void ramp(char* dst, int64_t count, int64_t stride, int64_t first) {
  const auto start = static_cast<uint64_t>(first);
  if (stride == 1) {
    for (int64_t i = 0; i < count; ++i) {
      store<T>(dst, i, static_cast<T>(start + static_cast<uint64_t>(i)));
    }
  } else {
    for (int64_t i = 0; i < count; ++i) {
      store<T>(dst, i * stride, static_cast<T>(start + static_cast<uint64_t>(i)));
    }
  }
}

// A coordinate program on elements of sizeof(T) bytes.
template <class T>
class Runner {
 public:
  Runner(const RowProgram& program, const RunArgs& args)
      : program_(program), args_(args), last_(program.rank - 1), walk_(program, args) {}

  void run() {
    walk_.seek(args_.begin);
    for (int64_t row = args_.begin; row < args_.end; ++row) {
      char* const address = static_cast<char*>(args_.dst) +
                            walk_.offset(args_.strides, 0) * static_cast<int64_t>(sizeof(T));
      walk_.for_each_segment(0, args_.extents[last_], [&](size_t body, int64_t begin, int64_t end) {
        write_segment(program_.bodies[body], address, begin, end);
      });
      walk_.advance();
    }
  }

 private:
  void write_segment(const Body& body, char* row, int64_t begin, int64_t end) const {
    const Inst& inst = body.insts.back();
    const int64_t stride = args_.strides[last_];
    char* const dst = row + begin * stride * static_cast<int64_t>(sizeof(T));
    if (inst.op == Opcode::constant)
      return fill<T>(dst, end - begin, stride, static_cast<T>(inst.imm));
    if (inst.imm == static_cast<uint64_t>(last_)) return ramp<T>(dst, end - begin, stride, begin);
    fill<T>(dst, end - begin, stride, static_cast<T>(walk_.coords()[inst.imm]));
  }

  const RowProgram& program_;
  const RunArgs& args_;
  const int last_;
  RowWalk walk_;
};

}  // namespace

void run_portable(const RowProgram& program, const RunArgs& args) {
  if (!is_coordinate_program(program)) return run_pointwise(program, args);
  switch (program.elem_bytes) {
    case 1:
      return Runner<uint8_t>(program, args).run();
    case 2:
      return Runner<uint16_t>(program, args).run();
    case 4:
      return Runner<uint32_t>(program, args).run();
    case 8:
      return Runner<uint64_t>(program, args).run();
    default:
      return;  // the verifier refuses other widths
  }
}

}  // namespace iotadnn::impl
