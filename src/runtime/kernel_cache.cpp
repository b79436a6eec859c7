// SPDX-License-Identifier: Apache-2.0
#include "runtime/kernel_cache.h"

#include <algorithm>
#include <mutex>
#include <shared_mutex>
#include <unordered_map>

#include "base/log.h"

namespace iotadnn::impl {
namespace {

struct Key {
  RowProgram program;
  KernelConfig config;

  bool operator==(const Key& o) const { return program == o.program && config == o.config; }
};

struct KeyHash {
  size_t operator()(const Key& key) const {
    const size_t config =
        static_cast<size_t>(key.config.isa) * 64 + static_cast<size_t>(key.config.walk) * 8 +
        static_cast<size_t>(key.config.store) + size_t{key.config.row_constant_inputs} * 4096;
    return hash_of(key.program) * 1000003 + config;
  }
};

// A kernel takes a few hundred bytes of code and structure decides it, never a size or a scalar: a
// process that passes this bound feeds thousands of different layouts, and starts over.
constexpr size_t kMaxKernels = 4096;

std::shared_mutex g_mutex;
std::unordered_map<Key, std::shared_ptr<const Kernel>, KeyHash> g_kernels;

}  // namespace

Result<std::shared_ptr<const Kernel>> cached_kernel(const RowProgram& program,
                                                    const KernelConfig& config) {
  Key key{program, config};
  {
    const std::shared_lock lock(g_mutex);
    const auto found = g_kernels.find(key);
    if (found != g_kernels.end()) return found->second;
  }
  auto kernel = compile_kernel(program, config);
  if (!kernel.ok()) return kernel.status();
  const std::unique_lock lock(g_mutex);
  if (g_kernels.size() >= kMaxKernels) g_kernels.clear();
  return g_kernels.try_emplace(std::move(key), *kernel).first->second;
}

Isa kernel_isa(Isa cap) {
  return std::min(cap, Isa::avx512_core);
}

Status pointwise_kernel(const RowProgram& program, const int64_t* strides, Store store, Isa cap,
                        std::shared_ptr<const Kernel>& kernel) {
  KernelConfig config;
  config.isa = kernel_isa(cap);
  config.walk = Walk::pointwise;
  config.store = store;
  const auto rank = static_cast<size_t>(program.rank);
  for (size_t t = 0; t < program.inputs.size(); ++t)
    if (strides[t * rank + rank - 1] == 0) config.row_constant_inputs |= 1u << t;
  auto compiled = cached_kernel(program, config);
  if (compiled.ok()) {
    kernel = *compiled;
    return {};
  }
  const StatusCode code = compiled.status().code();
  if (code != StatusCode::runtime_error && code != StatusCode::unimplemented)
    return compiled.status();
  log_fallback(compiled.status());
  return {};
}

std::string impl_name(const Kernel* kernel, Isa cap) {
  return impl_name(kernel == nullptr ? Isa::portable : kernel_isa(cap));
}

std::string impl_name(Isa compiled_for) {
  const std::string name(name_of(compiled_for));
  return compiled_for < Isa::avx2 ? name : "jit:" + name;
}

void log_fallback(const Status& status) {
  if (verbose_on(Verbose::dispatch) || verbose_on(Verbose::warn))
    verbose_line("graph,create:dispatch,compile,portable path: " + status.message());
}

}  // namespace iotadnn::impl
