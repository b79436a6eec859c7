// SPDX-License-Identifier: Apache-2.0
#include "program/portable.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>

namespace iotadnn::impl {

namespace {

constexpr int64_t kMin = std::numeric_limits<int64_t>::min();
constexpr int64_t kMax = std::numeric_limits<int64_t>::max();

// In place of a subtraction by adding a negated value: -INT64_MIN does not exist.
int64_t saturating_sub(int64_t a, int64_t b) {
  int64_t difference = 0;
  if (!__builtin_sub_overflow(a, b, &difference)) return difference;
  return b > 0 ? kMin : kMax;
}

// A half-open interval of one coordinate.
struct Interval {
  int64_t lo = 0;
  int64_t hi = 0;

  bool contains(int64_t x) const { return lo <= x && x < hi; }
};

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

template <class T>
class Runner {
 public:
  Runner(const RowProgram& program, const RunArgs& args)
      : program_(program), args_(args), last_(program.rank - 1) {}

  void run() {
    seek(args_.begin);
    for (int64_t row = args_.begin; row < args_.end; ++row) {
      write_row();
      advance();
    }
  }

 private:
  // Sets the outer coordinates to those of `row`, counted row-major.
  void seek(int64_t row) {
    for (int d = last_ - 1; d >= 0; --d) {
      coords_[index(d)] = row % args_.extents[d];
      row /= args_.extents[d];
    }
  }

  void advance() {
    for (int d = last_ - 1; d >= 0; --d) {
      if (++coords_[index(d)] < args_.extents[d]) return;
      coords_[index(d)] = 0;
    }
  }

  int64_t evaluate(const Bound& bound) const {
    int64_t sum = 0;
    for (const Term& term : bound.terms) {
      const int64_t value =
          term.kind == Term::Kind::coord ? coords_[term.index] : args_.scalars[term.index];
      sum = term.negated ? saturating_sub(sum, value) : saturating_add(sum, value);
    }
    return saturating_add(sum, bound.imm);
  }

  // Splits the row at the ends of the intervals on the last coordinate and writes each segment with
  // the body that its predicates select.
  void write_row() const {
    const int64_t columns = args_.extents[last_];
    std::array<Interval, kMaxPredicates> intervals;
    std::array<int64_t, 2 * kMaxPredicates + 1> ends;
    size_t num_ends = 0;
    size_t whole_row = 0;    // truths of the predicates on outer coordinates
    unsigned split_row = 0;  // the predicates on the last one
    for (size_t p = 0; p < program_.predicates.size(); ++p) {
      const Predicate& predicate = program_.predicates[p];
      const Interval interval{evaluate(predicate.lo), evaluate(predicate.hi)};
      if (predicate.axis != last_) {
        if (interval.contains(coords_[predicate.axis])) whole_row |= size_t{1} << p;
        continue;
      }
      split_row |= 1u << p;
      intervals[p] = interval;
      ends[num_ends++] = std::clamp<int64_t>(interval.lo, 0, columns);
      ends[num_ends++] = std::clamp<int64_t>(interval.hi, 0, columns);
    }
    ends[num_ends++] = columns;
    std::sort(ends.begin(), ends.begin() + num_ends);

    char* const row = row_address();
    int64_t begin = 0;
    for (size_t e = 0; e < num_ends; ++e) {
      if (ends[e] == begin) continue;
      size_t body = whole_row;
      for (size_t p = 0; p < program_.predicates.size(); ++p) {
        if (((split_row >> p) & 1u) != 0 && intervals[p].contains(begin)) body |= size_t{1} << p;
      }
      write_segment(program_.bodies[body], row, begin, ends[e]);
      begin = ends[e];
    }
  }

  void write_segment(const Body& body, char* row, int64_t begin, int64_t end) const {
    const Inst& inst = body.insts.back();
    const int64_t stride = args_.strides[last_];
    char* const dst = row + begin * stride * static_cast<int64_t>(sizeof(T));
    switch (inst.op) {
      case Opcode::constant:
        return fill<T>(dst, end - begin, stride, static_cast<T>(inst.imm));
      case Opcode::coord:
        if (inst.imm == index(last_)) return ramp<T>(dst, end - begin, stride, begin);
        return fill<T>(dst, end - begin, stride, static_cast<T>(coords_[inst.imm]));
    }
  }

  char* row_address() const {
    int64_t offset = 0;
    for (int d = 0; d < last_; ++d)
      offset += coords_[index(d)] * args_.strides[d];
    return static_cast<char*>(args_.dst) + offset * static_cast<int64_t>(sizeof(T));
  }

  static size_t index(int d) { return static_cast<size_t>(d); }

  const RowProgram& program_;
  const RunArgs& args_;
  const int last_;
  Dims coords_{};  // of the current row; the last one stays 0
};

}  // namespace

void run_portable(const RowProgram& program, const RunArgs& args) {
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
