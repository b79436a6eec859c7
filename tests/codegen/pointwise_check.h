// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "codegen/codegen.h"
#include "program/program.h"
#include "support/guarded_buffer.h"
#include "support/random.h"

namespace iotadnn::test {

// One tensor of a run; strides in elements.
struct PointwiseTensor {
  std::vector<int64_t> strides;
  std::vector<uint8_t> bytes;  // of an input: its elements, from the first that strides reach
};

// One run of a pointwise program.
struct PointwiseCase {
  impl::RowProgram program;
  std::vector<int64_t> dims;
  std::vector<PointwiseTensor> inputs;
  std::vector<PointwiseTensor> outputs;
  std::vector<int64_t> scalars;
  // in_place[o]: the input whose memory output o is, or -1
  std::vector<int> in_place;
};

// The program that a text stands for; what is wrong with it is the test's failure.
impl::RowProgram parsed(const std::string& text);

// Adjacent rows of every tensor, two scalars.
PointwiseCase dense_case(const impl::RowProgram& program, const std::vector<int64_t>& dims,
                         Random& random);

// Fills every input of the case with elements of its type, special ones among them.
void fill_inputs(PointwiseCase& c, Random& random);

// Bits of an element of the type: limits, zeros, infinities, NaN, subnormals, small and any
// numbers.
uint64_t special_element(impl::DataType type, Random& random);

// Which inputs are the same all along a row, as KernelConfig wants it.
uint32_t row_constant_inputs(const PointwiseCase& c);

// Compiles the program for a walk over such inputs; a failure is the test's.
std::shared_ptr<const impl::Kernel> compile_pointwise(const PointwiseCase& c, impl::Isa isa,
                                                      impl::Store store);

// Runs the kernel on units [begin, end), in buffers that touch an inaccessible page behind and in
// front. Outputs must be what the portable path writes (NaN for NaN; `ulps` of the type apart
// where they are floating point), and no other byte may change. end < 0: all units.
testing::AssertionResult kernel_agrees(const impl::Kernel& kernel, const PointwiseCase& c,
                                       int64_t begin = 0, int64_t end = -1, int64_t ulps = 0);

}  // namespace iotadnn::test
