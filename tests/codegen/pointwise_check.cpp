// SPDX-License-Identifier: Apache-2.0
#include "codegen/pointwise_check.h"

#include <cmath>
#include <cstring>
#include <limits>
#include <sstream>

#include "base/float16.h"
#include "program/opcodes.h"
#include "program/pointwise.h"
#include "program/row_walk.h"
#include "program/text.h"
#include "program/verify.h"
#include "support/strided.h"

namespace iotadnn::test {

using impl::DataType;
using impl::RowProgram;

namespace {

uint64_t float_bits(DataType type, double value) {
  switch (type) {
    case DataType::f32:
      return impl::bit_cast<uint32_t>(static_cast<float>(value));
    case DataType::bf16:
      return impl::f32_to_bf16(static_cast<float>(value));
    case DataType::f16:
      return impl::f32_to_f16(static_cast<float>(value));
    default:
      return impl::bit_cast<uint64_t>(value);
  }
}

bool is_nan(DataType type, uint64_t bits) {
  switch (type) {
    case DataType::f32:
      return (bits & 0x7fffffff) > 0x7f800000;
    case DataType::bf16:
      return (bits & 0x7fff) > 0x7f80;
    case DataType::f16:
      return (bits & 0x7fff) > 0x7c00;
    case DataType::f64:
      return (bits & 0x7fffffffffffffff) > 0x7ff0000000000000;
    default:
      return false;
  }
}

// Floating-point numbers in the order of their values, as integers.
int64_t rank_of(DataType type, uint64_t bits) {
  const uint64_t sign = uint64_t{1} << (8 * impl::bytes_of(type) - 1);
  const auto magnitude = static_cast<int64_t>(bits & (sign - 1));
  return (bits & sign) != 0 ? -magnitude : magnitude;
}

bool same(DataType type, uint64_t got, uint64_t want, int64_t ulps) {
  if (got == want) return true;
  if (!is_floating(type)) return false;
  if (is_nan(type, got) || is_nan(type, want)) return is_nan(type, got) && is_nan(type, want);
  if (ulps == 0) return false;
  return std::abs(rank_of(type, got) - rank_of(type, want)) <= ulps;
}

uint64_t element(const void* at, DataType type) {
  uint64_t bits = 0;
  std::memcpy(&bits, at, static_cast<size_t>(impl::bytes_of(type)));
  return bits;
}

std::string hex_text(uint64_t bits) {
  std::ostringstream text;
  text << "0x" << std::hex << bits;
  return text.str();
}

size_t bytes_needed(const std::vector<int64_t>& dims, const std::vector<int64_t>& strides,
                    DataType type) {
  return static_cast<size_t>(span_of(dims, strides) * impl::bytes_of(type));
}

// The memory of one run: inputs, and outputs some of which may be inputs.
struct Memory {
  std::vector<std::unique_ptr<GuardedBuffer>> inputs;
  std::vector<std::unique_ptr<GuardedBuffer>> outputs;  // null: in place
  std::vector<const void*> srcs;
  std::vector<void*> dsts;

