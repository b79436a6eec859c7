// SPDX-License-Identifier: Apache-2.0
#include "codegen/kernel_check.h"

#include <cstring>
#include <functional>
#include <numeric>

#include "program/portable.h"
#include "program/verify.h"
#include "support/guarded_buffer.h"
#include "support/strided.h"

namespace iotadnn::test {

using impl::Opcode;
using impl::RowProgram;

namespace {

int64_t product(const std::vector<int64_t>& dims, size_t count) {
  return std::accumulate(dims.begin(), dims.begin() + static_cast<int64_t>(count), int64_t{1},
                         std::multiplies<>());
}

impl::RunArgs args_of(const KernelCase& c, void* dst, int64_t begin, int64_t end) {
  impl::RunArgs args;
  args.dst = dst;
  args.extents = c.dims.data();
  args.strides = c.strides.data();
  args.scalars = c.scalars.data();
  args.begin = begin;
  args.end = end;
  return args;
}

testing::AssertionResult same_where_written(const GuardedBuffer& got,
                                            const GuardedBuffer& untouched,
                                            const std::vector<uint8_t>& want, const KernelCase& c,
                                            int64_t first, int64_t last) {
  const size_t width = static_cast<size_t>(c.program.elem_bytes);
  testing::AssertionResult result = testing::AssertionSuccess();
  int64_t element = 0;
  for_each_element(c.dims, c.strides, [&](const std::vector<int64_t>&, int64_t offset) {
    const size_t at = static_cast<size_t>(offset) * width;
    const bool inside = first <= element && element < last;
    const uint8_t* expected = inside ? want.data() + at : untouched.as<uint8_t>() + at;
    if (std::memcmp(got.as<uint8_t>() + at, expected, width) != 0)
      result = testing::AssertionFailure()
               << "element " << element << (inside ? " has a wrong value" : " was written")
               << ", in units for elements [" << first << ", " << last << ") of " << text_of(c);
    ++element;
    return static_cast<bool>(result);
  });
  return result;
}

}  // namespace

std::string text_of(const KernelCase& c) {
  std::string text = "rank " + std::to_string(c.program.rank) + ", width " +
                     std::to_string(c.program.elem_bytes) + ", dims " + dims_text(c.dims) +
                     ", strides " + dims_text(c.strides, ":") + ", scalars";
  for (const int64_t scalar : c.scalars)
    text += " " + std::to_string(scalar);
  return text;
}

RowProgram gen_index_program(int rank, int axis, int width) {
  RowProgram program;
  program.rank = rank;
  program.elem_bytes = width;
  program.bodies = {{{{Opcode::coord, static_cast<uint64_t>(axis)}}}};
  return program;
}

RowProgram eye_program(int rank, int width, uint64_t zero, uint64_t one) {
  RowProgram program;
  program.rank = rank;
  program.elem_bytes = width;
  program.num_scalars = 1;
  impl::Term row;
  row.index = static_cast<uint8_t>(rank - 2);
  impl::Term k;
  k.kind = impl::Term::Kind::scalar;
  impl::Predicate diagonal;
  diagonal.axis = static_cast<uint8_t>(rank - 1);
  diagonal.lo.terms = diagonal.hi.terms = {row, k};
  diagonal.hi.imm = 1;
  program.predicates = {diagonal};
  program.bodies = {{{{Opcode::constant, zero}}}, {{{Opcode::constant, one}}}};
  return program;
}

std::shared_ptr<const impl::Kernel> compile(const RowProgram& program, impl::Isa isa,
                                            impl::Walk walk, impl::Store store) {
  impl::KernelConfig config;
  config.isa = isa;
  config.walk = walk;
  config.store = store;
  const auto verified = impl::verify(program);
  EXPECT_TRUE(verified.ok()) << verified.message();
  const auto kernel = impl::compile_kernel(program, config);
  EXPECT_TRUE(kernel.ok()) << kernel.status().message();
  return kernel.ok() ? *kernel : nullptr;
}

std::string kernel_test_name(const testing::TestParamInfo<KernelTestParam>& info) {
  return std::string(impl::name_of(std::get<0>(info.param))) + "_w" +
         std::to_string(std::get<1>(info.param)) + "_" +
         std::string(impl::name_of(std::get<2>(info.param)));
}

int64_t units_of(impl::Walk walk, const std::vector<int64_t>& dims) {
  return product(dims, walk == impl::Walk::rows ? dims.size() - 1 : dims.size());
}

namespace {

// `run` writes the units [begin, end) of the output at an address.
testing::AssertionResult writes(const std::function<void(void*)>& run, impl::Walk walk,
                                const KernelCase& c, int64_t begin, int64_t end) {
  const size_t bytes = static_cast<size_t>(span_of(c.dims, c.strides) * c.program.elem_bytes);
  std::vector<uint8_t> want(bytes);
  impl::run_portable(c.program, args_of(c, want.data(), 0, units_of(impl::Walk::rows, c.dims)));
  const int64_t elements_per_unit = walk == impl::Walk::rows ? c.dims.back() : 1;
  for (const Placement placement : kPlacements) {
    GuardedBuffer got(bytes, placement);
    const GuardedBuffer untouched(bytes, placement);
    run(got.data());
    if (auto gaps = got.gaps_intact(c.dims, c.strides, c.program.elem_bytes); !gaps) return gaps;
    auto values = same_where_written(got, untouched, want, c, begin * elements_per_unit,
                                     end * elements_per_unit);
    if (!values) return values << ", buffer " << name_of(placement);
  }
  return testing::AssertionSuccess();
}

// Bound with the scalars or without them, to arguments that are gone when it runs.
testing::AssertionResult bound_kernel_writes(const impl::Kernel& kernel, impl::Walk walk,
                                             const KernelCase& c, bool with_scalars) {
  const auto bound = [&] {
    const KernelCase shape = c;
    impl::RunArgs args = args_of(shape, nullptr, 0, 0);
    if (!with_scalars) args.scalars = nullptr;
    return kernel.bind(args);
  }();
  if (!bound) return testing::AssertionSuccess();
  const int64_t* scalars = with_scalars ? nullptr : c.scalars.data();
  return writes([&](void* dst) { bound->run(dst, scalars); }, walk, c, 0, units_of(walk, c.dims))
         << (with_scalars ? ", bound with scalars" : ", bound");
}

}  // namespace

testing::AssertionResult kernel_writes(const impl::Kernel& kernel, impl::Walk walk,
                                       const KernelCase& c, int64_t begin, int64_t end) {
  return writes([&](void* dst) { kernel.run(args_of(c, dst, begin, end)); }, walk, c, begin, end);
}

testing::AssertionResult kernel_writes_all(const impl::Kernel& kernel, impl::Walk walk,
                                           const KernelCase& c) {
  auto result = kernel_writes(kernel, walk, c, 0, units_of(walk, c.dims));
  for (const bool with_scalars : {true, false})
    if (result) result = bound_kernel_writes(kernel, walk, c, with_scalars);
  return result;
}

}  // namespace iotadnn::test
