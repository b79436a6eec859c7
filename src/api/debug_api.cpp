// SPDX-License-Identifier: Apache-2.0
#include <cstddef>
#include <map>
#include <mutex>
#include <string>
#include <utility>

#include "iotadnn/debug.h"

#include "api/call.h"
#include "api/convert.h"
#include "base/data_type.h"
#include "ops/contract.h"
#include "ops/op_table.h"

namespace {

constexpr const char* kUnknown = "unknown";

template <size_t N, class Enum>
const char* name_in(const char* const (&names)[N], const Enum& value) {
  const auto number = static_cast<unsigned>(iotadnn::impl::raw(value));
  return number < N ? names[number] : kUnknown;
}

// Texts that were handed out; nodes of a map stay where they are.
iotadnn::impl::Status find_contract(iotadnn::impl::OpKind kind, const char*& text) {
  using namespace iotadnn::impl;  // NOLINT(google-build-using-namespace)
  static std::mutex mutex;
  static std::map<OpKind, std::string> contracts;
  const OpDef* def = find_op(kind);
  const std::lock_guard<std::mutex> lock(mutex);
  auto found = contracts.find(kind);
  if (found == contracts.end()) {
    std::string json = def == nullptr ? "" : contract_json(*def);
    if (json.empty())
      return invalid_arguments("op kind " + std::to_string(kind) +
                               (def == nullptr ? "" : " (" + std::string(def->name) + ")") +
                               " is none that iotadnn computes: it has no contract");
    found = contracts.emplace(kind, std::move(json)).first;
  }
  text = found->second.c_str();
  return {};
}

}  // namespace

const char* iotadnn_op_contract(iotadnn_graph_op_kind_t kind) {
  const char* text = nullptr;
  iotadnn::impl::guarded([&] {
    return find_contract(static_cast<iotadnn::impl::OpKind>(iotadnn::impl::raw(kind)), text);
  });
  return text;
}

const char* iotadnn_status2str(iotadnn_status_t v) {
  constexpr const char* kNames[] = {"success",       "out_of_memory",     "invalid_arguments",
                                    "unimplemented", "last_impl_reached", "runtime_error",
                                    "not_required",  "invalid_graph",     "invalid_graph_op",
                                    "invalid_shape", "invalid_data_type"};
  return name_in(kNames, v);
}

const char* iotadnn_dt2str(iotadnn_data_type_t v) {
  using namespace iotadnn::impl;  // NOLINT(google-build-using-namespace)
  const auto type = static_cast<DataType>(raw(v));
  // Names of types are literals, hence terminated.
  return type == DataType::undef || is_known(type) ? name_of(type).data() : kUnknown;
}

const char* iotadnn_fpmath_mode2str(iotadnn_fpmath_mode_t v) {
  constexpr const char* kNames[] = {"strict", "bf16", "f16", "any", "tf32"};
  return name_in(kNames, v);
}

const char* iotadnn_accumulation_mode2str(iotadnn_accumulation_mode_t v) {
  constexpr const char* kNames[] = {"strict", "relaxed", "any", "s32", "f32", "f16"};
  return name_in(kNames, v);
}

const char* iotadnn_engine_kind2str(iotadnn_engine_kind_t v) {
  constexpr const char* kNames[] = {"any", "cpu", "gpu"};
  return name_in(kNames, v);
}

const char* iotadnn_cpu_isa2str(iotadnn_cpu_isa_t v) {
  switch (iotadnn::impl::raw(v)) {
    case iotadnn_cpu_isa_default:
      return "cpu_isa_default";
    case iotadnn_cpu_isa_reference:
      return "cpu_isa_reference";
    case iotadnn_cpu_isa_portable:
      return "cpu_isa_portable";
    case iotadnn_cpu_isa_avx2:
      return "cpu_isa_avx2";
    case iotadnn_cpu_isa_avx512_core:
      return "cpu_isa_avx512_core";
    case iotadnn_cpu_isa_avx512_core_bf16:
      return "cpu_isa_avx512_core_bf16";
    default:
      return kUnknown;
  }
}

const char* iotadnn_runtime2str(unsigned v) {
  switch (v) {
    case IOTADNN_RUNTIME_NONE:
      return "none";
    case IOTADNN_RUNTIME_SEQ:
      return "sequential";
    case IOTADNN_RUNTIME_OMP:
      return "OpenMP";
    default:
      return kUnknown;
  }
}
