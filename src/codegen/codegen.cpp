// SPDX-License-Identifier: Apache-2.0
#include "codegen/codegen.h"

#include <mutex>
#include <new>
#include <optional>
#include <utility>

#include "codegen/assemble.h"
#include "codegen/jit_kernel.h"
#include "codegen/jit_profile.h"
#include "codegen/points_kernel.h"
#include "codegen/pointwise_kernel.h"
#include "codegen/replicate.h"
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
    case Walk::pointwise:
      return "pointwise";
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

Result<PublishedKernel> publish_kernel(Gen& gen, std::string name) {
  const size_t instructions = gen.finish();
  auto place = publish_code(gen.getCode(), gen.getSize());
  if (!place.ok()) return place.status();
  report_kernel(name, (*place)->entry(), (*place)->size());
  return PublishedKernel{std::move(name), std::move(*place), instructions};
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
    case Walk::pointwise:
      return make_pointwise_kernel<T>(program, config);
  }
  return unimplemented("no such walk");
}

constexpr size_t kIsas = static_cast<size_t>(Isa::avx512_core_bf16) + 1;
constexpr size_t kStores = static_cast<size_t>(Store::rep) + 1;

// Codes of replicate_function(), kept for the life of the process: threads may still run them when
// static objects go.
struct ReplicateCodes {
  std::mutex mutex;
  std::optional<PublishedKernel> code[kIsas][kStores];
};

ReplicateCodes& replicate_codes() {
  static ReplicateCodes& codes = *new ReplicateCodes;
  return codes;
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
  return assemble<std::shared_ptr<const Kernel>>(
      config.isa, kernel_name(program, config),
      [&](auto isa) { return make_kernel<decltype(isa)>(program, config); });
}

Result<ReplicateFunction> replicate_function(Isa isa, Store store) {
  ReplicateCodes& codes = replicate_codes();
  const std::lock_guard<std::mutex> lock(codes.mutex);
  auto& code = codes.code[static_cast<size_t>(isa)][static_cast<size_t>(store)];
  if (!code) {
    auto made = assemble<PublishedKernel>(
        isa, "iotadnn_replicate", [&](auto t) { return make_replicate<decltype(t)>(store); });
    if (!made.ok()) return made.status();  // tried again at the next call
    code = std::move(*made);
  }
  return reinterpret_cast<ReplicateFunction>(reinterpret_cast<uintptr_t>(code->place->entry()));
}

KernelCode replicate_code(Isa isa, Store store) {
  ReplicateCodes& codes = replicate_codes();
  const std::lock_guard<std::mutex> lock(codes.mutex);
  const auto& code = codes.code[static_cast<size_t>(isa)][static_cast<size_t>(store)];
  return code ? code->code() : KernelCode{};
}

bool walk_applies(const RowProgram& program, Walk walk) {
  if (is_coordinate_program(program) == (walk == Walk::pointwise)) return false;
  switch (walk) {
    case Walk::rows:
      return true;
    case Walk::ring:
      return ring_applies(program);
    case Walk::points:
      return points_applies(program);
    case Walk::pointwise:
      return true;
  }
  return false;
}

bool walk_fits(const RowProgram& program, Walk walk, const int64_t* extents,
               const int64_t* strides) {
  if (!walk_applies(program, walk)) return false;
  switch (walk) {
    case Walk::rows:
    case Walk::pointwise:
      return true;
    case Walk::ring:
      return ring_fits(program, extents, strides);
    case Walk::points:
      return is_dense(extents, strides, program.rank);
  }
  return false;
}

}  // namespace iotadnn::impl
