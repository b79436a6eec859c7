// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <cstring>
#include <limits>
#include <string>

#include "ops/arguments.h"
#include "ops/coordinate_ops.h"
#include "ops/expand_context.h"
#include "ops/op_table.h"

namespace iotadnn::impl::coordinate_ops {
namespace {

constexpr size_t kStart = 0;
constexpr size_t kLimit = 1;
constexpr size_t kDelta = 2;

constexpr PortSpec kIn[] = {{"start", types::kNumeric, 'T'},
                            {"limit", types::kNumeric, 'T'},
                            {"delta", types::kNumeric, 'T'}};
constexpr PortSpec kOut[] = {{"dst", types::kNumeric, 'T'}};

constexpr uint64_t kMostElements = static_cast<uint64_t>(std::numeric_limits<int64_t>::max());

Status too_many(const Op& op) {
  return invalid_shape(op_text(op) + " has more than " + std::to_string(kMostElements) +
                       " elements");
}

Status no_step(const Op& op) {
  return invalid_shape(input_text(op, kDelta) + " is 0, allowed: any other number");
}

// ceil(distance / step), of integers of any sign without overflow: the distance of two 64-bit
// numbers fits an unsigned one.
Result<int64_t> steps(const Op& op, bool is_empty, uint64_t distance, uint64_t step) {
  if (is_empty) return int64_t{0};
  const uint64_t count = distance / step + (distance % step != 0 ? 1 : 0);
  if (count > kMostElements) return too_many(op);
  return static_cast<int64_t>(count);
}

Result<int64_t> signed_count(const Op& op, int64_t start, int64_t limit, int64_t delta) {
  if (delta == 0) return no_step(op);
  const auto from = static_cast<uint64_t>(start);
  const auto to = static_cast<uint64_t>(limit);
  if (delta > 0) return steps(op, limit <= start, to - from, static_cast<uint64_t>(delta));
  return steps(op, limit >= start, from - to, uint64_t{0} - static_cast<uint64_t>(delta));
}

Result<int64_t> unsigned_count(const Op& op, uint64_t start, uint64_t limit, uint64_t delta) {
  if (delta == 0) return no_step(op);
  return steps(op, limit <= start, limit - start, delta);
}

Result<int64_t> real_count(const Op& op, double start, double limit, double delta) {
  if (delta == 0) return no_step(op);
  const double count = std::ceil((limit - start) / delta);
  if (std::isnan(count))
    return invalid_shape(op_text(op) + " goes from " + std::to_string(start) + " to " +
                         std::to_string(limit) + " by " + std::to_string(delta) +
                         ", allowed: numbers whose (limit - start) / delta is not NaN");
  if (count >= 0x1p63) return too_many(op);
  return count > 0 ? static_cast<int64_t>(count) : int64_t{0};
}

bool is_unsigned(DataType type) {
  return type == DataType::u8 || type == DataType::u16 || type == DataType::u32 ||
         type == DataType::u64;
}

// ONNX Range: max(ceil((limit - start) / delta), 0); exact for integers, in f64 for the others.
Result<int64_t> count_of(const ShapeContext& ctx) {
  const Op& op = *ctx.op;
  const DataType type = ctx.inputs[kStart].lt->type;
  const auto bits = [&ctx](size_t port, DataType as) { return scalar_bits(ctx.inputs[port], as); };
  if (types::kFloating.has(type)) {
    const auto real = [&bits](size_t port) {
      const uint64_t pattern = bits(port, DataType::f64);
      double value;
      std::memcpy(&value, &pattern, sizeof value);
      return value;
    };
    return real_count(op, real(kStart), real(kLimit), real(kDelta));
  }
  if (is_unsigned(type))
    return unsigned_count(op, bits(kStart, DataType::u64), bits(kLimit, DataType::u64),
                          bits(kDelta, DataType::u64));
  return signed_count(op, static_cast<int64_t>(bits(kStart, DataType::s64)),
                      static_cast<int64_t>(bits(kLimit, DataType::s64)),
                      static_cast<int64_t>(bits(kDelta, DataType::s64)));
}

}  // namespace

constexpr Signature kRange = {kIn, 3, kOut, 1, {}};

Status check_range(const Op& op) {
  for (size_t port = 0; port < op.inputs.size(); ++port) {
    const std::string fault = one_element_fault(op, port, op.inputs[port]);
    if (!fault.empty()) return invalid_graph_op(fault);
  }
  return {};
}

Status infer_range(ShapeContext& ctx) {
  bool is_known = true;
  for (size_t port = 0; port < ctx.inputs.size(); ++port) {
    const std::string fault = one_element_fault(*ctx.op, port, *ctx.inputs[port].lt);
    if (!fault.empty()) return invalid_shape(fault);
    is_known = is_known && ctx.inputs[port].data != nullptr;
  }
  ctx.outputs[0].rank = 1;
  ctx.outputs[0].dims[0] = kUnknownDim;
  if (!is_known) return {};
  const auto count = count_of(ctx);
  if (!count.ok()) return count.status();
  ctx.outputs[0].dims[0] = *count;
  return {};
}

Status expand_range(ExpandContext& ctx) {
  const DataType type = ctx.op.outputs[0].type;
  const uint16_t moved =
      ctx.apply(Opcode::multiply, ctx.coord(0, type), ctx.scalar_input(kDelta, type));
  ctx.result = ctx.apply(Opcode::add, ctx.scalar_input(kStart, type), moved);
  return {};
}

}  // namespace iotadnn::impl::coordinate_ops
