// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <tuple>
#include <vector>

#include <gtest/gtest.h>

#include "codegen/codegen.h"
#include "program/program.h"

namespace iotadnn::test {

inline constexpr int64_t kMin = std::numeric_limits<int64_t>::min();
inline constexpr int64_t kMax = std::numeric_limits<int64_t>::max();

// One run of a program: sizes in elements.
struct KernelCase {
  impl::RowProgram program;
  std::vector<int64_t> dims;
  std::vector<int64_t> strides;
  std::vector<int64_t> scalars;
};

std::string text_of(const KernelCase& c);

// The programs that the three ops lower to. `width` in bytes.
impl::RowProgram gen_index_program(int rank, int axis, int width);
// One where the last coordinate equals the one before it plus scalar 0; rank >= 2.
impl::RowProgram eye_program(int rank, int width, uint64_t zero, uint64_t one);

// Compiles for exactly this configuration; a failure is the test's.
std::shared_ptr<const impl::Kernel> compile(const impl::RowProgram& program, impl::Isa isa,
                                            impl::Walk walk,
                                            impl::Store store = impl::Store::normal);

// Runs the kernel on units [begin, end) of the walk, in buffers that touch an inaccessible page
// behind and in front. The elements of those units must be what the portable interpreter writes,
// and no other byte may change.
testing::AssertionResult kernel_writes(const impl::Kernel& kernel, impl::Walk walk,
                                       const KernelCase& c, int64_t begin, int64_t end);
// All units, by run() and by what bind() gives, if anything, with and without the scalars.
testing::AssertionResult kernel_writes_all(const impl::Kernel& kernel, impl::Walk walk,
                                           const KernelCase& c);

// ISA x element width x way to store, and the suffix of such a test's name.
using KernelTestParam = std::tuple<impl::Isa, int, impl::Store>;
std::string kernel_test_name(const testing::TestParamInfo<KernelTestParam>& info);

// Units of work of the whole output.
int64_t units_of(impl::Walk walk, const std::vector<int64_t>& dims);

}  // namespace iotadnn::test
