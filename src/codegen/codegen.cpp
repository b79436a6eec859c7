// SPDX-License-Identifier: Apache-2.0
#include "codegen/codegen.h"

#include <new>

#include "codegen/isa_avx2.h"
#include "codegen/isa_avx512.h"
#include "codegen/jit_kernel.h"
#include "codegen/jit_profile.h"
#include "codegen/points_kernel.h"
#include "codegen/ring_kernel.h"
#include "codegen/ring_plan.h"
#include "codegen/rows_kernel.h"
#include "codegen/scalar_sum.h"

namespace iotadnn::impl {

std::string_view name_of(Walk walk) {
  switch (walk) {
    case Walk::rows:
      return "rows";
    case Walk::ring:
      return "ring";
    case Walk::points:
      return "points";
  }
  return "";
}

std::string_view name_of(Store store) {
  switch (store) {
    case Store::normal:
      return "normal";
    case Store::nontemporal:
      return "nontemporal";
    case Store::rep:
      return "rep";
  }
  return "";
}

std::string kernel_name(const RowProgram& program, const KernelConfig& config) {
  std::string name = "iotadnn_";
  name += name_of(config.walk);
  name += "_r" + std::to_string(program.rank) + "_w" + std::to_string(program.elem_bytes) + "_p" +
          std::to_string(program.predicates.size());
  switch (config.store) {
    case Store::normal:
      break;
    case Store::nontemporal:
      name += "_nt";
      break;
    case Store::rep:
      name += "_rep";
      break;
  }
  return name;
}

Result<std::unique_ptr<const ExecCode>> publish_kernel(Gen& gen, const std::string& name) {
  gen.finish();
  auto code = publish_code(gen.getCode(), gen.getSize());
  if (code.ok()) report_kernel(name, (*code)->entry(), (*code)->size());
  return code;
}

namespace {

template <class T>
Result<std::shared_ptr<const Kernel>> make_kernel(const RowProgram& program,
                                                  const KernelConfig& config) {
  switch (config.walk) {
    case Walk::rows:
      return make_rows_kernel<T>(program, config);
    case Walk::ring:
      return make_ring_kernel<T>(program, config);
    case Walk::points:
      return make_points_kernel<T>(program, config);
  }
  return unimplemented("no such walk");
}

// The only choice between instruction sets in the library.
Result<std::shared_ptr<const Kernel>> make_kernel_for_isa(const RowProgram& program,
                                                          const KernelConfig& config) {
  switch (config.isa) {
    case Isa::avx512_core_bf16:
    case Isa::avx512_core:
      return make_kernel<Avx512>(program, config);
    case Isa::avx2:
      return make_kernel<Avx2>(program, config);
    case Isa::portable:
    case Isa::reference:
      break;
  }
  return unimplemented("there is no machine code for instruction set '" +
                       std::string(name_of(config.isa)) + "'");
}

}  // namespace

Result<std::shared_ptr<const Kernel>> compile_kernel(const RowProgram& program,
                                                     const KernelConfig& config) {
  if (!walk_applies(program, config.walk))
    return unimplemented("a program of this form has no kernel of walk '" +
                         std::string(name_of(config.walk)) + "'");
  if (config.store == Store::rep && config.walk != Walk::points)
    return unimplemented("walk '" + std::string(name_of(config.walk)) +
                         "' has no kernel with store 'rep'");
  try {
    return make_kernel_for_isa(program, config);
  } catch (const Xbyak::Error& error) {
    return runtime_error(kernel_name(program, config) + " cannot be assembled: " + error.what());
  } catch (const std::bad_alloc&) {
    return out_of_memory("no memory to assemble " + kernel_name(program, config));
  }
}

bool walk_applies(const RowProgram& program, Walk walk) {
  switch (walk) {
    case Walk::rows:
      return true;
    case Walk::ring:
      return ring_applies(program);
    case Walk::points:
      return points_applies(program);
  }
  return false;
}

bool walk_fits(const RowProgram& program, Walk walk, const int64_t* extents,
               const int64_t* strides) {
  if (!walk_applies(program, walk)) return false;
  switch (walk) {
    case Walk::rows:
      return true;
    case Walk::ring:
      return ring_fits(program, extents, strides);
    case Walk::points:
      return is_dense(extents, strides, program.rank);
  }
  return false;
}

}  // namespace iotadnn::impl
