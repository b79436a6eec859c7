// SPDX-License-Identifier: Apache-2.0
#include "benchdnn/process_settings.h"

#include <strings.h>

#ifdef _OPENMP
#include <omp.h>
#endif

#include "iotadnn/common.hpp"

#include "benchdnn/errors.h"

namespace iotadnn::benchdnn {
namespace {

// "" or the reason why not.
std::string apply_threads(int64_t threads) {
#ifdef _OPENMP
  static const int initial = omp_get_max_threads();
  omp_set_num_threads(threads > 0 ? static_cast<int>(threads) : initial);
  return "";
#else
  return threads > 1 ? "This build has one thread" : "";
#endif
}

void apply_strategy(const std::string& text) {
  // Before --strategy is given once, the environment decides.
  static bool given = false;
  given = given || !text.empty();
  if (given && iotadnn_set_strategy(text.c_str()) != iotadnn_success)
    throw UsageError(std::string("--strategy: ") + iotadnn_get_last_error());
}

std::string apply_isa(const std::string& name) {
  // Before --isa is given once, the environment decides.
  static bool given = false;
  given = given || name != "default";
  if (!given) return "";
  iotadnn_cpu_isa_t wanted = iotadnn_cpu_isa_default;
  const bool is_default = strcasecmp(name.c_str(), "default") == 0;
  if (!is_default) error::wrap_c_api(iotadnn_cpu_isa_from_name(name.c_str(), &wanted), "--isa");
  error::wrap_c_api(iotadnn_set_max_cpu_isa(wanted), "--isa");
  const bool lacking = !is_default && iotadnn_get_effective_cpu_isa() != wanted;
  return lacking ? "ISA " + name + " not available" : "";
}

}  // namespace

std::string apply_process_settings(const GlobalSettings& global) {
  apply_strategy(global.strategy);
  const std::string threads = apply_threads(global.threads);
  return threads.empty() ? apply_isa(global.isa) : threads;
}

std::string isa_in_force() {
  switch (iotadnn_get_effective_cpu_isa()) {
    case iotadnn_cpu_isa_reference:
      return "reference";
    case iotadnn_cpu_isa_portable:
      return "portable";
    case iotadnn_cpu_isa_avx2:
      return "avx2";
    case iotadnn_cpu_isa_avx512_core:
      return "avx512_core";
    case iotadnn_cpu_isa_avx512_core_bf16:
      return "avx512_core_bf16";
    case iotadnn_cpu_isa_default:
      return "default";
  }
  return "default";
}

int64_t thread_count() {
#ifdef _OPENMP
  return omp_get_max_threads();
#else
  return 1;
#endif
}

}  // namespace iotadnn::benchdnn