  Memory(const PointwiseCase& c, Placement placement) {
    for (const PointwiseTensor& input : c.inputs) {
      inputs.push_back(std::make_unique<GuardedBuffer>(input.bytes.size(), placement));
      std::memcpy(inputs.back()->data(), input.bytes.data(), input.bytes.size());
      srcs.push_back(inputs.back()->data());
    }
    for (size_t o = 0; o < c.outputs.size(); ++o) {
      const int in_place = c.in_place.empty() ? -1 : c.in_place[o];
      outputs.push_back(
          in_place >= 0
              ? nullptr
              : std::make_unique<GuardedBuffer>(
                    bytes_needed(c.dims, c.outputs[o].strides, c.program.outputs[o]), placement));
      dsts.push_back(in_place >= 0 ? inputs[static_cast<size_t>(in_place)]->data()
                                   : outputs.back()->data());
    }
  }
};

template <class Run>
void run_in(const PointwiseCase& c, Memory& memory, int64_t begin, int64_t end, const Run& run) {
  std::vector<int64_t> src_strides;
  std::vector<int64_t> dst_strides;
  for (const PointwiseTensor& t : c.inputs)
    src_strides.insert(src_strides.end(), t.strides.begin(), t.strides.end());
  for (const PointwiseTensor& t : c.outputs)
    dst_strides.insert(dst_strides.end(), t.strides.begin(), t.strides.end());
  impl::RunArgs args;
  args.extents = c.dims.data();
  args.scalars = c.scalars.data();
  args.begin = begin;
  args.end = end;
  args.srcs = memory.srcs.data();
  args.src_strides = src_strides.data();
  args.dsts = memory.dsts.data();
  args.dst_strides = dst_strides.data();
  run(args);
}

testing::AssertionResult same_outputs(const PointwiseCase& c, const Memory& got, const Memory& want,
                                      int64_t ulps) {
  for (size_t o = 0; o < c.outputs.size(); ++o) {
    const DataType type = c.program.outputs[o];
    const auto width = static_cast<size_t>(impl::bytes_of(type));
    if (got.outputs[o] != nullptr) {
      auto gaps = got.outputs[o]->gaps_intact(c.dims, c.outputs[o].strides, impl::bytes_of(type));
      if (!gaps) return gaps << ", output " << o;
    }
    testing::AssertionResult result = testing::AssertionSuccess();
    for_each_element(c.dims, c.outputs[o].strides,
                     [&](const std::vector<int64_t>& index, int64_t offset) {
                       const size_t at = static_cast<size_t>(offset) * width;
                       const auto g = element(static_cast<const char*>(got.dsts[o]) + at, type);
                       const auto w = element(static_cast<const char*>(want.dsts[o]) + at, type);
                       if (!same(type, g, w, ulps))
                         result = testing::AssertionFailure()
                                  << "output " << o << " at " << dims_text(index, ",") << " is "
                                  << hex_text(g) << ", not " << hex_text(w);
                       return static_cast<bool>(result);
                     });
    if (!result) return result;
  }
  return testing::AssertionSuccess();
}

testing::AssertionResult inputs_intact(const PointwiseCase& c, const Memory& memory) {
  for (size_t i = 0; i < c.inputs.size(); ++i) {
    bool written = false;
    for (const int in_place : c.in_place)
      written = written || in_place == static_cast<int>(i);
    if (auto margins = memory.inputs[i]->margins_intact(); !margins)
      return margins << ", input " << i;
    if (!written && std::memcmp(memory.inputs[i]->data(), c.inputs[i].bytes.data(),
                                c.inputs[i].bytes.size()) != 0)
      return testing::AssertionFailure() << "input " << i << " was written";
  }
  return testing::AssertionSuccess();
}

}  // namespace

impl::RowProgram parsed(const std::string& text) {
  auto program = impl::parse_program(text);
  EXPECT_TRUE(program.ok()) << program.status().message();
  return program.ok() ? *program : impl::RowProgram{};
}

PointwiseCase dense_case(const impl::RowProgram& program, const std::vector<int64_t>& dims,
                         Random& random) {
  PointwiseCase c;
  c.program = program;
  c.dims = dims;
  c.inputs.assign(program.inputs.size(), {dense_strides(dims), {}});
  c.outputs.assign(program.outputs.size(), {dense_strides(dims), {}});
  c.scalars = {0x3fc00000, 3};
  fill_inputs(c, random);
  return c;
}

uint64_t special_element(DataType type, Random& random) {
  if (type == DataType::boolean) return static_cast<uint64_t>(random.between(0, 1));
  const auto any = static_cast<uint64_t>(random.engine()());
  if (!is_floating(type)) {
    const int bits = 8 * impl::bytes_of(type);
    const uint64_t top = uint64_t{1} << (bits - 1);
    const uint64_t edges[] = {0, 1, ~uint64_t{0}, top, top - 1, top + 1, 2, 3};
    const int64_t kind = random.between(0, 3);
    if (kind == 0) return edges[random.between(0, 7)];
    return kind == 1 ? static_cast<uint64_t>(random.between(-20, 20))
                     : any >> random.between(0, 63);
  }
  const double edges[] = {0.0,
                          -0.0,
                          1.0,
                          -1.0,
                          0.5,
                          -1.5,
                          127.5,
                          128,
                          -128.5,
                          255.9,
                          32767.5,
                          -32768.9,
                          65504,
                          65519.9,
                          65520,
                          65535.5,
                          2147483647.0,
                          2147483648.0,
                          -2147483648.0,
                          -2147483649.0,
                          4294967295.0,
                          4294967296.0,
                          9.3e18,
                          -9.3e18,
                          1.9e19,
                          1e-7,
                          -3e-8,
                          5.9e-8,
                          6e-5,
                          1e-38,
                          -1e-40,
                          3e38,
                          1e300,
                          88.7,
                          std::numeric_limits<double>::infinity(),
                          -std::numeric_limits<double>::infinity(),
                          std::numeric_limits<double>::quiet_NaN()};
  switch (random.between(0, 3)) {
    case 0:
      return float_bits(type, edges[random.between(0, std::size(edges) - 1)]);
    case 1:
      return float_bits(type, static_cast<double>(random.between(-2000, 2000)) / 16);
    case 2:
      return float_bits(type, static_cast<double>(random.between(-100000, 100000)));
    default:
      return any;
  }
}

void fill_inputs(PointwiseCase& c, Random& random) {
  for (size_t i = 0; i < c.inputs.size(); ++i) {
    const DataType type = c.program.inputs[i];
    const auto width = static_cast<size_t>(impl::bytes_of(type));
    c.inputs[i].bytes.resize(bytes_needed(c.dims, c.inputs[i].strides, type));
    for (size_t at = 0; at < c.inputs[i].bytes.size(); at += width) {
      const uint64_t bits = special_element(type, random);
      std::memcpy(c.inputs[i].bytes.data() + at, &bits, width);
    }
  }
}

uint32_t row_constant_inputs(const PointwiseCase& c) {
  uint32_t inputs = 0;
  for (size_t i = 0; i < c.inputs.size(); ++i)
    if (c.inputs[i].strides.back() == 0) inputs |= 1u << i;
  return inputs;
}

std::shared_ptr<const impl::Kernel> compile_pointwise(const PointwiseCase& c, impl::Isa isa,
                                                      impl::Store store) {
  impl::KernelConfig config;
  config.isa = isa;
  config.walk = impl::Walk::pointwise;
  config.store = store;
  config.row_constant_inputs = row_constant_inputs(c);
  const auto verified = impl::verify(c.program);
  EXPECT_TRUE(verified.ok()) << verified.message();
  const auto kernel = impl::compile_kernel(c.program, config);
  EXPECT_TRUE(kernel.ok()) << kernel.status().message();
  return kernel.ok() ? *kernel : nullptr;
}

testing::AssertionResult kernel_agrees(const impl::Kernel& kernel, const PointwiseCase& c,
                                       int64_t begin, int64_t end, int64_t ulps) {
  if (end < 0) end = impl::pointwise_units(c.dims.data(), static_cast<int>(c.dims.size()));
  for (const Placement placement : kPlacements) {
    Memory got(c, placement);
    Memory want(c, placement);
    run_in(c, got, begin, end, [&](const impl::RunArgs& args) { kernel.run(args); });
    run_in(c, want, begin, end,
           [&](const impl::RunArgs& args) { impl::run_pointwise(c.program, args); });
    auto result = same_outputs(c, got, want, ulps);
    if (result) result = inputs_intact(c, got);
    if (!result)
      return result << ", buffers " << name_of(placement) << ", dims " << dims_text(c.dims)
                    << ", units " << begin << " to " << end << "\n"
                    << impl::to_text(c.program);
  }
  return testing::AssertionSuccess();
}

}  // namespace iotadnn::test
