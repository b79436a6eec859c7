// SPDX-License-Identifier: Apache-2.0
#include "runtime/softmax_rows.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "runtime/parallel.h"

namespace iotadnn::impl {
namespace {

// Patterns of 32 bits: of bf16, which is the upper half of an f32, those with zeros below.
constexpr uint32_t kInfinity = 0x7f800000;
constexpr uint32_t kMinusInfinity = 0xff800000;
constexpr uint32_t kNaN = 0x7fc00000;
constexpr uint32_t kMagnitude = 0x7fffffff;

uint32_t widened(uint32_t bits) {
  return bits;
}

uint32_t widened(uint16_t bits) {
  return uint32_t{bits} << 16;
}

float as_float(uint32_t bits) {
  float value;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

struct Look {
  bool is_poisoned = false;  // NaN or +inf in it
  bool is_masked = false;    // nothing but -inf
};

// Without branches, and with a step known to be 1, so that a compiler makes vectors of it.
template <class Bits>
Look look_at(const Bits* row, int64_t step, int64_t count) {
  uint32_t poisoned = 0;
  uint32_t kept = 0;
  const auto add = [&](Bits element) {
    const uint32_t bits = widened(element);
    const uint32_t is_nan = (bits & kMagnitude) > kInfinity ? 1 : 0;
    poisoned |= is_nan | (bits == kInfinity ? 1 : 0);
    kept |= bits ^ kMinusInfinity;
  };
  if (step == 1)
    for (int64_t i = 0; i < count; ++i)
      add(row[i]);
  else
    for (int64_t i = 0; i < count; ++i)
      add(row[i * step]);
  return {poisoned != 0, kept == 0};
}

template <class Bits>
void fill(Bits* row, int64_t step, int64_t count, uint32_t bits) {
  for (int64_t i = 0; i < count; ++i)
    row[i * step] = static_cast<Bits>(bits >> (32 - 8 * sizeof(Bits)));
}

// The largest element plus the logarithm of the sum of exp(x - largest), which is 1 / its result.
template <class Bits>
float stats_of(const Bits* in, int64_t in_step, const float* out, int64_t out_step, int64_t count) {
  int64_t largest = 0;
  float value = as_float(widened(in[0]));
  for (int64_t i = 1; i < count; ++i) {
    const float x = as_float(widened(in[i * in_step]));
    if (x > value) {
      value = x;
      largest = i;
    }
  }
  return static_cast<float>(static_cast<double>(value) -
                            std::log(static_cast<double>(out[largest * out_step])));
}

struct Offsets {
  int64_t in = 0;
  int64_t out = 0;
  int64_t stats = 0;
};

Offsets offsets_of(const SoftMaxRows& rows, int64_t row) {
  Offsets offsets;
  for (int d = rows.in.rank; d-- > 0;) {
    if (d == rows.axis) continue;
    const int64_t coord = row % rows.in.dims[d];
    row /= rows.in.dims[d];
    offsets.in += coord * rows.in.strides[d];
    offsets.out += coord * rows.out.strides[d];
    if (rows.stats) offsets.stats += coord * rows.stats->strides[d];
  }
  return offsets;
}

struct Run {
  const SoftMaxRows* rows;
  const void* in;
  void* out;
  float* stats;
  int parts;
};

template <class In, class Out>
void finish_row(const Run& run, int64_t row) {
  const SoftMaxRows& rows = *run.rows;
  const Offsets at = offsets_of(rows, row);
  const In* const in = static_cast<const In*>(run.in) + at.in;
  Out* const out = static_cast<Out*>(run.out) + at.out;
  const int64_t count = rows.in.dims[rows.axis];
  const int64_t in_step = rows.in.strides[rows.axis];
  const int64_t out_step = rows.out.strides[rows.axis];
  const Look look = look_at(in, in_step, count);
  const bool is_special = look.is_poisoned || look.is_masked;
  const uint32_t special = look.is_masked && rows.inf_as_zero ? 0 : kNaN;
  if (is_special) fill(out, out_step, count, special);
  if (run.stats == nullptr) return;
  run.stats[at.stats] =
      is_special ? as_float(special)
                 : stats_of(in, in_step, reinterpret_cast<const float*>(out), out_step, count);
}

void run_part(void* context, int part) {
  const Run& run = *static_cast<const Run*>(context);
  const UnitRange range = share_of(run.rows->count, 1, 0, part, run.parts);
  const bool wide_in = run.rows->in.type == DataType::f32;
  const bool wide_out = run.rows->out.type == DataType::f32;
  for (int64_t row = range.begin; row < range.end; ++row) {
    if (wide_in)
      wide_out ? finish_row<uint32_t, uint32_t>(run, row)
               : finish_row<uint32_t, uint16_t>(run, row);
    else
      wide_out ? finish_row<uint16_t, uint32_t>(run, row)
               : finish_row<uint16_t, uint16_t>(run, row);
  }
}

}  // namespace

void finish_softmax(const SoftMaxRows& rows, const void* in, void* out, float* stats, int threads) {
  const auto parts = static_cast<int>(std::min<int64_t>(rows.count, threads));
  Run run{&rows, in, out, stats, parts};
  run_parts(parts, run_part, &run);
}

}  // namespace iotadnn::impl
